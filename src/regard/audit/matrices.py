"""The rule for matrices: scores that are queries times keys, weights that are the softmax of scores, row by row.

Nobody need say which matrix comes from which. What the matrices above one come to is tried, and where every number of
it comes out right but one, with more digits than chance would give, that one is wrong.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.context import Page
from regard.audit.evaluate import Array, softmax
from regard.audit.nodes import Call, Name, Node, Number, Unary, Vector, literals
from regard.audit.pages import LONGEST_LINE
from regard.audit.tables import Table
from regard.audit.verdict import Verdict

MOST = 12  # matrices of a page, and rows and columns of each; one with more is data
ENOUGH = 5  # digits that must agree
ROUNDED = 3  # decimals from which a number is the outcome of something, and may be off
MASKED = Unary("-", Name("inf"))


class Matrix(NamedTuple):
    """Numbers in rows and columns; what is masked is minus infinity, and no number."""

    line: int
    numbers: tuple[tuple[Number | None, ...], ...]
    table: Table | None = None

    @property
    def values(self) -> Array:
        """What they are worth."""
        return np.array([[-math.inf if number is None else number.value for number in row] for row in self.numbers])

    @property
    def steps(self) -> Array:
        """What one step of each last digit is worth."""
        return np.array([[number.step if number else 0.0 for number in row] for row in self.numbers])

    @property
    def halves(self) -> Array:
        """How far each may be off because it is rounded itself."""
        return np.array(
            [[number.step / 2 if number and number.decimals >= ROUNDED else 0.0 for number in row]
             for row in self.numbers]
        )  # fmt: skip


class Way(NamedTuple):
    """What a matrix may be: the values, how far rounding may put them off, and what to call it."""

    what: str
    values: Array
    reach: Array
    sources: tuple[Matrix, ...]


def check_matrices(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge every matrix that comes from those above it."""
    judged = {(finding.line, finding.claimed) for finding in page.findings if finding.verdict.fails}
    found = sorted(_matrices(page, definitions), key=lambda matrix: matrix.line)
    for at, claim in enumerate(found if len(found) <= MOST else ()):
        if best := _slip(claim, found[:at]) or _mirrored(claim):
            (row, column), way = best
            number = claim.numbers[row][column]
            if number and (number.line, number.text) not in judged:
                value, nth = float(way.values[row, column]), _nth(claim, row, column)
                page.number(way.what, number, value, Verdict.wrong, nth, _node(way, row, column))


def _slip(claim: Matrix, above: Sequence[Matrix]) -> tuple[tuple[int, int], Way] | None:
    """The one number that does not follow, where all others do; nothing where some way explains all of them."""
    values, slips = claim.values, dict[tuple[int, int], Way]()
    digits = np.array([[_digits(number) for number in row] for row in claim.numbers])
    for way in _ways(values, above):
        right = np.abs(way.values - values) <= claim.steps * 0.5001 + way.reach + 1e-9
        right |= np.isneginf(values) & np.isneginf(way.values)
        if right.all():
            return None
        if (~right).sum() == 1 and digits[right].sum() >= ENOUGH and (digits[right] > 0).sum() > 2:
            row, column = np.argwhere(~right)[0].tolist()
            slips.setdefault((row, column), way)
    return next(iter(slips.items())) if len(slips) == 1 else None


def _mirrored(claim: Matrix) -> tuple[tuple[int, int], Way] | None:
    """Of a matrix that is its own mirror image but for one pair: the one that makes its row sum up to another."""
    values, reach = claim.values, claim.steps
    typed = any(number and not number.decimals and number.value for row in claim.numbers for number in row)
    if len(values) < 3 or len(values) != values.shape[1] or np.isneginf(values).any() or typed:
        return None  # of small whole numbers many are alike
    odd = np.argwhere(np.triu(np.abs(values - values.T) > reach)).tolist()
    sums, off = values.sum(1), reach.sum(1)
    for row, column in [*odd, *(pair[::-1] for pair in odd)] if len(odd) == 1 else ():
        rest = np.delete(sums, row)
        way = Way("its mirror image", values.T, reach, (claim,))
        meant = sums[row] - values[row, column] + values[column, row]
        if np.ptp(rest) <= off.max() < abs(sums[row] - rest[0]) and abs(meant - rest[0]) <= off.max():
            return (row, column), way
    return None


def _digits(number: Number | None) -> int:
    """How many digits of a number tell something; of 1.000 and 0.000 none do."""
    digits = re.sub(r"\D", "", number.text).strip("0") if number else ""
    return 0 if number and number.decimals and digits in ("", "1") else min(4, len(digits))


