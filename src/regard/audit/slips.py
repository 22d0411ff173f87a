"""The rule that asks chance: a number that slipped is a digit away from what the numbers around it come to.

Nobody need say how a number came about. What its neighbours come to by simple formulas is counted, and so is how often
one of those values would lie a digit away by luck. Where that is next to never, and nothing as simple gives the number
as it is printed, the number slipped. Words that announce a result ("so", "makes", a colon) allow a little more luck.
"""

import functools
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
from regard.audit.finding import show_beside
from regard.audit.grammar import parse
from regard.audit.judge import Judged
from regard.audit.nodes import Binary, Call, Node, Number, Vector
from regard.audit.notation import SIGNS, without_decoration, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.phrases import NUMERALS
from regard.audit.relations import filled
from regard.audit.units import ONE, Unit, meanings
from regard.audit.verdict import Verdict, slipped

Array = np.ndarray
MOST_CLAIMS, MOST_QUANTITIES = 400, 4_000  # of a page; one with more is data
BEFORE, AFTER = 12, 5  # numbers around a claim that it may come from
REACHES = (2, 3, 4, 6, 9, BEFORE)  # how many of those before it are asked, the nearest first
LUCK = {
    "sure": 1.0,
    "told": 0.04,
    "announced": 0.008,
    "beside": 0.001,
    "": 0.0002,
}  # how much luck is allowed, by what the words say
LEAST = {"sure": 2, "told": 3, "announced": 3, "beside": 4, "": 4}  # digits a number must have
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
SPOKEN = {
    "sqrt(a)": r"deviation|root|√|norm\b|length", "ln(a)": r"\bln\b|\blog\b|nats",
    "-ln(a)": r"\bln\b|\blog\b|loss|nats",
    "exp(a)": r"perplexity|\bexp|e\^", "log2(a)": r"\bbits\b|log", "a * a": r"squared?\b|variance",
    "mean": r"\b(?:mean|average)\b",
}  # fmt: skip
OPERATIONS = {
    "sum": {"sum", "a + b", "a + b + c"}, "difference": {"a - b", "a + b - c"}, "quotient": {"a / b", "mean"},
    "product": {"a * b", "a * b * c"},
    "percentage": {"a / b", "(a - b) / b", "a / (a + b)", "1 - a"},
}  # fmt: skip
MOST_TRIPLED = 6
NEAREST = 5  # of which three may explain a number before two are asked for a slip
CLOSE = 0.03  # as a share of the value
WITHIN = 2.0  # times larger or smaller than the number is what is counted
FARTHER = 4  # by how much less a slip that goes beyond is likely
MOST_TABLES, MOST_ROWS = 20, 60
AHEAD = 8  # numbers that may go on with a claim
RARER = 5  # by how much less a formula of three numbers is likely than one of two
CONFIRMED = 10  # by how much that makes luck less likely


class Quantity(NamedTuple):
    """A number of the page."""

    number: Number
    start: int  # in the text of its paragraph
    end: int
    paragraph: int
    section: int
    nth: int
    said: bool  # in a sentence, in digits: it may be judged
    value: float
    tabled: bool = False


class Value(NamedTuple):
    """What numbers come to: a formula and its operands."""

    value: float
    formula: str
    operands: tuple[Quantity, ...]
    factor: float = 1.0

    @property
    def node(self) -> Node:
        """The formula with its numbers."""
        numbers = [operand.number for operand in self.operands]
        if self.factor != 1.0 or self.formula == "restated":
            inner = numbers[0] if self.formula == "restated" else self._replace(factor=1.0).node
            return Binary("*", inner, Number(f"{self.factor:.10g}", -1))
        if self.formula in ("sum", "mean"):
            return Call(self.formula, (Vector(tuple(numbers)),))
        return filled(parse(self.formula), dict(zip("abc", numbers, strict=False)))


