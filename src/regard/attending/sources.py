"""Where weights come from: a stored matrix, or queries and keys from which any part of it is computed."""

from typing import Any, Protocol

import numpy as np

from regard.attending.blockwise import log_sum_exp
from regard.attending.scores import Scores, as_array


class Source(Protocol):
    """Where weights come from: any part of any head's matrix."""

    lead: tuple[int, ...]
    queries: int
    keys: int

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray | None:
        """Weights of these queries and keys; None where all are 0."""
        ...


class Matrix:
    """Weights that are already there."""

    def __init__(self, matrix: Any):
        self.matrix = as_array("the matrix", matrix)
        if self.matrix.ndim < 2:
            raise ValueError(f"weights expects a row per query and a column per key, got the shape {self.matrix.shape}")
        if not np.isfinite(self.matrix).all():
            raise ValueError("weights must be finite; a row that sees nothing is all zeros")
        self.lead, (self.queries, self.keys) = self.matrix.shape[:-2], self.matrix.shape[-2:]

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray | None:
        return self.matrix[head][rows, keys]


class Queries:
    """Weights that are computed when asked for, from queries, keys and the log-sum-exp of each row.

    A head with a sink (one number each, Xiao et al. 2024) has one more score in every row, whose weight reads nothing.
    """

    def __init__(self, scores: Scores, lse: Any = None, sinks: Any = None):
        self.scores = scores
        self.lead, self.queries, self.keys = scores.lead, scores.queries, scores.keys
        found = log_sum_exp(scores) if lse is None else as_array("lse", lse)
        if sinks is not None:
            found = np.logaddexp(found, as_array("sinks", sinks)[:, None])
        if found.shape != (*self.lead, self.queries):
            raise ValueError(f"lse expects the shape {(*self.lead, self.queries)}, got {found.shape}")
        # a row that sees nothing has only scores of −inf; e^(−inf − 0) is 0, where −inf − −inf would be NaN
        self.lse = np.where(np.isneginf(found), 0.0, found)

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray | None:
        scores = self.scores.tile(head, rows, keys)
        if scores is None:
            return None
        scores -= self.lse[head][rows, None]
        return np.exp(scores, out=scores)
