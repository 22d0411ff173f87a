"""A table without boxes that drops its least needed columns, by name, when the screen is narrow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from regard.views.ink import QUIET, Ink
from regard.views.plainly import PLAINLY


@dataclass(frozen=True)
class Column:
    """A header, its cells, what stands below them; `drop` says which columns go first (1 before 2; 0 never)."""

    name: str | Text
    cells: Sequence[str | Text]
    total: str | Text = ""
    style: str = ""
    left: bool = False
    least: int = 0
    drop: int = 0

    @property
    def width(self) -> int:
        return max(self.least, *(cell_len(str(text)) for text in (self.name, self.total, *self.cells)))


def table(columns: list[Column], ink: Ink, indent: int) -> list[Text]:
    if ink.plain:  # before anything is measured: √2 is one cell and a digit, what stands for it is six
        columns = [_plain(column) for column in columns]
    kept = list(columns)
    while _width(kept, indent) > ink.width and any(c.drop for c in kept):
        kept.remove(min((c for c in kept if c.drop), key=lambda c: c.drop))
    dropped = [str(c.name) for c in columns if c not in kept and c.name]
    lines = [_line(kept, [c.name for c in kept], indent, QUIET)]
    for row in range(len(columns[0].cells)):
        lines.append(_line(kept, [c.cells[row] for c in kept], indent))
    if any(c.total for c in kept):
        lines.append(_line(kept, [c.total for c in kept], indent))
    if dropped:
        said = f"not shown at this width: {', '.join(dropped)}"
        lines += [Text(" " * indent + part, style=QUIET) for part in wrap(said, max(20, ink.width - indent))]
    return lines


def _plain(column: Column) -> Column:
    name, total, *cells = (_plainly(text) for text in (column.name, column.total, *column.cells))
    return replace(column, name=name, total=total, cells=cells)


def _plainly(text: str | Text) -> str | Text:
    written = str(text).translate(PLAINLY)
    if len(written) != len(text):
        return written
    plain = Text.assemble(text)  # signs one for one: numbers stay where they stand, and keep their cells
    plain.plain = written
    return plain


def padded(text: str | Text, width: int, style: str = "") -> Text:
    """Filled with spaces by what a terminal shows, not by characters: an emoji is two cells wide."""
    return Text.assemble(text, " " * (width - cell_len(str(text))), style=style)


def _width(columns: list[Column], indent: int) -> int:
    return indent + sum(c.width + 2 for c in columns) - 2  # nothing stands behind the last


def _line(columns: list[Column], cells: Sequence[str | Text], indent: int, style: str = "") -> Text:
    line = Text(" " * indent)
    for column, cell in zip(columns, cells):
        space = " " * (column.width - cell_len(str(cell)))
        parts = (cell, space) if column.left else (space, cell)
        line.append(Text.assemble(*parts, style=style or column.style))
        line.append("  ")
    line.rstrip()
    return line
