"""Several axes laid end to end as one, and the reverse: heads side by side, a joined vector cut into heads again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from regard.ops.expression import Tree
from regard.ops.operation import New, Node, Specified, register
from regard.ops.spec import index_of, parse, sizes_of


@register
@dataclass(frozen=True)
class Merge(Specified):
    """ "HQD->QJ": result[q, j] = array[h, q, d] with j = h·(size of D) + d. J joins the axes that are not kept.

    >>> Merge("HQD->QJ").forward(np.array([[[1.0, 2.0]], [[3.0, 4.0]]])).tolist()
    [[1.0, 2.0, 3.0, 4.0]]
    """

    kind: ClassVar[str] = "merge"
    spec: str

    def __post_init__(self) -> None:
        inputs, output = parse(self.spec)
        if len(inputs) != 1 or len(set(output) - set(inputs[0])) != 1 or not set(inputs[0]) - set(output):
            raise ValueError(f'"{self.spec}" is not of the form "HQD->QJ", with one new letter for the merged axes')

    @property
    def joined(self) -> str:
        """The letter of the new axis."""
        (axes,), output = parse(self.spec)
        return next(a for a in output if a not in axes)

    @property
    def parts(self) -> str:
        """The letters that become one, the slowest first."""
        (axes,), output = parse(self.spec)
        return "".join(a for a in axes if a not in output)

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        sizes = sizes_of(self.spec, shapes)
        sizes[self.joined] = math.prod(sizes[a] for a in self.parts)
        return index_of(self.axes, sizes)

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        (axes,), output = parse(self.spec)
        order = output.replace(self.joined, self.parts)
        laid = arrays[0].transpose([axes.index(a) for a in order])
        return laid.reshape(self.shape([arrays[0].shape]))

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        (axes,), output = parse(self.spec)
        sizes = tuple((a, n) for a, n in zip(axes, step.inputs[0].shape) if a in self.parts)
        return [New(Split(f"{output}->{axes}", sizes), (gradient,))]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        (axes,), output = parse(self.spec)
        place = dict(zip(output, at))
        sizes = [n for a, n in zip(axes, inputs[0].shape) if a in self.parts]
        place |= zip(self.parts, map(int, np.unravel_index(place[self.joined], sizes)))
        return inputs[0].leaf(index_of(axes, place))


@register
@dataclass(frozen=True)
class Split(Specified):
    """The reverse of Merge: "QJ->HQD" with the sizes of the axes that J is cut into, the slowest first.

    >>> Split("QJ->HQD", (("H", 2), ("D", 2))).forward(np.array([[1.0, 2.0, 3.0, 4.0]])).tolist()
    [[[1.0, 2.0]], [[3.0, 4.0]]]
    """

    kind: ClassVar[str] = "split"
    spec: str
    sizes: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        (axes, *others), output = parse(self.spec)
        cut, new = set(axes) - set(output), set(output) - set(axes)
        if others or len(cut) != 1 or not new or [a for a, _ in self.sizes] != [a for a in output if a in new]:
            raise ValueError(f'"{self.spec}" is not of the form "QJ->HQD" with sizes of the new axes, in their order')

    @property
    def own_sizes(self) -> dict[str, int]:
        return dict(self.sizes)

    @property
    def cut(self) -> str:
        """The letter of the axis that is split."""
        (axes,), output = parse(self.spec)
        return next(a for a in axes if a not in output)

    def shape(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        size, parts = sizes_of(self.spec, shapes)[self.cut], [n for _, n in self.sizes]
        if size != math.prod(parts):
            raise ValueError(f'"{self.spec}": an axis of {size} cells cannot be cut into {" × ".join(map(str, parts))}')
        return super().shape(shapes)

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        (axes,), output = parse(self.spec)
        order = axes.replace(self.cut, "".join(self.own_sizes))
        sizes = {**dict(zip(axes, arrays[0].shape)), **self.own_sizes}
        return arrays[0].reshape(index_of(order, sizes)).transpose([order.index(a) for a in output])

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        (axes,), output = parse(self.spec)
        return [New(Merge(f"{output}->{axes}"), (gradient,))]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        (axes,), output = parse(self.spec)
        place = dict(zip(output, at))
        where = [place[a] for a, _ in self.sizes]
        place[self.cut] = int(np.ravel_multi_index(where, [n for _, n in self.sizes]))
        return inputs[0].leaf(index_of(axes, place))
