"""Attention's weights as something to ask, not always a matrix: the same questions for a toy and for a long text.

Short texts hold the matrix. Long ones hold q, k and the log-sum-exp of each row, and compute what is asked, tile by
tile: p(i,j) = exp(q_i·k_j·scale − lse_i). Nothing of the size tokens × tokens is stored.

>>> weights = Weights.from_matrix([[1.0, 0.0], [0.25, 0.75]])
>>> weights.row(1).tolist(), weights.received().tolist(), weights.entropy().round(4).tolist()
([0.25, 0.75], [1.25, 0.75], [0.0, 0.5623])
>>> from regard.attending.masks import causal
>>> heads = Weights.from_queries(np.ones((2, 3, 4)), np.ones((2, 3, 4)), visible=causal)
>>> heads, heads[1].row(2).round(4).tolist()
(Weights of 2 heads, 3 queries × 3 keys, [0.3333, 0.3333, 0.3333])
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np

from regard.attending.pooling import edges, put_into
from regard.attending.scores import KEYS, ROWS, Scores, tiles
from regard.attending.sources import Matrix, Queries, Source
from regard.attending.top import Top

LARGEST = 4096 * 4096  # cells that .dense() gives without `largest`: 134 MB
Span = slice | range | tuple[int, int] | None
Pool = Literal["sum", "max"]
POOLS: dict[Pool, np.ufunc] = {"sum": np.add, "max": np.maximum}


class Part(NamedTuple):
    """A part of the matrix, and where the cells of its picture begin and end."""

    rows: slice
    keys: slice
    down: np.ndarray
    across: np.ndarray


class Weights:
    """Who reads whom, of one head or of several: `weights[1]` is head 1, and every answer then has one axis fewer."""

    def __init__(self, source: Source, head: tuple[int, ...] = (), position: Callable[[str], int] | None = None):
        """`position` says where a word stands, for whoever asks for rows by their words."""
        self.source, self.head, self.position = source, head, position

    @classmethod
    def from_matrix(cls, matrix: Any) -> "Weights":
        """From the weights themselves, (Q, K) or (heads, Q, K), as NumPy or torch has them."""
        return cls(Matrix(matrix))

    @classmethod
    def from_queries(
        cls, q: Any, k: Any, lse: Any = None, visible: Any = None, scale: float | None = None, bias: Any = None
    ) -> "Weights":
        """From q and k, for texts of any length; takes what `Scores` takes. Without `lse` it is computed first.

        Tensors on a GPU stay there, and one kernel answers (attending/on_device.py).
        """
        if getattr(q, "is_cuda", False):
            from regard.attending.on_device import of_queries

            found = of_queries(q, k, lse, visible, scale, bias)
            if found is not None:
                return found
        return cls(Queries(Scores(q, k, visible, scale, bias), lse))

    # heads

    @property
    def heads(self) -> tuple[int, ...]:
        """The axes before queries and keys: () for one head, (12,) for twelve, (2, 12) for two texts."""
        return self.source.lead[len(self.head) :]

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.heads, self.source.queries, self.source.keys)

    def __len__(self) -> int:
        if not self.heads:
            raise TypeError("these are the weights of one head; .shape says how many queries and keys it has")
        return self.heads[0]

    def __iter__(self) -> "Iterator[Weights]":
        return (self[i] for i in range(len(self)))

    def __getitem__(self, head: int | tuple[int, ...]) -> "Weights":
        """One head's weights; of a batch, `weights[text, head]`."""
        wanted = head if isinstance(head, tuple) else (head,)
        if len(wanted) > len(self.heads):
            raise IndexError(f"no head {head}; the heads are {self.heads or 'one'}; .row(i) is a row, .tile(…) a part")
        chosen = tuple(_place("head", i, n) for i, n in zip(wanted, self.heads))
        return type(self)(self.source, self.head + chosen, self.position)

    def __repr__(self) -> str:
        heads = " × ".join(map(str, self.heads))
        several = f"{heads} head{'s' * (heads != '1')}" if heads else "one head"
        return f"Weights of {several}, {queries_and_keys(self.source.queries, self.source.keys)}"

    # parts

    def row(self, query: int | str) -> np.ndarray:
        """How one query, by its place or its word, distributes its attention: (…, K)."""
        if isinstance(query, str):
            if self.position is None:
                raise TypeError(f"these weights know no words, got {query!r}; a row is a whole number, counted from 0")
            query = self.position(query)
        i = _place("query", query, self.source.queries)
        return self.tile((i, i + 1))[..., 0, :]

    def tile(self, rows: Span = None, keys: Span = None, largest: int = LARGEST) -> np.ndarray:
        """The weights of some neighbouring queries and keys, exactly: (…, rows, keys)."""
        row_span = _span("queries", rows, self.source.queries)
        key_span = _span("keys", keys, self.source.keys)
        shape = (*self.heads, row_span.stop - row_span.start, key_span.stop - key_span.start)
        cells = math.prod(shape)
        if cells > largest:
            raise ValueError(
                f"{' × '.join(f'{n:,}' for n in shape)} weights are {cells * 8 / 1e9:.1f} GB; ask for one head, "
                f".pooled(512, 512), .row(i) or a smaller tile, or pass largest={cells}"
            )
        return self._tile(row_span, key_span) if cells else np.zeros(shape)

    def _tile(self, rows: slice, keys: slice) -> np.ndarray:
        found = np.zeros((*self.heads, rows.stop - rows.start, keys.stop - keys.start))
        for at in np.ndindex(self.heads):
            part = self.source.tile(self.head + at, rows, keys)
            if part is not None:
                found[at] = part
        return found

    def dense(self, largest: int = LARGEST) -> np.ndarray:
        """The whole matrix, where it is small."""
        return self.tile(largest=largest)

    # sums over rows and columns

    def received(self) -> np.ndarray:
        """How much attention each key gets from all queries: (…, K)."""
        return self._gathered(
            self.source.keys, lambda total, _rows, keys, p: _add(total, keys, p.sum(0, dtype=np.float64))
        )

    def given(self) -> np.ndarray:
        """How much attention each query gives in all, 1 or (a row that sees nothing) 0: (…, Q)."""
        return self._gathered(
            self.source.queries, lambda total, rows, _keys, p: _add(total, rows, p.sum(1, dtype=np.float64))
        )

    def entropy(self) -> np.ndarray:
        """How spread out each query's attention is, in nats: 0 on one key, ln n evenly over n. (…, Q)"""

        def surprise(total: np.ndarray, rows: slice, _keys: slice, p: np.ndarray) -> None:
            logarithm = np.log(p, out=np.zeros_like(p), where=p > 0)
            logarithm *= p
            _add(total, rows, -logarithm.sum(1, dtype=np.float64))

        return np.maximum(self._gathered(self.source.queries, surprise), 0.0)

    def mean_distance(self) -> np.ndarray:
        """How many positions away each query reads, on average: (…, Q). Queries are the last of the tokens."""
        first, keys_at = self.source.keys - self.source.queries, np.arange(self.source.keys)

        def apart(total: np.ndarray, rows: slice, keys: slice, p: np.ndarray) -> None:
            distance = np.abs(np.arange(rows.start, rows.stop)[:, None] + first - keys_at[keys])
            _add(total, rows, (p * distance).sum(1))

        return self._gathered(self.source.queries, apart)

    def top(self, count: int) -> Top:
        """The `count` keys that each query reads most: (…, Q, count). Of equal weights, the earlier key comes first."""
        if count < 1:
            raise ValueError(f"count must be at least 1, got {count}")
        return self._top(count)

    def _top(self, count: int) -> Top:
        top = Top.none_yet((*self.heads, self.source.queries, count))
        for at in np.ndindex(self.heads):
            for rows, keys, p in self._tiles(at):
                top.merge(at, rows, keys.start, p)
        return top

    # chosen weights

    def on(self, keys: Sequence[int]) -> np.ndarray:
        """What each query gives to chosen keys: (…, Q, keys). The first key is where sinks are."""
        return self._on([_place("key", j, self.source.keys) for j in keys])

    def _on(self, keys: list[int]) -> np.ndarray:
        columns = [self.tile(keys=(j, j + 1)) for j in keys]
        return np.concatenate([np.zeros((*self.heads, self.source.queries, 0)), *columns], -1)

    def back(self, places: Sequence[int]) -> np.ndarray:
        """What each query gives to the key so many places before it: (…, Q, places). 0 is itself, 1 the one before.

        >>> Weights.from_matrix([[1.0, 0.0], [0.25, 0.75]]).back([0, 1]).tolist()
        [[1.0, 0.0], [0.75, 0.25]]
        """
        found = np.zeros((*self.heads, self.source.queries, len(places)))
        first = self.source.keys - self.source.queries
        for nth, rows in product(range(len(places)), tiles(self.source.queries, ROWS)):
            begin = rows.start + first - places[nth]  # the key of the first of these rows
            keys = slice(max(0, begin), min(self.source.keys, begin + rows.stop - rows.start))
            count = keys.stop - keys.start
            if count > 0:
                some = slice(rows.start + keys.start - begin, rows.start + keys.start - begin + count)
                found[..., some, nth] = np.diagonal(self.tile(some, keys), axis1=-2, axis2=-1)
        return found

    # a picture of the whole

    def pooled(
        self,
        height: int,
        width: int,
        by: Literal["mean", "max", "mass"] = "mean",
        rows: Span = None,
        keys: Span = None,
    ) -> np.ndarray:
        """The matrix, or a part of it, as a picture of at most height × width cells, each computed from all it covers.

        Each cell is the mean or the largest of its weights, or the mass: what the cell's queries give to its keys, on
        average. A row of masses sums to 1. Where there are fewer queries or keys than cells, each has its own.
        """
        if by not in ("mean", "max", "mass"):
            raise ValueError(f"by expects mean, max or mass, got {by!r}")
        part = self._part_of(height, width, rows, keys)
        if by == "max":
            return self._pictures(part, ("max",))[0]
        picture = self._pictures(part, ("sum",))[0]
        picture /= np.diff(part.down)[:, None]  # in place: new memory takes longer than the division
        if by == "mean":
            picture /= np.diff(part.across)
        return picture

    def mean_and_max(
        self, height: int, width: int, rows: Span = None, keys: Span = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Both pictures that `pooled` gives, by one walk over the matrix: of a long text that is what takes time.

        >>> mean, most = Weights.from_matrix([[1.0, 0.0], [0.25, 0.75]]).mean_and_max(1, 2)
        >>> mean.tolist(), most.tolist()
        ([[0.625, 0.375]], [[1.0, 0.75]])
        """
        part = self._part_of(height, width, rows, keys)
        total, most = self._pictures(part, ("sum", "max"))
        return total / np.diff(part.down)[:, None] / np.diff(part.across), most

    def _part_of(self, height: int, width: int, rows: Span, keys: Span) -> Part:
        if height < 1 or width < 1:
            raise ValueError(f"a picture needs at least 1 × 1 cells, got {height} × {width}")
        row_span = _span("queries", rows, self.source.queries)
        key_span = _span("keys", keys, self.source.keys)
        down, across = edges(row_span.start, row_span.stop, height), edges(key_span.start, key_span.stop, width)
        return Part(row_span, key_span, down, across)

    def _pictures(self, part: Part, pools: Sequence[Pool]) -> list[np.ndarray]:
        """The sum or the largest of what each cell covers, or both."""
        pictures = [np.zeros((*self.heads, len(part.down) - 1, len(part.across) - 1)) for _ in pools]
        for at in np.ndindex(self.heads):
            for row_tile, key_tile, p in self._tiles(at, part.rows, part.keys):
                for pool, picture in zip(pools, pictures):
                    put_into(picture[at], POOLS[pool], p, (row_tile, part.down), (key_tile, part.across))
        return pictures

    # walking over the matrix

    def _tiles(
        self, at: tuple[int, ...], rows: slice | None = None, keys: slice | None = None
    ) -> Iterator[tuple[slice, slice, np.ndarray]]:
        rows, keys = rows or slice(0, self.source.queries), keys or slice(0, self.source.keys)
        for row_tile in tiles(rows.stop, ROWS, rows.start):
            for key_tile in tiles(keys.stop, KEYS, keys.start):
                p = self.source.tile(self.head + at, row_tile, key_tile)
                if p is not None:
                    yield row_tile, key_tile, p

    def _gathered(self, size: int, add: Callable[[np.ndarray, slice, slice, np.ndarray], None]) -> np.ndarray:
        total = np.zeros((*self.heads, size))
        for at in np.ndindex(self.heads):
            for rows, keys, p in self._tiles(at):
                add(total[at], rows, keys, p)
        return total


def _add(total: np.ndarray, where: slice, part: np.ndarray) -> None:
    total[where] += part


def _place(what: str, i: Any, length: int) -> int:
    if not isinstance(i, int | np.integer) or isinstance(i, bool):
        raise TypeError(f"a {what} must be a whole number, got {i!r}")
    if not -length <= i < length:
        raise IndexError(f"no {what} {i}; there are {length}, counted from 0")
    return int(i) % length


def _span(what: str, span: Span, length: int) -> slice:
    """A slice, a range or (begin, end), as a begin and an end that lie inside."""
    if isinstance(span, tuple):
        span = slice(*span)
    elif isinstance(span, range):
        span = slice(span.start, span.stop, span.step)
    begin, end, step = (slice(None) if span is None else span).indices(length)
    if step != 1:
        raise ValueError(f"a part of the matrix has no gaps, got {what} in steps of {step}")
    return slice(begin, max(begin, end))


def queries_and_keys(queries: int, keys: int) -> str:
    """
    >>> queries_and_keys(1, 1), queries_and_keys(3, 5)
    ('1 query × 1 key', '3 queries × 5 keys')
    """
    return f"{queries} {'query' if queries == 1 else 'queries'} × {keys} key{'s' * (keys != 1)}"
