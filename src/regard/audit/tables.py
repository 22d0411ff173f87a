"""Tables of every kind a page may hold: Markdown and HTML bars, tabs, box drawing, columns aligned with spaces."""

import functools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.nodes import Name, Node, Number, Unary, Unreadable, Vector
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, Line

LONGEST_LOG = 200
MOST_SUMMED = 100  # rows


class Cell(NamedTuple):
    """One cell as written, with its line and its place among the equal numbers of that line."""

    text: str
    line: int
    column: int

    @property
    def node(self) -> Node | None:
        """The number it holds, or minus infinity; of `12/8 = 1.5` the last member; nothing if it is something else.

        >>> Cell("**25%**", 1, 0).node, Cell("[0.1, 0.2]", 1, 0).node
        (Number(text='25', place=1000, percent=True, line=1, unit=''), None)
        """
        plain = re.split(r"[=≈→]", data.DECORATION.sub("", self.text))[-1].strip()
        plain = plain[1:-1] if plain.startswith("(") and plain.endswith("%)") else plain
        if data.INFINITE.fullmatch(plain):
            return Unary("-", Name("inf"))
        found = data.TABLES_NUMBER.fullmatch(plain)
        digits = re.sub("[€£¥₹$]", "", found[1]).replace("−", "-") if found else ""
        return Number(digits, self.line * 1000 + self.column, bool(found[2]), self.line) if found else None

    @property
    def minutes(self) -> Number | None:
        """Of `8:45` the minutes, of `1:48:54` the seconds."""
        if not data.A_CLOCK.fullmatch(self.text):
            return None
        count = functools.reduce(lambda whole, part: whole * 60 + int(part), self.text.lstrip("-+−").split(":"), 0)
        sign, unit = "-" if self.text[0] in "-−" else "", ":" * self.text.count(":")
        return Number(f"{sign}{count}", self.line * 1000 + self.column, False, self.line, unit)

    @property
    def source(self) -> Node | None:
        """What it offers to a formula: a number, a product of some (`8 × 512 × 512`), or a list of numbers as a row."""
        if (node := self.node) or not data.LIST.fullmatch(self.text):
            try:
                return node or (parse(plain(self.text)) if data.PRODUCT_CELL.fullmatch(self.text) else None)
            except Unreadable:
                return None  # 0x01
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
        """The rows that are no totals."""
        labels = [next((cell.text for cell in row if data.LETTER.search(cell.text)), "") for row in self.rows]
        sums = (data.IS_TOTAL, data.IS_STATISTIC_ROW)
        found = [row for row, label in zip(self.rows, labels, strict=True) if not any(one.match(label) for one in sums)]
        short = 3 < len(found) <= MOST_SUMMED and len(self.header) > 1 and all(cell.node for cell in found[-1])
        columns = ([cell.node for cell in column] for column in zip(*found, strict=True)) if short else ()
        return found[:-1] if short and all(map(is_sum, columns)) else found  # the last one may sum up every column

    def column(self, at: int) -> list[Number | None]:
        """The numbers of one column below its header, nothing where a cell is no number."""
        nodes = [row[at].node for row in self.body]
        return [node if isinstance(node, Number) else None for node in nodes]

    def clock(self, at: int) -> list[Number | None]:
        """A column of hours and minutes, as minutes, or of those and seconds; none where a cell is something else."""
        cells = [row[at] for row in self.body]
        if not all(data.A_CLOCK.fullmatch(cell.text) or not re.search(r"\w", cell.text) for cell in cells):
            return []
        found = [cell.minutes for cell in cells]
        longest = max((number.unit for number in found if number), default="")
        return [number and number._replace(unit=longest) for number in found]  # 59:30 above 1:02:10

    def sources(self, at: int) -> list[Node | None]:
        """What the cells of a column offer to a formula."""
        return [row[at].source for row in self.body]

    def nth(self, number: Number) -> int:
        """Which of the equal numbers on its line a number is."""
        column = number.place - number.line * 1000
        before = [cell.text for row in self.rows for cell in row if cell.line == number.line and cell.column < column]
        shown = as_clock(number.value, number.unit) if is_clock(number) else number.text
        return sum(len(occurrences(text, shown)) for text in before)

    def turned(self) -> "Table":
        """The same table with rows as columns, for pages that write a score row above a weight row."""
        labels = [data.DECORATION.sub("", row[0].text) for row in self.rows]
        body = [
            (Cell(name, self.lines[0], 0), *(row[at] for row in self.rows)) for at, name in enumerate(self.header) if at
        ]
        return self._replace(header=(self.header[0], *labels), rows=tuple(body))


