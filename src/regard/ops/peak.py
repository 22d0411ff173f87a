"""What softmax's exponent is shifted by, so that it neither overflows nor vanishes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from regard.ops.expression import Number, Tree, round_half_even
from regard.ops.operation import New, Node, Specified, register
from regard.ops.spec import aligned, index_of, parse

GRID = 32.0


@register
@dataclass(frozen=True)
class Peak(Specified):
    """The largest score, rounded to a multiple of 32: zero for scores of ordinary size, so that toys read e^0.7071.

    Softmax does not change when all its scores are shifted equally. A shift that moves in jumps is constant around
    every point, so "no gradient" is true of it even when what follows was edited; a shift by the exact largest score
    would not be. A row in which everything is hidden is not shifted.
    """

    kind: ClassVar[str] = "peak"
    spec: str

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        (axes,), output = parse(self.spec)
        over = tuple(i for i, a in enumerate(axes) if a not in output)
        largest = np.max(arrays[0], axis=over)
        shift = GRID * np.round(np.where(np.isfinite(largest), largest, 0.0) / GRID)
        return aligned(shift, "".join(a for a in axes if a in output), output)

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        return [None]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        (axes,), output = parse(self.spec)
        place = dict(zip(output, at))
        row = tuple(place.get(a, slice(None)) for a in axes)
        values = np.asarray(inputs[0].value[row])
        where = np.unravel_index(int(np.argmax(values)), values.shape)
        if not np.isfinite(values[where]):
            return Number(0.0)
        place.update(zip((a for a in axes if a not in output), map(int, where)))
        return Number(GRID) * round_half_even(inputs[0].leaf(index_of(axes, place)) / Number(GRID))