def _ways(claimed: Array, above: Sequence[Matrix]) -> Iterator[Way]:
    """What the matrices above come to."""
    for one in above:
        a, half = one.values, one.halves
        if a.shape == claimed.shape:
            causal = np.where(np.tri(*a.shape, dtype=bool), a, -math.inf)
            width = max((other.values.shape[1] for other in above), default=1)
            for scores, by in ((a, 1.0), (causal, 1.0), (a, math.sqrt(width)), (causal, math.sqrt(width))):
                weights = np.array([softmax(row / by) for row in scores])
                yield Way("softmax of the row", weights, 2 * weights * half.max(), (one,))
            yield from _multiples(one, claimed)
        for other in above:
            b = other.values
            if np.isneginf(a).any() or np.isneginf(b).any():
                continue
            if a.shape == b.shape == claimed.shape and one is not other:
                yield Way("sum of two matrices", a + b, half + other.halves, (one, other))
                yield Way("difference of two matrices", a - b, half + other.halves, (one, other))
            for turned, right, off in ((False, b, other.halves), (True, b.T, other.halves.T)):
                if (a.shape[0], *right.shape) == (claimed.shape[0], a.shape[1], claimed.shape[1]):
                    reach = np.abs(a) @ off + half @ np.abs(right)
                    yield Way("row times column" if not turned else "row times row", a @ right, reach, (one, other))
                    by = math.sqrt(a.shape[1])
                    yield Way("product / √d", a @ right / by, reach / by, (one, other))


def _multiples(one: Matrix, claimed: Array) -> Iterator[Way]:
    """The same matrix by a factor: scores that are scaled."""
    ratios = claimed[one.values != 0] / one.values[one.values != 0]
    ratios = ratios[np.isfinite(ratios)]
    if len(ratios) > 3 and (by := float(np.median(ratios))) not in (0.0, 1.0):
        yield Way("a multiple of the one above", one.values * by, 2 * abs(by) * one.halves, (one,))


def _node(way: Way, row: int, column: int) -> Node | None:
    """The arithmetic of one number, to be opened."""
    rows = [Vector(tuple(number or MASKED for number in source.numbers[row])) for source in way.sources[:1]]
    match way.what:
        case "softmax of the row":
            return Call("softmax", (rows[0],))
        case "row times column" | "row times row":
            other = way.sources[1].numbers
            cells = other[column] if way.what == "row times row" else [numbers[column] for numbers in other]
            return Call("dot", (rows[0], Vector(tuple(cell for cell in cells if cell))))
    return None


def _nth(claim: Matrix, row: int, column: int) -> int:
    """Which of the equal numbers on its line, or on those that were read as one, a number is."""
    flat = [number for numbers in claim.numbers for number in numbers]
    at = row * len(claim.numbers[0]) + column
    number = flat[at]
    if claim.table and number:
        return claim.table.nth(number)
    digits, line = (number.text.lstrip("-"), number.line) if number else ("", 0)
    return sum(other is not None and (other.text.lstrip("-"), other.line) == (digits, line) for other in flat[:at])


def _matrices(page: Page, definitions: Sequence[Definition]) -> Iterator[Matrix]:
    """Every matrix of a page: in brackets, by a name, as a table, or as lists in the cells of one."""
    yield from _in_brackets(page)
    for one in definitions:
        if one.value.ndim == 2 and one.line not in page.in_tables:
            numbers = [
                number._replace(text="-" * (sign < 0) + number.text) for sign, number in literals(one.node) or ()
            ]
            width = one.value.shape[1]
            rows = [tuple(numbers[start : start + width]) for start in range(0, len(numbers), width)]
            if len(numbers) == one.value.size:
                yield Matrix(one.line, tuple(rows))
    for table in page.tables:
        rows = [[cell.node for cell in row[1:]] for row in table.body]
        if _is_whole(rows):
            numbers = tuple(tuple(node if isinstance(node, Number) else None for node in row) for row in rows)
            yield Matrix(table.lines[0], numbers, table)
        for at in range(1, len(table.header)):
            lists = [node.items for node in table.sources(at) if isinstance(node, Vector)]
            if len(lists) == len(table.body) and _is_whole(lists):
                rows = tuple(tuple(item for item in items if isinstance(item, Number)) for items in lists)
                yield Matrix(table.lines[0], rows, table)


def _is_whole(rows: Sequence[Sequence[Node | None]]) -> bool:
    """Whether every row has as many numbers, at least two, and none is missing but what is masked."""
    widths = {len(row) for row in rows}
    filled = all(isinstance(node, Number | Unary) for row in rows for node in row)
    return 2 <= len(rows) <= MOST and len(widths) == 1 and 2 <= widths.pop() <= MOST and filled


def _in_brackets(page: Page) -> Iterator[Matrix]:
    """Lines one below the other that are rows of a matrix: [ 1  3  -inf ]."""
    rows: list[tuple[Number | None, ...]] = []
    first = last = 0
    for number, text in [*page.texts.items(), (0, "")]:
        plain = len(text) <= LONGEST_LINE and number not in page.in_tables
        found = data.MATRIX_ROW.fullmatch(text) if plain and "[" in text else None
        row = tuple(_entries(found[1], number)) if found else ()
        if rows and (number != last + 1 or len(row) != len(rows[0]) or text.lstrip().startswith("[[")):
            if _is_whole([[cell or MASKED for cell in one] for one in rows]):
                yield Matrix(first, tuple(rows))
            rows = []
        if row:
            first, last = (number if not rows else first), number
            rows.append(row)


def _entries(text: str, line: int) -> Iterator[Number | None]:
    for at, entry in enumerate(re.split(r"[\s,;]+", text.strip(" ,;"))):
        is_number = entry[-1:].isdigit()
        yield Number(entry.replace("−", "-"), -1 - at, False, line) if is_number else None
