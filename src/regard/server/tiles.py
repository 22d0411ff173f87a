"""A part of one head's weights as a picture of few cells, each computed from all the weights it covers."""

from collections.abc import Sequence

import numpy as np


def pooled(
    weights_QK: np.ndarray, rows: Sequence[int], keys: Sequence[int], height: int, width: int, by: str
) -> np.ndarray:
    """The mean or the largest weight of each cell; where there are fewer weights than cells, each has its own.

    >>> pooled(np.array([[1.0, 0.0], [0.25, 0.75]]), (0, 2), (0, 2), 1, 2, "mean").tolist()
    [[0.625, 0.375]]
    """
    part = weights_QK[rows[0] : rows[1], keys[0] : keys[1]]
    down, across = _edges(part.shape[0], height), _edges(part.shape[1], width)
    pool = np.maximum if by == "max" else np.add
    picture = pool.reduceat(pool.reduceat(part, down[:-1], axis=0), across[:-1], axis=1)
    return picture if by == "max" else picture / np.diff(down)[:, None] / np.diff(across)


def _edges(length: int, cells: int) -> np.ndarray:
    cells = min(length, cells)
    return np.arange(cells + 1) * length // cells
