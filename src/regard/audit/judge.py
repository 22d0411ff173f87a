"""One judge for every rule: an expression, and the numbers a page prints for it, one by one at full precision."""

import itertools
import math
import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from regard.audit import nodes
from regard.audit.evaluate import ITEMWISE, Array, Reading, evaluate, number_of, readings
from regard.audit.finding import show, show_beside
from regard.audit.nodes import Call, Node, Number, Unreadable, Vector, calls_in, is_whole, literals, numbers_in, terms
from regard.audit.verdict import NOISE, Verdict, is_mixed, row_verdicts

MOST_MOVED = 1_500  # numbers read while each is moved in turn to find the spread; beyond it, some stand for all
ROUNDED_FROM = {"softmax": 2, "exp": 2, "sum": 2, "power of ten": 2}  # decimals of rounded inputs; others 3
TYPED = 4  # and as many where no function is involved: 0.2704 is the outcome of something, 0.105 is typed
PAIRS = re.compile(r"(\d)(\D?)(?=(\d))").finditer  # of neighbouring digits
LONG, WIDEST = 10_000, 3.0  # whole numbers beyond it may be rounded; deviations that a sum of shares may be off


class Judged(NamedTuple):
    """One number of a claim beside its value."""

    claimed: str
    computed: str
    verdict: Verdict
    number: Number | None = None
    node: Node | None = None  # the expression it should be, to be opened
    note: str = ""


def failures(judged: Sequence[Judged]) -> int:
    return sum(one.verdict.fails for one in judged)


def judge(
    reference: Node, claim: Node, *, about: bool = False, typed: int = TYPED, rounded: Collection[str] = ()
) -> list[Judged]:
    """The verdicts on a claim under the reading that suits best (another logarithm); none if none does.
    Numbers of at least `typed` decimals, and those given as `rounded` outcomes, may be off by half their last digit."""
    best, moved = list[Judged](), _rounded_in(reference, typed, rounded)
    for reading in readings(reference):
        with suppress(Unreadable):
            judged = _under(reading, reference, claim, about, moved)
            best = judged if not best or failures(judged) < failures(best) else best
        if best and not failures(best):
            break
    return best


def holds(reference: Node, claim: Node) -> bool:
    """Whether a claim is what an expression gives."""
    return {one.verdict.fails for one in judge(reference, claim)} == {False}


def is_misread(node: Node, numbers: Iterable[Number], claim: Number, reading: Reading) -> bool:
    """Whether a claim is right if two neighbouring digits of one of the numbers that it is made of are exchanged."""
    swaps = ((n, n.text[: p.start()] + p[3] + p[2] + p[1] + n.text[p.end(3) :]) for n in numbers for p in PAIRS(n.text))
    shifts = ({n.place: n._replace(text=text).value - n.value} for n, text in swaps)
    values = (number_of(node, reading._replace(shifts=shift)) for shift in shifts)
    near = 1.1 if calls_in(node) & ITEMWISE.keys() else 0.6  # of its last digit
    told = len(claim.text.strip("-0.").replace(".", "")) > 2  # what has fewer digits is anything, exchanged
    return told and any(abs(value - claim.value) <= claim.step * near for value in values)


def _under(reading: Reading, reference: Node, claim: Node, about: bool, moved: dict[int, float]) -> list[Judged]:
    """The verdicts under one reading, first for the numbers as they stand, then as far as rounding may have moved them.
    A claim of another form, such as 5/4 for (2+3)/4, is judged by its value, or term by term if it has as many."""
    value, claimed, stated = evaluate(reference, reading), evaluate(claim, reading), literals(claim)
    if value.shape != claimed.shape:
        raise Unreadable("the claim has another shape")
    if stated and not about and (judged := _of_shares(reference, stated[0][1], value)):
        return judged
    if stated is not None:
        judged = compare(stated, value, None, about)
        wrong = [(one.claimed.rstrip("%"), float(one.computed.rstrip("%"))) for one in judged if one.verdict.fails]
        if wrong and not (len(wrong) == 1 and len(judged) > 2 and is_mixed(*wrong[0])):  # the others are not rounded
            judged = compare(stated, value, _extent(reference, reading, moved, value), about)
        dropped = is_whole(Vector((reference, claim))) and not about and not judged[0].claimed.endswith("%")
        if dropped and not value.ndim and judged[0].verdict is Verdict.truncated:
            return [judged[0]._replace(verdict=Verdict.wrong)]  # 7 / 2 = 3 is no way to write 3.5
        return judged
    slack = NOISE * np.maximum(np.abs(value), 1e-3)
    exact = bool(np.all(np.abs(claimed - value) <= slack))
    pairs = list(zip(terms(reference), terms(claim)))
    theirs = Vector(tuple(term if side == sign else Call("-", (term,)) for (side, _), (sign, term) in pairs))
    if len(pairs) > 1 and len(terms(reference)) == len(terms(claim)) and literals(theirs) is not None:
        judged = _under(reading, Vector(tuple(term for (_, term), _ in pairs)), theirs, False, moved)
        if not exact or not failures(judged):
            return judged  # or else the same sum in another order
    printed = {part.place: part.step for part in numbers_in(claim) if part.decimals or part.value > LONG}  # 1/252982
    (low, high), ends = _extent(reference, reading, moved, value), _extent(claim, reading, printed, claimed)
    near = Verdict.rounded if np.all((ends[0] - slack <= high) & (low <= ends[1] + slack)) else Verdict.wrong
    return [Judged("", show_array(value), Verdict.exact if exact else near)]


