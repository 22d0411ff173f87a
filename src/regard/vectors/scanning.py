"""Reading a table of vectors a block at a time, so that one that is larger than memory stays on disk."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

BLOCK = 2**22  # numbers in memory at a time: 16 megabytes

Floats = npt.NDArray[np.float32]


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Ranges of rows, each of about `BLOCK` numbers."""
    step = max(1, BLOCK // max(1, width))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def lengths(vectors: Floats) -> Floats:
    """The length of each vector, √(v·v), summed in double precision."""
    found = np.empty(len(vectors), np.float32)
    for part in blocks(*vectors.shape):
        rows = np.asarray(vectors[part], np.float64)
        found[part] = np.sqrt(np.einsum("ic,ic->i", rows, rows))
    return found


def nearest(
    vectors: Floats, sizes: Floats, asked: npt.NDArray[np.float64], most: int, without: frozenset[int] = frozenset()
) -> list[int]:
    """The rows with the largest cosine to a vector, the nearest first; of equals, the earlier. A zero vector's is 0.

    >>> table = np.array([[1, 0], [0, 3], [2, 1]], np.float32)
    >>> nearest(table, lengths(table), np.array([5.0, 0.0]), 2)
    [0, 2]
    """
    wanted = most + len(without)
    size = np.linalg.norm(asked)
    direction = (asked / size if size else asked).astype(np.float32)
    places, cosines = np.empty(0, np.int64), np.empty(0, np.float32)
    for part in blocks(*vectors.shape):
        own = sizes[part]
        found = vectors[part] @ direction / np.where(own > 0, own, 1)
        places = np.concatenate([places, np.arange(part.start, part.stop)])
        cosines = np.concatenate([cosines, found])
        if len(cosines) > wanted:
            kept = np.argpartition(-cosines, wanted - 1)[:wanted] if wanted else np.empty(0, np.int64)
            places, cosines = places[kept], cosines[kept]
    order = np.lexsort((places, -cosines))
    return [place for place in places[order].tolist() if place not in without][:most]
