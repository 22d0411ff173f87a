"""One judge for every rule: an expression, and the numbers a page prints for it.

Rules only find the two. A chain `0.5*0.66 = 0.33`, a weight column beside its scores, a row said to sum to 1, a comment
behind a line of code: each becomes an expression and a claim, compared here number by number at full precision.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from regard.audit.evaluate import USUAL, Array, Reading, Values, evaluate, readings
from regard.audit.finding import show, show_beside
from regard.audit.grammar import Binary, Call, Node, Number, Unreadable, Vector, literals, terms, walk
from regard.audit.verdict import NOISE, Verdict, row_verdicts

MOST_SHIFTED = 64  # numbers moved one by one to find the spread
ROUNDED_FROM = {"softmax": 2, "exp": 2}  # decimals from which an input counts as rounded itself; others need 3
TYPED = 4  # and as many where no function is involved: 0.2704 is the outcome of something, 0.105 is typed
WIDEST = 3.0  # standard deviations of rounding that a sum of shares may be off


class Judged(NamedTuple):
    """One number of a claim beside its value."""

    claimed: str
    computed: str
    verdict: Verdict
    number: Number | None = None
    node: Node | None = None  # the expression it should be, where each has its own


def failures(judged: Sequence[Judged]) -> int:
    """How many of them fail."""
    return sum(one.verdict.fails for one in judged)


def judge(
    reference: Node, claim: Node, values: Values, *, about: bool = False, typed: int = TYPED, known: Array | None = None
) -> list[Judged]:
    """The verdicts on a claim, under the reading of the reference that suits it best; `known` is its usual value."""
    best: list[Judged] = []
    for reading in readings(reference):
        try:
            value = known if known is not None and reading is USUAL else evaluate(reference, values, reading)
            judged = _under(reading, reference, claim, values, about, typed, value)
        except Unreadable:
            continue
        if not best or failures(judged) < failures(best):
            best = judged
        if not failures(best):
            break
    if not best:
        raise Unreadable("no reading makes sense of it")
    return best


def _under(
    reading: Reading, reference: Node, claim: Node, values: Values, about: bool, typed: int, value: Array
) -> list[Judged]:
    stated = literals(claim)
    if stated is None:
        return _by_terms(reference, claim, values, reading) or [_by_value(claim, value, values, reading)]
    if (() if isinstance(claim, Number) else evaluate(claim, values).shape) != value.shape:
        raise Unreadable("the claim has another shape")
    width = value.shape[-1] if value.ndim else 1
    if not about and not value.ndim and (given := _of_shares(reference, stated[0][1], float(value))) is not None:
        return [Judged(stated[0][1].text, show(round(float(value), 9)), given, stated[0][1])]
    judged = compare(stated, value.ravel(), None, width=width, about=about)
    if failures(judged) and (spread := _spread(reference, values, reading, value, typed)) is not None:
        judged = compare(stated, value.ravel(), spread, width=width, about=about)
    if not about and not value.ndim and judged[0].verdict is Verdict.truncated and _divides_whole(reference, stated):
        return [judged[0]._replace(verdict=Verdict.wrong)]
    return judged


def _divides_whole(reference: Node, stated: list[tuple[int, Number]]) -> bool:
    """Whether whole numbers are divided and the rest dropped: 7 / 2 = 3 is no way to write 3.5."""
    whole = all(not part.decimals for part in walk(reference) if isinstance(part, Number))
    divides = any(isinstance(part, Binary) and part.operator == "/" for part in walk(reference))
    return whole and divides and not stated[0][1].decimals and not stated[0][1].percent


def _of_shares(reference: Node, claim: Number, total: float) -> Verdict | None:
    """The verdict on shares said to make 1, which 1.1 is not, though it rounds to it; nothing for any other sum."""
    if claim.value != 1.0:
        return None
    if isinstance(reference, Call) and reference.function == "sum" and len(reference.arguments) == 1:
        shares = literals(reference.arguments[0]) or []
    else:
        parts = terms(reference)
        shares = [(sign, term) for sign, term in parts if isinstance(term, Number)]
        shares = shares if len(shares) == len(parts) else []
    if len(shares) < 2 or any(sign < 0 or not 0 <= number.value <= 1 for sign, number in shares):
        return None
    if any(number.percent != claim.percent for _, number in shares):
        return None
    return verdict_on_shares([number for _, number in shares], total)


def verdict_on_shares(row: Sequence[Number], total: float) -> Verdict:
    """Exact, or off by no more than rounding the row explains.

    >>> verdict_on_shares([Number("0.33", 0)] * 3, 0.99).value, verdict_on_shares([Number("0.3", 0)] * 3, 0.9).value
    ('rounded', 'wrong')
    """
    if abs(total - 1) <= NOISE:
        return Verdict.exact
    units = [unit_of(number) for number in row if number.percent or number.decimals >= 2]
    reach = WIDEST * math.sqrt(sum(unit**2 for unit in units) / 12)
    return Verdict.rounded if abs(total - 1) <= reach + NOISE else Verdict.wrong


def _by_terms(reference: Node, claim: Node, values: Values, reading: Reading) -> list[Judged] | None:
    """Term by term, where both are sums of as many terms and the claim's are plain numbers or vectors."""
    ours, theirs = terms(reference), terms(claim)
    stated = [literals(term) for _, term in theirs]
    if len(ours) != len(theirs) or len(ours) < 2 or any(part is None for part in stated):
        return None
    numbers: list[tuple[int, Number]] = []
    computed: list[float] = []
    for (our_sign, our_term), (their_sign, their_term), part in zip(ours, theirs, stated, strict=True):
        value = evaluate(our_term, values, reading)
        if value.shape != evaluate(their_term, values).shape:
            return None
        numbers += [(sign * their_sign * our_sign, number) for sign, number in part or []]
        computed += list(value.ravel())
    judged = compare(numbers, np.asarray(computed), None, width=len(computed))
    same = failures(judged) and np.allclose(
        evaluate(reference, values, reading), evaluate(claim, values), rtol=NOISE, atol=1e-12
    )
    return None if same else judged  # the same sum in another order