def _of_shares(reference: Node, claim: Number, value: Array) -> list[Judged]:
    """The verdict on shares that are said to add up to 1: exact, or off by what rounding explains, as 1.1 is not."""
    row = reference.parts[0] if isinstance(reference, Call) and reference.function == "sum" else None
    parts = literals(row) or terms(reference)
    shares = [part for sign, part in parts if isinstance(part, Number) and sign > 0 and 0 <= part.value <= 1]
    if len(shares) != len(parts) or len(shares) < (1 if row else 2) or claim.value != 1:
        return []
    units = [number.step for number in shares if number.percent or number.decimals >= 2]
    off, reach = abs(float(value) - 1), WIDEST * math.sqrt(sum(unit**2 for unit in units) / 12)
    given = Verdict.exact if off <= NOISE else Verdict.rounded if off <= reach + NOISE else Verdict.wrong
    return [Judged(claim.text, show(round(float(value), 9)), given, claim)]


def show_array(value: Array) -> str:
    """A number, a vector or a matrix, with the digits that matter."""
    if value.ndim == 0:
        return show(float(value))
    return "[" + ", ".join(show_array(item) for item in value[:8]) + (", …]" if len(value) > 8 else "]")


def compare(
    stated: Sequence[tuple[int, Number]], value: Array, spread: tuple[Array, Array] | None = None, about: bool = False
) -> list[Judged]:
    """Printed numbers beside computed ones, judged row by row."""
    width = max(value.shape[-1] if value.ndim else 1, 1)
    computed, ends = value.ravel().tolist(), [end.ravel().tolist() for end in spread or ()]
    judged: list[Judged] = []
    for start in range(0, len(stated), width):
        row, here = stated[start : start + width], slice(start, start + width)
        factor = 100.0 if all(number.percent for _, number in row) else 1.0
        texts = [("-" if sign < 0 else "") + number.text for sign, number in row]
        pairs = [(low * factor, high * factor) for low, high in zip(*(end[here] for end in ends), strict=True)]
        verdicts = row_verdicts(texts, [v * factor for v in computed[here]], spread=pairs, about=about)
        if factor != 1.0 and any(given.fails for given in verdicts):
            plain = row_verdicts(texts, computed[here], about=about)  # 12/50 * 100 = 24 %
            verdicts, factor = (verdicts, factor) if any(given.fails for given in plain) else (plain, 1.0)
        for text, v, given, (_, number) in zip(texts, computed[here], verdicts, row, strict=True):
            mark = "%" if number.percent else ""
            judged.append(Judged(text + mark, show_beside(v * factor, text) + mark, given, number))
    return judged


def _rounded_in(reference: Node, typed: int, rounded: Collection[str]) -> dict[int, float]:
    """How far the numbers of an expression may be off, by their places: what is typed with few digits not at all, an
    outcome of something by half its last digit, or by nearly all of it where digits were cut."""
    calls = [function for function in calls_in(reference) if function.isidentifier()]
    calls += ["power"] * ("e" in nodes.names_in(reference))
    texts = "".join(n.text.lower() for n in numbers_in(reference) if "e" in n.text.lower() or n.text == "10")
    calls += ["power of ten"] * ("e" in texts or ("^" in calls_in(reference) and "10" in texts))
    enough = min([typed, *(ROUNDED_FROM.get(function, 3) for function in calls)])
    moved: dict[int, float] = {}
    for number in numbers_in(reference):
        digits = len(number.text.lower().partition("e")[0].replace(".", "").lstrip("-0"))  # 0.0035 has two
        if (number.decimals >= enough and (digits > 2 or calls)) or number.text in rounded:
            moved[number.place] = number.step * (1.0 if calls and number.decimals > 2 else 0.5)
    return moved


def _extent(node: Node, reading: Reading, moved: dict[int, float], value: Array) -> tuple[Array, Array]:
    """The least and the greatest value when each number moves by its step, to first order: one at a time, added up."""
    low, high, each = value.astype(float), value.astype(float), 1 + len(moved) * len(numbers_in(node)) // MOST_MOVED
    for place, step in itertools.islice(moved.items(), 0, None, each):
        ends = [each * (evaluate(node, reading._replace(shifts={place: by})) - value) for by in (-step, step)]
        low, high = low + np.minimum(np.minimum(*ends), 0.0), high + np.maximum(np.maximum(*ends), 0.0)
    return low, high
