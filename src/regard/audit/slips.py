"""The rule that asks chance: a number that slipped is a digit away from what the numbers around it come to.

Nobody need say how a number came about. What its neighbours come to by simple formulas is counted, and so is how often
one of those values would lie a digit away by luck. Where that is next to never, and nothing as simple gives the number
as it is printed, the number slipped. Words that announce a result ("so", "makes", a colon) allow a little more luck.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.finding import show_beside
from regard.audit.grammar import parse
from regard.audit.judge import Judged
from regard.audit.nodes import Call, Node, Number, Vector
from regard.audit.notation import SIGNS, without_decoration, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.phrases import NUMERALS
from regard.audit.relations import filled
from regard.audit.units import meanings
from regard.audit.verdict import Verdict

Array = np.ndarray
MOST_CLAIMS = 400  # of a page; one with more is data
BEFORE, AFTER = 12, 5  # numbers around a claim that it may come from
REACHES = (2, 3, 4, 6, 9, BEFORE)  # how many of those before it are asked, the nearest first
LUCK = {"told": 0.04, "announced": 0.008, "": 0.0004}  # how much luck is allowed, by what the words say
LEAST = {"told": 3, "announced": 3, "": 4}  # digits a number must have
PAIRS: dict[str, Callable[[Array, Array], Array]] = {
    "a + b": np.add, "a - b": np.subtract, "a * b": np.multiply, "a / b": np.divide,
    "a * (1 - b)": lambda a, b: a * (1 - b), "a * (1 + b)": lambda a, b: a * (1 + b),
    "a / (a + b)": lambda a, b: a / (a + b), "(a - b) / b": lambda a, b: (a - b) / b,
}  # fmt: skip
TRIPLES: dict[str, Callable[[Array, Array, Array], Array]] = {
    "a * b * c": lambda a, b, c: a * b * c, "a * b / c": lambda a, b, c: a * b / c,
    "a * b + c": lambda a, b, c: a * b + c, "a * b - c": lambda a, b, c: a * b - c,
    "a + b - c": lambda a, b, c: a + b - c, "(a - b) * c": lambda a, b, c: (a - b) * c,
    "(a + b) * c": lambda a, b, c: (a + b) * c, "(a - b) / c": lambda a, b, c: (a - b) / c,
}  # fmt: skip
SAME = {"a + b", "a * b", "a * b * c", "a * b / c", "a * b + c", "a * b - c", "a + b - c", "(a + b) * c"}
FACTORS = {"60": 60, "3600": 3600, "24": 24, "7": 7, "12": 12, "365": 365, "100": 100, "1000": 1e3, "10^6": 1e6,
           "1024": 1024, "1024^2": 2**20, "1024^3": 2**30, "2": 2, "4": 4, "8": 8, "3": 3}  # fmt: skip


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


class Value(NamedTuple):
    """What numbers come to: a formula and its operands."""

    value: float
    formula: str
    operands: tuple[Quantity, ...]

    @property
    def node(self) -> Node:
        """The formula with its numbers."""
        numbers = [operand.number for operand in self.operands]
        if self.formula in ("sum", "mean"):
            return Call(self.formula, (Vector(tuple(numbers)),))
        return filled(parse(self.formula), dict(zip("abc", numbers, strict=False)))


def check_slips(page: Page) -> None:
    """Judge the numbers of sentences that nothing else has explained."""
    texts, quantities = _read(page)
    judged = {(f.line, f.claimed.strip("-%")): f for f in page.findings}
    right = {key: _float(f.computed) for key, f in judged.items() if f.verdict.fails}
    quantities = [
        q._replace(value=right[q.number.line, q.number.text])
        if right.get((q.number.line, q.number.text)) is not None
        else q
        for q in quantities
    ]
    claims = [at for at, q in enumerate(quantities) if q.said and (q.number.line, q.number.text) not in judged]
    for at in claims if len(claims) <= MOST_CLAIMS else ():
        if found := _slip(texts, quantities, at):
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
        if len(text) > LONGEST_LINE or not text.strip() or line.heading:
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
        for match in data.SLIP_QUANTITY.finditer(text):
            digits = match["digits"]
            word = match["word"]
            if word:
                number = Number(str(NUMERALS.index(word.lower())), offset + match.start(), False, line.number)
                found.append(Quantity(number, offset + match.start(), offset + match.end(), len(texts) - 1, section, -1, False, number.value))
                continue
            seen[digits] = seen.get(digits, -1) + 1
            unit = match["unit"] if match["unit"] and match["unit"] not in data.NO_UNIT else ""
            end = match.end() if unit or match["mark"] else match.end("digits")
            before = texts[-1][: offset + match.start()][-40:]
            if data.LABELS.search(before) or data.DATED.search(text[end : end + 12]):
                continue
            if data.YEAR.fullmatch(digits) and not unit:
                continue
            number = Number(digits, offset + match.start(), bool(match["mark"]), line.number, unit)
            said = not tabled and "e" not in digits and line.language in ("", "math", "text", "python", "py")
            found.append(
                Quantity(number, offset + match.start(), offset + end, len(texts) - 1, section, seen[digits], said, number.value)
            )
    return texts, found


def _slip(texts: Sequence[str], quantities: Sequence[Quantity], at: int) -> Value | None:
    """What a number should be, where it can only be a slip."""
    claim = quantities[at]
    digits = re.sub(r"\D", "", claim.number.text).strip("0")  # closing zeros tell little: much is round
    text = texts[claim.paragraph]
    previous = quantities[at - 1] if at and quantities[at - 1].paragraph == claim.paragraph else None
    ahead = text[max(previous.end if previous else 0, claim.start - 80) : claim.start]
    behind = text[claim.end : claim.end + 40]
    if len(digits) < 3 or data.OPERAND.search(ahead) or data.OPERAND_AFTER.match(behind):
        return None
    if data.SAYS_SO.search(text[max(0, claim.start - 150) : claim.end + 100]):
        return None
    hedged = data.HEDGED.search(ahead) is not None
    said = "" if hedged else "announced" if data.ANNOUNCES.search(ahead) else ""
    pool = [q for q in quantities[max(0, at - BEFORE) : at] if q.section == claim.section][::-1]
    ahead_of = [q for q in quantities[at + 1 : at + 1 + AFTER] if q.paragraph == claim.paragraph]
    near = _variants(claim.number)
    unit = claim.number.step
    coarse = unit * 10 ** (len(re.sub(r"\D", "", claim.number.text)) - len(re.sub(r"\D", "", claim.number.text).rstrip("0")))
    low, high = abs(claim.value) / 2, abs(claim.value) * 2
    span = (high - low) / coarse
    hits: list[tuple[float, Value]] = []
    tested: set[tuple[float, str]] = set()
    inside = 0
    for reach in REACHES:
        if reach > len(pool) and reach != REACHES[0] and REACHES[REACHES.index(reach) - 1] >= len(pool):
            break
        for value in _values(claim, pool[:reach], ahead_of[: max(0, reach - 3)]):
            if not low <= abs(value.value) <= high:
                continue
            key = (round(abs(value.value), 9), "")
            if key in tested:
                continue
            tested.add(key)
            inside += 1
            steps = abs(value.value) / unit
            if abs(steps - abs(claim.value) / unit) <= 0.5 + 1e-6:
                return None  # explained as it is printed
            for kind, many, targets in near:
                if round(steps) in targets:
                    hits.append((many, value))
                    break
        luck = [(inside / span * many, value) for many, value in hits]
        for chance, value in sorted(luck, key=lambda one: one[0]):
            if chance <= LUCK[said] and len(digits) >= LEAST[said]:
                return value
        if inside / span * len(digits) > max(LUCK.values()):
            break
    return None


def _variants(number: Number) -> list[tuple[str, int, set[int]]]:
    """What the number may have been, in steps of its last digit, by the kind of slip: neighbours exchanged, one digit."""
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
    return [("swapped", len(swaps), swaps - close), ("digit", len(ones) * 2, ones - close)]


def _values(claim: Quantity, pool: Sequence[Quantity], after: Sequence[Quantity]) -> Iterator[Value]:
    """What numbers come to by simple formulas."""
    numbers = [*pool, *after]
    if not numbers:
        return
    x = np.array([q.value for q in numbers])
    for q in numbers:
        for name, factor in FACTORS.items():
            yield Value(q.value * factor, f"a * {name}", (q,))
            yield Value(q.value / factor, f"a / {name}", (q,))
    for formula, compute in PAIRS.items():
        table = compute(x[:, None], x[None, :])
        for i, j in itertools.permutations(range(len(x)), 2):
            if formula not in SAME or i < j:
                yield Value(float(table[i, j]), formula, (numbers[i], numbers[j]))
    ordered = pool[::-1]
    for start in range(len(ordered) - 2):
        run = ordered[start:]
        if len({q.number.percent for q in run}) == 1:
            total = math.fsum(q.value for q in run)
            yield Value(total, "sum", tuple(run))
            yield Value(total / len(run), "mean", tuple(run))
    if len(x) <= 7:
        for formula, compute3 in TRIPLES.items():
            cube = compute3(x[:, None, None], x[None, :, None], x[None, None, :])
            for i, j, k in itertools.permutations(range(len(x)), 3):
                if formula not in SAME or i < j:
                    yield Value(float(cube[i, j, k]), formula, (numbers[i], numbers[j], numbers[k]))