def _by_value(claim: Node, value: np.ndarray, values: Values, reading: Reading) -> Judged:
    """A claim of another form, such as 5/4 for (2+3)/4: its value, give or take the digits it is printed with."""
    plain = reading._replace(shifts={})
    claimed = evaluate(claim, values, plain)
    if claimed.shape != value.shape:
        raise Unreadable("the members have different shapes")
    moved = [(part, unit_of(part)) for part in walk(claim) if isinstance(part, Number) and part.decimals]
    low, high = _extent(claim, values, plain, moved, claimed)
    slack = NOISE * np.maximum(np.abs(value), 1e-3)
    if np.all(np.abs(claimed - value) <= slack):
        given = Verdict.exact
    else:
        given = Verdict.rounded if np.all((low - slack <= value) & (value <= high + slack)) else Verdict.wrong
    return Judged("", show_array(value), given)


def show_array(value: np.ndarray) -> str:
    """A number, a vector or a matrix, with the digits that matter."""
    if value.ndim == 0:
        return show(float(value))
    return "[" + ", ".join(show_array(item) for item in value[:8]) + (", …]" if len(value) > 8 else "]")


def compare(
    stated: Sequence[tuple[int, Number]],
    computed: np.ndarray,
    spread: tuple[np.ndarray, np.ndarray] | None,
    *,
    width: int,
    about: bool = False,
) -> list[Judged]:
    """Printed numbers beside computed ones, judged row by row."""
    judged: list[Judged] = []
    for start in range(0, len(stated), max(width, 1)):
        row = stated[start : start + width]
        factor = 100.0 if all(number.percent for _, number in row) else 1.0
        value = computed[start : start + width]
        texts = [("-" if sign < 0 else "") + number.text for sign, number in row]
        pairs = None
        if spread is not None:
            low, high = (part[start : start + width] * factor for part in spread)
            pairs = list(zip(map(float, low), map(float, high), strict=True))
        verdicts = row_verdicts(texts, [float(v) * factor for v in value], spread=pairs, about=about)
        if factor != 1.0 and any(given.fails for given in verdicts):
            plain = row_verdicts(texts, [float(v) for v in value], about=about)  # 12/50 * 100 = 24 %
            if not any(given.fails for given in plain):
                verdicts, factor = plain, 1.0
        for text, v, given, (_, number) in zip(texts, value, verdicts, row, strict=True):
            mark = "%" if number.percent else ""
            judged.append(Judged(text + mark, show_beside(float(v) * factor, text) + mark, given, number))
    return judged


def unit_of(number: Number) -> float:
    """What one step of its last digit is worth."""
    return number.printed.unit / (100 if number.percent else 1)


def _spread(
    reference: Node, values: Values, reading: Reading, value: np.ndarray, typed: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """How far the value may lie off because what it was computed from is printed rounded.

    A number typed with few digits is meant as it stands (softmax of 1.0, 2.0, 3.0 is no riddle); one with more is the
    outcome of something, and may be off by half its last digit, or by nearly all of it where digits were cut.
    """
    moved: dict[int, tuple[Number, float]] = {}
    for call in walk(reference):
        if isinstance(call, Call):
            enough = ROUNDED_FROM.get(call.function, 3)
            for part in walk(call):
                if isinstance(part, Number) and part.decimals >= enough:
                    moved[part.place] = (part, unit_of(part) * (1.0 if part.decimals >= 3 else 0.5))
    for part in walk(reference):
        if isinstance(part, Number) and part.decimals >= typed and part.place not in moved:
            moved[part.place] = (part, 0.5 * unit_of(part))
    if not moved or len(moved) > MOST_SHIFTED:
        return None
    low, high = _extent(reference, values, reading, list(moved.values()), value)
    return low.ravel(), high.ravel()


def _extent(
    node: Node, values: Values, reading: Reading, moved: Sequence[tuple[Number, float]], value: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest value when each number moves by its step, to first order: one at a time, added up."""
    low, high = value.astype(float), value.astype(float)
    for number, step in moved if len(moved) <= MOST_SHIFTED else ():
        ends = [evaluate(node, values, reading._replace(shifts={number.place: by})) - value for by in (-step, step)]
        low = low + np.minimum(np.minimum(ends[0], ends[1]), 0.0)
        high = high + np.maximum(np.maximum(ends[0], ends[1]), 0.0)
    return low, high


def shape_of(node: Node) -> tuple[int, ...] | None:
    """The shape a tuple of whole numbers states, as in `(10, 64)`; nothing if it is no such tuple."""
    if not isinstance(node, Vector) or not node.round:
        return None
    sizes = [item.printed.value for item in node.items if isinstance(item, Number) and not item.decimals]
    return tuple(int(size) for size in sizes) if len(sizes) == len(node.items) and all(sizes) else None
