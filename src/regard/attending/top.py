"""The largest weights of each row, kept while tiles of the matrix go by."""

from dataclasses import dataclass

import numpy as np

GROUPS = 64


@dataclass(frozen=True)
class Top:
    """The keys with the largest weights of each row, largest first; where there are fewer, the key is −1, weight 0."""

    keys: np.ndarray
    weights: np.ndarray

    @classmethod
    def none_yet(cls, shape: tuple[int, ...]) -> "Top":
        return cls(np.full(shape, -1), np.zeros(shape))

    def merge(self, head: tuple[int, ...], rows: slice, first_key: int, p: np.ndarray) -> None:
        """Take in a tile, whose first column is the key `first_key`. Of equal weights, the earlier key comes first.

        >>> top = Top.none_yet((1, 2))
        >>> top.merge((), slice(0, 1), 5, np.array([[0.1, 0.4, 0.0, 0.4]]))
        >>> top.keys.tolist(), top.weights.tolist()
        ([[6, 8]], [[0.4, 0.4]])
        """
        keys, weights = self.keys[head][rows], self.weights[head][rows]
        count = keys.shape[1]
        least = np.maximum(_bound(p, count), weights[:, -1])
        at = np.flatnonzero((p >= least[:, None]) & (p > 0))
        row, column = np.divmod(at, p.shape[1])
        rows_of = np.concatenate([np.repeat(np.arange(len(p)), count), row])
        all_keys = np.concatenate([keys.ravel(), first_key + column])
        all_weights = np.concatenate([weights.ravel(), p.ravel()[at]])
        order = np.lexsort((all_keys, -all_weights, rows_of))
        begins = np.searchsorted(rows_of[order], np.arange(len(p)))
        kept = order[begins[:, None] + np.arange(count)]
        keys[:], weights[:] = all_keys[kept], all_weights[kept]


def _bound(p: np.ndarray, count: int) -> np.ndarray:
    """A bound below the `count` largest of each row: if `count` groups of columns reach it, `count` numbers do."""
    whole = p.shape[1] // GROUPS * GROUPS
    if count > GROUPS or not whole:
        return np.zeros(len(p), p.dtype)
    largest = p[:, :whole].reshape(len(p), -1, GROUPS).max(axis=1)
    return np.partition(largest, GROUPS - count, axis=1)[:, GROUPS - count]
