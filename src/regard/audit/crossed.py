"""The rule for tables that sum up both ways: one number that breaks its row and its column is the wrong one.

A table of counts with a total at the end of every row and below every column checks itself. Where all rows and all
columns add up but one of each, the number where they cross is wrong, and both agree on what it should be.
"""

import math
from collections.abc import Sequence

from regard.audit import data
from regard.audit.context import Page
from regard.audit.nodes import Binary, Call, Number, Vector
from regard.audit.tables import Table
from regard.audit.verdict import Verdict

LEAST, MOST = 3, 30  # rows and columns, totals included


def check_crossed(page: Page) -> None:
    """Judge every table with totals on both sides; one with a wrong number is left to no other rule."""
    for table in list(page.tables):
        grid = _grid(table)
        rows, columns = _broken(grid), _broken(list(zip(*grid, strict=True)))
        if len(rows) != 1 or len(columns) != 1:
            continue
        (row, off), (column, across) = rows[0], columns[0]
        is_total = column == len(grid[0]) - 1
        if is_total != (row == len(grid) - 1):  # a total of one side is a number of the other
            across = -across
        if math.isclose(off, across, abs_tol=1e-9):
            *parts, total = grid[row]
            others = Call("sum", (Vector(tuple(n for at, n in enumerate(parts) if at != column)),))
            number, node = grid[row][column], others if is_total else Binary("-", total, others)
            value = number.value + (off if is_total else -off)
            what = f"{table.header[-1]} of its row"
            page.number(what, number, value, Verdict.wrong, table.nth(number), node)
            page.tables.remove(table)


def _grid(table: Table) -> list[list[Number]]:
    """The numbers of a table whose last column and last row are totals, without the labels; nothing of any other."""
    last = max((at for at, header in enumerate(table.header) if data.IS_TOTAL.match(header)), default=0)
    ends = [at for at, row in enumerate(table.rows) if data.IS_TOTAL.match(row[0].text)]
    nodes = [[row[at].node for at in range(1, last + 1)] for row in table.rows]
    grid = [[node for node in row if isinstance(node, Number) and not node.percent] for row in nodes]
    below = not ends or ends[0] == len(grid) - 1  # "received" below the columns is found to be their sum
    summed = table.separated and below and all(len(row) == last for row in grid)
    return grid if summed and LEAST <= len(grid) <= MOST and LEAST <= last <= MOST else []


def _broken(rows: Sequence[Sequence[Number]]) -> list[tuple[int, float]]:
    """The rows whose last number is not the sum of the others, and how much is missing."""
    found = [(at, math.fsum(n.value for n in row[:-1]) - row[-1].value) for at, row in enumerate(rows)]
    return [(at, off) for at, off in found if abs(off) > 1e-9 * max(1.0, abs(rows[at][-1].value))]