def check_slips(page: Page) -> None:
    """Judge the numbers of sentences that nothing else has explained."""
    texts, quantities = _read(page)
    judged = {(f.line, f.claimed.strip("-%")): f for f in page.findings}
    right = {key: _float(f.computed) for key, f in judged.items() if f.verdict.fails}
    printed = Counter(q.number.text for q in quantities)
    quantities = [
        q._replace(value=right[q.number.line, q.number.text])
        if right.get((q.number.line, q.number.text)) is not None
        else q
        for q in quantities
    ]
    claims = [
        at
        for at, q in enumerate(quantities)
        if q.said and printed[q.number.text] < 2 and (q.number.line, q.number.text) not in judged
    ]
    columns = list(_columns(page))
    for at in claims if len(claims) <= MOST_CLAIMS else ():
        if found := _slip(texts, quantities, at, columns):
            claim = quantities[at].number
            mark, by = ("%", 100) if claim.percent else ("", 1)
            shown = show_beside(round(abs(found.value) * by, 9), claim.text)
            one = Judged(claim.text + mark, shown + mark, Verdict.wrong)
            page.judged(claim.line, "by the numbers around it", one, quantities[at].nth, found.node, {})
            quantities[at] = quantities[at]._replace(value=abs(found.value))


def _float(text: str) -> float | None:
    try:
        return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None


def _read(page: Page) -> tuple[list[str], list[Quantity]]:
    """The paragraphs of a page and all of its numbers in order, less those that only label something."""
    texts: list[str] = [""]
    found: list[Quantity] = []
    section = 0
    last: Line | None = None
    docstring = False
    for line in page.lines:
        if len(found) > MOST_QUANTITIES:
            return [], []
        section += line.heading in (1, 2, 3)
        text = line.text
        if line.is_python:
            quotes = len(re.findall('"""|\x27\x27\x27', text))
            inside = docstring or quotes > 0
            docstring ^= quotes % 2 == 1
            hashed = text.lstrip().startswith("#")
            if not inside and not hashed:
                last = None
                continue
            text = text.replace("#", " ", 1) if hashed else text
        if len(text) > LONGEST_LINE or not text.strip() or line.heading or data.A_LOG.search(text):
            last = None
            continue
        tabled = line.number in page.in_tables
        if last is None or tabled or data.ITEM.match(text) or line.number > max(last.number, last.end) + 1:
            texts.append("")
        last = line
        offset = len(texts[-1])
        text = without_decoration(text)
        text = (without_latex(text) if "\\" in text else text).translate(SIGNS)
        item = data.ITEM.match(text)
        text = " " * item.end() + text[item.end() :] if item else text
        texts[-1] += text + " "
        seen: dict[str, int] = {}
        for match in data.QUANTITY.finditer(text):
            digits, word = match["digits"], match["word"]
            if word or match["clock"]:
                parts = map(int, (match["clock"] or "0").split(":"))  # 24:55 in seconds, or in minutes
                worth = NUMERALS.index(word.lower()) if word else functools.reduce(lambda a, b: a * 60 + b, parts)
                number = Number(str(worth), offset + match.start(), False, line.number)
                found.append(
                    Quantity(
                        number,
                        offset + match.start(),
                        offset + match.end(),
                        len(texts) - 1,
                        section,
                        -1,
                        False,
                        number.value,
                    )
                )
                continue
            seen[digits] = seen.get(digits, -1) + 1
            unit = match["unit"] if match["unit"] and match["unit"] not in data.NO_UNIT else ""
            end = match.end() if unit or match["mark"] else match.end("digits")
            before = texts[-1][max(0, offset + match.start() - 40) : offset + match.start()]
            if data.LABELS.search(before) or data.DATED.search(text[end : end + 12]):
                continue
            if data.YEAR.fullmatch(digits) and not unit:
                continue
            number = Number(digits, offset + match.start(), bool(match["mark"]), line.number, unit)
            hours = found[-1] if found and data.HOURS.fullmatch(found[-1].number.unit) else None
            between = texts[-1][hours.end : offset + match.start()] if hours else "?"
            if hours and data.MINUTES.fullmatch(unit) and between.strip() in ("", "and"):  # 3 h 20 min
                both = Number(f"{hours.value * 3600 + number.value * 60:.10g}", hours.start, False, line.number, "s")
                found[-1] = hours._replace(number=both, value=both.value, end=offset + end, said=False)
                continue
            said = "e" not in digits and (not line.is_code or line.is_python or line.language == "math")
            found.append(
                Quantity(
                    number,
                    offset + match.start(),
                    offset + end,
                    len(texts) - 1,
                    section,
                    seen[digits],
                    said,
                    number.value,
                    tabled,
                )
            )
    return texts, found


