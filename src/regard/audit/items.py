"""The rules for a list of items with their sum at its end, and for arithmetic in brackets behind its result."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.nodes import Call, Node, Number, Unreadable, Vector, is_computation
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.totals import leaves_one_out
from regard.audit.verdict import Verdict, slipped

LEAST = 2  # items above a sum
MOST = 60
BELOW = -1000  # the place of a sum that stands in the sentence below


def check_items(page: Page) -> None:
    """Judge the sum below every list, and every number that its own arithmetic follows."""
    judged = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    lines = [line for line in page.lines if line.number not in page.in_tables and len(line.text) <= LONGEST_LINE]
    for items, (label, total) in _lists(line for line in lines if not line.is_python):
        value = math.fsum(item.value for item in items)
        if (total.line, total.text) not in judged and not data.NOT_ALL.search(label):
            forgotten = total.place == BELOW and leaves_one_out(items, total)
            node = Call("sum", (Vector(tuple(items)),))
            _write(page, "sum of the items", total, value, node, forgotten=forgotten)
    for line in lines:
        for found in data.BEHIND_IN_BRACKETS.finditer(line.text) if "(" in line.text and not line.is_code else ():
            number = Number(found[1].replace("−", "-"), -1, bool(found[2]), line.number)
            with suppress(Unreadable):
                node = parse(plain(found[3]))
                if is_computation(node) and (line.number, number.text) not in judged:
                    value = float(evaluate(node, {}))
                    by = 0.01 if number.percent and abs(value) > 1 else 1.0
                    _write(page, found[3], number, value * by, node, line.text[: found.start()])


def _write(
    page: Page, what: str, number: Number, value: float, node: Node, before: str = "", *, forgotten: bool = False
) -> None:
    """Write down a number that is right, or a digit away from what it should be, or that leaves something out."""
    fits = abs(value - number.value) <= number.step * 0.5001
    if fits or forgotten or slipped(number.text, value * (100 if number.percent else 1)):
        given, nth = Verdict.exact if fits else Verdict.wrong, len(occurrences(before, number.text))
        page.number(what, number, value, given, nth if before else -1, node)


def _lists(lines: Iterator[Line]) -> Iterator[tuple[Sequence[Number], tuple[str, Number]]]:
    """The items of every list that ends in what it comes to, or has it in the sentence below: their numbers, and the
    name and number of that."""
    items: list[Number] = []
    last = 0
    for line in lines:
        text = line.text.rstrip()
        found = data.ITEM_WITH_AMOUNT.fullmatch(text)
        if found is None or line.number > last + 1:
            below = data.SUM_BELOW.match(text) if LEAST < len(items) <= MOST and line.number <= last + 2 else None
            if below and _is_alike(number := _amount(below, line.number, BELOW), items):
                yield items, (below[1], number)
            items = [] if text else items
        last = max(line.number, line.end) if text else last
        if found:
            number = _amount(found, line.number, -1 - len(items))
            if data.SUMS_UP.search(found[1]) and LEAST <= len(items) <= MOST and number.decimals == items[0].decimals:
                yield items, (found[1], number)
                items = []
            else:
                items.append(number)


def _is_alike(number: Number, items: Sequence[Number]) -> bool:
    """Whether a number has as many decimals as these, and the one unit that all of them have."""
    return {(item.decimals, item.unit) for item in items} == {(number.decimals, number.unit)}


def _amount(found: re.Match[str], line: int, place: int) -> Number:
    """The number and the unit of an item."""
    sign = re.search("[€£$]", found[2] + (found[3] or ""))
    unit = sign[0] if sign else (found[3] or "").strip()
    return Number(re.sub("[€£$]", "", found[2]).replace("−", "-"), place, False, line, unit)
