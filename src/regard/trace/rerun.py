"""After an edit, only the rows that changed are computed again.

A step that was rebuilt knows the step it replaces. If its inputs changed in some rows only (queries, tokens or keys),
it is computed for these rows and keeps the others; where the rows cannot be told from the axes (a sum over words), it
is computed whole and compared. In a causal model an edit at one word leaves all words before it as they were.

Only large steps are treated so: a product of fewer rows may differ from that of all rows in its last digit,
and the numbers of a toy must be the same to the last digit however they are reached.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.ops import Contract, Map, Replace
from regard.ops.operation import Specified
from regard.ops.spec import parse

if TYPE_CHECKING:
    from regard.trace.step import Step

LARGE = 4096  # cells from which it pays
MOST = 0.75  # of the rows; where more have changed, all are computed
TOKENS = "QTK"  # the axes that count words


@dataclass(frozen=True)
class Rows:
    """A range of positions along one axis, outside which nothing changed."""

    letter: str
    start: int
    stop: int

    def within(self, axes: str) -> tuple[slice, ...]:
        return tuple(slice(self.start, self.stop) if a == self.letter else slice(None) for a in axes)

    def with_rows(self, others: "Rows | None", axes: str, shape: tuple[int, ...]) -> "Rows":
        """The rows that hold these and others; all, where those are counted along another axis."""
        if others is None:
            return self
        if others.letter != self.letter:
            return Rows(self.letter, 0, shape[axes.index(self.letter)])
        return Rows(self.letter, min(self.start, others.start), max(self.stop, others.stop))


@dataclass(frozen=True)
class Patch:
    """A value that differs from an earlier one in some rows: assembled only when it is asked for as a whole."""

    before: np.ndarray
    rows: Rows
    axes: str
    part: np.ndarray

    def covers(self, rows: Rows, axes: str) -> bool:
        """Whether the patch is just these rows, under its reader's letters for the axes."""
        return Rows(axes[self.axes.index(self.rows.letter)], self.rows.start, self.rows.stop) == rows

    @property
    def nbytes(self) -> int:
        return self.before.nbytes + self.part.nbytes  # what it keeps alive

    def whole(self) -> np.ndarray:
        value = np.array(self.before)
        value[self.rows.within(self.axes)] = self.part
        return value


def rerun(step: "Step", was: "Step") -> tuple[np.ndarray | Patch, Rows | None]:
    """The value of a rebuilt step, and the rows in which it differs from the one it replaces, if that is known."""
    rows = _rows_by_axes(step, was)
    if rows is None:
        value = np.asarray(step.op.compute(step.inputs))
        return value, _rows_by_comparison(value, was.value, step.axes) if _may_narrow(step) else None
    if was.value.size < LARGE or not isinstance(step.op, Specified):
        return np.asarray(step.op.compute(step.inputs)), rows
    letters, output = parse(step.op.spec)
    parts = (i.within(rows, axes) for i, axes in zip(step.inputs, letters))
    return Patch(was.value, rows, output, np.asarray(step.op.forward(*parts))), rows


def _may_narrow(step: "Step") -> bool:
    """Where a change along keys becomes a change of later queries alone: at the mask, and where keys are summed."""
    op = step.op
    if isinstance(op, Map):
        return op.formula == "hide"
    return isinstance(op, Replace) or (isinstance(op, Contract) and "K" in op.spec and "K" not in op.axes)


def _rows_by_axes(step: "Step", was: "Step") -> Rows | None:
    """The rows of the result, if the changed inputs all changed along one axis that the result keeps."""
    op = step.op
    if len(step.inputs) != len(was.inputs) or op != was.op:
        return None
    changed = [(n, i) for n, (i, old) in enumerate(zip(step.inputs, was.inputs)) if i is not old]
    found = [i.changed for _, i in changed if i.changed is not None]
    if not found or len(found) < len(changed):
        return None
    if isinstance(op, Replace):
        return found[0]
    if not isinstance(op, Specified):
        return None
    letters, output = parse(op.spec)
    # an input's own letter may be another name for the same axis: a token as query, a token as key
    here = {letters[n][i.axes.index(rows.letter)] for (n, i), rows in zip(changed, found)}
    letter = here.pop() if len(here) == 1 else ""
    if not letter or letter not in output or letter in op.own_sizes:
        return None
    start, stop = min(rows.start for rows in found), max(rows.stop for rows in found)
    return Rows(letter, start, stop) if stop - start <= MOST * step.shape[output.index(letter)] else None


def _rows_by_comparison(value: np.ndarray, before: np.ndarray, axes: str) -> Rows | None:
    letter = next((a for a in TOKENS if a in axes), "")
    if not letter or value.shape != before.shape:
        return None
    others = tuple(n for n, a in enumerate(axes) if a != letter)
    places = np.flatnonzero(np.any(value != before, axis=others))
    start, stop = (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)
    return Rows(letter, start, stop) if stop - start <= MOST * value.shape[axes.index(letter)] else None
