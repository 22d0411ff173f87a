"""Stages 10 to 12 on screen: the loss, who is to blame, and one update."""

from collections.abc import Iterable, Iterator

import numpy as np
from rich.text import Text

from regard.lens.blame import MOST
from regard.lens.explanation import Explanation, Learning
from regard.trace import Cell
from regard.views.ink import QUIET, Ink, shown
from regard.views.layout import joined, stage, unbroken, wrapped

MOST_ARROWS = 6
FEW = 6  # words, up to which the screen has room for the way back
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
    yield from stage("", Text.assemble("scores   ", joined(_arrows(e, now, ink), "  ")), ink)
    yield from stage("", Text.assemble("|grad|   ", joined(_sizes(now, ink), "  ")), ink)
    yield from _update(e, ink)


def _way_back(e: Explanation, now: Learning, ink: Ink) -> Iterator[Text]:
    """∂logits → ∂context → ∂weights, in the order of the computation: by what the scores are blamed."""
    logits, context, weights = now.logit_blame, now.blame_of("context"), now.blame_of("weights")
    if len(e.readings) > FEW:
        return
    if logits:
        yield from stage("", Text.assemble("∂logits  ", _strongest(logits.items(), ink)), ink)
    if context:
        yield from stage("", Text.assemble("∂context ", ink.vector(context, 4)), ink)
    if weights:
        read = [(r.word, weights[r.position]) for r in e.readings]
        yield from stage("", Text.assemble("∂weights ", _strongest(read, ink)), ink)


def _strongest(blamed: Iterable[tuple[str, Cell]], ink: Ink) -> Text:
    """The numbers with the most blame, in their order."""
    blamed = list(blamed)
    least = sorted((abs(cell.value) for _, cell in blamed), reverse=True)[:MOST_ARROWS][-1]
    kept = [(word, cell) for word, cell in blamed if abs(cell.value) >= least][:MOST_ARROWS]
    return joined([unbroken(Text.assemble(f"{word} ", ink.signed(cell, 4))) for word, cell in kept], "  ")


def _sizes(now: Learning, ink: Ink) -> list[Text]:
    """The size of the gradient in each role that has a name of its own."""
    largest = max((cell.value for cell in now.roles.values()), default=0.0) or 1.0
    roles = [(role, size) for role, size in now.roles.items() if role in SHOWN_ROLES]
    return [
        unbroken(Text.assemble(f"{role} ", ink.number(size, 4), f" {ink.bar(size.value / largest, 6)}"))
        for role, size in roles
    ]


def _arrows(e: Explanation, now: Learning, ink: Ink) -> list[Text]:
    """For the scores with the most blame: whether more attention to the word would lower the loss."""
    scores = now.score_blame
    if scores is None:
        return [Text("no gradient reaches them: what follows was set by hand")]
    blamed = sorted(e.readings, key=lambda r: -abs(scores[r.position].value))[:MOST_ARROWS]
    blamed.sort(key=lambda r: r.position)
    least = now.rounding
    arrows = [unbroken(Text.assemble(f"{r.word} ", ink.blamed(scores[r.position], 4, least))) for r in blamed]
    hidden = len(e.readings) - len(blamed)
    return arrows + ([Text(f"… {hidden} more")] if hidden else [])


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
