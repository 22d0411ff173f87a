"""The rule for numbers that sentences derive: "640, 585 and 710, together 1,953", "64 km, or 38.9 miles", "4 % more".

A sentence says what it did in words, so nothing here is sure by itself: a number is called wrong only where a word says
how it came about, it is what comes out but for a slip of its digits, and nothing else in the paragraph explains it.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.finding import show_beside
from regard.audit.judge import Judged
from regard.audit.nodes import Binary, Call, Node, Number, Vector
from regard.audit.notation import SIGNS, without_decoration, without_latex
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.units import meanings
from regard.audit.verdict import Verdict, slipped, verdict

MOST_TABLES = 10  # whose rows a percentage may speak of
WINDOW = 8  # numbers before a claim that it may come from
PAIRED = 5  # and of these the last, for pairs
MOST_LINES = 40  # of a paragraph
LONGEST = 60  # numbers of a paragraph; one with more is data
LEAST_DIGITS = 3


class Quantity(NamedTuple):
    """A number of a sentence."""

    number: Number
    start: int
    end: int
    sentence: int
    nth: int

    @property
    def value(self) -> float:
        """What it is worth."""
        return self.number.value


class Derived(NamedTuple):
    """Something that comes out of numbers, to be opened."""

    value: float
    node: Node
    listed: bool = False  # a sum of four or more, one beside the other
    vague: bool = False  # by words that say only that something follows


def check_prose(page: Page) -> None:
    """Judge the numbers that sentences derive from others."""
    printed: dict[str, int] = {}
    for found in data.QUANTITY.finditer("\n".join(line.text for line in page.lines if len(line.text) <= LONGEST_LINE)):
        printed[found["digits"]] = printed.get(found["digits"], 0) + 1
    judged = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    items: list[Quantity] = []  # what the items of the list above come to
    for paragraph in _paragraphs(page):
        text, quantities = _read(paragraph)
        known = items if data.ITEM.match(paragraph[0].text) is None else []
        for at in range(len(quantities)) if len(quantities) <= LONGEST else ():
            claim = quantities[at].number
            if (claim.line, claim.text) not in judged:
                _check(page, text, [*known, *quantities], at + len(known), alone=printed.get(claim.text, 0) < 2)
        plain = [q._replace(start=-9, end=-9, sentence=-1) for q in quantities if not q.number.percent]
        items = [*items, *plain[-1:]] if data.ITEM.match(paragraph[0].text) else []


def _paragraphs(page: Page) -> Iterator[list[Line]]:
    held: list[Line] = []
    for line in [*page.lines, Line(0, "")]:
        plain = not line.is_code and not line.heading and line.number not in page.in_tables and line.text.strip()
        if held and (not plain or data.ITEM.match(line.text) or line.number != held[-1].number + 1):
            yield from [held] if len(held) <= MOST_LINES else ()
            held = []
        if plain and len(line.text) <= LONGEST_LINE:
            held.append(line)


def _read(paragraph: Sequence[Line]) -> tuple[str, list[Quantity]]:
    """The text of a paragraph and its quantities; numbers that only label something are left out."""
    parts: list[str] = []
    quantities: list[Quantity] = []
    offset = 0
    for line in paragraph:
        text = without_decoration(line.text)
        text = (without_latex(text) if "\\" in text else text).translate(SIGNS)
        item = data.ITEM.match(text)
        text = " " * item.end() + text[item.end() :] if item else text
        seen: dict[str, int] = {}
        for found in data.QUANTITY.finditer(text):
            digits = found["digits"]
            seen[digits] = seen.get(digits, -1) + 1
            before = f"{' '.join(parts[-1:])} {text[: found.start()]}"[-40:]
            unit = found["unit"] if found["unit"] and found["unit"] not in data.NO_UNIT else ""
            end = found.end() if unit or found["mark"] else found.end("digits")
            if data.LABELS.search(before) or data.DATED.search(text[end : end + 12]):
                continue
            if data.YEAR.fullmatch(digits) and not unit:
                continue
            number = Number(digits, offset + found.start(), bool(found["mark"]), line.number, unit)
            quantities.append(Quantity(number, offset + found.start(), offset + end, 0, seen[digits]))
        parts.append(text)
        offset += len(text) + 1
    whole = " ".join(parts)
    ends = [found.end() for found in data.SENTENCE_END.finditer(whole)]
    return whole, [q._replace(sentence=sum(end <= q.start for end in ends)) for q in quantities]


def _check(page: Page, text: str, quantities: Sequence[Quantity], at: int, *, alone: bool) -> None:
    """Judge one number by the words around it."""
    claim, before = quantities[at], quantities[max(0, at - WINDOW) : at]
    start = max(quantities[at - 1].end if at else 0, claim.start - 60, 0)
    ahead, behind = text[start : claim.start], text[claim.end : claim.end + 40]
    converted = list(_conversions(claim, quantities[at - 1], ahead)) if at and quantities[at - 1].end >= 0 else []
    if converted:
        joined = (
            at > 1
            and quantities[at - 2].number.unit
            and not text[quantities[at - 2].end : quantities[at - 1].start].strip()
        )
        if not joined:  # 2 h 30 min
            _settle(page, claim, converted, quantities[at - 1].number, certain=not data.HEDGED.search(ahead))
        return
    if data.NEIGHBOUR.search(ahead) or data.NEIGHBOUR_AFTER.match(behind) or data.HEDGED.search(ahead):
        return
    same = [q for q in before if q.sentence == claim.sentence]
    near = same if len(same) > 1 else [q for q in before if q.sentence >= claim.sentence - 1]
    candidates: list[Derived] = []
    for cue, reach, derive in CUES:
        if cue.search(ahead) if reach == "before" else cue.match(behind):
            candidates += derive(claim, near) if not claim.number.percent or derive in (_sums, _percentages) else ()
    if claim.number.percent:
        candidates += _parts(page, ahead, behind)
    fitting = next((one for one in candidates if _fits(claim.number, one.value)), None)
    if fitting and len(re.sub(r"\D", "", claim.number.text)) < LEAST_DIGITS:
        return
    if fitting:
        given = verdict(claim.number.text, fitting.value * (100 if claim.number.percent else 1))
        _write(page, claim, fitting, Verdict.rounded if given.fails else given)
        return
    wrong = [one for one in candidates if _is_slip(claim.number, one)]
    listed = any(one.listed for one in wrong)
    if wrong and alone and (listed or not any(_fits(claim.number, d.value) for d in _anything(claim, quantities))):
        _write(page, claim, wrong[0], Verdict.wrong)


def _settle(page: Page, claim: Quantity, candidates: Sequence[Derived], source: Number, *, certain: bool) -> None:
    """Judge a number that can only be the source in another unit; either may be the rounder one."""
    number = claim.number
    about = number.step * (10 if number.text.endswith("0") and not number.decimals else 1)
    blurred = 0.5 * source.step / source.value if source.value else 0.0
    fitting = [one for one in candidates if abs(one.value - number.value) <= about + blurred * one.value]
    if fitting and len(re.sub(r"\D", "", number.text)) > 1:
        _write(page, claim, fitting[0], Verdict.rounded)
    elif certain and not fitting:
        wrong = [one for one in candidates if slipped(number.text, one.value)]
        if wrong and len(re.sub(r"\D", "", number.text).strip("0")) > 1:
            _write(page, claim, wrong[0], Verdict.wrong)


def _parts(page: Page, ahead: str, behind: str) -> Iterator[Derived]:
    """The share of a row of a table in the sum of its column, where the words before a percentage name the row."""
    if data.MEASURED.search(f"{ahead} {behind}"):
        return
    words = set(re.findall(r"[^\W\d_]{3,}", ahead.lower()))
    for table in page.tables[:MOST_TABLES] if words else ():
        for row in table.body:
            name = set(re.findall(r"[^\W\d_]{3,}", row[0].text.lower()))
            if name and name <= words:
                for at in range(1, len(table.header)):
                    column = [number for number in table.column(at) if number]
                    node = row[at].node
                    if isinstance(node, Number) and len(column) == len(table.body) > 2 and not node.percent:
                        total = math.fsum(number.value for number in column)
                        share = Binary("/", node, Call("sum", (Vector(tuple(column)),)))
                        yield Derived(node.value / total if total else 0.0, share)


def _write(page: Page, claim: Quantity, derived: Derived, given: Verdict) -> None:
    mark, by = ("%", 100) if claim.number.percent else ("", 1)
    text = claim.number.text
    one = Judged(text + mark, show_beside(round(derived.value * by, 9), text) + mark, given)
    page.judged(claim.number.line, "said in words", one, claim.nth, derived.node, {})


def _fits(claim: Number, value: float) -> bool:
    return abs(abs(value) - abs(claim.value)) <= claim.step * (0.5 + 1e-6)


def _is_slip(claim: Number, derived: Derived) -> bool:
    value = abs(derived.value) * (100 if claim.percent else 1)
    digits = re.sub(r"\D", "", claim.text).lstrip("0")
    few = claim.percent and not derived.vague
    least = 2 if derived.listed or few else LEAST_DIGITS + (derived.vague and not claim.percent)
    off = abs(value - claim.printed.value) > 1.5 * claim.printed.unit
    return len(digits) >= least and off and math.isfinite(value) and slipped(claim.text, value)


def _sums(_: Quantity, near: Sequence[Quantity]) -> Iterator[Derived]:
    """The last numbers added up, where they are of one kind."""
    for start in range(len(near) - 1):
        row = [q.number for q in near[start:]]
        close = all(b.start - a.end < 7 for a, b in itertools.pairwise(near[start:]))
        listed = len(row) > 3 and close and len({number.unit for number in row}) == 1
        if len({number.percent for number in row}) == 1:
            yield Derived(math.fsum(number.value for number in row), Call("sum", (Vector(tuple(row)),)), listed)


def _pairs(operator: str, _: Quantity, near: Sequence[Quantity]) -> Iterator[Derived]:
    """Two of the last numbers joined."""
    for one, other in itertools.permutations(near[-PAIRED:], 2):
        joined = _joined(operator, one.number, other.number)
        if joined and joined.value > 0 and (operator != "*" or one.start < other.start):
            yield joined


def _joined(operator: str, one: Number, other: Number) -> Derived | None:
    left, right = one.value, other.value
    if operator == "/" and not right:
        return None
    value = {"-": left - right, "/": left / right if right else 0.0, "*": left * right, "+": left + right}[operator]
    return Derived(value, Binary(operator, one, other))


def _percentages(claim: Quantity, near: Sequence[Quantity]) -> Iterator[Derived]:
    """A part of a whole, or a change by it."""
    plain = [q for q in near if not q.number.percent and q.sentence == claim.sentence]
    vague = len(plain) > 3  # of many numbers, two always come near
    for one, other in itertools.permutations(plain[-4:], 2):
        if claim.number.percent and other.value and one.value < other.value:
            yield Derived(one.value / other.value, Binary("/", one.number, other.number), vague=vague)
        if claim.number.percent and other.value:
            more, less = (one, other) if one.value > other.value else (other, one)
            change = Binary("/", Binary("-", more.number, less.number), other.number)
            yield Derived((more.value - less.value) / other.value, change, vague=vague)


def _conversions(claim: Quantity, before: Quantity, between: str) -> Iterator[Derived]:
    """The same in another unit: 64 km, or 39.8 miles."""
    if not data.IN_OTHER_WORDS.fullmatch(between) or not claim.number.unit or before.number.unit == claim.number.unit:
        return
    for one, other in itertools.product(meanings(before.number.unit), meanings(claim.number.unit)):
        if one.powers == other.powers and one.powers:
            factor = one.factor / other.factor
            node = Binary("*", before.number, Number(f"{factor:.10g}", -1))
            yield Derived(before.value * factor, node)
    if (before.number.unit, claim.number.unit) == ("°C", "°F"):
        node = Binary("+", Binary("*", before.number, Number("1.8", -1)), Number("32", -2))
        yield Derived(before.value * 1.8 + 32, node)


def _anything(claim: Quantity, quantities: Sequence[Quantity]) -> Iterator[Derived]:
    """Everything that two or three numbers of the paragraph may come to: a reason not to call a number wrong."""
    others = [q for q in quantities if q is not claim and abs(q.start - claim.start) < 600]
    for operator in "+-*/":
        yield from _pairs_of(operator, others)
    yield from _percentages(claim, [q._replace(sentence=claim.sentence) for q in others[-8:]])
    for start in range(len(others)):
        yield from _sums(claim, others[start : start + 6])


def _pairs_of(operator: str, others: Sequence[Quantity]) -> Iterator[Derived]:
    for one, other in itertools.permutations(others[:20], 2):
        if joined := _joined(operator, one.number, other.number):
            yield joined


Derive = Callable[[Quantity, Sequence[Quantity]], Iterator[Derived]]
OPERATIONS: dict[str, Derive] = {
    "sum": _sums, "difference": partial(_pairs, "-"), "quotient": partial(_pairs, "/"), "product": partial(_pairs, "*"),
    "percentage": _percentages, "anything": lambda claim, near: (
        one._replace(vague=True) for sign in "-*/" for one in _pairs(sign, claim, near)
    ),
}  # fmt: skip
CUES: list[tuple[re.Pattern[str], str, Derive]] = [
    (re.compile("".join(cue["pattern"])), cue["where"], OPERATIONS[cue["operation"]]) for cue in data.CUES
]
