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


@dataclass(frozen=True)
class Most:
    """How much of a step is printed, and how wide its lines may be; a table that is wider is broken between columns."""

    rows: int = 24
    columns: int = 12
    tables: int = 4
    digits: int = 4
    width: int | None = None


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

    def __init__(self, step: Step, labels: Labels, at: tuple[int | None, ...] = ()):
        at = at or (None,) * len(step.axes)
        kept = [i for i, position in enumerate(at) if position is None]
        self._at = at
        self.name = step.name
        self.axes = "".join(step.axes[i] for i in kept)
        self.value = step.stored[tuple(slice(None) if p is None else p for p in at)]
        chosen = [labels.plain(a, p) for a, p in zip(step.axes, at) if p is not None and a in labels.words]
        self._row = ", ".join(chosen) or step.name  # what a single row of numbers is called
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

    def lines(self, most: Most | None = None) -> list["Line"]:
        """As it is printed, and where on each line which of the numbers stand."""
        sizes = " × ".join(f"{AXIS_WORDS.get(a, a)} ({n})" for a, n in zip(self.axes, self.shape))
        return [Line(f"{self.name}  {sizes}".rstrip()), *self._lines(most or Most())]

    def _lines(self, most: Most) -> list["Line"]:
        if self.value.ndim == 0:
            written = format_number(float(self.value), most.digits)
            return [Line(written, ((0, len(written), self._place(())),))]
        lines: list[Line] = []
        words = self.words[-2:] if self.value.ndim > 1 else ((self._row,), self.words[-1])
        tables = self.value.reshape(-1, *(len(w) for w in words))
        for number, table in enumerate(tables[: most.tables]):
            if len(tables) > 1:
                lines.append(Line(self._title(number)))
            lines += self._table(table, words, number, most)
        return lines + _more({"table": len(tables) - most.tables})

    def _title(self, number: int) -> str:
        at = np.unravel_index(number, self.shape[:-2])
        parts = (f"{AXIS_WORDS.get(a, a)} {self.words[i][p]}" for i, (a, p) in enumerate(zip(self.axes, at)))
        return f"── {' · '.join(parts)}"

    def _table(self, table: np.ndarray, words: tuple[tuple[str, ...], ...], number: int, most: Most) -> list["Line"]:
        rows, columns = words
        shown = table[: most.rows, : most.columns]
        decimals = decimals_for([float(v) for v in shown.ravel()], most.digits)
        cells = [[format_in_column(float(v), decimals) for v in row] for row in shown]
        widths = [2 + max(len(columns[i]), *(len(r[i]) for r in cells)) for i in range(shown.shape[1])]
        margin = max(len(r) for r in rows[: most.rows])
        lines: list[Line] = []
        for part in _parts(widths, margin, most.width):
            lines.append(Line(" " * margin + "".join(f"{columns[i]:>{widths[i]}}" for i in part)))
            ends = margin + np.cumsum([widths[i] for i in part])
            for row, (name, written) in enumerate(zip(rows, cells)):
                begun = (number * len(rows) + row) * len(columns)  # among all numbers, the first of this row
                spans = tuple(
                    (
                        int(end) - len(written[i]),
                        int(end),
                        self._place(map(int, np.unravel_index(begun + i, self.shape))),
                    )
                    for i, end in zip(part, ends)
                )
                lines.append(Line(f"{name:<{margin}}" + "".join(f"{written[i]:>{widths[i]}}" for i in part), spans))
        return lines + _more({"row": len(rows) - len(cells), "column": len(columns) - len(widths)})

    def _place(self, within: Iterable[int]) -> tuple[int, ...]:
        """Of one of these numbers in the step."""
        left = iter(within)
        return tuple(next(left) if position is None else position for position in self._at)


def _parts(widths: list[int], margin: int, width: int | None) -> list[list[int]]:
    """The columns that stand beside each other: all of them, or as many as fit a line, and at least one."""
    parts: list[list[int]] = [[]]
    for column, needed in enumerate(widths):
        if width is not None and parts[-1] and margin + sum(widths[i] for i in parts[-1]) + needed > width:
            parts.append([])
        parts[-1].append(column)
    return parts


def _more(hidden: dict[str, int]) -> list[Line]:
    told = [f"{count} more {what}{'s' * (count > 1)}" for what, count in hidden.items() if count > 0]
    return [Line(f"… {', '.join(told)}")] if told else []