def _columns(page: Page) -> Iterator[Value]:
    """The sums of the columns of every table, of which a sentence may speak from afar."""
    for table in page.tables[:MOST_TABLES]:
        for at in range(len(table.header)) if len(table.body) <= MOST_ROWS else ():
            numbers = [number for number in table.column(at) if number]
            if len(numbers) > 1:
                operands = tuple(Quantity(number, 0, 0, 0, 0, 0, False, number.value) for number in numbers)
                yield Value(math.fsum(number.value for number in numbers), "sum", operands)


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
    if data.SUPPOSED.search(ahead) or data.REPORTED.search(text[max(0, claim.start - 100) : claim.end + 50]):
        return None
    told = _told(data.ASIDE.sub(" ", ahead), behind) if not claim.tabled else set[str]()
    if previous and data.DIVIDED.search(text[: previous.start]):
        told |= OPERATIONS["quotient"]
    said = (
        "beside"
        if claim.tabled
        else "announced"
        if data.ANNOUNCES.search(ahead) and not data.HEDGED.search(ahead)
        else ""
    )
    pool = [q for q in quantities[max(0, at - BEFORE) : at] if q.section == claim.section][::-1]
    after = [q for q in quantities[at + 1 : at + 1 + AFTER] if q.paragraph == claim.paragraph]
    step = claim.number.step * 10**round_off
    if value := _of_so_many(claim, texts, quantities[:at]):
        off = abs(abs(value.value) - abs(claim.value))
        return value if off > claim.number.step * (0.5 + len(value.operands) / 2) else None
    if not claim.tabled and (value := _sure(claim, text, ahead, pool)):
        if any(abs(p.value * q.value - claim.value) <= claim.number.step / 2 for p in pool[:4] for q in after[:2]):
            return None  # what follows goes on with it: 28.00 for ten, so 2.80 each
        if _is_off(claim, value):
            return value
        if abs(abs(value.value) - abs(claim.value)) <= claim.number.step * 2:
            return None
    search = _Search(claim, told)
    reach = claim.number.step * (0.5 + 1e-6)
    for column in columns:
        if any(abs(abs(claim.value) - size) <= reach for size in (column.value, column.value / len(column.operands))):
            return None
    if search.explained(pool[:6], after[:3]) or (digits > 4 and search.explained(pool, after)):
        return None
    if any(
        abs(a.value * b.value + c.value - claim.value) <= reach for a, b, c in itertools.permutations(pool[:NEAREST], 3)
    ):
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
                return value
    return None


def _room(claim: Quantity, value: Value, step: float) -> float:
    """Among how many numbers a value had to hit a slip by luck; fewer for what is less likely from the start."""
    span = abs(claim.value) * (WITHIN - 1 / WITHIN) / step
    near = min(abs(abs(q.value) - abs(value.value)) for q in value.operands)
    if near < CLOSE * abs(value.value):
        span = max(1.0, 2 * near / step)  # an operand that is near brings its digits along
    rare = RARER if len(value.operands) == 3 and value.formula != "a + b + c" else 1
    far = not 1 / WITHIN < abs(value.value / claim.value) < WITHIN
    return span / rare / (FARTHER if far else 1)


