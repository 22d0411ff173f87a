"""Stages 1 to 9 on screen: from word vectors to the predicted word."""

from collections.abc import Mapping

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from regard.lens.explanation import Candidate, Explanation, Reading
from regard.lessons.claim import Checked
from regard.ops import Map
from regard.trace import Cell, Trace
from regard.views.columns import Column, padded, table
from regard.views.ink import BAD, GOOD, QUIET, STAGE, WEIGHT, Ink, K, Q, V
from regard.views.layout import INDENT, side_by_side, stage, unbroken, wrapped

MOST_WORDS = 8
MOST_CANDIDATES = 5
MOST_PARTS = 8
SIDE_BY_SIDE, LEFT = 110, 42  # from which width stages 1 and 2 stand beside each other; how much of it stage 1 takes


def shown_readings(e: Explanation) -> list[Reading]:
    """All words of a short text; of a longer one those with the largest weights, in reading order."""
    if len(e.readings) <= MOST_WORDS:
        return list(e.readings)
    best = sorted(e.readings, key=lambda r: (-r.weight, r.position))[: MOST_WORDS - 1]
    query = next(r for r in e.readings if r.position == e.query)
    return sorted({r.position: r for r in [*best, query]}.values(), key=lambda r: r.position)


def embed_and_project(e: Explanation, ink: Ink, shown: list[Reading]) -> list[Text]:
    trace, head = e.trace, e.component.head or 0
    q = trace.array(f"{e.layer}.q")[head, e.query].tolist()
    k, v = (_shared(trace, e.layer, name)[head] for name in "kv")
    x = trace.array("x")
    left = [Text.assemble(("1 EMBED", STAGE), ("   x = E[word]", QUIET)), *_embeddings(x, e, ink, shown)]
    identity = all(_is_identity(trace, f"{e.layer}.W_{role}") for role in "QKV")
    right = [Text.assemble(("2 PROJECT", STAGE), ("   q = x W_Q   k = x W_K   v = x W_V", QUIET))]
    if identity:
        right[0].append("   (W = I)", style=QUIET)
    right.append(Text.assemble(("  q", f"bold {Q}"), f"({e.query_word})  {ink.vector(q, 2)}"))
    if k.shape[-1] > 3:
        right += [_opened(trace, e, name, colour) for name, colour in (("k", K), ("v", V))]
    else:
        room = max(40, ink.width - 46)
        right += _vectors("k", K, k, shown, ink, room)
        right += [Text("  v = k for this toy")] if np.array_equal(k, v) else _vectors("v", V, v, shown, ink, room)
    return [*left, *right] if ink.width < SIDE_BY_SIDE else side_by_side(left, right, LEFT)


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
    cell = trace.name_of(Cell(step, (0,) * len(step.shape)))
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
    shift = f"Δlogit({e.shares.first}−{e.shares.second})"
    powers = ["hidden" if not r.visible else ink.number(r.exp, 3) for r in shown]
    whole = ink.number(sum(r.weight for r in e.readings), 3)
    has_bias = e.readings[0].biased is not None
    columns = [
        Column("word", [r.word for r in shown], left=True),
        Column("q·k", [ink.number(r.score, 3) for r in shown], drop=5),
        Column(_scale_name(e), [ink.number(r.scaled, 3) for r in shown], drop=4),
        *([Column("+pos", [ink.number(r.biased or 0.0, 3) for r in shown], drop=6)] if has_bias else []),
        Column("e^s", powers, ink.number(e.total, 3), drop=3),
        Column("weight", [ink.number(r.weight, 3) for r in shown], whole, WEIGHT),
        Column("", [ink.bar(r.weight, 22) for r in shown], _sum_note(e, ink), WEIGHT, left=True, least=22, drop=7),
        Column("‖αv‖", [ink.number(r.importance.size, 3) for r in shown], drop=1),
        Column(shift, [ink.signed(r.importance.contribution, 4) for r in shown],
               ink.signed(sum(r.importance.contribution for r in e.readings), 4), drop=8),
        *([Column("says without it", [r.importance.without or "" for r in shown], drop=2)]
          if e.readings[0].importance.without is not None else []),
    ]  # fmt: skip
    title = Text.assemble(("3-5 SCORE → SCALE → WEIGHT", STAGE), (f'      "{e.query_word}" reads →', QUIET))
    lines = [title, *table(columns, ink.width, indent=8)]
    hidden = [r for r in e.readings if r not in shown]
    if hidden:
        together = ink.number(sum(r.weight for r in hidden), 3)
        lines.append(Text(f"        … {len(hidden)} more words, {together} together", style=QUIET))
    return [*lines, *_most_attended(e, ink)]


def _most_attended(e: Explanation, ink: Ink) -> list[Text]:
    top = max(e.readings, key=lambda r: r.weight)
    pull = top.importance.contribution
    if not pull or e.shares.first == e.shares.second:
        return []
    way = "towards" if pull > 0 else "away from"
    said = f'most attended: "{top.word}", and it pushes {way} "{e.shares.first}"'
    return [Text(line.plain, style=QUIET if pull > 0 else BAD) for line in wrapped(said, 8, ink)]


