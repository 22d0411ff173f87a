"""Masks in which every query sees one unbroken stretch of keys: two numbers a row instead of a row of the matrix.

Causal, windows, padding on either side, and all of them together are of this kind; a mask of 32,768 × 32,768 is
a gigabyte, its spans half a megabyte.

>>> spans = Spans.of(np.tril(np.ones((3, 3), bool)))
>>> spans.begin.tolist(), spans.end.tolist()
([0, 0, 0], [1, 2, 3])
>>> Spans.of(np.array([[True, False, True]])) is None
True
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Spans:
    """Each query sees the keys from `begin` up to, not including, `end`: both (…, Q)."""

    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, mask: Any) -> "Spans | None":
        """What (…, Q, K) of True and False says, in NumPy or torch; None where some row has a gap."""
        seen = mask.astype(np.uint8) if isinstance(mask, np.ndarray) else mask.byte()
        begin, count = _as_numpy(seen.argmax(-1)), _as_numpy(seen.sum(-1))
        # without a gap, a row changes from hidden to seen once, at most; the first key counts if it is seen
        starts = _as_numpy(seen[..., 0]) + _as_numpy(((seen[..., 1:] == 1) & (seen[..., :-1] == 0)).sum(-1))
        return None if (starts > 1).any() else cls(begin, begin + count.astype(begin.dtype))

    @classmethod
    @cache
    def from_first(cls, queries: int, keys: int) -> "Spans":
        """Causal as torch's kernels count it: the first query reads the first key, however many keys there are."""
        return cls(np.zeros(queries, np.int64), np.minimum(np.arange(1, queries + 1), keys))

    @classmethod
    @cache
    def all(cls, queries: int, keys: int) -> "Spans":
        return cls(np.zeros(queries, np.int64), np.full(queries, keys))

    @cached_property
    def stairs(self) -> int | None:
        """How many keys the first query sees, where each sees all from the first key on, and one more than the query
        before it; None where it is otherwise.

        >>> Spans.from_first(3, 3).stairs, Spans.all(3, 3).stairs
        (1, None)
        """
        first = int(self.end.flat[0]) if self.end.size else 0
        steps = np.arange(first, first + self.end.shape[-1])
        return first if not self.begin.any() and (self.end == steps).all() else None

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray:
        place = np.arange(keys.start, keys.stop)
        begin, end = self.of_head(head)
        return (place >= begin[rows, None]) & (place < end[rows, None])

    def of_head(self, head: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """The spans of one head; an axis of size 1 serves all of them."""
        at = head[len(head) - (self.begin.ndim - 1) :]
        at = tuple(0 if size == 1 else i for i, size in zip(at, self.begin.shape))
        return self.begin[at], self.end[at]

    def after(self, before: "Spans") -> "Spans":
        """These queries follow those."""
        return Spans(_joined(before.begin, self.begin), _joined(before.end, self.end))


def _joined(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    lead = np.broadcast_shapes(before.shape[:-1], after.shape[:-1])
    return np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in (before, after)], -1)


def _as_numpy(x: Any) -> np.ndarray:
    return x.cpu().numpy() if hasattr(x, "cpu") else np.asarray(x)
