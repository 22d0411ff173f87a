"""The rule for a list and what is said of it further down: its mean or variance, or another list that comes from it.

A page has many lists and many averages, so the two must prove that they belong together: at least two of the numbers
that are said of a list must be right before a third one can be wrong, and that one must be near what it should be. A
list is the softmax of another if all its numbers are but one.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import FUNCTIONS
from regard.audit.finding import occurrences
from regard.audit.judge import Judged, failures, judge
from regard.audit.nodes import Call, Number, Unreadable, Vector
from regard.audit.notation import without_latex
from regard.audit.pages import LONGEST_LINE
from regard.audit.phrases import NUMERALS, STATISTICS
from regard.audit.verdict import slipped

FARTHEST = 25  # lines between a list and what is said of it
LEAST_RIGHT = 2
MOST_LISTS = 12  # of a section; one with more is data
ENOUGH = 5  # digits that must agree before two lists belong together
FAR = 3.0  # a number that is further off, or of another sign, is meant: a gradient p - 1 among probabilities
MOST_TABLES, MOST_ROWS = 20, 100
MAPS = ("softmax", "exp", "normalize", "layer_norm", "square", "sqrt")
NEAR = 2.0
MOST_SAID = 4  # means of a section; more are those of other things


class Stated(NamedTuple):
    """A number that is said to be a statistic, and where it stands."""

    function: str
    claim: Number
    nth: int


def check_lists(page: Page) -> None:
    """Judge what is said of every list of a page."""
    lists: list[tuple[int, Vector]] = []
    said: list[Stated] = []
    stacked: list[Number] = []  # results one below the other
    columns = sorted((*_columns(page), *_results(page)), key=lambda found: found[0])
    for line in page.lines:
        while columns and columns[0][0] < line.number:
            lists.append(columns.pop(0))
        result = data.ENDS_IN_RESULT.search(line.text[-80:]) if line.number not in page.in_tables else None
        if stacked and (result is None or line.number != stacked[-1].line + 1):
            if 2 < len(stacked) <= MOST_ROWS:
                _judge_list(page, lists, Vector(tuple(stacked)), stacked[0].line, "")
                lists.append((stacked[0].line, Vector(tuple(stacked))))
            stacked = []
        stacked += [Number(result[1].replace("−", "-"), -1 - len(stacked), False, line.number)] if result else []
        if line.heading:
            _judge_lists(page, lists, said)
            lists, said = lists[-4:], []
        elif len(line.text) <= LONGEST_LINE and (not line.is_code or line.language == "math" or "[" in line.text):
            listed = line.text.count(",") + line.text.count(";") + line.text.count(" and ") > 1
            text = without_latex(line.text) if listed and "\\" in line.text else line.text
            text = text.replace("$", "") if listed else text
            if listed and data.LIST_BREAKS_OFF.search(text):  # and goes on below
                text = f"{text.rstrip()} {page.texts.get(line.number + 1, '').strip()}"
            for found in data.A_LIST.finditer(text) if listed else ():
                items = tuple(_numbers(found[1], line.number))
                if not line.is_code or line.language == "math":
                    _judge_list(page, lists, Vector(items), line.number, text[: found.start()])
                lists.append((line.number, Vector(items)))
            for found in data.A_SUM.finditer(line.text) if "+" in line.text else ():
                lists.append((line.number, Vector(tuple(_numbers(found[1], line.number)))))
            speaks = not line.is_code and any(word in line.text for word in data.STATISTICAL)
            said += _stated(line.text, line.number) if speaks else ()
    _judge_lists(page, lists, said)


def _numbers(text: str, line: int) -> Iterator[Number]:
    for at, digits in enumerate(re.findall(r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)", text)):
        yield Number(digits.replace("−", "-"), -1 - at, False, line)


def _columns(page: Page) -> Iterator[tuple[int, Vector]]:
    for table in page.tables[:MOST_TABLES]:
        for at in range(len(table.header)) if len(table.body) <= MOST_ROWS else ():
            numbers = [number for number in table.column(at) if number]
            if len(numbers) == len(table.body) > 2:
                yield table.lines[-1], Vector(tuple(numbers))


def _results(page: Page) -> Iterator[tuple[int, Vector]]:
    """The results of a line with several: e^1 = 2.718, e^0 = 1, e^2 = 7.389."""
    right = (one for one in page.findings if one.node is not None and not one.verdict.fails and one.what[:3] != "sum")
    right = sorted((one for one in right if re.fullmatch(r"-?\d*\.?\d+", one.claimed)), key=attrgetter("line"))
    for line, found in itertools.groupby(right, key=attrgetter("line")):
        texts = [one.claimed for one in found]
        if 2 < len(texts) <= MOST_ROWS and line not in page.in_tables:
            yield line, Vector(tuple(Number(text, -1 - at, False, line) for at, text in enumerate(texts)))


def _judge_list(page: Page, lists: list[tuple[int, Vector]], claim: Vector, line: int, before: str) -> None:
    """Judge a list that is another one, exponentiated, normalised or put through a softmax, but for one number."""
    best, what = list[Judged](), ""
    for given, row in lists[:MOST_LISTS]:
        if len(row.items) != len(claim.items) or line - given > FARTHEST or row.items == claim.items:
            continue
        if _is_scaled(row, claim):
            return
        for function in MAPS:
            try:
                judged = judge(Call(function, (row,)), claim, {}, about=True)
            except (Unreadable, ValueError):
                continue
            right = [one for one in judged if not one.verdict.fails]
            shown = [one.claimed if float(one.claimed) % 1 else one.claimed.rstrip("0.") for one in right]
            digits = [len(text.lstrip("-0.").replace(".", "")) for text in shown]
            if len(right) == len(judged):
                return
            telling = sum(count > 1 for count in digits) > 1 and sum(digits) >= ENOUGH
            if len(right) == len(judged) - 1 and telling and len(lists) <= MOST_LISTS:
                what = f"{function} of the list above"
                best = [one._replace(node=Call(function, (row,))) for one in judged]
    judged = {(finding.line, finding.claimed) for finding in page.findings} if best else set[tuple[int, str]]()
    for one in best:
        if one.number and (one.number.line, one.claimed) in judged:
            continue
        if one.verdict.fails and 1 / FAR < float(one.computed) / (float(one.claimed) or FAR) < FAR:
            nth = len(occurrences(before, one.claimed))
            page.judged(one.number.line if one.number else line, what, one, nth, one.node, {})


def _is_scaled(row: Vector, claim: Vector) -> bool:
    """Whether every number of a list is the same multiple of that of another."""
    pairs = [(one, other) for one, other in zip(row.items, claim.items, strict=True)]
    by = next((c.value / r.value for r, c in pairs if isinstance(r, Number) and isinstance(c, Number) and r.value), 0.0)
    return all(
        isinstance(r, Number) and isinstance(c, Number) and abs(r.value * by - c.value) <= c.step for r, c in pairs
    )


def _stated(text: str, line: int) -> Iterator[Stated]:
    """The statistics that a line gives: "standard deviation ≈ 3.08", "mean: 40/5 = 8"."""
    for found in data.A_STATISTIC.finditer(text):
        name = STATISTICS.get(found[1].lower(), found[1].lower())
        before = len(re.findall(rf"(?<![\d.]){re.escape(found[2])}(?!\d|\.\d)", text[: found.start(2)]))
        is_sigmoid = found[1] == "σ" and text.startswith("(", found.end(1))
        if name in FUNCTIONS and not is_sigmoid:
            yield Stated(name, Number(found[2].replace("−", "-"), 0, False, line), before)


def _judge_lists(page: Page, lists: list[tuple[int, Vector]], said: list[Stated]) -> None:
    """Judge what is left unexplained by every list, against the one that most of the rest comes from."""
    counts = Counter(one.function for one in said)
    said = [one for one in said if counts[one.function] <= MOST_SAID]
    told: dict[int, list[tuple[Stated, Judged]]] = {}
    right: set[Stated] = set()
    for place, (line, row) in enumerate(lists[:20]):
        for one in said[:40]:
            if 0 <= one.claim.line - line <= FARTHEST:
                try:
                    (judged,) = judge(Call(one.function, (row,)), one.claim, {}, about=True)
                except (Unreadable, ValueError):
                    continue
                told.setdefault(place, []).append((one, judged))
                right |= set() if failures([judged]) else {one}
    for place, found in told.items():
        counted = NUMERALS[len(lists[place][1].items)] if len(lists[place][1].items) < len(NUMERALS) else ""
        for one, judged in found:
            named = counted and re.search(
                rf"\b(?:{counted}|{len(lists[place][1].items)})\b", page.texts[one.claim.line]
            )
            digits = len(re.sub(r"\D", "", one.claim.text)) > 2
            if named and digits and one not in right and slipped(one.claim.text, float(judged.computed)):
                node = Call(one.function, (lists[place][1],))
                page.judged(one.claim.line, f"{one.function} of the list", judged, one.nth, node, {})
                right.add(one)
        fits = {one.function for one, judged in found if not failures([judged])}
        for one, judged in found if len(fits) >= LEAST_RIGHT else ():
            value, claim = float(judged.computed), one.claim.value
            if one not in right and one.function not in fits and claim and 1 / NEAR < value / claim < NEAR:
                node = Call(one.function, (lists[place][1],))
                page.judged(one.claim.line, f"{one.function} of the list", judged, one.nth, node, {})
                right.add(one)
