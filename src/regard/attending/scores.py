"""q·k, scaled, biased and hidden, one tile at a time: nothing of the size tokens × tokens is ever stored.

>>> from regard.attending.masks import causal
>>> q = k = np.array([[1.0, 0.0], [0.0, 2.0]])
>>> Scores(q, k, visible=causal, scale=1.0).tile((), slice(0, 2), slice(0, 2)).tolist()
[[1.0, -inf], [0.0, 4.0]]
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from regard.attending.bias import ByDistance
from regard.attending.masks import Rule, both, of_last_queries
from regard.attending.spans import Spans
from regard.ops.scaling import ROOT

ROWS, KEYS = 512, 1024  # of a tile: 4 MB in double precision


class Scores:
    """The masked scores of every head, as (…, Q, K) would be; `tile` gives any part of one head's matrix.

    q is (…, H, Q, D) or (Q, D); k has the same axes, perhaps fewer heads, which neighbouring query heads share.
    `visible` is a Rule, Spans, an array of True and False ending in (Q, K), or nothing; `bias` is ByDistance, an array
    ending in (Q, K), or nothing. Queries are the last of the tokens where there are fewer of them than keys.
    With a `cap`, a score s becomes cap·tanh(s / cap) before anything is added (Gemma 2).
    """

    def __init__(
        self,
        q: Any,
        k: Any,
        visible: Any = None,
        scale: float | None = None,
        bias: Any = None,
        cap: float | None = None,
    ):
        self.q, self.k = as_array("q", q), as_array("k", k)
        for name, array in (("q", self.q), ("k", self.k)):
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite, but holds NaN or infinity")
        self.lead, self.shared = _heads_of(self.q, self.k)
        self.queries, self.keys = self.q.shape[-2], self.k.shape[-2]
        self.scale = ROOT.factor(self.q.shape[-1]) if scale is None else float(scale)
        self.visible = _visible(visible, self.lead, self.queries, self.keys)
        self.bias = _bias(bias, self.lead, self.queries, self.keys)
        self.cap = cap

    @property
    def dtype(self) -> np.dtype:
        return np.result_type(self.q, self.k)

    def key_head(self, head: tuple[int, ...]) -> tuple[int, ...]:
        """Whose keys and values a head reads: those of its group."""
        return (*head[:-1], head[-1] // self.shared) if head else head

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray | None:
        """Scores of these queries and keys, −inf where hidden; None where all of them are."""
        allowed = None if self.visible is None else self.visible(head, rows, keys)
        if allowed is not None and not allowed.any():
            return None
        scores = (self.q[head][rows] * self.scale) @ self.k[self.key_head(head)][keys].T
        if self.cap is not None:
            scores = np.tanh(scores / self.cap) * self.cap
        if self.bias is not None:
            scores += self.bias(head, rows, keys)
        if allowed is not None and not allowed.all():
            scores[~allowed] = -np.inf
        return scores


Part = Callable[[tuple[int, ...], slice, slice], np.ndarray]  # of a head's matrix: these rows, these keys


def tiles(length: int, size: int, start: int = 0) -> Iterator[slice]:
    """
    >>> [(t.start, t.stop) for t in tiles(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    for begin in range(start, length, size):
        yield slice(begin, min(begin + size, length))


def as_array(name: str, given: Any) -> np.ndarray:
    """Numbers as NumPy, from torch too; half precision is computed in single precision."""
    if hasattr(given, "detach"):  # a tensor: NumPy knows no bfloat16
        given = given.detach().cpu()
        given = given.float().numpy() if given.element_size() < 4 else given.numpy()
    array = np.asarray(given)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} expects numbers, got {array.dtype}")
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        return array.astype(np.float64)
    return array.astype(np.float32) if array.dtype.itemsize < 4 else array


def _heads_of(q: np.ndarray, k: np.ndarray) -> tuple[tuple[int, ...], int]:
    """The axes before (Q, D), and how many query heads share a key head."""
    if q.ndim < 2 or q.ndim != k.ndim or q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must be (queries or keys, head width), with the same axes before them for heads and batch, "
            f"got q {q.shape}, k {k.shape}"
        )
    if q.ndim == 2:
        return (), 1
    shared, rest = divmod(q.shape[-3], max(1, k.shape[-3]))
    if rest or q.shape[:-3] != k.shape[:-3] or not shared:
        raise ValueError(f"key heads must divide query heads, got q {q.shape[:-2]}, k {k.shape[:-2]}")
    return q.shape[:-2], shared


def _visible(visible: Any, lead: tuple[int, ...], queries: int, keys: int) -> Part | None:
    if visible is None or visible is both:
        return None
    if isinstance(visible, Spans):
        return visible.tile
    if isinstance(visible, Rule):
        place, first = np.arange(max(queries, keys)), keys - queries
        return lambda head, rows, keys: visible.tile(place[rows] + first, place[keys])
    made: Any = visible(keys) if callable(visible) else visible
    mask = np.asarray(made.cpu() if hasattr(made, "detach") else made)
    mask = of_last_queries(mask, queries, keys)
    if mask.dtype != bool:
        raise ValueError(f"visible expects True (may look) and False, got {mask.dtype}")
    return _part_of("visible", mask, lead, queries, keys)


def _bias(bias: Any, lead: tuple[int, ...], queries: int, keys: int) -> Part | None:
    if bias is None:
        return None
    if isinstance(bias, ByDistance):
        table = as_array("bias", bias.table)
        if len(table) != (heads := lead[-1] if lead else 1):
            raise ValueError(f"the bias by distance expects one row per head ({heads}), got {len(table)}")
        place, first = np.arange(max(queries, keys)), keys - queries

        def part(head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray:
            own = head[-1] if head else 0
            return ByDistance(table[own : own + 1]).tile(place[rows] + first, place[keys])[0]

        return part
    return _part_of("bias", as_array("bias", bias), lead, queries, keys)


def _part_of(name: str, matrix: np.ndarray, lead: tuple[int, ...], queries: int, keys: int) -> Part:
    try:
        whole = np.broadcast_to(matrix, (*lead, queries, keys))
    except ValueError:
        raise ValueError(
            f"{name} expects the shape ({queries}, {keys}) or {(*lead, queries, keys)}, got {matrix.shape}"
        ) from None
    return lambda head, rows, keys: whole[head][rows, keys]