def _sure(claim: Quantity, text: str, ahead: str, pool: Sequence[Quantity]) -> Value | None:
    """What a number must be by the words right before it: the number before it in another unit, the sum or the mean of
    the list before it, or the change between the two numbers of its sentence."""
    last = pool[0] if pool and pool[0].paragraph == claim.paragraph else None
    if last is None:
        return _of_items(claim, ahead, pool)
    alone = len(pool) < 2 or pool[1].paragraph != claim.paragraph or text[pool[1].end : last.start].strip(" (")
    closed = "(" not in ahead or data.CLOSES.match(text[claim.end :])  # (95% CI) is no other word for 0.85
    if data.IN_OTHER_WORDS.fullmatch(ahead) and alone and closed:
        own = meanings(claim.number.unit) if claim.number.unit else []
        found = [Value(last.value * by, "restated", (last,), by) for by in _restated(claim, last, own)]
        if (last.number.unit, claim.number.unit) == ("°C", "°F"):
            found.append(Value(last.value * 1.8 + 32, "a * 1.8 + 32", (last,)))
        if found:
            return min(found, key=lambda one: abs(one.value - claim.value))
    run = [last]
    for q in pool[1:]:
        if q.paragraph != claim.paragraph or not data.LIST_GOES_ON.fullmatch(text[q.end : run[-1].start]):
            break
        run.append(q)
    whole = len({q.number.unit for q in run}) == 1 and len(run) > 2 and not data.HEDGED.search(ahead)
    named = data.OF_THE_LIST.search(ahead) if whole else None
    if named:
        total = math.fsum(q.value for q in run)
        mean = named[1].lower() in ("mean", "average")
        return Value(total / len(run) if mean else total, "mean" if mean else "sum", tuple(run[::-1]))
    start = max((found.end() for found in data.SENTENCE_END.finditer(text, 0, claim.start)), default=0)
    plain = [
        q for q in pool if q.paragraph == claim.paragraph and q.start >= start and not q.number.percent and q.value
    ]
    if not claim.number.percent and len(plain) > 1 and data.MAKES.fullmatch(ahead):
        joint = text[plain[1].end : plain[0].start]
        if data.EACH_OF.fullmatch(joint) and not data.HEDGED.search(text[start : plain[1].start]):
            return Value(plain[0].value * plain[1].value, "a * b", (plain[1], plain[0]))
    if not claim.number.percent or len(plain) != 2:
        return None
    of_these = data.OUT_OF.fullmatch(text[plain[1].end : plain[0].start]) and 0 < plain[1].value < plain[0].value
    if of_these and data.SHARE_FOLLOWS.fullmatch(ahead) and not data.HEDGED.search(ahead):
        part = plain[1].value / plain[0].value
        near = min(part, 1 - part, key=lambda one: abs(one - claim.value))
        return Value(part, "a / b", (plain[1], plain[0])) if near == part else None
    small, large = sorted(plain, key=lambda q: q.value)
    share = Value(small.value / large.value, "a / b", (small, large))
    came_from = text[plain[1].end : plain[0].start].rstrip().endswith("from")  # 5.10, down from 6.00
    new, old = (plain[1], plain[0]) if came_from else (plain[0], plain[1])
    change = Value(abs(new.value / old.value - 1), "(a - b) / b", (new, old))
    if data.OF_A_CHANGE.search(ahead):
        apart = small.value * 2 < large.value and data.SAYS_MORE.search(text[start : claim.start])
        return share if apart else change
    if ahead.endswith("("):
        off = [one for one in (share, change) if abs(one.value - claim.value) > claim.number.step * 1.5]
        return share if len(off) == 2 else None
    return None


