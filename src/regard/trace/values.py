"""A step's numbers with their words: what `trace["weights"]` gives."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.ops.notation import decimals_for, format_in_column, format_number
from regard.trace.labels import AXIS_WORDS, Labels
from regard.trace.step import Step


@dataclass(frozen=True)
class Line:
    """A line of a table, and its numbers: from where to where each is written, and its place in the step."""

    text: str
    numbers: tuple[tuple[int, int, tuple[int, ...]], ...] = ()


class Values:
    """An array that knows its name and the words along its axes. NumPy accepts it as it is.

    >>> from regard.ops import Given
    >>> step = Step("weights", Given([[0.25, 0.75]], "QK"))
    >>> print(Values(step, Labels({"Q": ("fox",), "K": ("The", "fox")})))
    weights  query (1) × key (2)
          The   fox
    fox  0.25  0.75
    >>> float(np.asarray(Values(step, Labels({}))).sum())
    1.0
    """

    MOST_ROWS, MOST_COLUMNS = 24, 12

    def __init__(self, step: Step, labels: Labels, at: tuple[int | None, ...] = ()):
        at = at or (None,) * len(step.axes)
        kept = [i for i, position in enumerate(at) if position is None]
        self._at = at
        self.name = step.name
        self.axes = "".join(step.axes[i] for i in kept)
        self.value = step.stored[tuple(slice(None) if p is None else p for p in at)]
        self.words = tuple(tuple(labels.plain(a, i) for i in range(n)) for a, n in zip(self.axes, self.value.shape))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = np.asarray(self.value, dtype=dtype)
        return np.array(array) if copy else array

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines())

    def lines(self) -> list["Line"]:
        """As it is printed, and where on each line which of the numbers stand."""
        sizes = " × ".join(f"{AXIS_WORDS.get(a, a)} ({n})" for a, n in zip(self.axes, self.shape))
        return [Line(f"{self.name}  {sizes}".rstrip()), *self._lines()]

    def _lines(self) -> list["Line"]:
        if self.value.ndim == 0:
            written = format_number(float(self.value), 4)
            return [Line(written, ((0, len(written), self._place(())),))]
        lines: list[Line] = []
        words = self.words[-2:] if self.value.ndim > 1 else ((self.name,), self.words[-1])
        tables = self.value.reshape(-1, *(len(w) for w in words))
        for number, table in enumerate(tables[:4]):
            if len(tables) > 1:
                lines.append(Line(self._title(number)))
            lines += self._table(table, words, number)
        return lines + ([Line(f"… {len(tables) - 4} more tables")] if len(tables) > 4 else [])

    def _title(self, number: int) -> str:
        at = np.unravel_index(number, self.shape[:-2])
        parts = (f"{AXIS_WORDS.get(a, a)} {self.words[i][p]}" for i, (a, p) in enumerate(zip(self.axes, at)))
        return f"── {' · '.join(parts)}"

    def _table(self, table: np.ndarray, words: tuple[tuple[str, ...], ...], number: int) -> list["Line"]:
        rows, columns = words
        shown = table[: self.MOST_ROWS, : self.MOST_COLUMNS]
        decimals = decimals_for([float(v) for v in shown.ravel()], 4)
        cells = [[format_in_column(float(v), decimals) for v in row] for row in shown]
        header = list(columns[: self.MOST_COLUMNS])
        widths = [max(len(h), *(len(r[i]) for r in cells)) for i, h in enumerate(header)]
        margin = max(len(r) for r in rows[: self.MOST_ROWS])
        lines = [Line(" " * margin + "".join(f"  {h:>{w}}" for h, w in zip(header, widths)))]
        for row, (name, written) in enumerate(zip(rows, cells)):
            ends = margin + np.cumsum([2 + width for width in widths])
            begun = (number * len(rows) + row) * len(columns)  # among all numbers, the first of this row
            spans = tuple(
                (int(end) - len(each), int(end), self._place(map(int, np.unravel_index(begun + column, self.shape))))
                for column, (end, each) in enumerate(zip(ends, written))
            )
            lines.append(Line(f"{name:<{margin}}" + "".join(f"  {c:>{w}}" for c, w in zip(written, widths)), spans))
        hidden = (len(rows) - len(cells), len(columns) - len(header))
        told = [f"{n} more {what}" for n, what in zip(hidden, ("rows", "columns")) if n > 0]
        return [*lines, *([Line(f"… {', '.join(told)}")] if told else [])]

    def _place(self, within: Iterable[int]) -> tuple[int, ...]:
        """Of one of these numbers in the step."""
        left = iter(within)
        return tuple(next(left) if position is None else position for position in self._at)
