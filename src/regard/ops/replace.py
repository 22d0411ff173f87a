"""One cell set by hand. The gradient of an edit is an edit: the cell's blame, set to zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from regard.ops.expression import Number, Tree
from regard.ops.operation import New, Node, Operation, register


@register
@dataclass(frozen=True)
class Replace(Operation):
    """The same array with one cell set to a number.

    >>> Replace("QK", (0, 1), 9.0).forward(np.zeros((1, 3))).tolist()
    [[0.0, 9.0, 0.0]]
    """

    kind: ClassVar[str] = "replace"
    letters: str
    at: tuple[int, ...]
    number: float

    @property
    def axes(self) -> str:
        return self.letters

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        return shapes[0]

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        result = np.array(arrays[0])
        result[self.at] = self.number
        return result

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        return [New(Replace(self.letters, self.at, 0.0), (gradient,))]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        return Number(float(self.number)) if at == self.at else inputs[0].leaf(at)
