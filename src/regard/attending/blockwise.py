"""Attention of a long text in NumPy: tile by tile, with a running softmax, so that memory grows only with the tokens.

The sum over the keys is kept relative to the largest score so far, and rescaled when a larger one appears
(Milakov and Gimelshein 2018; Rabe and Staats 2021).
"""

from typing import Any

import numpy as np

from regard.attending.scores import KEYS, ROWS, Scores, as_array, tiles


def attend_in_tiles(
    q: Any,
    k: Any,
    v: Any,
    visible: Any = None,
    scale: float | None = None,
    bias: Any = None,
    cap: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """What each query reads, and the logarithm of the sum of its exponentials; takes what `Scores` takes.

    A row that may see nothing reads zeros, and its log-sum-exp is −inf.

    >>> context, lse = attend_in_tiles([[0.0], [0.0]], [[1.0], [2.0]], [[2.0], [4.0]])
    >>> context.tolist(), (np.exp(lse)).round(12).tolist()
    ([[3.0], [3.0]], [2.0, 2.0])
    """
    scores, values = Scores(q, k, visible, scale, bias, cap), as_array("v", v)
    if values.shape[:-1] != scores.k.shape[:-1]:
        raise ValueError(f"k and v may differ only in the last size, got k {scores.k.shape}, v {values.shape}")
    dtype = np.result_type(scores.dtype, values)
    context = np.zeros((*scores.lead, scores.queries, values.shape[-1]), dtype)
    lse = np.full((*scores.lead, scores.queries), -np.inf)
    for head in np.ndindex(scores.lead):
        own_values = values[scores.key_head(head)]
        for rows in tiles(scores.queries, ROWS):
            context[head][rows], lse[head][rows] = _rows(scores, head, rows, own_values)
    return context, lse


def log_sum_exp(scores: Scores) -> np.ndarray:
    """The logarithm of the sum of each row's exponentials (…, Q)."""
    lse = np.full((*scores.lead, scores.queries), -np.inf)
    nothing = np.zeros((scores.keys, 0), scores.dtype)
    for head in np.ndindex(scores.lead):
        for rows in tiles(scores.queries, ROWS):
            lse[head][rows] = _rows(scores, head, rows, nothing)[1]
    return lse


def _rows(scores: Scores, head: tuple[int, ...], rows: slice, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    count = rows.stop - rows.start
    largest = np.full(count, -np.inf)
    total = np.zeros(count)
    mixed = np.zeros((count, values.shape[-1]))
    for keys in tiles(scores.keys, KEYS):
        tile = scores.tile(head, rows, keys)
        if tile is None:
            continue
        higher = np.maximum(largest, tile.max(axis=1))
        base = np.where(np.isinf(higher), 0.0, higher)  # a row that has seen nothing yet: e^(−inf − 0) is 0
        shrink = np.exp(largest - base)
        tile -= base[:, None].astype(tile.dtype)
        np.exp(tile, out=tile)
        total = total * shrink + tile.sum(axis=1, dtype=np.float64)
        mixed = mixed * shrink[:, None] + tile @ values[keys]
        largest = higher
    seen = total > 0
    whole = np.where(seen, total, 1.0)
    with np.errstate(divide="ignore"):
        return mixed / whole[:, None], np.where(seen, largest + np.log(whole), -np.inf)
