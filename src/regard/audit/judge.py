"""One judge for every rule: an expression, and the numbers a page prints for it.

Rules only find the two. A chain `0.5*0.66 = 0.33`, a weight column beside its scores, a row said to sum to 1, a comment
behind a line of code: each becomes an expression and a claim, compared here number by number at full precision.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from regard.audit.evaluate import USUAL, Array, Reading, Values, evaluate, readings
from regard.audit.finding import show, show_beside
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector, calls_in, is_whole, literals, terms, walk
from regard.audit.units import converted
from regard.audit.verdict import NOISE, Verdict, is_mixed, row_verdicts

MOST_SHIFTED = 64  # numbers moved one by one to find the spread
ROUNDED_FROM = {"softmax": 2, "exp": 2}  # decimals from which an input counts as rounded itself; others need 3
TYPED = 4  # and as many where no function is involved: 0.2704 is the outcome of something, 0.105 is typed
LONG = 10_000  # whole numbers beyond it may be rounded
NONE: Set[str] = frozenset()
Moves = dict[int, float]  # how far numbers may be off, by their places
WIDEST = 3.0  # standard deviations of rounding that a sum of shares may be off


class Judged(NamedTuple):
    """One number of a claim beside its value."""

    claimed: str
    computed: str
    verdict: Verdict
    number: Number | None = None
    node: Node | None = None  # the expression it should be, to be opened
    values: Mapping[str, object] = {}  # of its names
    note: str = ""


def failures(judged: Sequence[Judged]) -> int:
    """How many of them fail."""
    return sum(one.verdict.fails for one in judged)


def judge(
    reference: Node, claim: Node, values: Values, *, about: bool = False, typed: int = TYPED, rounded: Set[str] = NONE
) -> list[Judged]:
    """The verdicts on a claim, under the reading that suits it best: another logarithm, another unit.

    Numbers of at least `typed` decimals, and those that the page gave as `rounded` outcomes, may be off by half their
    last digit.
    """
    best: list[Judged] = []
    for node, said, reading in _ways(reference, claim):
        try:
            judged = _under(reading, node, said, values, about, _rounded_in(node, typed, rounded))
        except Unreadable:
            continue
        best = judged if not best or failures(judged) < failures(best) else best
        if not failures(best):
            break
    if not best:
        raise Unreadable("no reading makes sense of it")
    return best


def _ways(reference: Node, claim: Node) -> Iterator[tuple[Node, Node, Reading]]:
    """Every way to understand what is claimed: in the units it has, then as it stands."""
    bare = claim._replace(unit="") if isinstance(claim, Number) else claim
    yield from ((node, bare, USUAL) for node in converted(reference, claim))
    yield from ((reference, claim, reading) for reading in readings(reference))


def holds(reference: Node, claim: Node, values: Values | None = None) -> bool:
    """Whether a claim is what an expression gives."""
    try:
        return not failures(judge(reference, claim, values or {}))
    except Unreadable:
        return False


def _under(reading: Reading, reference: Node, claim: Node, values: Values, about: bool, moved: Moves) -> list[Judged]:
    """The verdicts under one reading, first for the numbers as they stand, then as far as rounding may have moved them.

    A claim of another form, such as 5/4 for (2+3)/4, is judged by its value, or term by term if it has as many.
    """
    value, claimed, stated = evaluate(reference, values, reading), evaluate(claim, values, reading), literals(claim)
    if value.shape != claimed.shape:
        raise Unreadable("the claim has another shape")
    if stated and not about and (shares := _shares(reference, stated[0][1])):
        return [Judged(stated[0][1].text, show(round(float(value), 9)), of_shares(shares, float(value)), stated[0][1])]
    low, high = _extent(reference, values, reading, moved, value)
    if stated is not None:
        judged = compare(stated, value, None, about)
        wrong = [(one.claimed.rstrip("%"), float(one.computed.rstrip("%"))) for one in judged if one.verdict.fails]
        if wrong and not (len(wrong) == 1 and len(judged) > 2 and is_mixed(*wrong[0])):  # the others are not rounded
            judged = compare(stated, value, (low, high), about)
        dropped = is_whole(Vector((reference, claim))) and not about and not judged[0].claimed.endswith("%")
        if dropped and not value.ndim and judged[0].verdict is Verdict.truncated:
            return [judged[0]._replace(verdict=Verdict.wrong)]  # 7 / 2 = 3 is no way to write 3.5
        return judged
    slack = NOISE * np.maximum(np.abs(value), 1e-3)
    exact = bool(np.all(np.abs(claimed - value) <= slack))
    ours, theirs = (list(zip(*terms(node), strict=True)) for node in (reference, claim))
    stated = literals(Vector(theirs[1])) if len(theirs[0]) == len(ours[0]) > 1 else None
    if stated is not None:
        signs = np.repeat(np.multiply(ours[0], theirs[0]), value.size).tolist()
        signed = [(side * sign, number) for side, (sign, number) in zip(signs, stated, strict=False)]
        each = evaluate(Vector(ours[1]), values, reading)
        judged = compare(signed, each)
        if failures(judged):
            judged = compare(signed, each, _extent(Vector(ours[1]), values, reading, moved, each))
        if not exact or not failures(judged):
            return judged  # or else the same sum in another order
    numbers = (part for part in walk(claim) if isinstance(part, Number))
    printed = {part.place: part.step for part in numbers if part.decimals or part.value > LONG}  # 1/252982
    ends = _extent(claim, values, reading, printed, claimed)
    near = Verdict.rounded if np.all((ends[0] - slack <= high) & (low <= ends[1] + slack)) else Verdict.wrong
    return [Judged("", show_array(value), Verdict.exact if exact else near)]


def _shares(reference: Node, claim: Number) -> list[Number]:
    """The shares that are said to add up to 1, which 1.1 is not, though it rounds to it; none of any other sum."""
    row = reference.parts[0] if isinstance(reference, Call) and reference.function == "sum" else None
    parts = literals(row) or terms(reference)
    shares = [part for sign, part in parts if isinstance(part, Number) and sign > 0 and 0 <= part.value <= 1]
    return shares if len(shares) == len(parts) > 1 and claim.value == 1 and not claim.percent else []


def of_shares(row: Sequence[Number], total: float) -> Verdict:
    """Exact, or off by no more than rounding the row explains.

    >>> of_shares([Number("0.33", 0)] * 3, 0.99).value, of_shares([Number("0.3", 0)] * 3, 0.9).value
    ('rounded', 'wrong')
    """
    units = [number.step for number in row if number.percent or number.decimals >= 2]
    reach = WIDEST * math.sqrt(sum(unit**2 for unit in units) / 12)
    near = Verdict.rounded if abs(total - 1) <= reach + NOISE else Verdict.wrong
    return Verdict.exact if abs(total - 1) <= NOISE else near


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
        verdicts = row_verdicts(texts, [v * factor for v in computed[here]], spread=pairs or None, about=about)
        if factor != 1.0 and any(given.fails for given in verdicts):
            plain = row_verdicts(texts, computed[here], about=about)  # 12/50 * 100 = 24 %
            verdicts, factor = (verdicts, factor) if any(given.fails for given in plain) else (plain, 1.0)
        for text, v, given, (_, number) in zip(texts, computed[here], verdicts, row, strict=True):
            mark = "%" if number.percent else ""
            judged.append(Judged(text + mark, show_beside(v * factor, text) + mark, given, number))
    return judged


def _rounded_in(reference: Node, typed: int, rounded: Set[str]) -> Moves:
    """How far the numbers of an expression may be off because they are printed rounded, by their places.

    A number typed with few digits is meant as it stands (softmax of 1.0, 2.0, 3.0 is no riddle); one with more is the
    outcome of something, and may be off by half its last digit, or by nearly all of it where digits were cut.
    """
    calls = [function for function in calls_in(reference) if function.isidentifier()]
    calls += ["power" for part in walk(reference) if isinstance(part, Call) and part.parts[0] == Name("e")]
    enough = min([typed, *(ROUNDED_FROM.get(function, 3) for function in calls)])
    moved: Moves = {}
    for number in (part for part in walk(reference) if isinstance(part, Number)):
        digits = len(number.text.lower().partition("e")[0].replace(".", "").lstrip("-0"))  # 0.0035 has two
        if (number.decimals >= enough and (digits > 2 or calls)) or number.text in rounded:
            moved[number.place] = number.step * (1.0 if calls and number.decimals > 2 else 0.5)
    return moved


def _extent(node: Node, values: Values, reading: Reading, moved: Moves, value: Array) -> tuple[Array, Array]:
    """The least and the greatest value when each number moves by its step, to first order: one at a time, added up."""
    low, high = value.astype(float), value.astype(float)
    for place, step in itertools.islice(moved.items(), MOST_SHIFTED):
        ends = [evaluate(node, values, reading._replace(shifts={place: by})) - value for by in (-step, step)]
        low, high = low + np.minimum(np.minimum(*ends), 0.0), high + np.maximum(np.maximum(*ends), 0.0)
    return low, high
