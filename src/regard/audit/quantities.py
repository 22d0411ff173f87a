"""The numbers of a page in the order of its sentences: what a rule about prose reckons with.

Tables and comments are read too, since sentences speak of them. Dates, labels and years are left out.
"""

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.grammar import parse
from regard.audit.nodes import Binary, Call, Node, Number, Vector, filled
from regard.audit.notation import SIGNS, without_decoration, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.phrases import numeral

MOST_QUANTITIES = 4_000  # of a page; one with more is data
MOST_TABLES, MOST_ROWS = 20, 60


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


def is_negative(quantity: Quantity, text: str) -> bool:
    """Whether it is written with a minus of its own, which its value does not have."""
    return text.startswith("-", quantity.start)


class Value(NamedTuple):
    """What numbers come to: a formula and its operands."""

    value: float
    formula: str
    operands: tuple[Quantity, ...]
    factor: float = 1.0
    certain: bool = False  # the words leave nothing else

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


def read_quantities(page: Page) -> tuple[list[str], list[Quantity]]:
    """The paragraphs of a page and all of its numbers in order, less those that only label something."""
    texts: list[str] = [""]
    found: list[Quantity] = []
    section = 0
    last: Line | None = None
    for line in page.lines:
        if len(found) > MOST_QUANTITIES:
            return [], []
        section += line.heading in (1, 2, 3)
        text = page.prose.get(line.number, "") if line.is_python else line.text
        if len(text) > LONGEST_LINE or not text.strip() or line.heading or data.A_LOG.search(text):
            last = None
            continue
        tabled = line.number in page.in_tables
        if last is None or tabled or data.ITEM.match(text) or line.number > max(last.number, last.end) + 1:
            texts.append("")
        last = line
        offset = len(texts[-1])
        text = without_decoration(text)
        text = (without_latex(data.THIN_SPACE.sub("", text)) if "\\" in text else text).translate(SIGNS)
        item = data.ITEM.match(text)
        text = " " * item.end() + text[item.end() :] if item else text
        texts[-1] += text + " "
        seen: dict[str, int] = {}
        for match in data.QUANTITY.finditer(text):
            digits, word, start = match["digits"], match["word"], offset + match.start()
            if word or match["clock"]:
                parts = map(int, (match["clock"] or "0").split(":"))  # 24:55 in seconds, or in minutes
                worth = numeral(word) if word else functools.reduce(lambda a, b: a * 60 + b, parts)
                number = Number(str(worth), start, False, line.number)
                found.append(Quantity(number, start, offset + match.end(), len(texts) - 1, section, -1, False, worth))
                continue
            seen[digits] = seen.get(digits, -1) + 1
            unit = match["unit"] if match["unit"] and match["unit"] not in data.NO_UNIT | data.VERBS else ""
            end = match.end() if unit or match["mark"] else match.end("digits")
            before = texts[-1][max(0, start - 40) : start]
            if data.LABELS.search(before) or data.DATED.search(text[(at := match.end("digits")) : at + 12]):
                continue
            if data.YEAR.fullmatch(digits) and not unit:
                continue
            number = Number(digits, start, bool(match["mark"]), line.number, unit)
            hours = found[-1] if found and data.HOURS.fullmatch(found[-1].number.unit) else None
            between = texts[-1][hours.end : start] if hours else "?"
            if hours and data.MINUTES.fullmatch(unit) and between.strip() in ("", "and"):  # 3 h 20 min
                both = Number(f"{hours.value * 3600 + number.value * 60:.10g}", hours.start, False, line.number, "s")
                found[-1] = hours._replace(number=both, value=both.value, end=offset + end, said=False)
                continue
            said = "e" not in digits and (not line.is_code or line.is_python or line.language == "math")
            where = (start, offset + end, len(texts) - 1, section)
            found.append(Quantity(number, *where, seen[digits], said, number.value, tabled))
    return texts, found


def sums_of_columns(page: Page) -> Iterator[Value]:
    """The sums of the columns of every table, of which a sentence may speak from afar."""
    for table in page.tables[:MOST_TABLES]:
        for at in range(len(table.header)) if len(table.body) <= MOST_ROWS else ():
            numbers = [number for number in table.column(at) if number]
            if len(numbers) > 1:
                operands = tuple(Quantity(number, 0, 0, 0, 0, 0, False, number.value) for number in numbers)
                yield Value(math.fsum(number.value for number in numbers), "sum", operands)
