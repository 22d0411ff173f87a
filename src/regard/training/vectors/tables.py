"""Tables of vectors for compiled code: each row begins at a cache line, filled up with zeros, which stay zeros."""

import numpy as np
import numpy.typing as npt

LINE = 16  # numbers of four bytes in a cache line

Table = npt.NDArray[np.float32]


def zeros(rows: int, width: int) -> Table:
    """
    >>> table = zeros(3, 5)
    >>> table.shape, table.ctypes.data % 64
    ((3, 16), 0)
    """
    padded = -(-width // LINE) * LINE
    room = np.zeros(rows * padded + LINE, np.float32)
    start = -(room.ctypes.data // 4) % LINE
    return room[start : start + rows * padded].reshape(rows, padded)


def random(rows: int, width: int, seed: int) -> Table:
    """Small random numbers, evenly around 0, as word2vec begins."""
    table = zeros(rows, width)
    table[:, :width] = (np.random.default_rng(seed).random((rows, width), np.float32) - 0.5) / width
    return table


def restore(tables: dict[str, Table], kept: dict[str, Table]) -> None:
    """Put numbers that were kept into tables of the same shapes."""
    for name, table in tables.items():
        table[...] = kept[name]
