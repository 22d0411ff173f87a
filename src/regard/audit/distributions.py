"""The rule for tables of shares: where every row sums to 1 but one, that one has a wrong number.

Nobody needs to say that these are weights or probabilities: that two rows of such numbers sum to 1 to the last digit is
no accident. The row that does not must be right again with one digit changed, unless the page says what rows sum to.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.context import Page
from regard.audit.finding import show
from regard.audit.judge import Judged, of_shares
from regard.audit.nodes import Call, Number, Vector
from regard.audit.tables import Cell, Table
from regard.audit.verdict import Verdict, slipped

LEAST_ROWS, LEAST_COLUMNS = 3, 2
LEAST_NUMBERS = 5  # in rows that sum to 1, so that this is no accident


class Row(NamedTuple):
    label: str
    numbers: list[Number]

    @property
    def total(self) -> float:
        return math.fsum(number.value for number in self.numbers)

    @property
    def verdict(self) -> Verdict:
        return of_shares(self.numbers, self.total)

    @property
    def is_spread(self) -> bool:
        """Whether it is more than one number and zeros, which sum to 1 by themselves."""
        return sum(number.value > 0 for number in self.numbers) > 1


def check_distributions(page: Page) -> None:
    """Judge every table whose rows are shares, or whose columns are."""
    judged = {finding.line for finding in page.findings if finding.what.startswith("row ")}
    for table in page.tables:
        for view in (table, table.turned()):
            rows = next((rows for rows in _shares(view) if _are_distributions(rows)), [])
            for row in rows:
                line = row.numbers[0].line
                if line not in judged or view is not table:
                    node = Call("sum", (Vector(tuple(row.numbers)),))
                    one = Judged("1", show(round(row.total, 9)), row.verdict)
                    page.judged(line, f"row {row.label} sums to 1", one, -1, node, {})
            if rows:
                break


def _shares(table: Table) -> Iterator[list[Row]]:
    """The rows of the columns that hold shares; without the first, which may be numbers that rows are called by."""
    for at in range(len(table.header)):  # a list in each cell
        lists = [row[at].source for row in table.body]
        items = [[one for one in part.items if isinstance(one, Number)] for part in lists if isinstance(part, Vector)]
        if len(items) == len(lists) >= LEAST_ROWS and all(0 <= one.value <= 1 for row in items for one in row):
            yield [Row(row[0].text, numbers) for row, numbers in zip(table.body, items, strict=True)]
    shares = [all(_is_share(row[at]) for row in table.rows) for at in range(len(table.header))]
    last = len(shares) - next((at for at, is_share in enumerate(reversed(shares)) if is_share), len(shares))
    first = next((at for at in reversed(range(last)) if not shares[at]), -1) + 1
    if last and data.IS_TOTAL.match(table.header[last - 1]):
        last -= 1
    for begin in (first, first + 1):
        rows = [Row(row[0].text, _numbers(row[begin:last])) for row in table.body]
        if last - begin >= LEAST_COLUMNS and len(rows) >= LEAST_ROWS and all(row.numbers for row in rows):
            yield rows


def _is_share(cell: Cell) -> bool:
    node = cell.node
    if isinstance(node, Number):
        return 0 <= node.value <= 1
    return not cell.text.strip("–—-−·. ")  # hidden


def _numbers(cells: Sequence[Cell]) -> list[Number]:
    return [node for cell in cells if isinstance(node := cell.node, Number)]


def _are_distributions(rows: Sequence[Row]) -> bool:
    """Whether all rows sum to 1, or all but one that would with one digit changed."""
    good = [row for row in rows if not row.verdict.fails and row.is_spread]
    if len(good) < 2 or sum(len(row.numbers) for row in good) < LEAST_NUMBERS:
        return False
    wrong = [row for row in rows if row.verdict.fails]
    return not wrong or (len(wrong) == 1 and any(_mends(number, wrong[0]) for number in wrong[0].numbers))


def _mends(number: Number, row: Row) -> bool:
    """Whether the row would sum to 1, or nearly, with one digit of this number changed, or its digits mixed up."""
    whole = 100 if number.percent else 1
    reach = len(row.numbers) // 2
    for steps in range(-reach, reach + 1):
        meant = (number.value - (row.total - 1) + steps * number.step) * whole
        mixed = sorted(f"{meant:.{number.decimals}f}") == sorted(number.text)
        if 0 <= meant <= whole and (mixed or slipped(number.text, meant)):
            return True
    return False