def is_clock(number: Number) -> bool:
    """Whether a number was written as hours and minutes, or with seconds."""
    return number.unit[:1] == ":"


def as_clock(count: float, unit: str) -> str:
    """Minutes as hours and minutes, or seconds as all three.

    >>> as_clock(525, ":"), as_clock(6534, "::"), as_clock(-3570, "::")
    ('8:45', '1:48:54', '-59:30')
    """
    whole, last = divmod(round(abs(count)), 60)
    first = f"{whole // 60}:{whole % 60:02}" if unit == "::" and whole >= 60 else str(whole)
    return f"{'-' if count < 0 else ''}{first}:{last:02}"


def is_sum(nodes: Sequence[Node | None], least: int = 1) -> bool:
    """Whether the last of several is the sum of all others, printed with so many signs or more."""
    *parts, last = [node for node in nodes if isinstance(node, Number)] or [Number("0", -1)]
    found = abs(math.fsum(part.value for part in parts) - last.value) <= last.step / 2
    return found and len(nodes) - 1 == len(parts) > 1 and len(last.text) >= least


def tables_of(lines: Sequence[Line]) -> list[Table]:
    """Every table of a page, from top to bottom."""
    found: list[Table] = []
    lines = [
        line._replace(text=line.text.replace("#", " ", 1)) if line.is_python and data.HASHED.match(line.text) else line
        for line in lines
    ]
    for kind, may_be in KINDS.items():
        taken = {number for table in found for number in table.lines}
        free = [
            line for line in lines if (may_be(line.text) or not line.text[:1].isalnum()) and line.number not in taken
        ]
        for group in _groups(free, kind):
            table = _table(group, separated=kind in (_barred, _tabbed)) if len(group) > 1 else None
            found += [table] if table else []
    return sorted(found, key=lambda table: table.lines[0])


def _barred(text: str) -> list[str] | None:
    """Cells between bars; a row of two cells needs bars at its ends, or it may be prose."""
    if "||" in text or len(data.BARS.findall(text)) < 2 or data.A_NORM.search(text):
        return None
    stripped = text.strip().lstrip("> ")
    cells = data.BARS.split(stripped)
    cells = cells[1:] if data.BARS.match(stripped) else cells
    if cells and not cells[-1].strip() and data.BARS.search(stripped[-1:]):
        cells = cells[:-1]
    return [data.EMPHASISED.sub(r"\2", cell.strip()) for cell in cells] if len(cells) >= 2 else None


def _tabbed(text: str) -> list[str] | None:
    """Cells between tabs; indentation is no table."""
    if "\t" not in text.strip() and not (text.startswith("\t") and text.count("\t") > 1):
        return None
    return [cell.strip() for cell in text.split("\t")]


def _aligned(text: str) -> list[str] | None:
    """Cells with two spaces or more between them, where nothing says they are arithmetic."""
    if "  " not in text.strip() or any(sign in text for sign in "[≈@"):
        return None
    cells = data.TABLES_GAP.split(data.WIDE_SIGN.sub(r" \1 ", text.strip()))
    worked = [cell for cell in cells if "=" in cell]  # 0.5 * 0.4 = 0.20 beside other numbers
    told = len(cells) > 2 and all(data.WORKED_CELL.fullmatch(cell) for cell in worked)
    return cells if told or not worked else None


def _logged(text: str) -> list[str] | None:
    """The numbers of a line, as a training run prints them, each with the word before it.

    What else the line says comes first, since lines belong together where only their numbers differ.
    """
    text = data.CLOCK.sub("", text[:LONGEST_LOG])
    found = list(data.LOGGED.finditer(text))
    names = [match[1] or "" for match in found]
    if not 2 <= len(found) <= 12 or sum(map(bool, names)) < 2 or "x" in names[1:]:
        return None  # 36 x 4.20 is a product
    rest = data.SHAPELESS.sub(" ", data.LOGGED.sub(" ", text))
    return ["\0".join([rest, *names]), *(match[2] for match in found)] if not data.OPERATION.search(rest) else None


# every kind of row, and what a line must have to be one: most have not
KINDS: dict[Callable[[str], list[str] | None], Callable[[str], bool]] = {
    _barred: lambda text: "|" in text or "│" in text or "┃" in text or "║" in text,
    _tabbed: lambda text: "\t" in text,
    _logged: lambda text: len(text) <= LONGEST_LOG and data.A_DIGIT.search(text) is not None,
    _aligned: lambda text: "  " in text,
}


