"""Stages 1 to 9 on screen: from word vectors to the predicted word."""

from collections.abc import Mapping

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from regard.lens.attending import as_heads_see
from regard.lens.explanation import Candidate, Explanation, Reading
from regard.lens.importance import value_of
from regard.lessons.claim import Checked
from regard.ops import Map
from regard.trace import Cell, Trace
from regard.views.columns import Column, padded, table
from regard.views.ink import BAD, GOOD, QUIET, STAGE, WEIGHT, Ink, K, Q, V
from regard.views.layout import INDENT, side_by_side, stage, unbroken, wrapped

NOTHING = 1e-12  # a contribution that is only rounding
MOST_WORDS = 8
MOST_CANDIDATES = 5
MOST_PARTS = 8
SIDE_BY_SIDE, LEFT = 110, 42  # from which width stages 1 and 2 stand beside each other; how much of it stage 1 takes


def shown_readings(e: Explanation) -> list[Reading]:
    """All words of a short text; of a longer one those with the largest weights, in reading order."""
    if len(e.readings) <= MOST_WORDS:
        return list(e.readings)
    best = sorted(e.readings, key=lambda r: (-r.weight.value, r.position))[: MOST_WORDS - 1]
    query = next(r for r in e.readings if r.position == e.query)
    return sorted({r.position: r for r in [*best, query]}.values(), key=lambda r: r.position)


def embed_and_project(e: Explanation, ink: Ink, shown: list[Reading]) -> list[Text]:
    trace, head = e.trace, e.component.head or 0
    q = trace.array(f"{e.layer}.q")[head, e.query].tolist()
    k, v = (as_heads_see(trace, e.layer, name)[head] for name in "kv")
    x = trace.array("x")
    left = [Text.assemble(("1 EMBED", STAGE), ("   x = E[word]", QUIET)), *_embeddings(x, e, ink, shown)]
    right = [Text.assemble(("2 PROJECT", STAGE), (f"   {_projections(trace, e.layer)}", QUIET))]
    if all(_is_identity(trace, f"{e.layer}.W_{role}") for role in "QKV" if f"{e.layer}.W_{role}" in trace.steps):
        right[0].append("   (W = I)", style=QUIET)
    right.append(Text.assemble(("  q", f"bold {Q}"), f"({e.query_word})  {ink.vector(q, 2)}"))
    if k.shape[-1] > 3:
        right += [_opened(trace, e, name, colour) for name, colour in (("k", K), ("v", V))]
    else:
        room = max(40, ink.width - 46)
        right += _vectors("k", K, k, shown, ink, room)
        right += [Text("  v = k for this toy")] if np.array_equal(k, v) else _vectors("v", V, v, shown, ink, room)
    return [*left, *right] if ink.width < SIDE_BY_SIDE else side_by_side(left, right, LEFT)


def _projections(trace: Trace, layer: str) -> str:
    """How q, k and v are made here: from the stream or its norm, with or without a bias."""
    written: list[str] = []
    for role in "QKV":
        step = trace.steps.get(f"{layer}.{role.lower()}")
        if step is None:
            written.append("v = k")
            continue
        bias = f" + b_{role}" if isinstance(step.op, Map) else ""
        product = step.inputs[0] if bias else step
        source = "n" if product.inputs and product.inputs[0].name.startswith(f"{layer}.norm1") else "x"
        W = product.inputs[1].name.removeprefix(f"{layer}.") if len(product.inputs) == 2 else f"W_{role}"
        written.append(f"{role.lower()} = {source} {W}{bias.replace(f'b_{role}', W.replace('W', 'b'))}")
    normed = ["n = norm(x)"] if any("= n " in part for part in written) else []
    return "  ".join([*normed, *written])


