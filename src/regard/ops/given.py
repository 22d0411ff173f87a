"""A value that is simply there: a parameter, the data, a constant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeGuard

import numpy as np
import numpy.typing as npt

from regard.ops.expression import Number, Tree
from regard.ops.narrow import Narrow, Numbers
from regard.ops.operation import New, Node, Operation, register

ROLES = ("parameter", "input", "constant")


@register
@dataclass(frozen=True, eq=False, init=False)
class Given(Operation):
    """Parameters learn; inputs have a gradient but do not learn; constants (masks, ids, angles) have none."""

    kind: ClassVar[str] = "given"
    array: Numbers
    letters: str
    role: str
    source: tuple[str, str] | None  # the model and the parameter that these numbers are, where they can be had again

    def __init__(
        self,
        array: npt.ArrayLike | Narrow,
        letters: str,
        role: str = "input",
        source: tuple[str, str] | None = None,
    ) -> None:
        numbers = array if isinstance(array, Narrow) else _frozen(array)
        if numbers.ndim != len(letters):
            raise ValueError(f"axes expects one letter per axis of the shape {numbers.shape}, got {letters!r}")
        if role not in ROLES:
            raise ValueError(f"unknown role {role!r}; a given value is one of {', '.join(ROLES)}")
        object.__setattr__(self, "array", numbers)
        object.__setattr__(self, "letters", letters)
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "source", source)

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "letters": self.letters, "role": self.role}

    @property
    def axes(self) -> str:
        return self.letters

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return self.array.shape

    def forward(self, *arrays: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.asarray(self.array)

    def compute(self, inputs: Sequence[Node]) -> Numbers:
        return self.array

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        return []

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        return Number(float(self.array[at]))


def _frozen(array: npt.ArrayLike) -> npt.NDArray[Any]:
    """A copy of its own, unless the array is read-only: runs of a large model share it."""
    if _is_frozen(array):
        return array
    # one memory order: sums may differ in the last digit between orders, and a file keeps only one
    numbers = np.array(array, order="C")
    if numbers.dtype.kind not in "biu":
        numbers = numbers.astype(np.float64, order="C", copy=False)
    numbers.setflags(write=False)
    return numbers


def _is_frozen(array: object) -> TypeGuard[npt.NDArray[Any]]:
    if type(array) is not np.ndarray or array.base is not None:
        return False
    return array.dtype == np.float64 and array.flags.c_contiguous and not array.flags.writeable
