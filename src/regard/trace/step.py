"""One node of the graph: a named operation on other steps, computed when first asked and then kept."""

from dataclasses import dataclass

import numpy as np

from regard.ops import New, Operation
from regard.ops.expression import Leaf


@dataclass(frozen=True, eq=False)
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
            self.__dict__["size"] = self.op.shape([i.shape for i in self.inputs])
        return self.__dict__["size"]

    @property
    def value(self) -> np.ndarray:
        if "kept" not in self.__dict__:
            _compute(self)
        return self.__dict__["kept"]

    @property
    def is_computed(self) -> bool:
        return "kept" in self.__dict__

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

    @property
    def value(self) -> float:
        return float(self.step.value[self.at])


def _compute(step: Step) -> None:
    """Without recursion: a deep model is a chain longer than Python's stack."""
    waiting = [step]
    while waiting:
        current = waiting[-1]
        missing = [i for i in current.inputs if "kept" not in i.__dict__]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if "kept" not in current.__dict__:
            value = np.asarray(current.op.forward(*(i.__dict__["kept"] for i in current.inputs)))
            value.flags.writeable = False
            current.__dict__["kept"] = value


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
