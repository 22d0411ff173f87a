"""A value that is simply there: a parameter, the data, a constant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from regard.ops.expression import Number, Tree
from regard.ops.operation import New, Node, Operation, register

ROLES = ("parameter", "input", "constant")


@register
@dataclass(frozen=True, eq=False)
class Given(Operation):
    """Parameters learn; inputs have a gradient but do not learn; constants (masks, ids, angles) have none."""

    kind: ClassVar[str] = "given"
    array: Any
    letters: str
    role: str = "input"

    def __post_init__(self) -> None:
        # one order in memory: sums may differ in the last digit between two, and a file keeps only one
        array = self.array if _is_frozen(self.array) else np.array(self.array, order="C")
        if array.dtype.kind not in "biu":
            array = array.astype(np.float64, order="C", copy=False)
        if array.ndim != len(self.letters):
            raise ValueError(
                f"an array of shape {array.shape} came with the axes {self.letters!r}; one letter per axis"
            )
        if self.role not in ROLES:
            raise ValueError(f"unknown role {self.role!r}; a given value is one of {', '.join(ROLES)}")
        array.setflags(write=False)
        object.__setattr__(self, "array", array)

    @property
    def axes(self) -> str:
        return self.letters

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return self.array.shape

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        return self.array

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        return []

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        return Number(float(self.array[at]))


def _is_frozen(array: Any) -> bool:
    """Whether nobody writes into an array, so that runs of a large model may share it."""
    if type(array) is not np.ndarray or array.base is not None:
        return False
    return array.dtype == np.float64 and array.flags.c_contiguous and not array.flags.writeable
