"""Tables of every kind a page may hold: Markdown and HTML bars, tabs, box drawing, columns aligned with spaces."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.finding import occurrences
from regard.audit.grammar import A_LINE
from regard.audit.nodes import Call, Name, Node, Number, Vector
from regard.audit.pages import LONGEST_LINE, Line

Row = tuple[Line, list[str]]


class Cell(NamedTuple):
    """One cell as written, with its line and its place among the equal numbers of that line."""

    text: str
    line: int
    column: int

    @property
    def node(self) -> Node | None:
        """The number it holds, be it **25%**, or minus infinity; of `12/8 = 1.5` the last member."""
        shown = re.split(r"[=≈→]", data.DECORATION.sub("", self.text))[-1].strip()
        if not (found := data.TABLES_NUMBER.fullmatch(data.TIMES_POWER.sub(r"e\1", shown))):
            return Call("-", (Name("inf"),)) if data.INFINITE.fullmatch(shown) else None
        digits = re.sub(r"[€£¥₹$\s]", "", found[1]).replace("−", "-")
        return Number(digits, self.line * A_LINE + self.column, bool(found[2]), self.line)

    @property
    def source(self) -> Node | None:
        """What it offers to a formula: a number, or a list of numbers as a row."""
        if self.node or not data.LIST.fullmatch(self.text):
            return self.node
        numbers = re.findall(r"[-−]?\d+(?:\.\d+)?|[-−]?\.\d+", self.text)
        return Vector(tuple(Number(n.replace("−", "-"), -1 - at, False, self.line) for at, n in enumerate(numbers)))


class Table(NamedTuple):
    """A header and rows of as many cells."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[int, ...]  # every line it covers
    separated: bool = True  # by a sign, not only by spaces
    titled: bool = True  # it has a header

    @property
    def body(self) -> list[tuple[Cell, ...]]:
        """The rows that are no totals, as the last one is by its bold numbers alone."""
        rows = [row for row in self.rows if not data.SUMMING_ROW.match(label_of_row(row))]
        columns = [[node.value for cell in column if isinstance(node := cell.node, Number)] for column in zip(*rows)]
        sums = [abs(sum(one[:-1]) - one[-1]) < 1e-6 for one in columns if len(one) == len(rows) > 2 and any(one)]
        bare = rows and not data.LETTER.search(label_of_row(rows[-1]))
        return rows[:-1] if bare and sum(sums) > max(1, len(sums) - 2) else rows

    def column(self, at: int) -> list[Number | None]:
        """The numbers of one column, in percent where its header says so; nothing where a cell is no number."""
        found = [node if isinstance(node := row[at].node, Number) else None for row in self.body]
        percent = data.IN_PERCENT.search(self.header[at]) is not None
        return [number and number._replace(percent=number.percent or percent) for number in found]

    def nth(self, number: Number) -> int:
        """Which of the equal numbers on its line a number is."""
        column = number.place - number.line * A_LINE
        before = [cell.text for row in self.rows for cell in row if cell.line == number.line and cell.column < column]
        return sum(len(occurrences(text, number.text)) for text in before)

    def turned(self) -> "Table":
        """The same table with rows as columns, for pages that write a score row above a weight row."""
        labels = [data.DECORATION.sub("", row[0].text) for row in self.rows]
        _, *columns = zip(self.header, *self.rows, strict=True)
        rows = tuple((Cell(name, self.lines[0], 0), *cells) for name, *cells in columns)
        return self._replace(header=(self.header[0], *labels), rows=rows)


def label_of_row(row: Sequence[Cell]) -> str:
    """What a row is called: the first cell that says anything."""
    return next((cell.text for cell in row if data.LETTER.search(cell.text)), row[0].text)


def tables_of(lines: Sequence[Line]) -> list[Table]:
    """Every table of a page, from top to bottom."""
    found: list[Table] = []
    for kind in (_barred, _aligned):
        taken = {number for table in found for number in table.lines}
        for group in _groups([line for line in lines if line.number not in taken], kind):
            found += [table] if (table := _table(group, separated=kind is _barred)) else []
    return sorted(found, key=lambda table: table.lines[0])


