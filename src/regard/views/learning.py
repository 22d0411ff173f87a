"""Stages 10 to 12 on screen: the loss, who is to blame, and one update."""

from collections.abc import Iterator, Sequence

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from regard.lens.blame import MOST
from regard.lens.explanation import Explanation, Learning, Reading, Vectors
from regard.trace import Cell
from regard.views.ink import QUIET, Ink, K, Q, V, shown
from regard.views.layout import INDENT, beside, joined, stage, unbroken, wrapped

MOST_NAMED, FEWER = 6, 2  # numbers, each with its word; in a longer text
FEW = 6  # words, up to which the screen has room for a vector of each
MOST_NUMBERS = 3  # of a vector that is written out for each word
SHOWN_ROLES = ("W_out", "W_V", "W_O", "E", "position", "W_Q", "W_K", "W_up", "W_down", "W_gate")
WANTED = {
    "next": "the word that should follow",
    "masked": "the word that is hidden",
    "classify": "the class of the text",
}


def learn(e: Explanation, ink: Ink) -> Iterator[Text]:
    now = e.learning
    if now is None:
        wanted = WANTED.get(e.trace.info.get("task", "next"), "the answer")
        yield from wrapped(f"10-12 LOSS, BLAME, UPDATE need {wanted}: --next WORD", 0, ink, QUIET)
        return
    words = shown(now.words, f"{now.words.value:.0f}")
    guess = ("(guessing: ln ", words, " = ", ink.number(now.guessing, 4), ")")
    loss = ("-ln ", ink.number(now.chance, 4), " = ", ink.number(now.loss, 4))
    yield from stage("10 LOSS", Text.assemble(*loss, "        ", *guess), ink)
    more, less = ink.sign("more"), ink.sign("less")
    legend = "which numbers would lower the loss?" + ("" if ink.plain else f"  {more} more attention  {less} less")
    yield from stage("11 BLAME", Text.assemble(f"{legend}        ", unbroken(_proof(now, ink))), ink)
    yield from _way_back(e, now, ink)
    yield from _update(e, ink)


def _way_back(e: Explanation, now: Learning, ink: Ink) -> Iterator[Text]:
    """∂logits → ∂context → ∂v, ∂weights → ∂scores → ∂q, ∂k → matrices: as the computation went, from its end. As many
    of them share a line as there is room for."""
    to = f"{ink.sign('to')} "
    lines: list[tuple[str, Text]] = []
    for is_next, said in _stops(e, now, ink):
        before = to if is_next else " " * len(to)  # what comes of the same as the one before has no arrow of its own
        if lines:
            margin, line = lines[-1]
            longer = Text.assemble(line, "  ", before, said)
            if INDENT + len(margin) + cell_len(longer.plain) <= ink.width:
                lines[-1] = margin, longer
                continue
        lines.append((before, said))
    for margin, line in lines:
        yield from beside((" " * INDENT + margin, ""), line, ink)


def _stops(e: Explanation, now: Learning, ink: Ink) -> Iterator[tuple[bool, Text]]:
    """Each stop of the way back, and whether it follows from the one before; without those that no gradient reaches."""
    most = MOST_NAMED if len(e.readings) <= FEW else FEWER
    context, weights, q = (now.blame_of(name) for name in ("context", "weights", "q"))
    if logits := now.logit_blame(most):
        hidden = len(e.vocabulary) - len(logits)
        yield False, Text.assemble("∂logits ", _named(logits, hidden, ink))
    if context:
        yield True, Text.assemble("∂context ", ink.vector(context, 4))
    if v := now.blame_of_words("v"):
        yield True, _by_word("v", V, v, e, ink)
    if weights:
        strongest = _strongest(e.readings, weights, most)
        read = [(r.word, weights[r.position]) for r in strongest]
        yield False, Text.assemble("∂weights ", _named(read, len(e.readings) - len(read), ink))
    if now.has_scores:
        yield True, Text.assemble("∂scores ", joined(_arrows(e, now, ink, most), "  "))
    if q:
        yield True, Text.assemble(("∂q", f"bold {Q}"), " ", ink.vector(q, 4, least=now.rounding))
    if k := now.blame_of_words("k"):
        yield False, _by_word("k", K, k, e, ink)
    yield True, Text.assemble("|grad| ", joined(_sizes(now, ink), "  "))


