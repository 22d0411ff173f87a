"""One judge for every rule: an expression, and the numbers a page prints for it.

Rules only find the two. A chain `0.5*0.66 = 0.33`, a weight column beside its scores, a row said to sum to 1, a comment
behind a line of code: each becomes an expression and a claim, compared here number by number at full precision.
"""

import math
import re
from collections.abc import Sequence, Set
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from regard.audit.evaluate import USUAL, Array, Reading, Values, evaluate, readings
from regard.audit.finding import show, show_beside
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unreadable, below, literals, rebuilt, terms, walk
from regard.audit.units import converted
from regard.audit.verdict import NOISE, Printed, Verdict, alone, row_verdicts

MOST_SHIFTED = 64  # numbers moved one by one to find the spread
ROUNDED_FROM = {"softmax": 2, "exp": 2}  # decimals from which an input counts as rounded itself; others need 3
TYPED = 4  # and as many where no function is involved: 0.2704 is the outcome of something, 0.105 is typed
LONG = 10_000  # whole numbers beyond it may be rounded
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
    reference: Node,
    claim: Node,
    values: Values,
    *,
    about: bool = False,
    typed: int = TYPED,
    known: Array | None = None,
    rounded: Set[str] = frozenset(),
    reread: bool = True,
) -> list[Judged]:
    """The verdicts on a claim, under the reading that suits it best.

    `known` is the usual value of the reference; numbers of at least `typed` decimals, and those that the page gave as
    `rounded` outcomes, may be off by half their last digit.
    """
    best, fewest = list[Judged](), 0
    for reading in readings(reference):
        try:
            value = known if known is not None and reading is USUAL else evaluate(reference, values, reading)
            judged = _under(reading, reference, claim, values, about, (typed, rounded), value)
        except Unreadable:
            continue
        fails = failures(judged)
        if not best or fails < fewest:
            best, fewest = judged, fails
        if not fails:
            break
    if not best:
        raise Unreadable("no reading makes sense of it")
    judged = best
    for old, new in (",.", ".,") if fewest and reread else ():
        other = _reread(reference, old, new), _reread(claim, old, new)
        mixed = old == "." and any(isinstance(p, Number) and "." in p.text for node in other for p in walk(node))
        if other != (reference, claim) and not mixed:  # 6.050 beside 0.670 is no six thousand
            with suppress(Unreadable):  # 5^1732 is too large
                judged = judge(*other, values, about=about, typed=typed, reread=False)
            if not failures(judged):
                return [one._replace(claimed=one.claimed.replace(new, old)) for one in judged]
    tried = [best]
    for node in converted(reference, claim) if fewest and reread else ():
        tried.append(judge(node, _bare(claim), values, about=about, typed=typed, rounded=rounded, reread=False))
    return min(tried, key=_off) if len(tried) > 1 else best


def holds(reference: Node, claim: Node, values: Values | None = None) -> bool:
    """Whether a claim is what an expression gives."""
    try:
        return not failures(judge(reference, claim, values or {}))
    except Unreadable:
        return False


def _off(judged: Sequence[Judged]) -> float:
    """How far a single claim is off, as a ratio; nothing where it is right."""
    said, found = (abs(Printed.read(text).value) for text in (judged[0].claimed, judged[0].computed))
    return abs(math.log(said / found)) if failures(judged) and said and found else float(failures(judged)) * 99


def _bare(claim: Node) -> Node:
    return claim._replace(unit="") if isinstance(claim, Number) else claim


def _reread(node: Node, old: str, new: str) -> Node:
    """The same with thousands for decimals, or the other way round: 2,236 is √5 on many pages, and 2236 on others."""
    if isinstance(node, Number):
        digits = re.fullmatch(rf"\d{{1,3}}{re.escape(old)}\d{{3}}", node.text) and (old == "," or node.text[0] != "0")
        return node._replace(text=node.text.replace(old, new)) if digits else node
    return rebuilt(node, tuple(_reread(part, old, new) for part in below(node)))


def _under(
    reading: Reading,
    reference: Node,
    claim: Node,
    values: Values,
    about: bool,
    typed: tuple[int, Set[str]],
    value: Array,
) -> list[Judged]:
    if isinstance(claim, Number) and not value.ndim and not claim.percent:
        given = alone(claim.printed, float(value))  # what most claims are
        if given is Verdict.exact or (given is Verdict.rounded and claim.value != 1.0):
            return [Judged(claim.text, show_beside(float(value), claim.text), given, claim)]
    stated = literals(claim)
    if stated is None:
        return _by_terms(reference, claim, values, reading) or [_by_value(claim, value, values, reading)]
    if (() if isinstance(claim, Number) else evaluate(claim, values).shape) != value.shape:
        raise Unreadable("the claim has another shape")
    first = stated[0][1] if stated else None
    if first and not about and not value.ndim and (shares := _shares_of_one(reference, first)):
        return [Judged(first.text, show(round(float(value), 9)), of_shares(shares, float(value)), first)]
    judged = compare(stated, value, None, about)
    if failures(judged) and (moved := _rounded_in(reference, *typed)):
        judged = compare(stated, value, _extent(reference, values, reading, moved, value), about)
    if not about and not value.ndim and judged[0].verdict is Verdict.truncated and _divides_whole(reference, stated):
        return [judged[0]._replace(verdict=Verdict.wrong)]
    return judged


def _divides_whole(reference: Node, stated: list[tuple[int, Number]]) -> bool:
    """Whether whole numbers are divided and the rest dropped: 7 / 2 = 3 is no way to write 3.5."""
    parts = list(walk(reference))
    whole = all(not part.decimals for part in parts if isinstance(part, Number))
    divides = any(isinstance(part, Binary) and part.operator == "/" for part in parts)
    return whole and divides and not stated[0][1].decimals and not stated[0][1].percent