def matrices_of(lines: Sequence[Line]) -> list[Table]:
    """The rows of numbers in brackets that stand one below the other."""
    groups = _groups(lines, lambda text: re.findall(r"[-−]?[\d.]+", text) if data.MATRIX_ROW.fullmatch(text) else None)
    return [table for group in groups if (table := _table(group, separated=False))]


def _barred(text: str) -> list[str] | None:
    """Cells between bars; a row of two cells needs bars at its ends, or it may be prose."""
    if "||" in text or len(data.BARS.findall(text)) < 2 or data.A_NORM.search(text):
        return None
    cells = data.BARS.split(text.strip().lstrip("> ").strip("|│┃║"))
    return [data.EMPHASISED.sub(r"\2", cell.strip()) for cell in cells] if len(cells) >= 2 else None


def _aligned(text: str) -> list[str] | None:
    """Cells with tabs or wide gaps between them, where nothing says they are arithmetic; or an item and its amount."""
    if found := data.LABELLED.fullmatch(text):
        return [*found.groups()]
    if not data.TABLES_GAP.search(text.strip()) or any(sign in text for sign in "[≈@"):
        return None
    cells = data.TABLES_GAP.split(data.WIDE_SIGN.sub(r" \1 ", text.strip()))
    worked = [cell for cell in cells if "=" in cell]  # 0.5 * 0.4 = 0.20 beside other numbers
    told = len(cells) > 2 and all(data.WORKED_CELL.fullmatch(cell) for cell in worked)
    return cells if told or not worked else None


def _groups(lines: Sequence[Line], cells_of: Callable[[str], list[str] | None]) -> Iterator[list[Row]]:
    """Runs of neighbouring lines that are rows, or rules between rows."""
    group: list[Row] = []
    for line in lines:
        text = line.text if len(line.text) <= LONGEST_LINE else ""
        cells = [] if data.RULE.fullmatch(text) else cells_of(text)
        last = group[-1][0] if group else line
        reach = max(last.number, last.end) + 3 if last.end else last.number + 1
        if cells is None or line.block != last.block or line.number > reach:
            yield group
            group = []
        group += [] if cells is None else [(line, cells)]
    yield group


def _ends(line: Line, cells: Sequence[str]) -> list[int]:
    """Where the cells of an aligned line end."""
    return list(itertools.accumulate(cells, lambda at, cell: line.text.find(cell, at) + len(cell), initial=0))[1:]


def _table(group: list[Row], *, separated: bool) -> Table | None:
    """A header and its rows, if the lines are a table at all."""
    rows = [(line, cells) for line, cells in group if cells]
    if len(rows) < 2:
        return None
    kinds = [[Cell(text, 0, 0).node is not None for text in cells] for _, cells in rows]
    unlike = not any(kinds[0]) or any(len(kind) == len(kinds[0]) and kind != kinds[0] for kind in kinds[1:])
    titled = unlike or (separated and len(rows) < len(group))  # by its cells, or by a rule below it
    header, body = (rows[0][1], rows[1:]) if titled else ([""] * len(kinds[0]), rows)
    header = ["", *header] if len(header) == max(len(cells) for _, cells in body) - 1 else header
    whole = [_ends(*row) for row in (body if not separated else []) if len(row[1]) == len(header)]
    ends = [max(column) for column in zip(*whole, strict=True)]
    found = list[tuple[Cell, ...]]()
    for line, cells in body:
        if ends and 1 < len(cells) < len(header):  # some are empty: each of the others stands above or below its column
            nearest = [min(range(len(ends)), key=lambda at: abs(ends[at] - end)) for end in _ends(line, cells)]
            places = dict(zip(nearest, cells, strict=True))
            cells = [places.get(at, "") for at in range(len(ends))] if len(places) == len(cells) else cells
        if len(cells) == len(header):
            found.append(tuple(Cell(text, line.number, at) for at, text in enumerate(cells)))
    if not any(cell.source for row in found for cell in row):
        return None
    clean = tuple(data.DECORATION.sub("", cell) for cell in header)
    return Table(clean, tuple(found), tuple(line.number for line, _ in group), separated, titled)
