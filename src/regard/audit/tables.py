"""Tables of every kind a page may hold: Markdown pipes, tabs, box drawing, columns aligned with spaces."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from regard.audit.lines import LONGEST_LINE, Line

BARS = re.compile(r"[|│┃║]")
RULE = re.compile(r"[\s|:+=\-─━═┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯│┃║┏┓┗┛┣┫┳┻╋]+")
GAP = re.compile(r"\s{2,}")
DECORATION = re.compile(r"\*\*|__|`|\$")
CELL_NUMBER = re.compile(r"[~≈]?\s*([-−+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*(%?)")
INFINITE = re.compile(r"[-−]\s*(?:inf|∞|infinity|\\infty)", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """One number of a table as printed; `text` has no percent sign."""

    text: str
    value: float
    percent: bool
    line: int


@dataclass(frozen=True)
class Table:
    """A header and rows of as many cells, each row with its line."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    lines: tuple[int, ...]  # every line it covers
    separated: bool = True  # by a sign, not only by spaces

    @property
    def last_line(self) -> int:
        """Where it ends."""
        return self.lines[-1]

    def column(self, index: int) -> list[Cell | None]:
        """The numbers of one column, nothing where a cell is no number."""
        return [number_in(cells[index], line) for line, cells in self.rows]

    def turned(self) -> "Table":
        """The same table with rows as columns, for pages that write a score row above a weight row."""
        if not self.rows or len({line for line, _ in self.rows}) != len(self.rows):
            return self
        labels = [cells[0] for _, cells in self.rows]
        width = len(self.header)
        body = [(self.rows[0][0], (self.header[at], *(cells[at] for _, cells in self.rows))) for at in range(1, width)]
        return Table((self.header[0], *labels), tuple(body), self.lines, self.separated)


def number_in(text: str, line: int) -> Cell | None:
    """The number a cell holds, if it holds nothing else; of `12/8 = 1.5` the last member.

    >>> number_in("**25%**", 1), number_in("[0.1, 0.2]", 1)
    (Cell(text='25', value=25.0, percent=True, line=1), None)
    """
    plain = DECORATION.sub("", text).strip()
    plain = re.split(r"[=≈→]", plain)[-1].strip()
    if INFINITE.fullmatch(plain):
        return Cell("-inf", -math.inf, False, line)
    found = CELL_NUMBER.fullmatch(plain)
    if not found:
        return None
    digits = found[1].replace("−", "-").replace(",", "")
    return Cell(digits, float(digits), bool(found[2]), line)


def tables_of(lines: list[Line]) -> list[Table]:
    """Every table of a page, from top to bottom."""
    found: list[Table] = []
    for kind in (_barred, _tabbed, _aligned):
        taken = {number for table in found for number in table.lines}
        for group in _groups([line for line in lines if line.number not in taken], kind):
            table = _table(group, separated=kind is not _aligned)
            if table is not None:
                found.append(table)
    return sorted(found, key=lambda table: table.lines[0])


def _barred(text: str) -> list[str] | None:
    """Cells between bars; a row of two cells needs bars at its ends, or it may be prose."""
    count = len(BARS.findall(text))
    if count < 2 or "||" in text:
        return None
    stripped = text.strip().lstrip("> ")
    cells = BARS.split(stripped)
    if BARS.match(stripped):
        cells = cells[1:]
    if cells and not cells[-1].strip() and BARS.search(stripped[-1:]):
        cells = cells[:-1]
    return [cell.strip() for cell in cells] if len(cells) >= 2 else None


def _tabbed(text: str) -> list[str] | None:
    """Cells between tabs; indentation is no table."""
    if "\t" not in text.strip() and not (text.startswith("\t") and text.count("\t") > 1):
        return None
    cells = [cell.strip() for cell in text.rstrip("\n").split("\t")]
    return cells if len(cells) >= 2 else None


def _aligned(text: str) -> list[str] | None:
    """Cells with two spaces or more between them, where nothing says they are arithmetic."""
    if "=" in text or "[" in text or "  " not in text.strip() or "≈" in text or "@" in text:
        return None
    cells = GAP.split(text.strip())
    return cells if len(cells) >= 2 else None


def _groups(lines: list[Line], cells_of: Callable[[str], list[str] | None]) -> Iterator[list[tuple[Line, list[str]]]]:
    """Runs of neighbouring lines that are rows, or rules between rows."""
    group: list[tuple[Line, list[str]]] = []
    for line in lines:
        text = line.text
        follows = not group or (line.number == group[-1][0].number + 1 and line.block == group[-1][0].block)
        is_rule = bool(text.strip()) and len(text.strip()) > 2 and bool(RULE.fullmatch(text))
        cells = cells_of(text) if len(text) <= LONGEST_LINE else None
        if cells is None and is_rule:
            cells = []
        if cells is None or not follows:
            yield group
            group = [(line, cells)] if cells is not None else []
        else:
            group.append((line, [] if is_rule else cells))
    yield group


def _table(group: list[tuple[Line, list[str]]], *, separated: bool) -> Table | None:
    """A header and its rows, if the lines are a table at all."""
    rows = [(line.number, cells) for line, cells in group if cells]
    if len(rows) < 2:
        return None
    header, body = rows[0][1], rows[1:]
    width = max(len(cells) for _, cells in body)
    if len(header) == width - 1:
        header = ["", *header]
    body = [(line, cells) for line, cells in body if len(cells) == len(header)]
    has_numbers = any(number_in(cell, 0) for _, cells in body for cell in cells)
    names = sum(number_in(cell, 0) is None and bool(cell) for cell in header)
    if not body or not has_numbers or not names:
        return None
    clean = tuple(DECORATION.sub("", cell) for cell in header)
    return Table(
        clean, tuple((line, tuple(cells)) for line, cells in body), tuple(line.number for line, _ in group), separated
    )
