"""One node of the graph: a named operation on other steps, computed when first asked and then kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.ops import New, Operation
from regard.ops.expression import Leaf
from regard.trace.rerun import Patch, rerun


@dataclass(frozen=True, eq=False, repr=False)
class Step:
    """Frozen, so that traces may share it: an edit makes new steps and never touches old ones."""

    name: str
    op: Operation
    inputs: tuple["Step", ...] = ()

    @property
    def axes(self) -> str:
        return self.op.axes

    @property
    def shape(self) -> tuple[int, ...]:
        if "size" not in self.__dict__:
            _fill(self, "size", lambda step: step.op.shape([i.__dict__["size"] for i in step.inputs]))
        return self.__dict__["size"]

    @property
    def value(self) -> np.ndarray:
        if "kept" not in self.__dict__:
            _fill(self, "kept", _computed)
        kept = self.__dict__["kept"]
        if isinstance(kept, Patch):  # asked for as a whole
            kept = self.__dict__["kept"] = _frozen(kept.whole())
        return kept

    @property
    def is_computed(self) -> bool:
        return "kept" in self.__dict__

    def follows(self, other: "Step") -> None:
        """Remember the step that this one replaces, until it is computed: much of it may be the same."""
        if other.is_computed and not self.is_computed:
            self.__dict__["was"] = other

    def __repr__(self) -> str:
        """By its name: what it was made of would fill pages."""
        return f"<Step {self.name} {self.axes} {self.shape}>"

    def renamed(self, name: str) -> "Step":
        """The same step under another name, with what was computed already."""
        step = Step(name, self.op, self.inputs)
        if self.is_computed:
            step.__dict__["kept"] = self.value
        return step

    def leaf(self, at: tuple[int, ...]) -> Leaf:
        return Leaf(Cell(self, at), float(self.value[at]))


@dataclass(frozen=True)
class Cell:
    """The address of one number. Made on demand: a trace of a million numbers holds none of these."""

    step: Step
    at: tuple[int, ...]
    run: Any = None  # the Trace it is a cell of, where that is not the one at hand

    @property
    def value(self) -> float:
        return float(self.step.value[self.at])

    def __float__(self) -> float:
        return self.value


def _fill(step: Step, key: str, make: Callable[[Step], Any]) -> None:
    """What a step keeps under a key, after its inputs. No recursion: a deep model is longer than Python's stack."""
    waiting = [step]
    while waiting:
        current = waiting[-1]
        missing = [i for i in current.inputs if key not in i.__dict__]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if key not in current.__dict__:
            current.__dict__[key] = make(current)


def _computed(step: Step) -> "np.ndarray | Patch":
    was = step.__dict__.pop("was", None)
    if was is None:
        return _frozen(np.asarray(step.op.forward(*(i.value for i in step.inputs))))
    value, step.__dict__["rows"] = rerun(step, was)
    return value if isinstance(value, Patch) else _frozen(value)


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
