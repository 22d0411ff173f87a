"""Colours, signs and number formats of the terminal: the same roles look the same everywhere.

Role colours are from the Okabe-Ito palette, which colour-blind readers can tell apart; letters carry the meaning too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.style import Style
from rich.text import Span, Text

from regard.ops.notation import format_in_column

Q, K, V, WEIGHT = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
CELL = "cell"  # under which name a number's style keeps its address
STAGE, QUIET, GOOD, BAD = "bold", "dim", "#009E73", "#D55E00"


class Opens(Protocol):
    """A number that knows where it stands: a cell."""

    @property
    def address(self) -> str: ...

    @property
    def value(self) -> float: ...


def shown(cell: Opens, written: str) -> Text:
    """A number as it is written, which keeps its cell, on whatever line it ends up."""
    return Text(written, spans=[Span(0, len(written), Style(meta={CELL: cell.address}))])


def cells_of(line: Text) -> list[tuple[int, int, str]]:
    """Where numbers stand on a line, and the address of each.

    >>> from regard.lens.prediction import Noted
    >>> cells_of(Text("loss ").append(Ink().number(Noted("loss", 1.312), 4)))
    [(5, 11, 'loss')]
    """
    styled = [(span, span.style) for span in line.spans if isinstance(span.style, Style)]
    return [(span.start, span.end, style.meta[CELL]) for span, style in styled if CELL in style.meta]


@dataclass(frozen=True)
class Ink:
    """How wide, how many digits, and whether only plain signs may be used."""

    width: int = 120
    digits: int | None = None
    plain: bool = False

    def number(self, cell: Opens, digits: int) -> Text:
        return shown(cell, self._written(cell.value, digits))

    def signed(self, cell: Opens, digits: int, least: float = 0.0) -> Text:
        """With its sign; as nothing, where it is less than what rounding leaves over."""
        written = self._written(cell.value if abs(cell.value) >= least else 0.0, digits)
        return shown(cell, written if written.startswith("-") else f"+{written}")

    def vector(self, cells: Sequence[Opens], digits: int, most: int = 4, least: float = 0.0) -> Text:
        """Its beginning; a number that is less than what rounding leaves over is written as nothing."""
        numbers = [cell.value if abs(cell.value) >= least else 0.0 for cell in cells[:most]]
        written = Text(" ").join(shown(cell, self._written(n, digits)) for cell, n in zip(cells, numbers))
        return written if len(cells) <= most else written.append(f" … {len(cells) - most} more")

    def blamed(self, cell: Opens, digits: int, least: float = 0.0) -> Text:
        """The size of a gradient behind a sign for which way the number should go: up where it is below 0. What is no
        more than rounding leaves over is written as nothing: it goes no way."""
        size = abs(cell.value) if abs(cell.value) > least else 0.0
        way = "" if not size else self.sign("less" if cell.value > 0 else "more")
        return shown(cell, f"{way}{self._written(size, digits)}")

    def _written(self, value: float, digits: int) -> str:
        return format_in_column(value, self.digits if self.digits is not None else digits)

    def bar(self, share: float, width: int) -> str:
        """A bar for a share of 1; the smallest share above nothing still shows."""
        cells = max(0.0, min(1.0, share)) * width
        if self.plain:
            return "#" * max(round(cells), int(share > 0))
        full = int(cells)
        part = "▏▎▍▌▋▊▉"[int((cells - full) * 8) - 1] if int((cells - full) * 8) else ""
        return "█" * full + part or ("▏" if share > 0 else "")

    def sign(self, name: str) -> str:
        return SIGNS[name][1 if self.plain else 0]


SIGNS = {
    "here": ("◄", "<-"),
    "right": ("✓", "ok"),
    "wrong": ("✗", "WRONG"),
    "more": ("▲", "more by "),
    "less": ("▼", "less by "),
    "bullet": ("•", "*"),
    "to": ("→", "->"),
}
