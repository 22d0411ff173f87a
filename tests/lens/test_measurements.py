"""Every measurement beside its definition, one number at a time, and every number of it open to its arithmetic."""

import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import regard
from regard.lens.flowing import flowing
from regard.lens.margin import compared
from regard.lens.measurements import MEASUREMENTS, measuring
from regard.lens.sentence import last_vectors
from regard.lens.streams import streams
from regard.lens.without import says_without
from regard.ops import Given, Map, Replace
from regard.trace import Cell, Labels
from regard.trace.names import role_of

NEAR = {"rel": 1e-9, "abs": 1e-11}
LOOPS = {"rel": 1e-10, "abs": 1e-13}
GRAVITIES = ("gravity0", "gravity3")
FAMILIES = (*(m.name for m in MEASUREMENTS), *GRAVITIES)
EDITS = (
    "layer0.weights[1,2,0]",
    "layer0.v[0,1,1]",
    "x[2,1]",
    "layer0.attended[1,1]",
    "layer0.activated[2,3]",
    "E[3,1]",
)


def with_words(trace):
    """A vocabulary for a random variant, so that two of its words can be compared."""
    count = trace.step("logits").shape[-1]
    words = {**trace.labels.words, "V": tuple(f"w{i}" for i in range(count))}
    return replace(trace, labels=Labels(words), compared=("w2", "w5"))


def edited(trace):
    """With several numbers set by hand, as many as the variant has."""
    for address in EDITS:
        if address.partition("[")[0] in trace.steps:
            trace = trace.edit(address, 0.37)
    return trace


@pytest.fixture(params=["as it is", "edited"])
def run(request, variant, trace_of):
    trace = with_words(trace_of(variant))
    return trace if request.param == "as it is" else edited(trace)


def layers(trace):
    return [s.name.removesuffix(".context") for s in trace.forward if re.fullmatch(r"layer\d+\.context", s.name)]


def margin_of(logits):
    logits = logits.reshape(-1, logits.shape[-1])[-1]
    return logits[2] - logits[5]


