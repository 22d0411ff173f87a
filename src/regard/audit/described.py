"""The rule for what is said of a list: its sum, its mean, its median, how far it reaches, how much it varies.

A page has several lists, and a mean may be of any: a number is called wrong only if it is what is said of none of them,
and a digit away from what it should be of the last.
"""

import re
from collections.abc import Callable, Iterator

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import Array
from regard.audit.finding import occurrences
from regard.audit.nodes import Call, Number, Vector
from regard.audit.pages import LONGEST_LINE
from regard.audit.verdict import Verdict, slipped

FARTHEST = 12  # lines between a list and what is said of it
LEAST = 4  # numbers
MOST_LISTS = 8
SAID: dict[str, tuple[Callable[[Array], float], ...]] = {
    "sum": (np.sum,),
    "total": (np.sum,),
    "mean": (np.mean,),
    "average": (np.mean,),
    "median": (np.median,),
    "range": (np.ptp,),
    "variance": (np.var, lambda row: float(np.var(row, ddof=1))),
    "deviation": (np.std, lambda row: float(np.std(row, ddof=1))),
}


def check_described(page: Page) -> None:
    """Judge what is said of every list that stands on a line of its own."""
    judged = {(finding.line, finding.claimed) for finding in page.findings}
    lists: list[tuple[int, tuple[Number, ...]]] = []
    wide = [table for table in page.tables if table.titled and len(table.header) > 2]
    tabled = page.in_tables | {number for table in wide for number in table.lines}
    for number, text in page.texts.items():
        if number in tabled or len(text) > LONGEST_LINE:
            continue
        for found in data.DESCRIBED.finditer(text) if lists and number - lists[-1][0] <= FARTHEST else ():
            claim = Number(found["claim"].replace("−", "-"), -1, False, number)
            values = list(_values(found["said"].lower(), lists))
            fits = any(abs(value - claim.value) <= claim.step * 0.5001 for value in values)
            slips = [value for value in values[-len(SAID[found["said"].lower()]) :] if slipped(claim.text, value)]
            if slips and not fits and (number, claim.text) not in judged:
                nth = len(occurrences(text[: found.start("claim")], claim.text))
                node = Call("sum", (Vector(lists[-1][1]),)) if SAID[found["said"].lower()] == (np.sum,) else None
                page.number(f"{found['said']} of the list", claim, slips[0], Verdict.wrong, nth, node)
        row = re.findall(r"[-−]?\d+(?:\.\d+)?", text) if data.A_ROW_OF_NUMBERS.fullmatch(text) else []
        if len(row) >= LEAST and len(lists) < MOST_LISTS:
            numbers = tuple(Number(one.replace("−", "-"), -1 - at, False, number) for at, one in enumerate(row))
            goes_on = lists and lists[-1][0] == number - 1 and data.ONLY_NUMBERS.fullmatch(text)
            lists.append((number, (*lists.pop()[1], *numbers) if goes_on else numbers))


def _values(said: str, lists: list[tuple[int, tuple[Number, ...]]]) -> Iterator[float]:
    """What the lists come to, the last one last."""
    for _, numbers in lists:
        row = np.array([number.value for number in numbers])
        yield from (float(compute(row)) for compute in SAID[said])
