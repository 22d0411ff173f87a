"""Stages 1 to 9 on screen: from word vectors to the predicted word."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from regard.lens.attending import seen_by_heads
from regard.lens.explanation import Candidate, Explanation, Reading
from regard.lens.importance import value_of
from regard.lessons.claim import Checked
from regard.ops import Map, Pick
from regard.trace import Cell, Step, Trace
from regard.trace.holding import is_sum
from regard.views.columns import Column, padded, table
from regard.views.ink import BAD, GOOD, QUIET, STAGE, WEIGHT, Ink, K, Q, V, shown
from regard.views.layout import INDENT, joined, side_by_side, stage, unbroken, wrapped

NOTHING = 1e-12  # a contribution that is only rounding
MOST_WORDS = 8
MOST_CANDIDATES = 5
MOST_PARTS = 8
FEW_WORDS = 6  # up to which the screen of a deep model has room for the heads side by side
MOST_NUMBERS, SHORT = 8, 4  # of a joined vector that are written out; where there is no room for so many
MOST_SIDE_BY_SIDE = 16  # numbers of all heads that are written out
WIDE_BARS = 100  # from which width a whole weight is a bar of 22 cells; below, bars are short, not left out
SIDE_BY_SIDE, LEFT = 110, 42  # from which width stages 1 and 2 stand beside each other; how much of it stage 1 takes


def shown_readings(e: Explanation) -> list[Reading]:
    """All words of a short text; of a longer one those with the largest weights, in reading order."""
    return list(e.readings) if len(e.readings) <= MOST_WORDS else e.strongest(MOST_WORDS - 1)


def embed_and_project(e: Explanation, ink: Ink, readings: list[Reading]) -> list[Text]:
    trace = e.trace
    q = trace.steps.get(f"{e.layer}.q")
    v = seen_by_heads(trace, e.layer, "v")
    k = v if q is None else seen_by_heads(trace, e.layer, "k")
    left = [Text.assemble(("1 EMBED", STAGE), ("   x = E[word]", QUIET)), *_embeddings(e, ink, readings)]
    right = [Text.assemble(("2 PROJECT", STAGE), (f"   {_projections(trace, e.layer)}", QUIET))]
    if all(_is_identity(trace, f"{e.layer}.W_{role}") for role in "QKV" if f"{e.layer}.W_{role}" in trace.steps):
        right[0].append("   (W = I)", style=QUIET)
    if q is None:
        right.append(Text("  begins at its weights: no queries, no keys", style=QUIET))
    else:
        vector = ink.vector(_along(q, e.head, e.query), 2)
        right.append(Text.assemble(("  q", f"bold {Q}"), f"({e.query_word})  ", vector))
    if q is None:
        right.append(_opened(trace, e, "v", V))
    elif k.shape[-1] > 3:
        own = [(name, colour) for name, colour in (("k", K), ("v", V)) if f"{e.layer}.{name}" in trace.steps]
        right += [_opened(trace, e, name, colour) for name, colour in own]
    else:
        room = max(40, ink.width - 46)
        right += _vectors("k", K, k, e.head, readings, ink, room)
        same = np.array_equal(k.value[e.head], v.value[e.head])
        right += [Text("  v = k for this toy")] if same else _vectors("v", V, v, e.head, readings, ink, room)
    return [*left, *right] if ink.width < SIDE_BY_SIDE else side_by_side(left, right, LEFT)


def _projections(trace: Trace, layer: str) -> str:
    """How q, k and v are made here: from the stream or its norm, with or without a bias."""
    written: list[str] = []
    for role in "QKV":
        step = trace.steps.get(f"{layer}.{role.lower()}")
        if step is None:
            written += ["v = k"] if role == "V" else []
            continue
        if isinstance(step.op, Pick):
            written.append(f"{role.lower()} = {step.inputs[0].name.removeprefix(f'{layer}.')}[word]")
            continue
        bias = f" + b_{role}" if isinstance(step.op, Map) else ""
        product = step.inputs[0] if bias else step
        source = "n" if product.inputs and product.inputs[0].name.startswith(f"{layer}.norm1") else "x"
        W = product.inputs[1].name.removeprefix(f"{layer}.") if len(product.inputs) == 2 else f"W_{role}"
        written.append(f"{role.lower()} = {source} {W}{bias.replace(f'b_{role}', W.replace('W', 'b'))}")
    normed = ["n = norm(x)"] if any("= n " in part for part in written) else []
    return "  ".join([*normed, *written])


def _along(step: Step, *at: int) -> list[Cell]:
    """The cells of one vector."""
    return [Cell(step, (*at, place)) for place in range(step.shape[-1])]


def _embeddings(e: Explanation, ink: Ink, readings: list[Reading]) -> list[Text]:
    """One word a line while there are few, several a line when there are more."""
    x = e.trace.steps["x"]
    hidden = len(e.readings) - len(readings)
    more = [Text(f"  … {hidden} more words", style=QUIET)] if hidden else []
    if x.shape[1] > 4 or (x.shape[1] > 2 and len(readings) > 5):
        sizes = f"  {x.shape[0]} vectors of {x.shape[1]} numbers"
        return [Text.assemble(sizes, (f"   {e.trace.name_of(Cell(x, (0, 0)))}, …", QUIET))]
    margin = max(cell_len(r.word) for r in readings)
    each = [
        Text.assemble(f"{r.position} ", padded(r.word, margin), "  ", ink.vector(_along(x, r.position), 2))
        for r in readings
    ]
    widest = max(cell_len(text.plain) for text in each)
    room = ink.width if ink.width < SIDE_BY_SIDE else LEFT
    columns = 1 if len(readings) <= 5 else max(1, room // (widest + 3))
    rows = -(-len(each) // columns)
    lines = [Text.assemble("  ", *(padded(text, widest + 2) for text in each[row::rows])) for row in range(rows)]
    for line in lines:
        line.rstrip()
    return [*lines, *more]


def _opened(trace: Trace, e: Explanation, name: str, colour: str) -> Text:
    """Vectors too long for the screen: how many there are, and how to open one."""
    step = trace.steps[f"{e.layer}.{name}"]
    group = (e.component.head or 0) * step.shape[0] // trace.steps[f"{e.layer}.weights"].shape[0]
    cell = trace.name_of(Cell(step, (group, 0, 0)))
    sizes = f"  {step.shape[1]} vectors of {step.shape[2]} numbers"
    return Text.assemble((f"  {name}", f"bold {colour}"), sizes, (f"   {cell}, …", QUIET))


def _vectors(name: str, colour: str, step: Step, head: int, readings: list[Reading], ink: Ink, room: int) -> list[Text]:
    lines = [Text.assemble((f"  {name}", f"bold {colour}"))]
    for number, r in enumerate(readings):
        vector = ink.vector(_along(step, head, r.position), 2, 3)
        piece = Text.assemble(f"{' ·' if number else ''} {r.word} ", vector)
        if cell_len(lines[-1].plain) + cell_len(piece.plain) > room:
            lines.append(Text("   "))
        lines[-1].append(piece)
    return lines


def score_to_weight(e: Explanation, ink: Ink, readings: list[Reading]) -> list[Text]:
    """One row of the matrix, opened: q·k → scaled → biased → e^s → weight, and four answers about importance."""
    shift = f"Δlogit({e.contributions.first}−{e.contributions.second})"
    powers = ["hidden" if r.exp is None or not r.visible else ink.number(r.exp, 3) for r in readings]
    room = 22 if ink.width >= WIDE_BARS else 12
    bars = [ink.bar(r.weight.value, room) for r in readings]
    biased = [r.biased for r in readings]
    columns = [
        Column("word", [r.word for r in readings], left=True),
        *([Column("q·k", _where([r.score for r in readings], lambda cell: ink.number(cell, 3)), drop=6),
           Column(_scale_name(e), _where([r.scaled for r in readings], lambda cell: ink.number(cell, 3)), drop=5)]
          if any(r.score for r in readings) else []),
        *([Column("+pos", _where(biased, lambda cell: ink.number(cell, 3)), drop=4)] if any(biased) else []),
        *([Column(_power_name(e), powers, ink.number(e.total, 3), drop=3)] if readings[0].exp else []),
        Column("weight", [_marked(e, r, ink) for r in readings], ink.number(e.whole, 3), WEIGHT),
        Column("", bars, _sum_note(e, ink), WEIGHT, left=True, least=room, drop=8),
        Column("‖αv‖", _where([r.importance.sent for r in readings], lambda cell: ink.number(cell, 3)), drop=2),
        Column(shift, _where([r.importance.contribution for r in readings], lambda cell: _pull(cell, ink)),
               _where([e.component.cell], lambda cell: _pull(cell, ink))[0], drop=7),
        *([Column("says without it", [r.importance.without or "" for r in readings], drop=1)]
          if e.readings[0].importance.without_margin is not None else []),
    ]  # fmt: skip
    title = Text.assemble(("3-5 SCORE → SCALE → WEIGHT", STAGE), (f'      "{e.query_word}" reads →', QUIET))
    lines = [title, *table(columns, ink, indent=8)]
    hidden = len(e.readings) - len(readings)
    if hidden:
        together = ink.number(e.hidden_weight(MOST_WORDS - 1), 3)
        lines.append(Text.assemble(f"        … {hidden} more words, ", together, " together", style=QUIET))
    return [*lines, *_most_attended(e, ink)]


def _where(cells: Sequence[Cell | None], written: Callable[[Cell], Text]) -> list[Text]:
    """Numbers, and a stroke where there is none."""
    return [Text("–") if cell is None else written(cell) for cell in cells]


def _marked(e: Explanation, r: Reading, ink: Ink) -> Text:
    """A weight, with a star where somebody set it by hand."""
    at = (e.component.head or 0, e.query, r.position)
    by_hand = any(edit.step == f"{e.layer}.weights" and edit.at in (at, ()) for edit in e.trace.edits)
    return Text.assemble("*" if by_hand else "", ink.number(r.weight, 3))


def _pull(cell: Cell, ink: Ink) -> Text:
    """What a word adds to the difference of the logits; what is only rounding is written as nothing."""
    return ink.signed(cell, 4, least=NOTHING)


def _most_attended(e: Explanation, ink: Ink) -> list[Text]:
    top = max(e.readings, key=lambda r: r.weight.value)
    pull = value_of(top.importance.contribution)
    if abs(pull) < NOTHING or e.contributions.first == e.contributions.second:
        return []
    way = "towards" if pull > 0 else "away from"
    said = f'most attended: "{top.word}", and it pushes {way} "{e.contributions.first}"'
    return wrapped(said, 8, ink, QUIET if pull > 0 else BAD)


def _sum_note(e: Explanation, ink: Ink) -> str:
    total = e.whole.value
    if abs(total - 1) < 1e-9:
        return f"{ink.sign('right')} sums to 1"
    return f"{ink.sign('wrong')} does not sum to 1" if total else "everything is hidden"


def _power_name(e: Explanation) -> Text:
    """e^s, or e^(s − 64) where the scores are shifted: the weights are the same, the powers smaller."""
    if e.shift is None:
        return Text("e^s")
    shift = shown(e.shift, f"{e.shift.value:g}")
    return Text.assemble("e^(s−", shift if e.shift.value > 0 else Text.assemble("(", shift, ")"), ")")


def _scale_name(e: Explanation) -> str:
    op = e.trace.steps[f"{e.layer}.scaled"].op
    if isinstance(op, Map) and op.formula == "over_root":
        return f"/√{op.constants[0]:g}"
    return f"/{op.constants[0]:g}" if isinstance(op, Map) and op.formula == "over" else "scaled"


def mix(e: Explanation, ink: Ink) -> list[Text]:
    v = seen_by_heads(e.trace, e.layer, "v")
    top = sorted(e.readings, key=lambda r: -r.weight.value)[: 4 if len(e.readings) <= 4 else 3]
    terms = []
    for r in sorted(top, key=lambda r: r.position):
        vector = _along(v, e.head, r.position)
        inside = Text.assemble("[", ink.vector(vector, 2), "]") if len(vector) <= 3 else f"v({r.word})"
        terms.append(Text.assemble(ink.number(r.weight, 2), "·", inside))
    more = len(e.readings) - len(top)
    terms += [Text(f"… {more} more")] if more else []
    said = Text.assemble("context = ", joined(terms, " + "), " = [", ink.vector(e.context, 4), "]")
    return stage(" 6 MIX", said, ink)


def heads(e: Explanation, ink: Ink) -> list[Text]:
    """What every part of the model adds to the difference of the two logits."""
    parts = e.contributions.components
    if len(parts) == 1 and f"{e.layer}.W_O" not in e.trace.steps:
        return stage(" 7 HEADS", "one head, no W_O: nothing to join", ink)
    pair = f"logit({e.contributions.first}) − logit({e.contributions.second})"
    largest = sorted((c for c in parts if c.cell is not None), key=lambda c: -abs(c.contribution))[:MOST_PARTS]
    is_deep = "layer1.weights" in e.trace.steps
    only = "" if is_deep else "layer0."  # where there is one layer, its heads are the heads
    told = [(c.name.removeprefix(only), c.cell) for c in largest if c.cell is not None]
    written = [unbroken(Text.assemble(f"{name} ", _pull(cell, ink))) for name, cell in told]
    if len(parts) > MOST_PARTS:
        rest = e.trace.cell(f"contribution.rest{MOST_PARTS}")
        written.append(unbroken(Text.assemble("all the rest ", _pull(rest, ink))))
    said = Text.assemble(f"{pair} = ", ink.signed(e.contributions.margin, 4), " is the sum of: ", joined(written, "  "))
    held = [n for n in e.contributions.held if n.endswith(("deviation", "transform.activated"))]
    norms = sum(name.endswith("deviation") for name in held)
    fixed = "the final norm's scale" if norms == 1 else f"the scales of {norms} norms"
    fixed += " and the transform's curve" if len(held) > norms else ""
    lines = stage(" 7 HEADS", said.append(f"   ({fixed} held fixed)" if held else ""), ink)
    strip = [] if is_deep and len(e.readings) > FEW_WORDS else _joined(e, ink)
    return [*lines, *strip, *_added(e, ink)]


def _joined(e: Explanation, ink: Ink) -> list[Text]:
    """The heads of the word that predicts, laid side by side as a strip, and what W_O makes of it."""
    concat, context = (e.trace.steps.get(f"{e.layer}.{name}") for name in ("concat", "context"))
    attended = e.trace.steps.get(f"{e.layer}.attended")
    if concat is None or context is None or attended is None or context.shape[0] == 1:
        return []
    cells, wide = _along(concat, e.query), context.shape[-1]
    if len(cells) > MOST_SIDE_BY_SIDE:
        strip = Text(f"{e.trace.name_of(cells[0])}, …", style=QUIET)
    else:
        slices = (ink.vector(cells[at : at + wide], 2, wide) for at in range(0, len(cells), wide))
        strip = Text.assemble("[", joined([unbroken(part) for part in slices], " | "), "]")
    signs = {"W_O": " · ", "b_O": " + "}
    through = "".join(f"{sign}{name}" for name, sign in signs.items() if f"{e.layer}.{name}" in e.trace.steps)
    return _on_one_line(Text.assemble("side by side ", strip, f"{through} = "), attended, e, ink)


def _added(e: Explanation, ink: Ink) -> list[Text]:
    """What the heads read, added to the word: the residual connection."""
    names = (f"{e.layer}.middle", f"{e.layer}.residual")
    added = next((e.trace.steps[name] for name in names if name in e.trace.steps), None)
    if added is None or not is_sum(added) or len(added.inputs) != 2:
        return []
    read = "what the head read" if len(e.trace.steps[f"{e.layer}.weights"].value) == 1 else "what the heads read"
    return _on_one_line(Text.assemble(f"add to the word: {e.query_word} + {read} = "), added, e, ink)


def _on_one_line(said: Text, step: Step, e: Explanation, ink: Ink) -> list[Text]:
    """What is said, and the vector of the word that predicts: all of it, or its beginning where that saves a line."""
    cells = _along(step, e.query)
    digits = 4 if len(cells) <= SHORT else 2
    vectors = (Text.assemble("[", ink.vector(cells, digits, most), "]") for most in (MOST_NUMBERS, SHORT))
    whole, begun = (wrapped(Text.assemble(said, unbroken(vector)), INDENT, ink) for vector in vectors)
    return begun if len(begun) == 1 < len(whole) else whole


def predict(e: Explanation, ink: Ink, claims: Mapping[str, Checked]) -> list[Text]:
    few = len(e.vocabulary) <= MOST_CANDIDATES
    candidates = list(e.candidates) if few else e.likeliest(MOST_CANDIDATES - 1)
    source = _source(e.trace)
    lines = [
        Text.assemble((" 8 LOGITS", STAGE), (f"   {source}        ", QUIET), ("9 PREDICT", STAGE), (" softmax", QUIET))
    ]
    margin = max(cell_len(c.word) for c in candidates)
    room = max(len(ink.number(c.logit, 4)) for c in candidates)
    marks = [_mark(e, c, ink) for c in candidates]
    before_bars = INDENT + margin + 2 + room + 3 + max(len(ink.number(c.probability, 4)) for c in candidates) + 1
    free = max(4, ink.width - before_bars - max(map(cell_len, marks)))
    whole = min(32, int(free / max(c.probability.value for c in candidates)))  # shorter where the screen is narrow
    for c, mark in zip(candidates, marks):
        logit, probability = ink.number(c.logit, 4), ink.number(c.probability, 4)
        gap = " " * (2 + room - len(logit))
        line = Text.assemble(" " * INDENT, padded(c.word, margin), gap, logit, "   ", probability, " ")
        line.append(ink.bar(c.probability.value, whole).ljust(min(12, free)))
        if mark:
            line.append(mark.ljust(14), style="bold")
        note = _claim_note(c, claims, ink, len(line.plain))
        if not note or cell_len(line.plain) + cell_len(note.plain) <= ink.width:
            lines.append(line.append_text(note))
        else:
            lines += [line, *wrapped(_stripped(note), INDENT + 2, ink)]
        line.rstrip()
    hidden = len(e.vocabulary) - len(candidates)
    if hidden:
        rest = ink.number(e.unlikely(MOST_CANDIDATES - 1), 4)
        lines.append(Text.assemble(" " * INDENT, f"… {hidden} more words, ", rest, " together", style=QUIET))
    return lines


def _stripped(note: Text) -> Text:
    return note[len(note.plain) - len(note.plain.lstrip()) :]


def _source(trace: Trace) -> str:
    """What is multiplied with the rows of which table: context · W_outᵀ, norm(x) · Eᵀ."""
    words = "W_out" if "W_out" in trace.steps else "E"
    read = trace.steps["read"]
    stream = read.inputs[0].name if read.inputs else "read"
    if stream.startswith("transform"):
        return f"transform(x) · {words}ᵀ"
    name = "norm(x)" if "norm" in stream else "context" if stream.endswith((".attended", ".context")) else "x"
    return f"{name} · {words}ᵀ"


def _mark(e: Explanation, c: Candidate, ink: Ink) -> str:
    marks = [word for word, yes in (("predicted", c.word == e.predicted), ("target", c.word == e.target)) if yes]
    return f" {ink.sign('here')} {', '.join(marks)}" if marks else ""


def _claim_note(c: Candidate, claims: Mapping[str, Checked], ink: Ink, used: int) -> Text:
    claim = claims.get(f"probabilities[{c.word}]")
    if claim is None:
        return Text("")
    pad = " " * max(2, 66 - used)
    if not claim.is_failure:
        return Text(f"{pad}text says {claim.claimed} {ink.sign('right')}", style=GOOD)
    places = len(claim.claimed.partition(".")[2])
    value, rounded = (shown(c.probability, f"{c.probability.value:.{digits}f}") for digits in (4, places))
    says = f"{pad}text says {claim.claimed} {ink.sign('wrong')} (line {claim.line}; "
    return Text.assemble(says, value, " rounds to ", rounded, ")", style=BAD)


def _is_identity(trace: Trace, name: str) -> bool:
    W = trace.steps[name].value
    return W.shape[1] == W.shape[2] and bool(np.array_equal(W, np.broadcast_to(np.eye(W.shape[1]), W.shape)))
