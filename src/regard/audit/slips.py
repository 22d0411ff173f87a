"""The rule that asks chance: a number that slipped is a digit away from what the numbers around it come to.

Nobody need say how a number came about. What its neighbours come to by simple formulas is counted, and so is how often
one of those values would lie a digit away by luck. Where that is next to never, and nothing as simple gives the number
as it is printed, the number slipped. Words that announce a result ("so", "makes", a colon) allow a little more luck.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.nodes import Number
from regard.audit.quantities import Quantity, Value, is_negative, read_quantities, sums_of_columns
from regard.audit.sentences import in_bits, of_named, of_parts, of_so_many, restated, said_by_words
from regard.audit.units import meanings
from regard.audit.verdict import Verdict, slipped

Array = np.ndarray
MOST_CLAIMS = 400  # of a page; one with more is data
BEFORE, AFTER = 12, 5  # numbers around a claim that it may come from
REACHES = (2, 3, 4, 6, 9, BEFORE)  # how many of those before it are asked, the nearest first
# how much luck is allowed, by what the words say, and how many digits a number must have
LUCK = {"told": 0.04, "announced": 0.008, "beside": 0.001, "": 0.0002}
LEAST = {"sure": 2, "told": 3, "announced": 3, "beside": 4, "": 4}
PAIRS: dict[str, Callable[..., Array]] = {
    "a + b": np.add, "a - b": np.subtract, "a * b": np.multiply, "a / b": np.divide,
    "a * (1 - b)": lambda a, b: np.where(b < 1, a * (1 - b), np.nan),
    "a * (1 + b)": lambda a, b: np.where(b < 1, a * (1 + b), np.nan),
    "a / (a + b)": lambda a, b: a / (a + b), "(a - b) / b": lambda a, b: (a - b) / b,
}  # fmt: skip
TRIPLES: dict[str, Callable[..., Array]] = {
    "a * b * c": lambda a, b, c: a * b * c, "a * b / c": lambda a, b, c: a * b / c,
    "a * b + c": lambda a, b, c: a * b + c, "a * b - c": lambda a, b, c: a * b - c,
    "a + b - c": lambda a, b, c: a + b - c, "a + b + c": lambda a, b, c: a + b + c,
    "(a - b) * c": lambda a, b, c: (a - b) * c,
    "(a + b) * c": lambda a, b, c: (a + b) * c, "(a - b) / c": lambda a, b, c: (a - b) / c,
}  # fmt: skip
SAME = {"a + b + c", "a + b", "a * b", "a * b * c", "a * b / c", "a * b + c", "a * b - c", "a + b - c", "(a + b) * c"}
FACTORS = (2, 3, 4, 7, 8, 12, 24, 60, 100, 365, 1000, 1024, 3600, 1e6, 2**20, 2**30)
UNARY: dict[str, Callable[..., Array]] = {
    "sqrt(a)": np.sqrt, "ln(a)": np.log, "-ln(a)": lambda a: -np.log(a), "exp(a)": np.exp, "log2(a)": np.log2,
    "a * a": lambda a: a * a, "exp(-a)": lambda a: np.exp(-a), "1 / a": lambda a: 1 / a,
    "1 - a": lambda a: np.where(a < 1, 1 - a, np.nan),
}  # fmt: skip
MOST_TRIPLED = 6
FEW = 4  # last numbers, of which one may come from afar with any other
NEAREST = 5  # of which three may explain a number before two are asked for a slip
CLOSE = 0.03  # as a share of the value
WITHIN = 2.0  # times larger or smaller than the number is what is counted
FARTHER = 4  # by how much less a slip that goes beyond is likely
AHEAD = 8  # numbers that may go on with a claim
RARER = 5  # by how much less a formula of three numbers is likely than one of two
CONFIRMED = 10  # by how much that makes luck less likely


def check_slips(page: Page) -> None:
    """Judge the numbers of sentences that nothing else has explained."""
    texts, quantities = read_quantities(page)
    judged = {(finding.line, finding.claimed.strip("-%")) for finding in page.findings}
    printed = Counter(q.number.text for q in quantities)
    once = [at for at, q in enumerate(quantities) if q.said and printed[q.number.text] < 2]
    claims = [at for at in once if (quantities[at].number.line, quantities[at].number.text) not in judged]
    columns = list(sums_of_columns(page))
    for at in claims if len(claims) <= MOST_CLAIMS else ():
        if found := _slip(texts, quantities, at, columns):
            claim, first = quantities[at], found.operands[0].number
            what = f"{first.text} {first.unit}" if found.formula == "restated" else "by the numbers around it"
            sign = -1 if is_negative(claim, texts[claim.paragraph]) else 1
            said = claim.number._replace(text="-" * (sign < 0) + claim.number.text)
            page.number(what, said, sign * abs(found.value), Verdict.wrong, claim.nth, found.node)
            quantities[at] = claim._replace(value=abs(found.value))


def _slip(texts: Sequence[str], quantities: Sequence[Quantity], at: int, columns: Sequence[Value] = ()) -> Value | None:
    """What a number should be, where it can only be a slip."""
    claim, text = quantities[at], texts[quantities[at].paragraph]
    previous = quantities[at - 1] if at and quantities[at - 1].paragraph == claim.paragraph else None
    ahead = text[max(previous.end if previous else 0, claim.start - 80) : claim.start]
    behind = text[claim.end : claim.end + 40]
    written = re.sub(r"\D", "", claim.number.text)
    round_off = len(written) - len(written.rstrip("0")) if claim.value == int(claim.value) else 0
    digits = len(written.lstrip("0")) - round_off  # closing zeros tell little: much is round
    if len(written) < LEAST["sure"] or data.OPERAND.search(ahead) or data.OPERAND_AFTER.match(behind):
        return None
    if data.SAYS_SO.search(text[max(0, claim.start - 150) : claim.end + 100]) or data.SET_RIGHT.match(behind):
        return None
    if re.search(r"\d\($", text[max(0, claim.start - 2) : claim.start]):
        return None  # volume and number of a journal: 59(408)
    if data.SUPPOSED.search(ahead) or data.REPORTED.search(text[max(0, claim.start - 100) : claim.end + 50]):
        return None
    told = _told(data.ASIDE.sub(" ", ahead), behind) if not claim.tabled else set[str]()
    announced = data.ANNOUNCES.search(ahead) and not data.HEDGED.search(ahead)
    said = "beside" if claim.tabled else "announced" if announced else ""
    pool = [q for q in quantities[max(0, at - BEFORE) : at] if q.section == claim.section][::-1]
    after = [q for q in quantities[at + 1 : at + 1 + AFTER] if q.paragraph == claim.paragraph]
    step = claim.number.step * 10**round_off
    reach = claim.number.step * (0.5 + 1e-6)
    for column in columns:
        if any(abs(abs(claim.value) - size) <= reach for size in (column.value, column.value / len(column.operands))):
            return None
    if value := of_so_many(claim, texts, quantities[:at]) or of_named(claim, texts, quantities[:at]):
        off = abs(abs(value.value) - abs(claim.value))
        return value if off > claim.number.step * (0.5 + len(value.operands) / 2) else None
    if value := in_bits(claim, quantities[:at]):
        return value
    if not claim.tabled and (value := of_parts(texts, quantities, at)) and _is_off(claim, value):
        return value
    if not claim.tabled and (value := said_by_words(claim, text, ahead, pool)):
        if any(abs(p.value * q.value - claim.value) <= claim.number.step / 2 for p in pool[:4] for q in after[:2]):
            return None  # what follows goes on with it: 28.00 for ten, so 2.80 each
        if _is_off(claim, value) or (data.OF_THE_FIRST.match(behind) and _is_of_the_other(claim, value)):
            return value
        if abs(abs(value.value) - abs(claim.value)) <= claim.number.step * 2:
            return None
    search = _Search(claim, told)
    if search.explained(pool[:6], after[:3]) or (digits > 4 and search.explained(pool, after)):
        return None
    threes = itertools.permutations((q.value for q in pool[:NEAREST]), 3)
    if any(abs(a * b + c - claim.value) <= reach for a, b, c in threes):
        return None
    for column in columns if "sum" in told and digits >= LEAST["told"] else ():
        last = column.operands[-1].number
        if last.line < claim.number.line and last.decimals == claim.number.decimals and _is_off(claim, column):
            return column
    search = _Search(claim, told)
    for reach, last in zip(REACHES, (0, *REACHES), strict=False):
        if last >= len(pool):
            break
        if search.explained(pool[:reach], after[: max(0, reach - 3)], triples=reach <= MOST_TRIPLED):
            return None
        for surely, many, count, value in search.hits():
            luck = many * max(count, 1) / _room(claim, value, step)
            luck /= CONFIRMED if _is_confirmed(claim, value, quantities[at + 1 :]) else 1
            kind = "told" if surely else said
            if luck <= LUCK[kind] and digits >= LEAST[kind]:
                return None if _comes_from_afar(claim, pool[:FEW], quantities[:at]) else value
    return None


def _comes_from_afar(claim: Quantity, near: Sequence[Quantity], before: Sequence[Quantity]) -> bool:
    """Whether one of the last numbers and any number before them give the claim as it is printed."""
    others, reach = np.array([q.value for q in before]), claim.number.step * (0.5 + 1e-6)
    made = [compute(q.value, others) for q in near[:2] for compute in (np.add, np.subtract, np.multiply, np.divide)]
    tabled = np.array([q.value for q in before if q.tabled])
    whole = [np.floor(q.value / tabled) for q in near] if not claim.number.decimals else []  # how often it fits
    return any((np.abs(np.abs(values) - abs(claim.value)) <= reach).any() for values in (*made, *whole))


def _room(claim: Quantity, value: Value, step: float) -> float:
    """Among how many numbers a value had to hit a slip by luck; fewer for what is less likely from the start."""
    span = abs(claim.value) * (WITHIN - 1 / WITHIN) / step
    near = min(abs(abs(q.value) - abs(value.value)) for q in value.operands)
    if near < CLOSE * abs(value.value):
        span = max(1.0, 2 * near / step)  # an operand that is near brings its digits along
    rare = RARER if len(value.operands) == 3 and value.formula != "a + b + c" else 1
    far = not 1 / WITHIN < abs(value.value / claim.value) < WITHIN
    return span / rare / (FARTHER if far else 1)


def _is_off(claim: Quantity, value: Value) -> bool:
    """Whether a number is a slip away from what it must be, and not only rounded."""
    number, factor = claim.number, 100 if claim.number.percent else 1
    whole = value.formula in ("sum", "a - b") and all(q.value == int(q.value) for q in value.operands)
    about = 0.5 if whole else number.step * (10 if number.text.endswith("0") and not number.decimals else 1.5)
    off = abs(abs(value.value) - abs(claim.value))
    tenfold = any(abs(abs(value.value) * by - abs(claim.value)) <= number.step / 2 for by in (10, 0.1))
    slip = tenfold or value.certain or slipped(number.text, abs(value.value) * factor)
    return bool(value.value) and slip and off > about + abs(value.value) * sum(map(_blur, value.operands))


def _is_of_the_other(claim: Quantity, value: Value) -> bool:
    """Whether a change was taken in percent of what it led to: from 412 to 309 is 25 %, and 33 % the way back."""
    a, b = (q.value for q in value.operands[:2]) if value.formula == "(a - b) / b" else (0.0, 0.0)
    return bool(a) and abs(abs((a - b) / a) - abs(claim.value)) <= claim.number.step / 2


def _told(ahead: str, behind: str) -> set[str]:
    """The formulas that the words around a number speak of."""
    if data.HEDGED.search(ahead):
        return set()
    found = set[str]()
    for cue in data.CUES:
        pattern = _compiled("".join(cue["pattern"]))
        if pattern.match(behind) if cue.get("after") else pattern.search(ahead):
            found.update(cue["formulas"])
    return found


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class _Search:
    """What the numbers around a claim come to, and which of it lies a slip away."""

    def __init__(self, claim: Quantity, told: set[str]) -> None:
        self.claim, self.told = claim, told
        self.steps = abs(claim.value) / claim.number.step
        self.near = [(many, np.array(sorted(targets), float)) for many, targets in _variants(claim.number)]
        self.sizes: dict[bool, set[float]] = {True: set(), False: set()}  # of the claim's size, by told and not
        self.found: list[tuple[bool, int, Value]] = []

    def explained(self, pool: Sequence[Quantity], after: Sequence[Quantity], *, triples: bool = False) -> bool:
        """Take in what these numbers come to; tells whether something gives the number as it is printed."""
        for batch in _batches(self.claim, pool, after, triples=triples):
            steps = np.abs(batch.values) / self.claim.number.step
            here = np.flatnonzero((steps >= self.steps / 10) & (steps <= self.steps * 10))
            if not len(here):
                continue
            steps = steps[here]
            off = np.abs(steps - self.steps)
            if (off <= 0.5 + 1e-6 + steps * batch.blurs[here]).any():
                return True
            if not batch.formula:
                continue
            told = batch.formula in self.told
            near = (steps >= self.steps / WITHIN) & (steps <= self.steps * WITHIN)
            self.sizes[told].update(np.round(steps[near], 3).tolist())
            for (many, targets), reached in zip(self.near, (here >= 0, near), strict=True):
                for at in here[np.isin(np.round(steps), targets) & reached]:
                    value = batch.at(int(at))
                    if value.value and not any(operand in after for operand in value.operands):
                        self.found.append((told, many, value))
        return False

    def hits(self) -> Iterator[tuple[bool, int, int, Value]]:
        """The values a slip away: told or not, how many slips there are, how many values were tried."""
        told = len(self.sizes[True])
        every = len(self.sizes[True] | self.sizes[False])
        for surely, many, value in sorted(self.found, key=lambda one: (not one[0], one[1])):
            yield surely, many, told if surely else every, value


def _is_confirmed(claim: Quantity, value: Value, later: Sequence[Quantity]) -> bool:
    """Whether what follows goes on with the value, and not with the number as it is printed."""
    size = round(abs(value.value) / claim.number.step) * claim.number.step
    near = [q for q in itertools.takewhile(lambda q: q.section == claim.section, later[:AHEAD]) if q.value]
    for result, other in itertools.permutations(near, 2):
        if len(re.sub(r"\D", "", result.number.text).strip("0")) < 3 or other in value.operands:
            continue
        reach = result.number.step * (0.5 + 1e-6)
        for compute in (np.multiply, np.divide, np.add, np.subtract):
            goes_on, stays = (abs(abs(float(compute(one, other.value))) - result.value) for one in (size, claim.value))
            if goes_on <= reach < stays:
                return True
    return False


def _blur(q: Quantity) -> float:
    """How far a number may be off because it is rounded, as a share of it; few digits are meant as they stand."""
    long = q.number.decimals and len(re.sub(r"\D", "", q.number.text).lstrip("0")) > 2
    return 0.5 * q.number.step / abs(q.value) if long and q.value else 0.0


def _variants(number: Number) -> list[tuple[int, set[int]]]:
    """What the number may have been, in steps of its last digit: two neighbours exchanged, or one digit another."""
    steps = round(abs(number.value) / number.step)
    text = str(steps)
    swaps = {
        int(text[:i] + text[i + 1] + text[i] + text[i + 2 :]) for i in range(len(text) - 1) if text[i] != text[i + 1]
    }
    ones = {
        int(text[:i] + digit + text[i + 1 :])
        for i in range(len(text))
        for digit in "0123456789"
        if digit != text[i] and (i or digit != "0")
    }
    close = {steps - 1, steps + 1}
    return [(len(swaps), swaps - close), (len(ones), ones - close)]


class _Batch(NamedTuple):
    """What one formula makes of many choices of numbers."""

    formula: str
    values: Array
    blurs: Array  # how far each may be off because its numbers are rounded, as a share of it
    numbers: Sequence[Quantity]
    chosen: Sequence[Array]  # the place of each operand
    factors: Array | None = None

    def at(self, place: int) -> Value:
        """One of them."""
        operands = tuple(self.numbers[int(places[place])] for places in self.chosen)
        factor = float(self.factors[place]) if self.factors is not None else 1.0
        return Value(float(self.values[place]), self.formula, operands, factor)


@cache
def _choices(count: int, of: int, ordered: bool) -> tuple[Array, ...]:
    """The places of so many different numbers out of a pool; the first two in order where it does not matter."""
    grid = np.indices((of,) * count).reshape(count, -1)
    kept = np.ones(grid.shape[1], bool)
    for one, other in itertools.combinations(range(count), 2):
        kept &= grid[one] != grid[other]
    if ordered and count > 1:
        kept &= grid[0] < grid[1]
    return tuple(grid[:, kept])


def _batches(
    claim: Quantity, pool: Sequence[Quantity], after: Sequence[Quantity], *, triples: bool
) -> Iterator[_Batch]:
    """What numbers come to by simple formulas."""
    numbers = [*pool, *after]
    if not numbers:
        return
    x, blur = np.array([q.value for q in numbers]), np.array([_blur(q) for q in numbers])
    own = meanings(claim.number.unit) if claim.number.unit else []
    again = [(at, factor) for at, q in enumerate(numbers) for factor in restated(claim, q, own)]
    if again:
        places, factors = np.array([at for at, _ in again]), np.array([factor for _, factor in again])
        yield _Batch("restated", x[places] * factors, blur[places], numbers, (places,), factors)
    every = np.arange(len(x))
    for factor in FACTORS:  # known to everybody, and so a reason for a number, but too many to be one for a slip
        yield _Batch("", np.concatenate([x * factor, x / factor]), np.tile(blur, 2), numbers, ())
    yield _Batch("", x * 1.8 + 32, blur, numbers, ())  # degrees
    for formula, compute in UNARY.items():
        yield _Batch(formula, compute(x), blur, numbers, (every,))
    for formulas in (PAIRS, TRIPLES if triples else {}):
        for formula, compute in formulas.items():
            chosen = _choices(2 if formulas is PAIRS else 3, len(x), formula in SAME)
            values, off = compute(*(x[places] for places in chosen)), sum(blur[places] for places in chosen)
            yield _Batch(formula, values, np.asarray(off), numbers, chosen)
            for at, factor in again if own and formula in ("a * b", "a / b") else ():
                for side in (0, 1) if formula == "a * b" else (0,):
                    here = chosen[side] == at
                    picked = tuple(places[here] for places in chosen)
                    many = np.full(int(here.sum()), factor)
                    yield _Batch(formula, values[here] * factor, np.asarray(off)[here], numbers, picked, many)
    run = [q for q in pool[::-1] if q.nth >= 0]  # in digits
    for start in range(len(run) - 1):
        if len({q.number.percent for q in run[start:]}) == 1:
            places = tuple(np.array([numbers.index(q)]) for q in run[start:])
            total = np.array([math.fsum(q.value for q in run[start:])])
            yield _Batch("sum", total, np.zeros(1), numbers, places)
            yield _Batch("mean", total / (len(run) - start), np.zeros(1), numbers, places)
