"""Breakages of the maths, each in one place: what benchmarks/mutations.py tries, to see whether a test notices."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    file: str
    old: str
    new: str
    why: str
    tests: tuple[str, ...] = ()  # those that should notice, below tests/; none: the quick tests of the maths


def mutation(file: str, old: str, new: str, why: str, *tests: str) -> Mutation:
    return Mutation(f"src/regard/{file}", old, new, why, tests)


MUTATIONS = (
    # operations
    mutation("ops/contract.py", "else result * self.factor", "else result", "a factor is dropped"),
    mutation(
        "ops/contract.py",
        "Contract(spec, self.factor, lone)",
        "Contract(spec, 1.0, lone)",
        "a gradient loses the factor",
    ),
    mutation(
        "ops/contract.py",
        "return _times(expression, self.factor)",
        "return expression",
        "a mean is shown without its division",
    ),
    mutation(
        "ops/contract.py",
        "left, right, swap = b, a, True",
        "left, right, swap = b, a, False",
        "the sides of a product are swapped",
    ),
    mutation(
        "ops/contract.py",
        "back = [result.index(x) for x in output]",
        "back = list(range(len(output)))",
        "axes of a product are left in the wrong order",
    ),
    mutation(
        "ops/contract.py",
        "return lambda x, y: aligned(inner(x, y), kept, output)",
        "return inner",
        "a repeated axis is put where broadcasting puts it",
    ),
    mutation(
        "ops/map.py",
        'New(Contract(f"{output}->{axes}"), (cellwise,))',
        'New(Contract(f"{output}->{axes}", 0.5), (cellwise,))',
        "half the blame of what was broadcast",
    ),
    mutation(
        "ops/pick.py",
        "np.add.at(result, index, np.broadcast_to(aligned(values, values_axes, from_axes), shape))",
        "result[index] = np.broadcast_to(aligned(values, values_axes, from_axes), shape)",
        "scatter overwrites instead of adding",
    ),
    mutation(
        "ops/pick.py",
        "return total(terms) if terms",
        "return terms[0] if terms",
        "a repeated word's gradient shows one term",
    ),
    mutation("ops/pick.py", "== row)", "== 0)", "a scattered cell shows the terms of row 0"),
    mutation(
        "ops/replace.py",
        "New(Replace(self.letters, self.at, 0.0), (gradient,))",
        "New(Replace(self.letters, self.at, float(gradient.value[self.at])), (gradient,))",
        "an edit lets the gradient through",
    ),
    mutation(
        "ops/peak.py",
        "shift = GRID * np.round(np.where(np.isfinite(largest), largest, 0.0) / GRID)",
        "shift = np.where(np.isfinite(largest), largest, 0.0)",
        "the peak is the exact largest score",
    ),
    mutation("ops/peak.py", "np.where(np.isfinite(largest), largest, 0.0)", "largest", "a hidden row is shifted by −∞"),
    mutation("ops/erf.py", "return np.copysign(result, x)", "return result", "erf forgets the sign"),
    # formulas
    mutation("ops/formulas.py", "lambda x, n: x / sqrt(n)", "lambda x, n: x / n", "the root of the scale is dropped"),
    mutation("ops/formulas.py", "where(visible, x, -math.inf)", "where(visible, -math.inf, x)", "the mask is inverted"),
    mutation(
        "ops/formulas.py", "where(visible, x, -math.inf)", "where(visible, x, 0.0)", "a hidden score is 0, not −∞"
    ),
    mutation("ops/formulas.py", "where(visible, g, 0.0)", "where(visible, g, g)", "blame goes through the mask"),
    mutation(
        "ops/formulas.py",
        "lambda g, y, b: -_divide(g * y, b)",
        "lambda g, y, b: _divide(g * y, b)",
        "wrong sign in the blame of a divisor",
    ),
    mutation("ops/formulas.py", "return a / where(is_zero(b), math.inf, b)", "return a / b", "0/0 is not 0"),
    mutation("ops/formulas.py", "weight * (g - average)", "weight * g", "softmax's blame forgets the average"),
    mutation(
        "ops/formulas.py",
        "lambda p, g, target: p * g - target",
        "lambda p, g, target: p - target",
        "a logit's blame forgets the mean over positions",
    ),
    mutation(
        "ops/formulas.py",
        'STEEPEST)), (Blame("product", ("g", "y")), None))',
        'STEEPEST)), (Blame("product", ("g", "y")), Blame("product", ("g", "y"))))',
        "the peak gets a gradient",
    ),
    mutation("ops/formulas.py", "x * cosine + turned * sine", "x * cosine - turned * sine", "rotary turns backwards"),
    mutation(
        "ops/formulas.py",
        'Blame("product", ("g", 3)), None, None)',
        'Blame("product", ("g", 2)), None, None)',
        "rotary's partner is blamed by the cosine",
    ),
    mutation(
        "ops/formulas.py",
        "lambda x, floor: sqrt(at_least_zero(x + floor))",
        "lambda x, floor: sqrt(at_least_zero(x))",
        "a norm's epsilon is dropped",
    ),
    mutation(
        "ops/formulas.py",
        "lambda g, y: _divide(g, 2 * y)",
        "lambda g, y: _divide(g, y)",
        "the root's blame forgets the 2",
    ),
    mutation(
        "ops/formulas.py",
        "_cumulative(x) + x * (DENSITY * exp(-(x * x) / 2))",
        "_cumulative(x)",
        "GELU's slope forgets its bell",
    ),
    mutation(
        "ops/formulas.py",
        "(STEEP * (1 + 3 * CUBIC * (x * x)))",
        "(STEEP * (1 + CUBIC * (x * x)))",
        "tanh-GELU's slope forgets the 3",
    ),
    mutation("ops/formulas.py", "share * (1 + x * (1 - share))", "share * (1 + x * share)", "SiLU's slope is wrong"),
    mutation(
        "ops/formulas.py",
        "where(_is_lost(p, logit, log_sum), 0.0, -_divide(g, p))",
        "where(_is_lost(p, logit, log_sum), 0.0, _divide(g, p))",
        "wrong sign in the blame of a surprise",
    ),
    mutation(
        "ops/formulas.py",
        "is_below(p, LEAST) & is_below(logit, log_sum - FAR)",
        "is_below(p, LEAST)",
        "a share set to nothing by hand is taken for a lost one",
    ),
    mutation(
        "ops/formulas.py",
        "where(_is_lost(p, logit, log_sum), g, 0.0)",
        "where(_is_lost(p, logit, log_sum), 0.0, 0.0)",
        "the log-sum-exp of a lost share is not blamed",
    ),
    mutation(
        "trace/backward.py",
        "if share[0] not in included]",
        "]",
        "the target's logit is blamed twice",
    ),
    mutation(
        "trace/backward.py",
        "if any(reader is not weights and reader not in logarithms for reader in consumers[weights.inputs[1]]):",
        "if False:",
        "a closed form is used where something else reads the total",
    ),
    mutation(
        "ops/merge.py",
        "order = output.replace(self.joined, self.parts)",
        "order = output.replace(self.joined, self.parts[::-1])",
        "heads are laid side by side dimension by dimension",
    ),
    mutation(
        "ops/formulas.py", "lambda w, g, rate: w - rate * g", "lambda w, g, rate: w + rate * g", "learning goes uphill"
    ),
    mutation(
        "ops/formulas.py",
        "where(dragged, room * _divide(kept, left), kept)",
        "where(dragged, room * kept, kept)",
        "dragging does not fill the room",
    ),
    mutation(
        "ops/formulas.py",
        "where(dragged, -_divide(g * y, left), 0.0)",
        "where(dragged, _divide(g * y, left), 0.0)",
        "wrong sign in the blame of what is left",
    ),
    mutation(
        "ops/formulas.py",
        "where(dragged, room * _divide(g, left), g)",
        "where(dragged, _divide(g, left), g)",
        "the blame of a dragged row forgets the room",
    ),
    # the backward pass
    mutation(
        "trace/backward.py",
        "for consumer, new in shares:",
        "for consumer, new in shares[1:]:",
        "one .via share is missing",
    ),
    mutation(
        "trace/backward.py",
        "shares[i].append((step, new))",
        "shares[i] = [(step, new)]",
        "tied gradients are lost: only one use is blamed",
    ),
    mutation(
        "trace/backward.py",
        "if len(sums) != 1 or len(shares) != 1 or shares[0].inputs != (exps, sums[0]):",
        "if len(sums) != 1 or len(shares) != 1:",
        "the closed form is used under an edited total",
    ),
    mutation("trace/backward.py", "(weights, blame), f", "(weights, weights), f", "the average blame averages weights"),
    mutation(
        "trace/backward.py", 'Given(1.0, "", "constant")', 'Given(2.0, "", "constant")', "the loss is blamed twice"
    ),
    mutation(
        "trace/holding.py",
        'step.op.role != "constant"',
        'step.op.role == "parameter"',
        "a pinned step has no gradient",
    ),
    mutation(
        "trace/backward.py",
        '(surprise_gradient, ids), "target"',
        '(chosen, ids), "target"',
        "the target's share is scaled by its probability",
    ),
    # edits and updates
    mutation("trace/edits.py", "(1.0 - edit.number,)", "(1.0,)", "moving does not rescale"),
    mutation(
        "trace/edits.py",
        "Replace(axes, edit.at, 0.0), (original,)",
        "Replace(axes, edit.at, edit.number), (original,)",
        "moving counts the dragged cell among the others",
    ),
    mutation("trace/edits.py", "row[edit.at[:-1]] = True", "row[...] = True", "moving rescales every row"),
    mutation(
        "trace/edits.py",
        "elif any(i in new for i in step.inputs):",
        "elif step.inputs and step.inputs[0] in new:",
        "what depends on an edit by its second input is not run again",
    ),
    mutation(
        "trace/trace.py", 'Map("update", spec, (rate,))', 'Map("update", spec, (rate / 2,))', "half the learning rate"
    ),
    mutation(
        "trace/trace.py",
        "learned=tuple(nexts.values()), parent=None)",
        "learned=tuple(nexts.values()))",
        "updates keep all their ancestors",
    ),
    mutation(
        "trace/trace.py",
        "steps = rebuilt((*before.forward, *before.gradients), put)",
        "steps = (*rebuilt(before.forward, put), *before.gradients)",
        "updates learn from the first gradient for ever",
    ),
    mutation("trace/trace.py", "np.argmax(step.value", "np.argmin(step.value", "the least probable word is predicted"),
    # the model
    mutation(
        "models/glass.py",
        "np.arange(heads) * groups // heads",
        "np.arange(heads) % groups",
        "grouped heads read the wrong keys",
    ),
    mutation("models/glass.py", "< half, -1.0, 1.0)", "< half, 1.0, -1.0)", "the sign of rotary's sine"),
    mutation(
        "models/glass.py",
        'return self.mix(self.softmax(masked, "peak", "exps", "total", "weights"), v)',
        'self.softmax(masked, "peak", "exps", "total", "weights")\n        return self.mix(scaled, v)',
        "scores are mixed instead of weights",
    ),
    mutation(
        "models/glass.py",
        'Contract(f"{axes}->{row}", 1 / width), x)',
        'Contract(f"{axes}->{row}"), x)',
        "sum instead of mean in a norm",
    ),
    mutation(
        "models/glass.py",
        'Contract(f"{axes},{axes}->{row}", 1 / width)',
        'Contract(f"{axes},{axes}->{row}", 1 / (width - 1))',
        "variance over n − 1",
    ),
    mutation(
        "models/glass.py",
        'Contract(f"{surprises.axes}->", 1 / surprises.shape[0])',
        'Contract(f"{surprises.axes}->")',
        "the loss is a sum, not a mean",
    ),
    mutation("models/glass.py", "np.int64(position)", "np.int64(-1)", "the last position predicts, whatever is asked"),
    mutation(
        "ops/scaling.py",
        '{"root": ROOT, "width": WIDTH,',
        '{"root": WIDTH, "width": ROOT,',
        "the scalings are swapped",
    ),
    mutation(
        "models/transformer.py",
        'do.share("v.shared", v, settings.heads)',
        'do.share("v.shared", k, settings.heads)',
        "keys are mixed instead of values",
    ),
    mutation("models/transformer.py", 'settings.positions.turn(do, "k", k)', "k", "rotary does not turn the keys"),
    mutation(
        "models/transformer.py",
        "norm, do.add(name, x, y) if settings.residual else y, parameters)",
        "norm, y, parameters)",
        "the residual is lost where the norm comes after",
    ),
    mutation(
        "models/transformer.py",
        'if settings.norm_order != "after" else x',
        "if False else x",
        "the last norm is left out",
    ),
    mutation(
        "models/parts.py",
        'do.activate("opened", gate, self.curve), hidden)',
        'do.activate("opened", hidden, self.curve), gate)',
        "the gate and the gated are swapped",
    ),
    mutation(
        "toys/fox.toml",
        "positions.distance = [0.0, -1.6896339011964527, -2.2696439967665505, -1.4492175955930267, 0.0]",
        "positions.distance = [-1.4492175955930267, -2.2696439967665505, -1.6896339011964527, 0.0, 0.0]",
        "the fox's bias by distance is the wrong way round",
    ),
    mutation(
        "attending/positions.py",
        "np.minimum(apart, reach - 1)",
        "np.minimum(apart + 1, reach - 1)",
        "distances are off by one",
    ),
    mutation(
        "attending/positions.py",
        "np.sin(angle), np.cos(angle))",
        "np.cos(angle), np.sin(angle))",
        "sines and cosines are swapped",
    ),
    mutation(
        "attending/positions.py",
        "self.base ** (-pair / pairs)",
        "self.base ** (-pair / (2 * pairs))",
        "rotary's frequencies fall at half the pace",
    ),
    # parts that few families have
    mutation(
        "attending/stretching.py",
        "frequency / self.factor * (1 - kept)",
        "frequency * (1 - kept)",
        "slow pairs are not slowed",
        "models/test_transformer_by_definition.py",
    ),
    mutation(
        "attending/positions.py",
        'return do.add_positions(x, parameters["position"], self.offset)',
        'return do.add_positions(x, parameters["position"], 0)',
        "positions are counted from the first row of the table",
        "models/test_transformer_by_definition.py",
    ),
    mutation(
        "models/settings.py",
        "window=own.window, positions=own.positions or self.positions",
        "window=own.window, positions=self.positions",
        "a layer turns its words as all others do",
        "models/test_transformer_by_definition.py",
    ),
    mutation(
        "models/transformer.py",
        'also = normed if settings.arrangement == "beside, one norm" else',
        "also = normed if True else",
        "the MLP beside attention shares its norm",
        "models/test_transformer_by_definition.py",
    ),
    mutation(
        "ops/formulas.py",
        "lambda g, y, most: g * (1 - (y / most) * (y / most))",
        "lambda g, y, most: g * (1 - y * y)",
        "a capped score is blamed as if the cap were 1",
        "ops/test_formula_gradients.py",
    ),
    mutation(
        "trace/carried.py",
        "constants = op.constants if gate.with_constants else ()",
        "constants = (1.0,) if gate.with_constants else ()",
        "what a capped logit carries forgets the cap",
        "trace/test_carried.py",
    ),
    mutation(
        "lens/flowing.py",
        "entering = (*read, *after) if unthought is None else (*read, unthought, *after)",
        "entering = (*read, *after)",
        "biases of an MLP beside attention are lost",
        "lens/test_flow.py",
    ),
    mutation("attending/masks.py", "key <= query", "key < query", "a word does not see itself"),
    mutation("attending/masks.py", "< size", "<= size", "the window is off by one"),
    mutation("attending/masks.py", "(query < length) & (key", "(query < length) | (key", "padding is read"),
    # the door and the weights
    mutation(
        "attending/scores.py", "head[-1] // self.shared", "head[-1] % self.k.shape[-3]", "heads of a group are mixed"
    ),
    mutation(
        "attending/scores.py",
        "place[rows] + first, place[keys])\n    made",
        "place[rows], place[keys])\n    made",
        "fewer queries are taken for the first tokens",
    ),
    mutation(
        "attending/blockwise.py",
        "total * shrink",
        "total",
        "a running sum is not rescaled",
        "attending/test_weights.py",
    ),
    mutation("attending/sources.py", "np.where(np.isneginf(found), 0.0, found)", "found", "a hidden row is no number"),
    mutation(
        "attending/pooling.py",
        "edges[first:last] - tile.start, 0)",
        "edges[first:last] - tile.start, 1)",
        "a cell begins one too late",
    ),
    mutation("attending/top.py", "(p >= least", "(p > least", "of equal weights one is lost"),
    mutation("attending/kernels/blockwise.py", ".sub_(average)", "", "a score's blame is not centred"),
    mutation("attending/kernels/blockwise.py", "q_grad *= ctx.asked.scale", "pass", "a query's blame is not scaled"),
    mutation(
        "attending/kernels/fused.py",
        "if lse is not None and mask is not None:",
        "if lse is not None and mask is None:",
        "a hidden row has the log-sum-exp 0",
    ),
    mutation(
        "attending/kernels/sdpa.py",
        "asked.queries in (1, asked.keys)",
        "asked.queries > 0",
        "queries after a memory look back from the first key",
    ),
    mutation(
        "attending/masks.py",
        "mask[..., keys - queries :, :]",
        "mask[..., :queries, :]",
        "the last queries get the mask of the first",
    ),
    # what is shown
    mutation(
        "ops/expression.py",
        "np.argsort(-np.abs(",
        "np.argsort(np.abs(",
        "a long sum shows its smallest terms",
    ),
    mutation(
        "ops/notation.py",
        '"/": (FACTOR, (FACTOR, BELOW))',
        '"/": (FACTOR, (FACTOR, FACTOR))',
        "a / (b·c) is printed as a / b·c",
    ),
    mutation("ops/notation.py", '"-": (1, (1, TERM))', '"-": (1, (1, FIRST))', "a − (b − c) is printed as a − b − c"),
    mutation(
        "trace/labels.py",
        "if word in self._repeated(letter) else written",
        "if False else written",
        "a repeated word is written without its position",
    ),
    # writing on
    mutation(
        "models/plain.py",
        "return keys.with_more(k), values.with_more(v)",
        "return values.with_more(v), keys.with_more(k)",
        "remembered keys are taken for values",
    ),
    mutation(
        "models/plain.py",
        "larger[:, : self.count] = self.room[:, : self.count] if self.count else 0",
        "larger[:, : self.count] = 0",
        "what was remembered is lost when more room is made",
    ),
    mutation(
        "models/plain.py",
        "by.angles(tokens, width, self.start)",
        "by.angles(tokens, width)",
        "a word that is read later is turned like the first",
    ),
    mutation(
        "models/plain.py",
        "x + table[self.start + offset : end + offset]",
        "x + table[offset : len(x) + offset]",
        "a word that is read later has the first position",
    ),
    mutation(
        "models/plain.py",
        "sinusoids(tokens, width, self.start)",
        "sinusoids(tokens, width)",
        "a word that is read later has the first wave",
    ),
    mutation(
        "models/plain.py",
        "scores += bias.tile(last, places)[:, 0]",
        "scores += bias.tile(places, last)[:, 0]",
        "a single word is biased by the distance of the first",
    ),
    mutation(
        "models/plain.py",
        "powers = np.exp(scores - peak, where=allowed, out=np.zeros_like(scores))",
        "powers = np.exp(scores - peak)",
        "a single word reads what is hidden",
    ),
    mutation(
        "models/plain.py",
        "q[:, 0] * q.dtype.type(scale)",
        "q[:, 0]",
        "a single word's scores are not scaled",
    ),
    # holding, flow and measurements
    mutation("trace/holding.py", "(weights|opened)$", "(weights)$", "the gates of a gated MLP are not held"),
    mutation("trace/holding.py", "return is_sum(by)", "return True", "parameters count wherever they are read"),
    mutation(
        "trace/holding.py",
        "step.op.backward_holding_gates(step, blame) if self.is_linear",
        "step.op.backward(step, blame) if self.is_linear",
        "a held curve counts with its slope",
    ),
    mutation("ops/formulas.py", "lambda g, x: g * _logistic(x)", "lambda g, x: g * x", "SiLU's gate is its input"),
    mutation(
        "trace/carried.py",
        "Replace(op.letters, op.at, 0.0)",
        "Replace(op.letters, op.at, op.number)",
        "a number set by hand is carried as if a word had sent it",
    ),
    mutation(
        "trace/carried.py",
        "lacks_a_term = _adds(step.op) and len(arrived) < len(parts)",
        "lacks_a_term = False",
        "biases are carried as if a word had sent them",
    ),
    mutation("lens/flowing.py", "reading, direction, whole)", "reading, direction, values)", "edges carry biases too"),
    mutation("lens/sources.py", "(share, rest)))", "(share, share)))", "an edit carries nothing"),
    mutation(
        "lens/contributions.py",
        'DIRECT, "contribution", apart="H"',
        'DIRECT, "contribution", apart="Q"',
        "contributions are told apart by word instead of by head",
    ),
    mutation("ops/formulas.py", "-(p * log(p)), 0.0)", "p * log(p), 0.0)", "entropy has the wrong sign"),
    mutation("lens/attending.py", "+ keys - queries - np", "+ 1 + keys - queries - np", "distances are one too long"),
    mutation(
        "lens/without.py", '"visible", (position,), None)', '"visible", (0,), None)', "always the first word is hidden"
    ),
    mutation("lens/saying.py", "put = {old: new}", "put = {old: old}", "every layer says what the last one says"),
    mutation(
        "lens/learning.py",
        'change = (("update", "", (), rate),)',
        'change = (("update", "", (), -rate),)',
        "learning goes uphill in what is measured",
    ),
    mutation(
        "lens/looking.py",
        "np.arange(step.shape[0]) == head",
        "np.arange(step.shape[0]) >= head",
        "a head's part holds the heads after it too",
    ),
    mutation(
        "lens/pulling.py", 'Contract("HK->K", 1 / row.shape[0])', 'Contract("HK->K")', "gravity counts every head whole"
    ),
    mutation(
        "trace/elsewhere.py",
        "self.changes[at[0] if self.along else 0]",
        "self.changes[0]",
        "another run's number opens to the first run",
    ),
    mutation("lens/margin.py", "logits.shape[0] - 1", "0", "the margin is that of the first place that predicts"),
    mutation("lens/attending.py", "{axes[:-2]}{axes[-1]}", "{axes[:-1]}", "a word receives what it reads"),
    mutation("lens/attending.py", '"value_size"), Map("square_root"', '"value_size"), Map("size"', "sizes are squares"),
    mutation(
        "lens/blame.py", "squares.setdefault(role_of(name), [])", "squares.setdefault(name, [])", "roles by layer"
    ),
    mutation("lens/learning.py", "np.float64(trace.step", "np.float64(1 + trace.step", "one word more is guessed"),
    mutation(
        "lens/without.py", '"K,->K"), (whole, margin)', '"K,K->K"), (whole, whole)', "nothing changes without a word"
    ),
    mutation("lens/without.py", 'f"margin.{name}.word"', '"margin.first.word"', "both words of a margin are the first"),
    mutation("lens/pulling.py", 'f"{prefix}.way", Map("subtract"', 'f"{prefix}.way", Map("add"', "ways are sums"),
    mutation("lens/contributions.py", "(mix.inputs[0], read)", "(read, read)", "contributions leave out the weight"),
    mutation("trace/holding.py", r"[kv](", r"[k](", "what heads read is not held in what they add directly"),
)
