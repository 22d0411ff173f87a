"""The rule for a list of items with their sum at its end, or in the sentence below it."""

import math
import re
from collections.abc import Iterator, Sequence

from regard.audit import data
from regard.audit.context import Page
from regard.audit.nodes import Call, Node, Number, Vector
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.totals import leaves_one_out
from regard.audit.verdict import Verdict, slipped

LEAST = 2  # items above a sum
MOST = 60
BELOW = -1000  # the place of a sum that stands in the sentence below


def check_items(page: Page) -> None:
    """Judge the sum below every list."""
    judged = {(finding.line, finding.claimed.rstrip("%")) for finding in page.findings}
    lines = [line for line in page.lines if line.number not in page.in_tables and len(line.text) <= LONGEST_LINE]
    for items, (label, total) in _lists(line for line in lines if not line.is_python):
        value = math.fsum(item.value for item in items)
        if (total.line, total.text) not in judged and not data.NOT_ALL.search(label):
            forgotten = total.place == BELOW and leaves_one_out(items, total)
            node = Call("sum", (Vector(tuple(items)),))
            _write(page, total, value, node, forgotten=forgotten)


def _write(page: Page, total: Number, value: float, node: Node, *, forgotten: bool) -> None:
    """Write down a sum that is right, or a digit away from what it should be, or that leaves an item out."""
    fits = abs(value - total.value) <= total.step * 0.5001
    if fits or forgotten or slipped(total.text, value):
        page.number("sum of the items", total, value, Verdict.exact if fits else Verdict.wrong, -1, node)


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
