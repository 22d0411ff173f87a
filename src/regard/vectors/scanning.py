"""Reading a table of vectors a block at a time, so that one that is larger than memory stays on disk."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from regard.ops.narrow import Numbers

BLOCK = 2**20  # numbers in memory at a time: a few megabytes, which stay in a processor's cache

Doubles: TypeAlias = npt.NDArray[np.float64]
Singles: TypeAlias = npt.NDArray[np.float32]


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Ranges of rows, each of about `BLOCK` numbers."""
    step = max(1, BLOCK // max(1, width))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def lengths(vectors: Numbers) -> Singles:
    """The length of each vector, √(v·v), summed in double precision."""
    found = np.empty(vectors.shape[0], np.float32)
    for part in blocks(*vectors.shape):
        rows = np.asarray(vectors[part], np.float64)
        with np.errstate(over="ignore"):  # a length that does not fit is told by whoever asked
            found[part] = np.sqrt(np.einsum("ic,ic->i", rows, rows))
    return found


def nearest(
    vectors: Numbers, sizes: Singles, directions: Doubles, most: int, without: "list[frozenset[int]] | None" = None
) -> list[list[int]]:
    """For each direction the rows with the largest cosine to it, the nearest first; of equals, the earlier.

    All directions are asked in one pass over the table. The cosine of a vector of length 0 is 0.

    >>> table = np.array([[1, 0], [0, 3], [2, 1]], np.float32)
    >>> nearest(table, lengths(table), np.array([[5.0, 0.0], [0.0, 1.0]]), 2, [frozenset(), frozenset({1})])
    [[0, 2], [2, 0]]
    """
    left_out = without or [frozenset()] * len(directions)
    wanted = most + max(map(len, left_out), default=0)
    units = _units(directions)
    places = np.empty((len(units), 0), np.int64)
    cosines = np.empty((len(units), 0), np.float32)
    for part in blocks(vectors.shape[0], max(vectors.shape[1], len(units))):
        found = units @ _directions(vectors, sizes, part).T
        kept = _best(found, wanted)
        places = np.concatenate([places, kept + part.start], axis=1)
        cosines = np.concatenate([cosines, np.take_along_axis(found, kept, axis=1)], axis=1)
        if places.shape[1] > 4 * wanted:
            kept = _best(cosines, wanted)
            places, cosines = np.take_along_axis(places, kept, axis=1), np.take_along_axis(cosines, kept, axis=1)
    order = np.lexsort((places, -cosines), axis=1)
    ranked = np.take_along_axis(places, order, axis=1).tolist()
    return [[place for place in row if place not in out][:most] for row, out in zip(ranked, left_out)]


def first(
    vectors: Numbers, sizes: Singles, directions: Doubles, without: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each direction the row with the largest cosine to it: of all but those in its row of `without`, and of all.

    >>> table = np.array([[1, 0], [0, 3], [2, 1]], np.float32)
    >>> [found.tolist() for found in first(table, lengths(table), np.array([[5.0, 0.0]]), np.array([[0, 1]]))]
    [[2], [0]]
    """
    units = _units(directions)
    every = np.arange(len(units))
    best = np.full((2, len(units)), -np.inf, np.float32)
    places = np.zeros((2, len(units)), np.int64)
    for part in blocks(vectors.shape[0], max(vectors.shape[1], len(units))):
        found = units @ _directions(vectors, sizes, part).T
        for kind in (1, 0):  # all first, then without some of them
            if kind == 0:
                inside = (without >= part.start) & (without < part.stop)
                found[np.nonzero(inside)[0], without[inside] - part.start] = -np.inf
            at = found.argmax(axis=1)
            better = found[every, at] > best[kind]
            best[kind][better] = found[every, at][better]
            places[kind][better] = at[better] + part.start
    return places[0], places[1]


def _units(directions: Doubles) -> Singles:
    own = np.linalg.norm(directions, axis=1, keepdims=True)
    return np.divide(directions, own, out=np.zeros_like(directions), where=own > 0).astype(np.float32)


def _directions(vectors: Numbers, sizes: Singles, part: slice) -> Singles:
    """Some rows, each of length 1 or, where there is nothing, 0."""
    own = np.where(sizes[part] > 0, sizes[part], np.float32(1))
    return np.divide(vectors[part], own[:, None], dtype=np.float32, casting="same_kind")


def _best(values: Singles, most: int) -> npt.NDArray[np.int64]:
    """The places of the largest values of each row, in any order; of equals, the earlier."""
    if most >= values.shape[1]:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    found = np.argpartition(values, values.shape[1] - most, axis=1)[:, values.shape[1] - most :]
    least = np.take_along_axis(values, found, axis=1).min(axis=1, keepdims=True)
    for row in np.flatnonzero((values >= least).sum(axis=1) > most):  # the last of them has equals among the others
        found[row] = np.argsort(-values[row], kind="stable")[:most]
    return found