def _shares_of_one(reference: Node, claim: Number) -> list[Number]:
    """The shares that are said to make 1, which 1.1 is not, though it rounds to it; none of any other sum."""
    if claim.value != 1.0:
        return []
    match reference:
        case Call("sum", (row,)):
            parts = literals(row) or []
        case _:
            parts = terms(reference)
    shares = [part for sign, part in parts if isinstance(part, Number) and sign > 0 and 0 <= part.value <= 1]
    same = len(shares) == len(parts) > 1 and all(share.percent == claim.percent for share in shares)
    return shares if same else []


def of_shares(row: Sequence[Number], total: float) -> Verdict:
    """Exact, or off by no more than rounding the row explains.

    >>> of_shares([Number("0.33", 0)] * 3, 0.99).value, of_shares([Number("0.3", 0)] * 3, 0.9).value
    ('rounded', 'wrong')
    """
    if abs(total - 1) <= NOISE:
        return Verdict.exact
    units = [number.step for number in row if number.percent or number.decimals >= 2]
    reach = WIDEST * math.sqrt(sum(unit**2 for unit in units) / 12)
    return Verdict.rounded if abs(total - 1) <= reach + NOISE else Verdict.wrong


def _by_terms(reference: Node, claim: Node, values: Values, reading: Reading) -> list[Judged] | None:
    """Term by term, where both are sums of as many terms and the claim's are plain numbers or vectors."""
    ours, theirs = terms(reference), terms(claim)
    stated = [literals(term) for _, term in theirs]
    if len(ours) != len(theirs) or len(ours) < 2 or None in stated:
        return None
    numbers: list[tuple[int, Number]] = []
    computed: list[float] = []
    for (our_sign, our_term), (their_sign, their_term), part in zip(ours, theirs, stated, strict=True):
        value = evaluate(our_term, values, reading)
        if value.shape != evaluate(their_term, values).shape:
            return None
        numbers += [(sign * their_sign * our_sign, number) for sign, number in part or []]
        computed += list(value.ravel())
    judged = compare(numbers, np.asarray(computed))
    sums = (evaluate(reference, values, reading), evaluate(claim, values)) if failures(judged) else ()
    return None if sums and np.allclose(*sums, rtol=NOISE, atol=1e-12) else judged  # the same sum in another order


def _by_value(claim: Node, value: Array, values: Values, reading: Reading) -> Judged:
    """A claim of another form, such as 5/4 for (2+3)/4: its value, give or take the digits it is printed with."""
    claimed = evaluate(claim, values, reading)
    if claimed.shape != value.shape:
        raise Unreadable("the members have different shapes")
    numbers = (part for part in walk(claim) if isinstance(part, Number))
    moved = {part.place: part.step for part in numbers if part.decimals or part.value > LONG}  # 1/252982
    low, high = _extent(claim, values, reading, moved, claimed)
    slack = NOISE * np.maximum(np.abs(value), 1e-3)
    given = Verdict.rounded if np.all((low - slack <= value) & (value <= high + slack)) else Verdict.wrong
    return Judged("", show_array(value), Verdict.exact if np.all(np.abs(claimed - value) <= slack) else given)


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
            if not any(given.fails for given in plain):
                verdicts, factor = plain, 1.0
        for text, v, given, (_, number) in zip(texts, computed[here], verdicts, row, strict=True):
            mark = "%" if number.percent else ""
            judged.append(Judged(text + mark, show_beside(v * factor, text) + mark, given, number))
    return judged


def _rounded_in(reference: Node, typed: int, rounded: Set[str]) -> dict[int, float]:
    """How far the numbers of an expression may be off because they are printed rounded, by their places.

    A number typed with few digits is meant as it stands (softmax of 1.0, 2.0, 3.0 is no riddle); one with more is the
    outcome of something, and may be off by half its last digit, or by nearly all of it where digits were cut.
    """
    moved: dict[int, float] = {}
    for part in walk(reference):
        if isinstance(part, Number) and ((part.decimals >= typed and _is_long(part)) or part.text in rounded):
            moved.setdefault(part.place, 0.5 * part.step)
        is_power_of_e = isinstance(part, Binary) and part.operator in ("^", "**") and part.left == Name("e")
        if isinstance(part, Call) or is_power_of_e:
            enough = ROUNDED_FROM.get(part.function, 3) if isinstance(part, Call) else 3
            inside = [number for number in walk(part) if isinstance(number, Number) and number.decimals >= enough]
            moved |= {number.place: number.step * (1.0 if number.decimals >= 3 else 0.5) for number in inside}
    return moved if len(moved) <= MOST_SHIFTED else {}


def _is_long(number: Number) -> bool:
    """Whether it has more digits than one types: 0.0035 has two."""
    return len(number.text.lower().partition("e")[0].replace(".", "").lstrip("-0")) > 2


def _extent(node: Node, values: Values, reading: Reading, moved: dict[int, float], value: Array) -> tuple[Array, Array]:
    """The least and the greatest value when each number moves by its step, to first order: one at a time, added up."""
    low, high = value.astype(float), value.astype(float)
    for place, step in moved.items() if len(moved) <= MOST_SHIFTED else ():
        ends = [evaluate(node, values, reading._replace(shifts={place: by})) - value for by in (-step, step)]
        low = low + np.minimum(np.minimum(*ends), 0.0)
        high = high + np.maximum(np.maximum(*ends), 0.0)
    return low, high
