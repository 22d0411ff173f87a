"""A large matrix as a small picture, exactly: every number goes into the cell that covers it, tile by tile."""

import numpy as np


def edges(begin: int, end: int, cells: int) -> np.ndarray:
    """Where cells begin and end: as evenly as whole numbers allow, and never more cells than there are numbers.

    >>> edges(0, 10, 4).tolist(), edges(3, 5, 4).tolist()
    ([0, 2, 5, 7, 10], [3, 4, 5])
    """
    length = end - begin
    cells = min(cells, length)
    return begin + np.arange(cells + 1) * length // max(cells, 1)


def put_into(
    picture: np.ndarray, pool: np.ufunc, p: np.ndarray, down: tuple[slice, np.ndarray], across: tuple[slice, np.ndarray]
) -> None:
    """Put a tile's weights into the cells that cover them; a cell may lie in several tiles."""
    (top, begin), (left, start) = _within(*down), _within(*across)
    columns = pool.reduceat(p, start, axis=1)
    part = pool.reduceat(columns, begin, axis=0)
    where = picture[top : top + len(begin), left : left + len(start)]
    pool(where, part, out=where)


def _within(tile: slice, edges: np.ndarray) -> tuple[int, np.ndarray]:
    """The first cell that a tile meets, and where in the tile each cell begins."""
    first = int(np.searchsorted(edges, tile.start, side="right")) - 1
    last = int(np.searchsorted(edges, tile.stop, side="left"))
    return first, np.maximum(edges[first:last] - tile.start, 0)