def _sum_note(e: Explanation, ink: Ink) -> str:
    total = sum(r.weight for r in e.readings)
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
    v = _shared(e.trace, e.layer, "v")[head]
    top = sorted(e.readings, key=lambda r: -r.weight)[: 4 if len(e.readings) <= 4 else 3]
    terms = []
    for r in sorted(top, key=lambda r: r.position):
        vector = v[r.position].tolist()
        inside = f"[{ink.vector(vector, 2)}]" if len(vector) <= 3 else f"v({r.word})"
        terms.append(f"{ink.number(r.weight, 2)}·{inside}")
    more = len(e.readings) - len(top)
    terms += [f"… {more} more"] if more else []
    said = f"context = {' + '.join(terms)} = [{ink.vector(list(e.context), 4)}]"
    return stage(" 6 MIX", said, ink)


def heads(e: Explanation, ink: Ink) -> list[Text]:
    """What every part of the model adds to the difference of the two logits."""
    parts = e.shares.components
    if len(parts) == 1:
        return stage(" 7 HEADS", "one head, no W_O: nothing to join", ink)
    pair = f"logit({e.shares.first}) − logit({e.shares.second})"
    largest = sorted(parts, key=lambda c: -abs(c.contribution))[:MOST_PARTS]
    written = [unbroken(f"{c.name} {ink.signed(c.contribution, 4)}") for c in largest]
    rest = e.shares.difference - sum(c.contribution for c in largest)
    if abs(rest) > 1e-9:
        written.append(unbroken(f"all the rest {ink.signed(rest, 4)}"))
    said = f"{pair} = {ink.signed(e.shares.difference, 4)} is the sum of: {'  '.join(written)}"
    fixed = any("norm" in name for name in e.trace.steps)
    return stage(" 7 HEADS", said + ("   (the final norm's scale held fixed)" if fixed else ""), ink)


def predict(e: Explanation, ink: Ink, claims: Mapping[str, Checked]) -> list[Text]:
    ranked = sorted(e.candidates, key=lambda c: -c.probability)
    few = len(e.candidates) <= MOST_CANDIDATES
    shown = list(e.candidates) if few else ranked[: MOST_CANDIDATES - 1]
    if e.target is not None and all(c.word != e.target for c in shown):
        shown.append(next(c for c in e.candidates if c.word == e.target))
    source = "x" if f"{e.layer}.residual" in e.trace.steps else "context"
    lines = [
        Text.assemble(
            (" 8 LOGITS", STAGE), (f"   {source} · W_outᵀ        ", QUIET), ("9 PREDICT", STAGE), (" softmax", QUIET)
        )
    ]
    margin = max(cell_len(c.word) for c in shown)
    room = max(len(ink.number(c.logit, 4)) for c in shown)
    for c in shown:
        line = Text(
            " " * INDENT
            + f"{padded(c.word, margin)}  {ink.number(c.logit, 4):>{room}}   {ink.number(c.probability, 4)} "
        )
        line.append(ink.bar(c.probability, 32).ljust(12))
        marks = [w for w, yes in (("predicted", c.word == e.predicted), ("target", c.word == e.target)) if yes]
        if marks:
            line.append(f" {ink.sign('here')} {', '.join(marks)}".ljust(14), style="bold")
        note = _claim_note(c, claims, ink, len(line.plain))
        if cell_len(line.plain) + cell_len(note.plain) <= ink.width:
            lines.append(line.append_text(note))
        else:
            lines += [line, *wrapped(note.plain.strip(), INDENT + 2, ink)]
    if len(shown) < len(e.candidates):
        rest = 1 - sum(c.probability for c in shown)
        said = f"… {len(e.candidates) - len(shown)} more words, {ink.number(rest, 4)} together"
        lines.append(Text(" " * INDENT + said, style=QUIET))
    return lines


def _claim_note(c: Candidate, claims: Mapping[str, Checked], ink: Ink, used: int) -> Text:
    claim = claims.get(f"probabilities[{c.word}]")
    if claim is None:
        return Text("")
    pad = " " * max(2, 66 - used)
    if not claim.is_failure:
        return Text(f"{pad}text says {claim.claimed} {ink.sign('right')}", style=GOOD)
    places = len(claim.claimed.partition(".")[2])
    should = f"{c.probability:.4f} rounds to {c.probability:.{places}f}"
    return Text(f"{pad}text says {claim.claimed} {ink.sign('wrong')} ({claim.place}; {should})", style=BAD)


def _shared(trace: Trace, layer: str, name: str) -> np.ndarray:
    """k or v as the query heads see them."""
    shared = f"{layer}.{name}.shared"
    return trace.array(shared if shared in trace.steps else f"{layer}.{name}")


def _is_identity(trace: Trace, name: str) -> bool:
    W = trace.steps[name].value
    return W.shape[1] == W.shape[2] and bool(np.array_equal(W, np.broadcast_to(np.eye(W.shape[1]), W.shape)))