def _embeddings(x: np.ndarray, e: Explanation, ink: Ink, shown: list[Reading]) -> list[Text]:
    """One word a line while there are few, several a line when there are more."""
    hidden = len(e.readings) - len(shown)
    more = [Text(f"  … {hidden} more words", style=QUIET)] if hidden else []
    if x.shape[1] > 4 or (x.shape[1] > 2 and len(shown) > 5):
        sizes = f"  {x.shape[0]} vectors of {x.shape[1]} numbers"
        return [Text.assemble(sizes, (f"   {e.trace.name_of(Cell(e.trace.step('x'), (0, 0)))}, …", QUIET))]
    margin = max(cell_len(r.word) for r in shown)
    cells = [f"{r.position} {padded(r.word, margin)}  {ink.vector(x[r.position].tolist(), 2)}" for r in shown]
    columns = (
        1
        if len(shown) <= 5
        else max(1, (ink.width if ink.width < SIDE_BY_SIDE else LEFT) // (max(map(cell_len, cells)) + 3))
    )
    rows = -(-len(cells) // columns)
    width = max(map(cell_len, cells)) + 2
    lines = ["  " + "".join(padded(c, width) for c in cells[row::rows]).rstrip() for row in range(rows)]
    return [*map(Text, lines), *more]


def _opened(trace: Trace, e: Explanation, name: str, colour: str) -> Text:
    """Vectors too long for the screen: how many there are, and how to open one."""
    step = trace.steps[f"{e.layer}.{name}"]
    group = (e.component.head or 0) * step.shape[0] // trace.steps[f"{e.layer}.weights"].shape[0]
    cell = trace.name_of(Cell(step, (group, 0, 0)))
    sizes = f"  {step.shape[1]} vectors of {step.shape[2]} numbers"
    return Text.assemble((f"  {name}", f"bold {colour}"), sizes, (f"   {cell}, …", QUIET))


def _vectors(name: str, colour: str, rows: np.ndarray, shown: list[Reading], ink: Ink, room: int) -> list[Text]:
    lines = [Text.assemble((f"  {name}", f"bold {colour}"))]
    for number, r in enumerate(shown):
        piece = f"{' ·' if number else ''} {r.word} {ink.vector(rows[r.position].tolist(), 2, 3)}"
        if cell_len(lines[-1].plain) + cell_len(piece) > room:
            lines.append(Text("   "))
        lines[-1].append(piece)
    return lines


def score_to_weight(e: Explanation, ink: Ink, shown: list[Reading]) -> list[Text]:
    """One row of the matrix, opened: q·k → scaled → biased → e^s → weight, and four answers about importance."""
    shift = f"Δlogit({e.contributions.first}−{e.contributions.second})"
    powers = ["hidden" if not r.visible else ink.number(r.exp.value, 3) for r in shown]
    bars = [ink.bar(r.weight.value, 22) for r in shown]
    whole = ink.number(sum(r.weight.value for r in e.readings), 3)
    has_bias = e.readings[0].biased is not None
    columns = [
        Column("word", [r.word for r in shown], left=True),
        Column("q·k", [ink.number(r.score.value, 3) for r in shown], drop=7),
        Column(_scale_name(e), [ink.number(r.scaled.value, 3) for r in shown], drop=6),
        *([Column("+pos", [ink.number(value_of(r.biased), 3) for r in shown], drop=5)] if has_bias else []),
        Column("e^s", powers, ink.number(e.total.value, 3), drop=4),
        Column("weight", [_marked(e, r, ink) for r in shown], whole, WEIGHT),
        Column("", bars, _sum_note(e, ink), WEIGHT, left=True, least=22, drop=3),
        Column("‖αv‖", [ink.number(value_of(r.importance.sent), 3) for r in shown], drop=2),
        Column(shift, [ink.signed(_or_nothing(value_of(r.importance.contribution)), 4) for r in shown],
               ink.signed(sum(value_of(r.importance.contribution) for r in e.readings), 4), drop=8),
        *([Column("says without it", [r.importance.without or "" for r in shown], drop=1)]
          if e.readings[0].importance.without is not None else []),
    ]  # fmt: skip
    title = Text.assemble(("3-5 SCORE → SCALE → WEIGHT", STAGE), (f'      "{e.query_word}" reads →', QUIET))
    lines = [title, *table(columns, ink.width, indent=8)]
    hidden = [r for r in e.readings if r not in shown]
    if hidden:
        together = ink.number(sum(r.weight.value for r in hidden), 3)
        lines.append(Text(f"        … {len(hidden)} more words, {together} together", style=QUIET))
    return [*lines, *_most_attended(e, ink)]


def _marked(e: Explanation, r: Reading, ink: Ink) -> str:
    """A weight, with a star where somebody set it by hand."""
    at = (e.component.head or 0, e.query, r.position)
    by_hand = any(edit.step == f"{e.layer}.weights" and edit.at in (at, ()) for edit in e.trace.edits)
    return f"{'*' if by_hand else ''}{ink.number(r.weight.value, 3)}"


def _or_nothing(contribution: float) -> float:
    return contribution if abs(contribution) >= NOTHING else 0.0


def _most_attended(e: Explanation, ink: Ink) -> list[Text]:
    top = max(e.readings, key=lambda r: r.weight.value)
    pull = value_of(top.importance.contribution)
    if abs(pull) < NOTHING or e.contributions.first == e.contributions.second:
        return []
    way = "towards" if pull > 0 else "away from"
    said = f'most attended: "{top.word}", and it pushes {way} "{e.contributions.first}"'
    return [Text(line.plain, style=QUIET if pull > 0 else BAD) for line in wrapped(said, 8, ink)]


def _sum_note(e: Explanation, ink: Ink) -> str:
    total = sum(r.weight.value for r in e.readings)
    if abs(total - 1) < 1e-9:
        return f"{ink.sign('right')} sums to 1"
    return f"{ink.sign('wrong')} does not sum to 1" if total else "everything is hidden"


def _scale_name(e: Explanation) -> str:
    op = e.trace.steps[f"{e.layer}.scaled"].op
    if isinstance(op, Map) and op.formula == "over_root":
        return f"/√{op.constants[0]:g}"
    return f"/{op.constants[0]:g}" if isinstance(op, Map) and op.formula == "over" else "scaled"


def mix(e: Explanation, ink: Ink) -> list[Text]:
    head = e.component.head or 0
    v = as_heads_see(e.trace, e.layer, "v")[head]
    top = sorted(e.readings, key=lambda r: -r.weight.value)[: 4 if len(e.readings) <= 4 else 3]
    terms = []
    for r in sorted(top, key=lambda r: r.position):
        vector = v[r.position].tolist()
        inside = f"[{ink.vector(vector, 2)}]" if len(vector) <= 3 else f"v({r.word})"
        terms.append(f"{ink.number(r.weight.value, 2)}·{inside}")
    more = len(e.readings) - len(top)
    terms += [f"… {more} more"] if more else []
    said = f"context = {' + '.join(terms)} = [{ink.vector([c.value for c in e.context], 4)}]"
    return stage(" 6 MIX", said, ink)


def heads(e: Explanation, ink: Ink) -> list[Text]:
    """What every part of the model adds to the difference of the two logits."""
    parts = e.contributions.components
    if len(parts) == 1 and f"{e.layer}.W_O" not in e.trace.steps:
        return stage(" 7 HEADS", "one head, no W_O: nothing to join", ink)
    pair = f"logit({e.contributions.first}) − logit({e.contributions.second})"
    largest = sorted(parts, key=lambda c: -abs(c.contribution))[:MOST_PARTS]
    written = [unbroken(f"{c.name} {ink.signed(c.contribution, 4)}") for c in largest]
    rest = e.contributions.difference - sum(c.contribution for c in largest)
    if abs(rest) > 1e-9:
        written.append(unbroken(f"all the rest {ink.signed(rest, 4)}"))
    said = f"{pair} = {ink.signed(e.contributions.difference, 4)} is the sum of: {'  '.join(written)}"
    held = [n for n in e.contributions.held if n.endswith(("deviation", "transform.activated"))]
    norms = sum(name.endswith("deviation") for name in held)
    fixed = "the final norm's scale" if norms == 1 else f"the scales of {norms} norms"
    fixed += " and the transform's curve" if len(held) > norms else ""
    return stage(" 7 HEADS", said + (f"   ({fixed} held fixed)" if held else ""), ink)


def predict(e: Explanation, ink: Ink, claims: Mapping[str, Checked]) -> list[Text]:
    ranked = sorted(e.candidates, key=lambda c: -c.probability.value)
    few = len(e.candidates) <= MOST_CANDIDATES
    shown = list(e.candidates) if few else ranked[: MOST_CANDIDATES - 1]
    if e.target is not None and all(c.word != e.target for c in shown):
        shown.append(next(c for c in e.candidates if c.word == e.target))
    source = _source(e.trace)
    lines = [
        Text.assemble((" 8 LOGITS", STAGE), (f"   {source}        ", QUIET), ("9 PREDICT", STAGE), (" softmax", QUIET))
    ]
    margin = max(cell_len(c.word) for c in shown)
    room = max(len(ink.number(c.logit.value, 4)) for c in shown)
    for c in shown:
        logit, probability = ink.number(c.logit.value, 4), ink.number(c.probability.value, 4)
        line = Text(" " * INDENT + f"{padded(c.word, margin)}  {logit:>{room}}   {probability} ")
        line.append(ink.bar(c.probability.value, 32).ljust(12))
        marks = [w for w, yes in (("predicted", c.word == e.predicted), ("target", c.word == e.target)) if yes]
        if marks:
            line.append(f" {ink.sign('here')} {', '.join(marks)}".ljust(14), style="bold")
        note = _claim_note(c, claims, ink, len(line.plain))
        if cell_len(line.plain) + cell_len(note.plain) <= ink.width:
            lines.append(line.append_text(note))
        else:
            lines += [line, *wrapped(note.plain.strip(), INDENT + 2, ink)]
    if len(shown) < len(e.candidates):
        rest = 1 - sum(c.probability.value for c in shown)
        said = f"… {len(e.candidates) - len(shown)} more words, {ink.number(rest, 4)} together"
        lines.append(Text(" " * INDENT + said, style=QUIET))
    return lines


def _source(trace: Trace) -> str:
    """What is multiplied with the rows of which table: context · W_outᵀ, norm(x) · Eᵀ."""
    words = "W_out" if "W_out" in trace.steps else "E"
    read = trace.steps["read"]
    stream = read.inputs[0].name if read.inputs else "read"
    if stream.startswith("transform"):
        return f"transform(x) · {words}ᵀ"
    name = "norm(x)" if "norm" in stream else "context" if stream.endswith((".attended", ".context")) else "x"
    return f"{name} · {words}ᵀ"


def _claim_note(c: Candidate, claims: Mapping[str, Checked], ink: Ink, used: int) -> Text:
    claim = claims.get(f"probabilities[{c.word}]")
    if claim is None:
        return Text("")
    pad = " " * max(2, 66 - used)
    if not claim.is_failure:
        return Text(f"{pad}text says {claim.claimed} {ink.sign('right')}", style=GOOD)
    places = len(claim.claimed.partition(".")[2])
    should = f"{c.probability.value:.4f} rounds to {c.probability.value:.{places}f}"
    return Text(f"{pad}text says {claim.claimed} {ink.sign('wrong')} ({claim.place}; {should})", style=BAD)


def _is_identity(trace: Trace, name: str) -> bool:
    W = trace.steps[name].value
    return W.shape[1] == W.shape[2] and bool(np.array_equal(W, np.broadcast_to(np.eye(W.shape[1]), W.shape)))
