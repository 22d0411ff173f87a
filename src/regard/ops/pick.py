"""Rows of a table by number, and the reverse: embedding, target, grouped heads, scatter of gradients."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from regard.ops.expression import Number, Tree, total
from regard.ops.narrow import Numbers
from regard.ops.operation import New, Node, Specified, register
from regard.ops.spec import aligned, index_of, parse, sizes_of


@register
@dataclass(frozen=True)
class Pick(Specified):
    """ "IC,T->TC": result[t, c] = table[ids[t], c]. The picked axis is the one that the result does not have.

    >>> Pick("IC,T->TC").forward(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 1, 0])).tolist()
    [[3.0, 4.0], [3.0, 4.0], [1.0, 2.0]]
    """

    kind: ClassVar[str] = "pick"
    spec: str

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        return self._rows(arrays[0], arrays[1])

    def compute(self, inputs: Sequence[Node]) -> np.ndarray:
        return self._rows(inputs[0].stored, inputs[1].value)  # a narrow table is not widened for a few rows

    def _rows(self, table: Numbers, ids: np.ndarray) -> np.ndarray:
        (table_axes, ids_axes), output = parse(self.spec)
        if isinstance(table, np.ndarray) and table_axes.replace(self.picked, ids_axes) == output:
            return np.take(table, ids, table_axes.index(self.picked))  # the same, several times as fast
        shape = self.shape([table.shape, ids.shape])
        return table[_indices(table_axes, self.picked, output, ids, self.ids_axes, shape)]

    @property
    def picked(self) -> str:
        (table_axes, _), output = parse(self.spec)
        return next(a for a in table_axes if a not in output)

    @property
    def ids_axes(self) -> str:
        return parse(self.spec)[0][1]

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        (table_axes, ids_axes), output = parse(self.spec)
        rows = step.inputs[0].shape[table_axes.index(self.picked)]
        scatter = Scatter(f"{output},{ids_axes}->{table_axes}", rows)
        return [New(scatter, (gradient, step.inputs[1])), None]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        (table_axes, ids_axes), output = parse(self.spec)
        place = dict(zip(output, at))
        place[self.picked] = int(inputs[1].value[index_of(ids_axes, place)])
        return inputs[0].leaf(index_of(table_axes, place))


@register
@dataclass(frozen=True)
class Scatter(Specified):
    """The reverse of Pick: "TC,T->IC" adds values[t, c] to result[ids[t], c]; `rows` is the size of the new axis.

    >>> Scatter("TC,T->IC", 3).forward(np.ones((2, 1)), np.array([2, 2])).tolist()
    [[0.0], [0.0], [2.0]]
    """

    kind: ClassVar[str] = "scatter"
    spec: str
    rows: int

    @property
    def placed(self) -> str:
        (values_axes, ids_axes), output = parse(self.spec)
        return next(a for a in output if a not in values_axes and a not in ids_axes)

    @property
    def own_sizes(self) -> dict[str, int]:
        return {self.placed: self.rows}

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        (values_axes, ids_axes), output = parse(self.spec)
        values, ids = arrays
        result = np.zeros(self.shape([a.shape for a in arrays]))
        from_axes = values_axes + "".join(a for a in ids_axes if a not in values_axes)
        sizes = sizes_of(self.spec, [a.shape for a in arrays])
        shape = index_of(from_axes, sizes)
        index = _indices(output, self.placed, from_axes, ids, ids_axes, shape)
        np.add.at(result, index, np.broadcast_to(aligned(values, values_axes, from_axes), shape))
        return result

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        (values_axes, ids_axes), output = parse(self.spec)
        return [New(Pick(f"{output},{ids_axes}->{values_axes}"), (gradient, step.inputs[1])), None]

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        (values_axes, ids_axes), output = parse(self.spec)
        values, ids = inputs
        place = dict(zip(output, at))
        row = place.pop(self.placed)
        fixed = tuple(place.get(a, slice(None)) for a in ids_axes)
        open_axes = [a for a in ids_axes if a not in place]
        found = np.argwhere(np.asarray(ids.value[fixed]) == row)
        terms: list[Tree] = [
            values.leaf(index_of(values_axes, {**place, **dict(zip(open_axes, f))})) for f in found.tolist()
        ]
        return total(terms) if terms else Number(0.0)


def _indices(
    table_axes: str, picked: str, over: str, ids: np.ndarray, ids_axes: str, shape: tuple[int, ...]
) -> tuple[np.ndarray, ...]:
    """For each axis of the table, which of its cells is meant, for every cell of the axes `over`."""
    grids = dict(zip(over, np.ogrid[tuple(slice(n) for n in shape)]))
    return tuple(aligned(ids, ids_axes, over) if a == picked else grids[a] for a in table_axes)
