"""Judging the members of a chain against the first one that computes something.

Every other member is compared with that value at full precision, number by number: `0.33 + 0.105` term by term with
the products it stands for, `[0.23, 0.22]` as a row. What a softmax was fed may itself be printed rounded, so a row
is wrong only if no scores within the last printed digit give it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from regard.audit.chains import Member
from regard.audit.evaluate import Reading, Values, evaluate, readings
from regard.audit.expression import Unreadable
from regard.audit.finding import show, show_beside
from regard.audit.sums import verdict_on_sum
from regard.audit.tables import Cell
from regard.audit.tree import Binary, Call, Name, Node, Number, Unary, Vector, literals, terms, walk
from regard.audit.verdict import NOISE, Verdict, row_verdicts

MOST_SHIFTED = 64  # numbers moved one by one to find the spread
ROUNDED_FROM = {"softmax": 2, "exp": 2}  # decimals from which an input counts as rounded itself; others need 3
ROUNDED_OUTSIDE = 4  # and as many where no function is involved: 0.2704 is the outcome of something, 0.105 is typed


@dataclass(frozen=True)
class Judged:
    """One number of a claim beside its value."""

    claimed: str
    computed: str
    verdict: Verdict
    line: int
    note: str = ""


def is_computation(node: Node) -> bool:
    """Whether there is something to compute: a number, a vector of numbers or a name is only stated."""
    if literals(node) is not None:
        return False
    return any(
        isinstance(part, Binary | Call) or (isinstance(part, Unary) and part.operator != "-") for part in walk(node)
    )


def names_in(node: Node) -> set[str]:
    """The names an expression leans on."""
    return {part.text for part in walk(node) if isinstance(part, Name)}


def judge(reference: Node, member: Member, values: Values) -> list[Judged]:
    """The verdicts on one member, under the reading of the reference that suits it best."""
    best: list[Judged] = []
    for reading in readings(reference):
        try:
            judged = _judge(reference, member, values, reading)
        except Unreadable:
            continue
        failures = sum(one.verdict.fails for one in judged)
        if not best or failures < sum(one.verdict.fails for one in best):
            best = judged
        if failures == 0:
            break
    if not best:
        raise Unreadable("no reading makes sense of it")
    return best


def _judge(reference: Node, member: Member, values: Values, reading: Reading) -> list[Judged]:
    node = member.node
    if node is None:
        raise Unreadable("the member is a label")
    value = evaluate(reference, values, reading)
    about = member.relation == "≈"
    stated = literals(node)
    if stated is not None:
        if (() if isinstance(node, Number) else evaluate(node, values).shape) != value.shape:
            raise Unreadable("the claim has another shape")
        width = value.shape[-1] if value.ndim else 1
        judged = _compare(stated, value.ravel(), None, width=width, about=about)
        if not about and value.ndim == 0 and (given := _of_shares(reference, stated[0][1], float(value))) is not None:
            return [replace(judged[0], verdict=given)]
        if not any(one.verdict.fails for one in judged):
            return judged
        spread = _spread(reference, values, reading, value)
        return judged if spread is None else _compare(stated, value.ravel(), spread, width=width, about=about)
    by_terms = _by_terms(reference, node, values, reading)
    return by_terms if by_terms is not None else [_by_value(member, node, value, values, reading)]


def _of_shares(reference: Node, claim: Number, total: float) -> Verdict | None:
    """The verdict on shares said to make 1, which 1.1 is not, though it rounds to it; nothing for any other sum."""
    if claim.percent or claim.printed.value != 1.0:
        return None
    if isinstance(reference, Call) and reference.function == "sum" and len(reference.arguments) == 1:
        shares = literals(reference.arguments[0])
    else:
        parts = terms(reference)
        shares = [(sign, term) for sign, term in parts if isinstance(term, Number)]
        shares = shares if len(shares) == len(parts) else None
    if not shares or len(shares) < 2:
        return None
    if any(sign < 0 or number.percent or not 0 <= number.value <= 1 for sign, number in shares):
        return None
    row = [Cell(number.text, number.value, False, number.line) for _, number in shares]
    return verdict_on_sum(row, claim.text, total)


def _by_terms(reference: Node, node: Node, values: Values, reading: Reading) -> list[Judged] | None:
    """Term by term, where both are sums of as many terms and the claim's are plain numbers or vectors."""
    ours, theirs = terms(reference), terms(node)
    stated = [literals(term) for _, term in theirs]
    if len(ours) != len(theirs) or len(ours) < 2 or any(part is None for part in stated):
        return None
    judged: list[Judged] = []
    numbers: list[tuple[int, Number]] = []
    computed: list[float] = []
    for (our_sign, our_term), (their_sign, their_term), part in zip(ours, theirs, stated, strict=True):
        value = evaluate(our_term, values, reading)
        if value.shape != evaluate(their_term, values).shape:
            return None
        numbers += [(sign * their_sign * our_sign, number) for sign, number in part or []]
        computed += list(value.ravel())
    judged = _compare(numbers, np.asarray(computed), None, width=len(computed), about=False)
    if any(one.verdict.fails for one in judged):
        whole, claimed = evaluate(reference, values, reading), evaluate(node, values)
        if np.allclose(whole, claimed, rtol=NOISE, atol=1e-12):
            return None  # the same sum in another order
    return judged


