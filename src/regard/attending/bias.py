"""What a score gains or loses by how far apart query and key are: asked tile by tile, in NumPy and torch alike.

>>> ByDistance(np.array([[0.0, -1.0, -2.0]])).tile(np.array([4]), np.array([0, 2, 3, 4])).tolist()
[[[-2.0, -2.0, -1.0, 0.0]]]
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

X = TypeVar("X")


@dataclass(frozen=True, eq=False)
class ByDistance(Generic[X]):
    """One number per head and distance (heads, reach); the last one serves all greater distances."""

    table: X

    def tile(self, queries: Any, keys: Any) -> Any:
        """(heads, queries, keys): the numbers for these positions."""
        table: Any = self.table
        return table[:, self.distances(queries, keys)]

    def distances(self, queries: Any, keys: Any) -> Any:
        table: Any = self.table
        return abs(queries[:, None] - keys[None, :]).clip(max=table.shape[-1] - 1)


def alibi(heads: int, tokens: int) -> ByDistance[np.ndarray]:
    """A slope per head, falling with the distance (Press et al. 2022).

    >>> alibi(2, 3).table.tolist()
    [[-0.0, -0.0625, -0.125], [-0.0, -0.00390625, -0.0078125]]
    """
    slopes = 2.0 ** (-8.0 * np.arange(1, heads + 1) / heads)
    return ByDistance(-slopes[:, None] * np.arange(tokens))
