"""One node of the graph: a named operation on other steps, computed when first asked and then kept.

Where memory is bounded (trace/keeping.py), a large value may be forgotten; it is computed again when asked for.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.ops import New, Operation
from regard.ops.expression import Leaf
from regard.ops.narrow import Narrow, Numbers
from regard.trace.keeping import WATCHING
from regard.trace.rerun import Patch, Rows, rerun


class Known:
    """What a step has found out about itself so far."""

    __slots__ = ("apart", "changed", "predecessor", "recalled", "shape", "value")

    def __init__(self) -> None:
        self.shape: tuple[int, ...] | None = None
        self.value: Numbers | Patch | None = None
        self.predecessor: Step | None = None  # the step it replaces, until its value is computed
        self.changed: Rows | None = None  # the rows in which it differs from that one, where they can be told
        self.apart: Rows | None = None  # the rows that were not computed together with all others
        self.recalled: tuple[Rows, np.ndarray] | None = None  # such rows as they were saved


@dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class Step:
    """Frozen, so that traces may share it: an edit makes new steps and never touches old ones."""

    name: str
    op: Operation
    inputs: tuple["Step", ...] = ()
    _known: Known = field(default_factory=Known, init=False)

    @property
    def axes(self) -> str:
        return self.op.axes

    @property
    def shape(self) -> tuple[int, ...]:
        if self._known.shape is None:
            for step in _behind(self, lambda step: step._known.shape is None):
                step._known.shape = step.op.shape([i.shape for i in step.inputs])
        assert self._known.shape is not None
        return self._known.shape

    @property
    def value(self) -> np.ndarray:
        stored = self.stored
        return _frozen(np.asarray(stored)) if isinstance(stored, Narrow) else stored

    @property
    def stored(self) -> Numbers:
        """Its numbers as they are kept. A parameter of a large model is kept narrow: read only what is needed."""
        known = self._known
        value = known.value  # looked up once: a keeper in another thread may forget it at any moment
        while value is None:
            for step in _behind(self, lambda step: step._known.value is None):
                value = step._compute()
                if step is not self:
                    value = None
        if isinstance(value, Patch):  # asked for as a whole
            value = known.value = _frozen(value.whole())
            self._tell(value)
        return value

    @property
    def is_computed(self) -> bool:
        return self._known.value is not None

    def _compute(self) -> Numbers | Patch:
        known = self._known
        earlier = known.predecessor
        known.predecessor = known.apart = None
        if earlier is None or not earlier.is_computed:
            value = self.op.compute(self.inputs)
        else:
            value, known.changed = rerun(self, earlier)
            if isinstance(value, Patch):
                known.apart = value.rows.with_rows(earlier.apart, self.axes, self.shape)
        if known.recalled is not None:
            known.apart, value = known.recalled[0], _recalled(self.name, np.array(value), *known.recalled, self.axes)
        value = known.value = value if isinstance(value, Patch | Narrow) else _frozen(np.asarray(value))
        self._tell(value)
        return value

    def _tell(self, value: Numbers | Patch) -> None:
        """Let whoever bounds this work know what it has cost. What is given costs nothing."""
        watching = WATCHING.get()
        if watching is not None and self.inputs and not isinstance(value, Narrow):
            watching(self, value.nbytes)

    def forget(self) -> None:
        """Let go of the value; asked for again, it is computed again."""
        self._known.value = None

    @property
    def apart(self) -> Rows | None:
        """The rows that were computed apart from the others after an edit: their last digit may be its own."""
        if self._known.predecessor is not None:
            _ = self.stored
        return self._known.apart if self._known.recalled is None else self._known.recalled[0]

    def recall(self, rows: Rows, part: np.ndarray) -> None:
        """Take some rows as they were once computed, to the last digit, when it is computed here."""
        self._known.recalled = rows, part

    def follows(self, other: "Step") -> None:
        """Remember the step that this one replaces, until it is computed: much of it may be the same."""
        if other.is_computed and not self.is_computed:
            self._known.predecessor = other

    @property
    def changed(self) -> Rows | None:
        """The rows outside which it equals the step that it replaced, where that is known."""
        return self._known.changed

    def within(self, rows: Rows, axes: str) -> np.ndarray:
        """Its numbers in some rows, under the letters that its reader has for its axes."""
        value = self._known.value
        if isinstance(value, Patch) and value.covers(rows, axes):
            return value.part
        return self.stored[rows.within(axes)]

    def __repr__(self) -> str:
        """Only its name and shape: what it was made from would fill pages."""
        return f"<Step {self.name} {self.axes} {self.shape}>"

    def renamed(self, name: str) -> "Step":
        """The same step under another name, with what has already been computed."""
        step = Step(name, self.op, self.inputs)
        if self.is_computed:
            step._known.value, step._known.apart = self.stored, self._known.apart
            step._tell(step._known.value)
        return step

    def leaf(self, at: tuple[int, ...]) -> Leaf:
        return Leaf(Cell(self, at), float(self.stored[at]))


@dataclass(frozen=True)
class Cell:
    """The address of one number. Made on demand: a trace of a million numbers holds none of these."""

    step: Step
    at: tuple[int, ...]
    run: Any = None  # the Trace it is a cell of, where that is not the one at hand

    @property
    def value(self) -> float:
        return float(self.step.stored[self.at])

    @property
    def address(self) -> str:
        """By numbers, which holds whatever the words are: weights[0,3,3]."""
        return f"{self.step.name}[{','.join(map(str, self.at))}]" if self.at else self.step.name

    def __float__(self) -> float:
        return self.value


def _behind(step: Step, lacks: Callable[[Step], bool]) -> Iterator[Step]:
    """The steps that lack something, inputs first. No recursion: a deep model is longer than Python's stack."""
    waiting = [step]
    while waiting:
        current = waiting[-1]
        missing = [i for i in current.inputs if lacks(i)]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if lacks(current):
            yield current


def _recalled(name: str, value: np.ndarray, rows: Rows, part: np.ndarray, axes: str) -> np.ndarray:
    """The value with rows as they were saved; they must be what the arithmetic gives, but for the last digits."""
    here = value[rows.within(axes)]
    largest = float(np.max(np.abs(here), initial=1.0, where=np.isfinite(here)))
    if not np.allclose(here, part, rtol=1e-6, atol=1e-6 * largest, equal_nan=True):
        raise ValueError(f"the saved rows of {name} are not what its operation gives; the file was changed")
    value[rows.within(axes)] = part
    return value


def _frozen(value: np.ndarray) -> np.ndarray:
    value.flags.writeable = False
    return value


def named(new: New, name: str) -> list[Step]:
    """The steps that a nameless one stands for, the last of them called `name`."""
    steps: list[Step] = []
    inputs: list[Step] = []
    for i in new.inputs:
        if isinstance(i, New):
            steps += named(i, i.name if "." in i.name else f"{name}.{i.name}")
            inputs.append(steps[-1])
        else:
            assert isinstance(i, Step)
            inputs.append(i)
    return [*steps, Step(name, new.op, tuple(inputs))]
