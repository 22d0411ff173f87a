"""Stages 10 to 12 on screen: the loss, who is to blame, and one update."""

from collections.abc import Mapping

import numpy as np
from rich.text import Text

from regard.lens.blame import MOST
from regard.lens.explanation import Explanation, Learning
from regard.views.ink import QUIET, Ink
from regard.views.layout import stage, unbroken

MOST_ARROWS = 6
WANTED = {
    "next": "the word that should follow",
    "masked": "the word that is hidden",
    "classify": "the class of the text",
}


def learn(e: Explanation, ink: Ink) -> list[Text]:
    if e.learning is None:
        wanted = WANTED.get(e.trace.info.get("task", "next"), "the answer")
        return [Text(f"10-12 LOSS, BLAME, UPDATE need {wanted}: --next WORD", style=QUIET)]
    now = e.learning
    chance = next(c.probability.value for c in e.candidates if c.word == e.target)
    guess = f"(guessing: ln {len(e.candidates)} = {ink.number(now.guessing.value, 4)})"
    lines = stage("10 LOSS", f"-ln {ink.number(chance, 4)} = {ink.number(now.loss.value, 4)}        {guess}", ink)
    more, less = ink.sign("more"), ink.sign("less")
    legend = "which numbers would lower the loss?" + ("" if ink.plain else f"  {more} more attention  {less} less")
    lines += stage("11 BLAME", f"{legend}        {unbroken(_proof(now, ink))}", ink)
    lines += stage("", f"scores   {'  '.join(_arrows(e, now, ink))}", ink)
    sizes_of = {role: cell.value for role, cell in now.roles.items()}
    largest = max(sizes_of.values(), default=0.0) or 1.0
    sizes = [f"{role} {ink.number(size, 4)} {ink.bar(size / largest, 6)}" for role, size in _shown_roles(sizes_of)]
    lines += stage("", "|grad|   " + "  ".join(map(unbroken, sizes)), ink)
    return lines + _update(e, ink)


def _arrows(e: Explanation, now: Learning, ink: Ink) -> list[str]:
    """For the scores with the most blame: whether more attention to the word would lower the loss."""
    blamed_cells = now.score_blame
    scores = None if blamed_cells is None else [cell.value for cell in blamed_cells]
    if scores is None:
        return ["no gradient reaches them: what follows was set by hand"]
    blamed = sorted(e.readings, key=lambda r: -abs(scores[r.position]))[:MOST_ARROWS]
    arrows = []
    for r in sorted(blamed, key=lambda r: r.position):
        blame = scores[r.position]
        arrow = "" if not blame else ink.sign("less" if blame > 0 else "more")
        arrows.append(unbroken(f"{r.word} {arrow}{ink.number(abs(blame), 4)}"))
    hidden = len(e.readings) - len(blamed)
    return arrows + ([f"… {hidden} more"] if hidden else [])


def _proof(now: Learning, ink: Ink) -> str:
    """The gradients beside finite differences, taken just now."""
    seen = now.differences
    if seen is None:
        return "" if np.isfinite(now.loss.value) else "finite differences cannot be taken of an infinite loss"
    if seen.agree is None:
        return "gradients too small for finite differences to show"
    said = f"finite differences {seen.error:.0e} {ink.sign('right' if seen.agree else 'wrong')}"
    return f"{said} (rounding {seen.rounding:.0e})" if seen.agree and seen.error > MOST else said


def _shown_roles(roles: Mapping[str, float]) -> list[tuple[str, float]]:
    wanted = ("W_out", "W_V", "W_O", "E", "position", "W_Q", "W_K", "W_up", "W_down", "W_gate")
    return [(role, size) for role, size in roles.items() if role in wanted]


def _update(e: Explanation, ink: Ink) -> list[Text]:
    now = e.learning
    assert now is not None and e.target is not None
    words = list(dict.fromkeys([e.target, e.predicted, now.next_predicted]))
    chances = []
    for word in words:
        mark = f" {ink.sign('here')} predicted" if word == now.next_predicted else ""
        chances.append(f"{word} {ink.number(now.next_probability(word).value, 4)}{mark}")
    top = max(e.readings, key=lambda r: r.weight.value)
    loss = ink.number(now.next_loss.value, 4)
    said = f"rate {now.rate.value:g}, one update {ink.sign('to')}  {'   '.join(chances)}   loss {loss}"
    return stage("12 UPDATE", f"{said}   α({top.word}) {ink.number(now.next_weights[top.position].value, 4)}", ink)