def _by_value(member: Member, node: Node, value: np.ndarray, values: Values, reading: Reading) -> Judged:
    """A member of another form, such as 5/4 for (2+3)/4: its value, give or take the digits it is printed with."""
    claimed = evaluate(node, values, replace(reading, shifts={}))
    if claimed.shape != value.shape:
        raise Unreadable("the members have different shapes")
    numbers = [part for part in walk(node) if isinstance(part, Number)]
    low, high = _extent(
        node, values, reading, [(part, _unit(part)) for part in numbers if _decimals(part) > 0], claimed
    )
    slack = NOISE * np.maximum(np.abs(value), 1e-3)
    if np.all(np.abs(claimed - value) <= slack):
        verdict = Verdict.exact
    else:
        verdict = Verdict.rounded if np.all((low - slack <= value) & (value <= high + slack)) else Verdict.wrong
    return Judged(member.text, _show(value), verdict, member.line)


def _show(value: np.ndarray) -> str:
    if value.ndim == 0:
        return show(float(value))
    return "[" + ", ".join(_show(item) for item in value[:8]) + (", …]" if len(value) > 8 else "]")


def _compare(
    stated: Sequence[tuple[int, Number]],
    computed: np.ndarray,
    spread: tuple[np.ndarray, np.ndarray] | None,
    *,
    width: int,
    about: bool,
) -> list[Judged]:
    """Printed numbers beside computed ones, judged row by row."""
    judged: list[Judged] = []
    for start in range(0, len(stated), max(width, 1)):
        row = stated[start : start + width]
        factor = 100.0 if all(number.percent for _, number in row) else 1.0
        value = computed[start : start + width]
        low, high = (value, value) if spread is None else (part[start : start + width] for part in spread)
        texts = [("-" if sign < 0 else "") + number.text for sign, number in row]
        pairs = [(float(a) * factor, float(b) * factor) for a, b in zip(low, high, strict=True)]
        verdicts = row_verdicts(texts, [float(v) * factor for v in value], spread=pairs, about=about)
        if factor != 1.0 and any(verdict.fails for verdict in verdicts):
            plain = row_verdicts(texts, [float(v) for v in value], about=about)  # 12/50 * 100 = 24 %
            if not any(verdict.fails for verdict in plain):
                verdicts, factor = plain, 1.0
        for text, v, verdict, (_, number) in zip(texts, value, verdicts, row, strict=True):
            mark = "%" if number.percent else ""
            judged.append(Judged(text + mark, show_beside(float(v) * factor, text) + mark, verdict, number.line))
    return judged


def _decimals(number: Number) -> int:
    return len(number.text.lower().partition("e")[0].partition(".")[2])


def _unit(number: Number) -> float:
    return number.printed.unit / (100 if number.percent else 1)


def _spread(
    reference: Node, values: Values, reading: Reading, value: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """How far the value may lie off because what it was computed from is printed rounded.

    A number typed with few digits is meant as it stands (softmax of 1.0, 2.0, 3.0 is no riddle); one with more is the
    outcome of something, and may be off by half its last digit, or by nearly all of it where digits were cut.
    """
    moved: dict[int, tuple[Number, float]] = {}
    for call in walk(reference):
        if not isinstance(call, Call):
            continue
        enough = ROUNDED_FROM.get(call.function, 3)
        for part in walk(call):
            if isinstance(part, Number) and _decimals(part) >= enough:
                moved[part.place] = (part, _unit(part) * (1.0 if _decimals(part) >= 3 else 0.5))
    for part in walk(reference):
        if isinstance(part, Number) and _decimals(part) >= ROUNDED_OUTSIDE and part.place not in moved:
            moved[part.place] = (part, 0.5 * _unit(part))
    if not moved or len(moved) > MOST_SHIFTED:
        return None
    low, high = _extent(reference, values, reading, list(moved.values()), value)
    return low.ravel(), high.ravel()


def _extent(
    node: Node, values: Values, reading: Reading, moved: Sequence[tuple[Number, float]], value: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest value when each number moves by its step, to first order: one at a time, added up."""
    low, high = value.astype(float), value.astype(float)
    if len(moved) > MOST_SHIFTED:
        return low, high
    for number, step in moved:
        ends = [
            evaluate(node, values, replace(reading, shifts={number.place: shift})) - value for shift in (-step, step)
        ]
        low = low + np.minimum(np.minimum(ends[0], ends[1]), 0.0)
        high = high + np.maximum(np.maximum(ends[0], ends[1]), 0.0)
    return low, high


def shape_of(node: Node) -> tuple[int, ...] | None:
    """The shape a tuple of whole numbers states, as in `(10, 64)`; nothing if it is no such tuple."""
    if not isinstance(node, Vector) or not node.round:
        return None
    sizes = [item.printed.value for item in node.items if isinstance(item, Number) and not _decimals(item)]
    return tuple(int(size) for size in sizes) if len(sizes) == len(node.items) and all(sizes) else None
