"""Numbers of another run: the same run with one more change. Their arithmetic names that run, and opens in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from regard.ops.expression import Leaf, Tree
from regard.ops.operation import New, Node, Operation, register
from regard.trace.step import Cell

if TYPE_CHECKING:
    from regard.trace.trace import Trace


@register
@dataclass(frozen=True)
class Elsewhere(Operation):
    """The step `of` in the run with one more change, or in several such runs, side by side along the axis `along`.

    A change is data: (kind, step, place, number). `runs` gives the run of a change, and is no part of the data.
    """

    kind: ClassVar[str] = "elsewhere"
    is_dear: ClassVar[bool] = True
    of: str
    letters: str  # of the step
    along: str  # of the changes; empty if there is only one
    changes: tuple[tuple[Any, ...], ...]
    runs: Callable[[tuple[Any, ...]], "Trace"] | None = field(default=None, compare=False, repr=False)

    @property
    def axes(self) -> str:
        return self.along + self.letters

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return (*([len(self.changes)] if self.along else []), *shapes[0])

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        values = [self._run(change).step(self.of).value for change in self.changes]
        return np.array(values, dtype=np.float64) if self.along else np.array(values[0])

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        return [None]  # another run is another run

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        run = self.run_at(at)
        cell = Cell(run.step(self.of), at[1:] if self.along else at, run)
        return Leaf(cell, cell.value)

    def run_at(self, at: tuple[int, ...]) -> "Trace":
        """The run that a cell comes from."""
        return self._run(self.changes[at[0] if self.along else 0])

    def data(self) -> dict[str, Any]:
        return {name: value for name, value in super().data().items() if name != "runs"}

    def _run(self, change: tuple[Any, ...]) -> "Trace":
        if self.runs is None:
            raise ValueError(f"{self.of} is a number of another run, but this step was read without its trace")
        return self.runs(change)