Row = tuple[Line, list[str]]


def _groups(lines: Sequence[Line], cells_of: Callable[[str], list[str] | None]) -> Iterator[list[Row]]:
    """Runs of neighbouring lines that are rows, or rules between rows."""
    group: list[Row] = []
    for line in lines:
        text = line.text
        is_rule = not text[:1].isalnum() and len(text.strip()) > 2 and data.RULE.fullmatch(text[:LONGEST_LINE])
        cells = [] if is_rule else cells_of(text) if len(text) <= LONGEST_LINE else None
        if group:
            last = group[-1][0]
            reach = max(last.number, last.end) + 3 if last.end else last.number + 1
            if cells is None or line.block != last.block or line.number > reach:
                yield group
                group = []
        if cells is not None:
            group.append((line, cells))
    yield group


def _table(group: list[Row], *, separated: bool) -> Table | None:
    """A header and its rows, if the lines are a table at all."""
    rows = [(line.number, cells) for line, cells in group if cells]
    if len(rows) < 2:
        return None
    header, titled = rows[0][1], True
    logged = "\0" in header[0]
    if logged:
        same = header[0]
        header, titled = same.split("\0")[1:], False
        alike = [(n, cells[1:]) for n, cells in rows if _is_alike(cells[0], same)]
        if len(alike) * 2 < len(rows):
            return None  # a program says the same in every line
        rows = [(0, header), *alike]
    elif not (_is_title(rows) if not separated else any(not cells for _, cells in group) or not _is_data(header)):
        header, titled = [""] * len(header), False
        rows = [(0, header), *rows]
    header = ["", *header] if len(header) == max(len(cells) for _, cells in rows[1:]) - 1 else header
    if not separated and not logged:
        texts = {line.number: line.text for line, _ in group}
        model, names = (rows[0][0], header) if titled else next(row for row in rows[1:] if len(row[1]) == len(header))
        rows = [rows[0], *((n, _in_columns(texts[n], cells, texts[model], names)) for n, cells in rows[1:])]
    body = [
        tuple(Cell(text, number, at) for at, text in enumerate(cells))
        for number, cells in rows[1:]
        if len(cells) == len(header)
    ]
    has_numbers = any(
        data.TABLES_NUMBER.search(cell.text) and (cell.node or cell.minutes or data.LIST.fullmatch(cell.text))
        for row in body
        for cell in row
    )
    if not has_numbers or (titled and not any(cell and Cell(cell, 0, 0).node is None for cell in header)):
        return None
    clean = tuple(data.DECORATION.sub("", cell) for cell in header)
    return Table(clean, tuple(body), tuple(line.number for line, _ in group), separated, titled)


def _in_columns(text: str, cells: list[str], title: str, header: Sequence[str]) -> list[str]:
    """The cells of an aligned row that has fewer than its header, each below the name that it ends or begins with; the
    others are empty. As they are where two would stand below the same name."""
    if len(cells) >= len(header):
        return cells
    names, spans = (list(_spans(line, parts)) for line, parts in ((title, header), (text, cells)))
    far = [[min(abs(name[0] - span[0]), abs(name[1] - span[1])) for name in names] for span in spans]
    places = [row.index(min(row)) for row in far]
    if places != sorted(set(places)):
        return cells
    return [cells[places.index(at)] if at in places else "" for at in range(len(header))]


def _spans(text: str, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where parts of a text begin and end, one after the other."""
    end = 0
    for part in parts:
        start = text.find(part, end)
        end = start + len(part)
        yield start, end


def _is_alike(line: str, other: str) -> bool:
    """Whether two lines of a log say the same, or the same of two things: "queen: dot 2.08, length of queen 1.45"."""
    words, others = (text.replace("\0", " ").split() for text in (line, other))
    labels = {pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]}
    return (
        len(words) == len(others) and len(labels) < 2 and all(one in line.split("\0")[0].split() for one, _ in labels)
    )


def _is_data(cells: Sequence[str]) -> bool:
    """Whether a first row that nothing parts from the others is one of them: it ends in an amount, not in a year."""
    last = Cell(cells[-1], 0, 0).node
    return isinstance(last, Number) and last.decimals > 0


def _is_title(rows: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether the first row is unlike those below: a title is no number where they have one."""
    first = [Cell(text, 0, 0).node is not None for text in rows[0][1]]
    others = [[Cell(text, 0, 0).node is not None for text in cells] for _, cells in rows[1:]]
    return not any(first) or any(len(other) == len(first) and other != first for other in others)