def _of_so_many(claim: Quantity, texts: Sequence[str], before: Sequence[Quantity]) -> Value | None:
    """The sum or the mean of the four, where four numbers stand in a row, or are the last of their unit."""
    said = data.OF_SO_MANY.search(texts[claim.paragraph][: claim.start][-120:])
    if said is None or claim.tabled or data.HEDGED.search(said[0]):
        return None
    count, pool = NUMERALS.index(said[2].lower()), [q for q in before if q.nth >= 0 and q.section == claim.section]
    runs: list[list[Quantity]] = []
    for q in pool:
        last = runs[-1][-1] if runs else None
        joint = texts[q.paragraph][last.end : q.start] if last and last.paragraph == q.paragraph else "?"
        if data.LIST_GOES_ON.fullmatch(joint):
            runs[-1].append(q)
        else:
            runs.append([q])
    kinds = [{(q.number.unit, q.number.percent) for q in run} for run in runs]
    fitting = [run for run, kind in zip(runs, kinds, strict=True) if len(run) == count and len(kind) == 1]
    chosen = fitting[-1] if fitting else []
    if not chosen:
        alike = [q for q in pool if q.number.unit and q.number.unit == claim.number.unit]
        chosen = alike[-count:] if len(alike) >= count and len({q.number.decimals for q in alike[-count:]}) == 1 else []
    if not chosen:
        return None
    total, is_mean = math.fsum(q.value for q in chosen), said[1].lower() in ("mean", "average")
    return Value(total / count if is_mean else total, "mean" if is_mean else "sum", tuple(chosen))


def _of_items(claim: Quantity, ahead: str, pool: Sequence[Quantity]) -> Value | None:
    """The sum of the items of the list above, each with its last number."""
    run: list[Quantity] = []
    for q in pool:
        if q.nth >= 0 and q.paragraph == claim.paragraph - len(run) - 1 and q.number.unit == claim.number.unit:
            run.append(q)
    if len(run) < 3 or data.HEDGED.search(ahead) or not data.OF_THE_LIST.search(ahead):
        return None
    return Value(math.fsum(q.value for q in run), "sum", tuple(run[::-1]))


def _is_off(claim: Quantity, value: Value) -> bool:
    """Whether a number is a slip away from what it must be, and not only rounded."""
    number, factor = claim.number, 100 if claim.number.percent else 1
    whole = value.formula == "sum" and all(q.value == int(q.value) for q in value.operands)
    about = 0.5 if whole else number.step * (10 if number.text.endswith("0") and not number.decimals else 1.5)
    off = abs(abs(value.value) - abs(claim.value))
    return off > about + abs(value.value) * sum(map(_blur, value.operands)) and slipped(
        number.text, abs(value.value) * factor
    )


def _told(ahead: str, behind: str) -> set[str]:
    """The formulas that the words around a number speak of."""
    if data.HEDGED.search(ahead):
        return set()
    found = {formula for formula, cue in SPOKEN.items() if re.search(cue, ahead, re.I)}
    for cue in data.CUES:
        pattern = _compiled("".join(cue["pattern"]))
        if pattern.search(ahead) if cue["where"] == "before" else pattern.match(behind):
            found |= OPERATIONS.get(cue["operation"], set())
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
    restated = [list(_restated(claim, q, own)) for q in numbers]
    again = [(at, factor) for at, factors in enumerate(restated) for factor in factors]
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


def _restated(claim: Quantity, q: Quantity, own: Sequence[Unit]) -> Iterator[float]:
    """By what a number is multiplied to be said in the unit of the claim: seconds as hours, 8,030,000 as 8.03 M."""
    if claim.number.percent and not q.number.percent and not q.number.unit and q.number.decimals and 0 < q.value < 2:
        yield 1.0
    if not own or q.number.unit == claim.number.unit:
        return
    for one, other in itertools.product(meanings(q.number.unit) if q.number.unit else [ONE], own):
        if one.powers == other.powers and one.factor != other.factor:
            yield one.factor / other.factor