def cells(step, most=3):
    """Some places of a step: the last, the first, and one between."""
    places = list(np.ndindex(step.shape))
    return [places[i] for i in sorted({len(places) - 1, 0, len(places) // 2})][:most]


# how a held run goes


class HeldRun:
    """The forward pass once more, with what is held taken from the run, and some steps set to other values.

    A curve lets through the share of its input that it let through in the run; parameters and constants count where
    they are added.
    """

    CURVES = ("gelu", "gelu_tanh", "silu", "relu", "tanh", "cap")

    def __init__(self, trace, holds):
        self.trace, self.holds = trace, holds
        given = {s.name for s in trace.forward if isinstance(s.op, Given) and s.op.role != "input"}
        self.fixed = given | {re.sub(r"\.original\d*$", "", name) for name in given}

    def values(self, changed):
        """All steps that differ once these are set, by name."""
        found = dict(changed)
        for step in self.trace.forward:
            if step.name not in found and any(i.name in found for i in step.inputs):
                inputs = [self._read(i, step, found) for i in step.inputs]
                if all(new is i.value for new, i in zip(inputs, step.inputs)):
                    continue
                if isinstance(step.op, Map) and step.op.formula in self.CURVES:
                    x = np.where(step.inputs[0].value == 0, 1.0, step.inputs[0].value)
                    found[step.name] = inputs[0] * np.where(step.inputs[0].value == 0, 0.5, step.value / x)
                else:
                    found[step.name] = step.op.forward(*inputs)
        return found

    def _read(self, step, reader, found):
        is_added = isinstance(reader.op, Map) and reader.op.formula == "add"
        if step.name not in found or self.holds(step, reader) or (step.name in self.fixed and not is_added):
            return step.value
        return found[step.name]

    def margin(self, changed):
        found = self.values(changed)
        return margin_of(found.get("logits", self.trace.array("logits")))

    def with_zero(self, name, at=()):
        """The margin with one cell, one row or all of a step at 0."""
        value = self.trace.array(name).copy()
        value[at] = 0.0
        return self.margin({name: value})


def held_in_flow(step, _reader):
    return bool(re.search(r"^layer\d+\.(weights|opened)$|(^|\.)deviation$", step.name))


def held_in_direct(step, reader):
    """Heads and MLPs are where it begins: nothing goes into them."""
    ends = re.sub(r"\.original\d*$", "", reader.name).endswith((".context", ".mlp", ".mlp.product"))
    is_bias = isinstance(reader.op, Map | Replace)
    return (ends and not is_bias) or step.name.endswith("deviation")


HELD = {"toward": held_in_flow, "direct": held_in_direct}


# the definitions


def test_the_margin_is_a_difference_of_two_logits(run):
    assert run["margin"] == margin_of(run.array("logits"))
    assert run["margin.first"] - run["margin.second"] == run["margin"]


@pytest.mark.parametrize("suffix", HELD)
def test_a_direction_is_how_far_the_held_margin_moves_with_each_number(run, suffix):
    held = HeldRun(run, HELD[suffix])
    made = run.measure(suffix)
    checked = 0
    for step in run.forward:
        direction = made.get(f"{step.name}.{suffix}")
        for at in cells(step) if step.stored.dtype.kind == "f" and step.name != "margin" else ():
            moved = np.array(step.value)
            moved[at] += 1.0
            expected = held.margin({step.name: moved}) - run["margin"]
            found = 0.0 if direction is None else direction.value[at]
            assert found == pytest.approx(expected, rel=1e-8, abs=1e-9), (step.name, at)
            checked += abs(expected) > 1e-6
    assert checked > 2


def test_a_head_contributes_what_the_margin_loses_without_it(run):
    held = HeldRun(run, held_in_direct)
    for layer in layers(run):
        step = run.steps[f"{layer}.context"]
        if isinstance(step.op, Replace) or f"{layer}.context.contribution" not in run.measure("contribution"):
            continue
        for head in range(step.shape[0]):
            lost = run["margin"] - held.with_zero(step.name, head)
            assert run.array(f"{layer}.context.contribution")[head] == pytest.approx(lost, **NEAR)
        weights, values = (i.value for i in step.inputs)
        for h, q, k in cells(run.step(f"{layer}.contribution"), 3):
            without = np.array(step.value)
            without[h, q] -= weights[h, q, k] * values[h, k]
            lost = run["margin"] - held.margin({step.name: without})
            assert run.array(f"{layer}.contribution")[h, q, k] == pytest.approx(lost, **NEAR)


def test_contributions_leave_nothing_over(run):
    from regard.lens.contributions import contributions

    found = contributions(run)
    assert sum(c.contribution for c in found.components) == pytest.approx(run["margin"], **NEAR)
    assert all(c.cell is not None and c.cell.value == c.contribution for c in found.components)


def test_a_word_carries_what_the_held_margin_loses_without_it(run):
    held = HeldRun(run, held_in_flow)
    kinds = {"x": "embeddings", "placed": "positions", "waves": "positions", "segment.placed": "segments"}
    expected = {}
    for name, kind in kinds.items():
        if name in run.steps and run.steps[name].axes == "TC" and not isinstance(run.steps[name].op, Replace):
            lost = [run["margin"] - held.with_zero(name, t) for t in range(run.steps[name].shape[0])]
            expected[kind] = expected.get(kind, 0.0) + np.array(lost)
    for kind, lost in expected.items():
        if f"flow.{kind}" in run.measure("flow"):
            assert run.array(f"flow.{kind}") == pytest.approx(lost, **NEAR)


def test_an_edge_carries_what_its_word_sent_along_its_direction(run):
    held = HeldRun(run, held_in_flow)
    for block in flowing(run).blocks:
        mix = run.steps.get(f"{block.layer}.context")
        if block.edges is None or mix is None or isinstance(mix.op, Replace):
            continue
        weights, values = mix.inputs
        at_rest = held.values({block.below.name: np.zeros(block.below.shape)})
        constant = at_rest.get(values.name, values.value)  # what the values are when the words are nothing
        toward = run.array(f"{mix.name}.toward")
        for h, q, k in product(*map(range, weights.shape)):
            carried = sum((values.value[h, k, d] - constant[h, k, d]) * toward[h, q, d] for d in range(mix.shape[-1]))
            assert block.edges.value[h, q, k] == pytest.approx(weights.value[h, q, k] * carried, **NEAR)
        if block.constant is not None:
            for h, q in product(*map(range, weights.shape[:2])):
                each = [weights.value[h, q, k] * (constant[h, k] @ toward[h, q]) for k in range(weights.shape[-1])]
                assert block.constant.value[h, q] == pytest.approx(sum(each), **NEAR)


def test_a_node_carries_its_vector_along_its_direction(run):
    for name, node in flowing(run).nodes.items():
        vector, toward = run.array(name), run.array(f"{name}.toward")
        for t in range(len(vector)):
            assert node.value[t] == pytest.approx(sum(a * b for a, b in zip(vector[t], toward[t])), **LOOPS)


def test_what_heads_read_by_definition(run):
    for layer in layers(run):
        mix = run.steps[f"{layer}.context"]
        mix = mix.inputs[0] if isinstance(mix.op, Replace) else mix
        weights, values = (i.value for i in mix.inputs)
        heads, queries, keys = weights.shape
        for h in range(heads):
            received = [0.0] * keys
            for q in range(queries):
                entropy = distance = 0.0
                for k in range(keys):
                    w = float(weights[h, q, k])
                    size = math.sqrt(sum(float(v) ** 2 for v in values[h, k]))
                    assert run.array(f"{layer}.value_size")[h, k] == pytest.approx(size, **LOOPS)
                    assert run.array(f"{layer}.sent")[h, q, k] == pytest.approx(abs(w) * size, **LOOPS)
                    entropy -= w * math.log(w) if w > 0 else 0.0
                    distance += w * abs(q - k)
                    received[k] += w
                assert run.array(f"{layer}.entropy")[h, q] == pytest.approx(entropy, **LOOPS)
                assert run.array(f"{layer}.distance")[h, q] == pytest.approx(distance, **LOOPS)
            assert run.array(f"{layer}.received")[h] == pytest.approx(received, **LOOPS)


def test_the_run_without_a_word_is_the_run_in_which_nobody_sees_it(variant, trace_of, run):
    visible, query = variant["mask"](5), int(run.array("query")) if "query" in run.steps else None
    for word in range(5):
        others = visible.copy()
        for reader in range(5):
            if reader != word or word == query:
                others[reader, word] = False
        other = with_words(trace_of(variant, visible=others))
        other = edited(other) if run.edits else other
        last = other.array("logits").reshape(-1, run.step("logits").shape[-1])[-1]  # of several that predict
        assert run.array("without.logits")[word] == pytest.approx(last, **LOOPS)
        assert run.array("without")[word] == pytest.approx(margin_of(other.array("logits")), **LOOPS)
        change = margin_of(other.array("logits")) - margin_of(run.array("logits"))
        assert run.array("without.change")[word] == pytest.approx(change, **LOOPS)
        best = int(np.argmax(other.array("logits").reshape(-1, run.step("logits").shape[-1])[-1]))
        assert says_without(run, word) == f"w{best}"


def test_a_layer_says_what_the_model_says_when_its_stream_is_the_last(run):
    *heights, (_, last) = streams(run)
    for name, stream in heights:
        if stream.shape != last.shape:
            assert f"{name}.says.logits" not in run.measure("says")
            continue
        stopped = run.pin(last.name, stream.value)
        for step in ("logits", "probabilities"):
            assert run.array(f"{name}.says.{step}") == pytest.approx(stopped.array(step), **LOOPS)


def test_blame_is_the_root_of_all_squares_of_a_role(run):
    gradients = run.backward()
    squares = {}
    for name in gradients.parameters:
        if f"{name}.grad" in gradients.steps:
            of_role = squares.setdefault(role_of(name), [])
            of_role += [float(g) ** 2 for g in gradients.array(f"{name}.grad").ravel()]
    for role, of_role in squares.items():
        assert run[f"blame.{role}"] == pytest.approx(math.sqrt(math.fsum(of_role)), **LOOPS)
    whole = math.sqrt(math.fsum(square for of_role in squares.values() for square in of_role))
    assert run["blame"] == pytest.approx(whole, **LOOPS)


def test_after_an_update_every_parameter_has_gone_against_its_gradient(variant, trace_of, arrays_of):
    run = with_words(trace_of(variant))
    gradients, square = run.backward(), 0.0
    for name in gradients.parameters:
        square += float((gradients.array(f"{name}.grad") ** 2).sum()) if f"{name}.grad" in gradients.steps else 0.0
    rate = 0.1
    while rate * square > 0.5 * run["loss"]:
        rate /= 10
    assert run["after.rate"] == pytest.approx(rate)
    arrays = {name: array.copy() for name, array in arrays_of(variant).items()}
    for name, array in arrays.items():
        if f"{name}.grad" in gradients.steps:
            slopes = gradients.array(f"{name}.grad")
            for at in np.ndindex(array.shape):
                array[at] -= rate * slopes[at]
    other = trace_of(variant, arrays=arrays)
    assert run["after.loss"] == pytest.approx(other["loss"], **LOOPS)
    assert run.array("after.probabilities") == pytest.approx(other.array("probabilities"), **LOOPS)
    for layer in layers(run):
        assert run.array(f"{layer}.after.weights") == pytest.approx(other.array(f"{layer}.weights"), **LOOPS)
    assert replace(run, rate=0.003)["after.loss"] == pytest.approx(run.update(0.003)["loss"], **LOOPS)


def test_who_guesses_loses_the_logarithm_of_all_words(run):
    assert run["guessing"] == pytest.approx(-math.log(1 / run.step("logits").shape[-1]), **LOOPS)


def pulls_by_definition(trace, layer, before, position):
    """What each word does to one position in one layer."""
    mix = trace.steps[f"{layer}.context"]
    mix = mix.inputs[0] if isinstance(mix.op, Replace) else mix
    weights, values = (i.value for i in mix.inputs)
    attended = trace.steps[f"{layer}.attended"]
    is_added = any(attended in s.inputs and isinstance(s.op, Map) and s.op.formula == "add" for s in trace.forward)
    output = trace.array(f"{layer}.W_O") if f"{layer}.W_O" in trace.steps else None
    if output is None and "side_by_side" in trace.steps:
        output = trace.array("side_by_side")
    heads, width = weights.shape[0], before.shape[-1]
    pulls = np.zeros((weights.shape[-1], width))
    for k, c, h in product(range(weights.shape[-1]), range(width), range(heads)):
        if output is None:
            sent = values[h, k, c]
        else:
            matrix = output if output.ndim == 2 else output[h]
            sent = sum(values[h, k, d] * matrix[d, c] for d in range(values.shape[-1]))
        pulls[k, c] += weights[h, position, k] * sent
        if not is_added:
            pulls[k, c] -= weights[h, position, k] / heads * before[position, c]
    return pulls


def test_gravity_by_definition(run):
    own = run.array("x")
    for position in (0, 3):
        (_, before), *heights = streams(run)
        pulls = 0.0
        for layer, after in heights:
            name = f"{layer}.gravity{position}"
            if after.shape != own.shape:
                assert f"{name}.way" not in run.measure(f"gravity{position}")
                continue
            pulls = pulls + pulls_by_definition(run, layer, before.value, position)
            way = after.value[position] - own[position]
            square = sum(w * w for w in way)
            assert run.array(f"{name}.way") == pytest.approx(way, **LOOPS)
            assert run[f"{name}.way.size"] == pytest.approx(math.sqrt(square), **LOOPS)
            assert run.array(f"{name}.pull") == pytest.approx(pulls, **LOOPS)
            for k in range(len(pulls)):
                reach = sum(a * b for a, b in zip(pulls[k], way)) / square
                assert run.array(f"{name}.pull.size")[k] == pytest.approx(math.hypot(*pulls[k]), **LOOPS)
                assert run.array(f"{name}.pull.along")[k] == pytest.approx(reach, **LOOPS)
            rest = way - sum(pulls)
            assert run.array(f"{name}.rest") == pytest.approx(rest, **LOOPS)
            assert run[f"{name}.rest.size"] == pytest.approx(math.hypot(*rest), **LOOPS)
            shares = run.array(f"{name}.pull.along").sum() + run[f"{name}.rest.along"]
            assert shares == pytest.approx(1.0, **NEAR)
            before = after


# names, arithmetic, other runs


def families_of(run):
    """The measurements that this run has: without matrices of values there is nothing to compare W_Q and W_K with, and
    where no token's last vector is read, there is none for the whole text."""
    has_values = any(name.endswith("W_V") for name in run.parameters)
    found = [family for family in FAMILIES if run.measure(family)]
    assert [family for family in FAMILIES if family not in found] == [
        *([] if has_values else ["ratio"]),
        *([] if last_vectors(run) is not None else ["sentence"]),
    ]
    return found


def test_every_step_is_found_by_its_name_without_asking_for_its_measurement(run):
    for family in families_of(run):
        for name in run.measure(family):
            assert measuring(name) == family, name
        step = list(run.measure(family).values())[-1]
        at = f"[{','.join('0' * len(step.shape))}]" if step.shape else ""
        assert replace(run)[step.name + at] == pytest.approx(float(step.value[(0,) * len(step.shape)]), nan_ok=True)
        assert replace(run).why(step.name + at).value == pytest.approx(float(step.value[(0,) * len(step.shape)]))


def test_printed_numpy_evaluates_to_the_cell(run):
    for family in families_of(run):
        for step in run.measure(family).values():
            at = cells(step)[0]
            why = run.why(Cell(step, at))
            assert eval(why.numpy(), {"np": np}) == pytest.approx(why.value, rel=1e-9, abs=1e-12), step.name


def test_arithmetic_goes_on_down_to_what_is_given(run):
    """From every measurement, by the largest number that was read, a way ends at a given one (or where all are 0)."""
    for family in families_of(run):
        step = list(run.measure(family).values())[-1]
        why = run.why(Cell(step, cells(step)[0]))
        for _ in range(500):
            read = why.cells
            if not read:
                break
            assert all(isinstance(cell, Cell) for cell in read)
            why = run.why(max(read, key=lambda cell: abs(cell.value)))
        assert why.is_given or isinstance(why.cell.step.op, Replace) or why.value == 0, (family, why.name)


def test_numbers_of_another_run_name_it(plain_variant, trace_of):
    trace = with_words(trace_of(plain_variant))
    # the first and third word of the text are alike, so an address says which is meant
    assert trace.why("without.logits[1,w5]").symbols() == "logits[w5] (without cat)"
    assert trace.why("after.loss").symbols() == "loss (after one update)"
    for address in ("without.logits[1,w5]", "after.loss", "after.weights[1,2,0]"):
        (cell,) = trace.why(address).cells
        assert cell.run is not None and cell.run is not trace
        assert cell.value == trace.cell(address).value
        assert all(c.run is cell.run for c in trace.why(cell).cells)  # and so does what it was made of
    assert trace.why("without.logits[1,w5]").cells[0].run.edits[-1].kind == "hide"


def test_a_cut_compares_the_same_two_words(variant, trace_of):
    """Also where the run with an edge cut would have another rival."""
    trace = replace(with_words(trace_of(variant)), compared=None)
    first, second = (trace.labels.words["V"].index(word) for word in compared(trace))
    for edge in trace.flow().check(5).edges:
        logits = trace.edit(f"{edge.layer}.weights[{','.join(map(str, edge.flow.at))}]", 0.0).array("logits")
        logits = logits.reshape(-1, logits.shape[-1])[-1]
        assert edge.cut.value == pytest.approx(logits[first] - logits[second], **LOOPS)
        assert edge.lost.value == pytest.approx(trace["margin"] - (logits[first] - logits[second]), **LOOPS)


def test_a_weight_is_worth_its_gradient_times_itself(variant, trace_of):
    trace = with_words(trace_of(variant))
    for layer in layers(trace):
        weights = trace.step(f"{layer}.weights")
        for at in cells(weights):
            address = f"{weights.name}[{','.join(map(str, at))}]"
            up, down = (margin_of(trace.edit(address, weights.value[at] + h).array("logits")) for h in (1e-5, -1e-5))
            expected = weights.value[at] * (up - down) / 2e-5
            assert trace.array(f"{layer}.by_gradient")[at] == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_rollout_by_definition(variant, trace_of):
    """Half of what a word is worth stays, the other half goes where its heads look, each head alike."""
    trace = with_words(trace_of(variant))
    asked = next((trace.array(name) for name in ("query", "queries") if name in trace), np.array(-1))
    worth = np.zeros(trace.step("layer0.weights").shape[-2])
    worth[int(np.ravel(asked)[-1])] = 1.0
    for layer in reversed(layers(trace)):
        weights, found = trace.array(f"{layer}.weights"), trace.array(f"{layer}.rollout")
        left = worth / 2
        for head, query, key in np.ndindex(weights.shape):
            gets = worth[query] / 2 * weights[head, query, key] / len(weights)
            assert found[head, query, key] == pytest.approx(gets, **LOOPS)
            left[key] += gets
        worth = left


def test_integrated_gradients_by_definition(variant, trace_of):
    trace = with_words(trace_of(variant))
    check = trace.flow().check(3)
    for edge, found in zip(check.edges, check.expected["integrated gradients"]):
        slopes = 0.0
        for share in (np.arange(16) + 0.5) / 16:
            run = trace
            for layer in layers(trace):
                run = run.pin(f"{layer}.weights", share * trace.array(f"{layer}.weights"))
            slopes += run.backward("margin").array(f"{edge.layer}.weights.grad")[edge.flow.at]
        assert found == pytest.approx(edge.weight.value * slopes / 16, **NEAR)


# trained models


@pytest.mark.parametrize(
    "text, model, options",
    [
        ("Once upon a time there was a little", "english", {"next": "girl"}),
        ("The cat [MASK] on the mat", "masked", {}),
    ],
)
def test_some_cells_of_trained_models(text, model, options):
    trace = regard.explain(text, model=model, **options)
    weights, values = (i.value for i in trace.step("layer2.context").inputs)
    query = int(trace.array("query").reshape(-1)[-1])
    sizes = [abs(weights[1, query, k]) * math.sqrt(sum(v * v for v in values[1, k])) for k in range(weights.shape[-1])]
    assert trace.array("layer2.sent")[1, query] == pytest.approx(sizes, **LOOPS)
    entropy = -sum(w * math.log(w) for w in weights[1, query] if w > 0)
    assert trace.array("layer2.entropy")[1, query] == pytest.approx(entropy, **LOOPS)
    first, second = (trace.labels.words["V"].index(word) for word in compared(trace))
    logits = trace.array("logits").reshape(-1, trace.step("logits").shape[-1])[-1]
    assert trace["margin"] == logits[first] - logits[second]
    hidden = trace.hide("1").array("logits").reshape(-1, len(logits))[-1]
    assert trace.array("without")[1] == pytest.approx(hidden[first] - hidden[second], **LOOPS)
    for address in (f"layer2.sent[1,{query},1]", f"layer2.flow[1,{query},1]", "flow.words[1]", "margin"):
        why = trace.why(address)
        assert eval(why.numpy(), {"np": np}) == pytest.approx(why.value, rel=1e-9, abs=1e-12)


# what is missing is said


@pytest.fixture(scope="module")
def arrays():
    q, k, v = np.random.default_rng(0).normal(size=(3, 2, 5, 7))
    return regard.attention(q, k, v, visible=regard.causal)


LOGITS = (
    "margin", "x.toward", "x.direct", "x.slope", "by_gradient", "contribution", "without", "says.logits", "guessing",
    "flow.words",
)  # fmt: skip


@pytest.mark.parametrize("name", LOGITS)
def test_without_logits_it_is_said_that_there_are_none(arrays, name):
    with pytest.raises(KeyError, match="logits"):
        arrays[name]
    assert name not in arrays


@pytest.mark.parametrize("name", ["blame", "blame.W_Q", "after.loss", "after.rate", "instead.both.change"])
def test_without_a_loss_it_is_said_how_to_get_one(arrays, name):
    for trace in (arrays, regard.explain("The dog sat", model="untrained")):
        with pytest.raises(KeyError, match=r"needs a loss.*next="):
            trace[name]
        assert name not in trace


def test_gravity_says_which_words_there_are(arrays):
    trace = regard.explain("The dog sat", model="untrained")
    with pytest.raises(KeyError, match=r"position 99.* 3 words"):
        trace["gravity99.own"]
    with pytest.raises(KeyError, match="word vectors"):
        arrays["gravity1.own"]


def test_flow_says_what_it_lacks(arrays):
    with pytest.raises(KeyError, match="logits"):
        arrays.flow()


def test_how_ones_own_arrays_are_read_is_measured_too(arrays):
    weights, values = arrays.array("weights"), arrays.array("v")
    assert arrays["sent[1,3,2]"] == pytest.approx(weights[1, 3, 2] * math.hypot(*values[1, 2]))
    assert arrays["entropy[1,3]"] == pytest.approx(-sum(w * math.log(w) for w in weights[1, 3] if w > 0))
    assert arrays["distance[1,3]"] == pytest.approx(sum(w * abs(3 - k) for k, w in enumerate(weights[1, 3])))
    assert arrays["received[1,2]"] == pytest.approx(weights[1, :, 2].sum())


def test_what_was_replaced_by_hand_is_not_measured(plain_variant, trace_of):
    trace = trace_of(plain_variant)
    pinned = trace.pin("layer0.context", trace.array("layer0.context"))
    with pytest.raises(KeyError, match=r"entropy needs .*weights"):
        pinned["layer0.entropy"]


def test_measurements_that_were_forgotten_are_found_again_also_in_another_order():
    trace = regard.explain("The quick brown fox", next="jumps")
    entropy = trace["layer0.entropy[0,fox]"]
    trace.forget_measured()
    assert trace["margin"] == pytest.approx(trace["logits[jumps]"] - trace["logits[fox]"])
    assert trace["layer0.entropy[0,fox]"] == entropy