def _by_word(name: str, colour: str, blamed: Vectors, e: Explanation, ink: Ink) -> Text:
    """The blame of each word's vector; of many words or long vectors how many there are, and how to open one."""
    heading = Text(f"∂{name}", style=f"bold {colour}")
    if len(e.readings) <= FEW and blamed.size <= MOST_NUMBERS:
        each = [unbroken(Text.assemble(f"{r.word} ", ink.vector(blamed.of(r.position), 4))) for r in e.readings]
        return Text.assemble(heading, " ", joined(each, " · "))
    first = e.trace.name_of(blamed.of(0)[0])
    sizes = f" {blamed.step.shape[-2]} vectors of {blamed.size} numbers"
    return Text.assemble(heading, sizes, (f" {first}, …", QUIET))


def _named(blamed: Sequence[tuple[str, Cell]], hidden: int, ink: Ink) -> Text:
    """Numbers, each with its word, and how many more there are."""
    said = [unbroken(Text.assemble(f"{word} ", ink.signed(cell, 4))) for word, cell in blamed]
    return joined([*said, *_more(hidden)], "  ")


def _strongest(readings: Sequence[Reading], blame: Sequence[Cell], most: int) -> list[Reading]:
    """The words with the most blame, in reading order."""
    return sorted(sorted(readings, key=lambda r: -abs(blame[r.position].value))[:most], key=lambda r: r.position)


def _more(hidden: int) -> list[Text]:
    return [unbroken(f"… {hidden} more")] if hidden else []


def _sizes(now: Learning, ink: Ink) -> list[Text]:
    """The size of the gradient in each role that has a name of its own."""
    largest = max((cell.value for cell in now.roles.values()), default=0.0) or 1.0
    roles = [(role, size) for role, size in now.roles.items() if role in SHOWN_ROLES]
    return [
        unbroken(Text.assemble(f"{role} ", ink.number(size, 4), f" {ink.bar(size.value / largest, 6)}"))
        for role, size in roles
    ]


def _arrows(e: Explanation, now: Learning, ink: Ink, most: int) -> list[Text]:
    """For the scores with the most blame: whether more attention to the word would lower the loss."""
    scores = now.score_blame
    if scores is None:
        return [Text("no gradient reaches them: what follows was set by hand")]
    blamed = _strongest(e.readings, scores, most)
    least = now.rounding
    arrows = [unbroken(Text.assemble(f"{r.word} ", ink.blamed(scores[r.position], 4, least))) for r in blamed]
    return arrows + _more(len(e.readings) - len(blamed))


def _proof(now: Learning, ink: Ink) -> str:
    """The gradients beside finite differences, taken just now."""
    seen = now.differences
    if seen is None and not np.isfinite(now.loss.value):
        return "finite differences cannot be taken of an infinite loss"
    if seen is None:
        return "finite differences: --check" if now.checks is None else ""
    if seen.agree is None:
        return "gradients too small for finite differences to show"
    said = f"finite differences {seen.error:.0e} {ink.sign('right' if seen.agree else 'wrong')}"
    return f"{said} (rounding {seen.rounding:.0e})" if seen.agree and seen.error > MOST else said


def _update(e: Explanation, ink: Ink) -> list[Text]:
    now = e.learning
    assert now is not None and e.target is not None
    words = list(dict.fromkeys([e.target, e.predicted, now.next_predicted]))
    chances = []
    for word in words:
        mark = f" {ink.sign('here')} predicted" if word == now.next_predicted else ""
        chances.append(Text.assemble(f"{word} ", ink.number(now.next_probability(word), 4), mark))
    top = max(e.readings, key=lambda r: r.weight.value)
    said = Text.assemble(
        "rate ", shown(now.rate, f"{now.rate.value:g}"), f", one update {ink.sign('to')}  ", joined(chances, "   "),
        "   loss ", ink.number(now.next_loss, 4),
        f"   α({top.word}) ", ink.number(now.next_weights[top.position], 4),
    )  # fmt: skip
    return stage("12 UPDATE", said, ink)
