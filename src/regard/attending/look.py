"""Everything one wants to know of a layer's weights in one pass over them: no matrix is stored, all cores are used.

With q, k and the log-sum-exp of each row, p(i,j) = exp(q_i·k_j·scale − lse_i), here as a power of 2, which takes torch
a third of the time. Tiles of all heads go by, and each is summed in every way while it is near.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.attending.pooling import edges
from regard.attending.scores import tiles
from regard.attending.spans import Spans

ROWS, KEYS = 64, 2048  # of a tile; with all heads side by side some megabytes, which stay near the cores
BLOCK = 64  # of keys, in which the largest weight is looked for
LOG2_E, LN_2 = math.log2(math.e), math.log(2)
FAR = -1e4  # a score that is hidden: its weight is 0, and 0 · −10,000 is 0 where 0 · −∞ would be none


@dataclass(frozen=True, eq=False)
class Looked:
    """What was seen of every head (…, H): of each query (Q), of each key (K), and the whole as a picture."""

    received: np.ndarray  # (…, H, K): how much attention each key gets from all queries
    entropy: np.ndarray  # (…, H, Q): how spread out each query reads, in nats
    mean_distance: np.ndarray  # (…, H, Q): how many positions away, on average
    largest: np.ndarray  # (…, H, Q): the largest weight of each query,
    read_most: np.ndarray  # (…, H, Q): and the key it goes to; −1 where nothing is seen
    picture: np.ndarray  # (…, H, height, width): what the queries of a cell give to its keys, on average

    def __getitem__(self, head: int | slice | tuple[int, ...]) -> "Looked":
        return Looked(*(getattr(self, field.name)[head] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Received:
    """What every key gets, and the whole as a picture: the part of `Looked` that takes least."""

    received: np.ndarray  # (…, H, K)
    picture: np.ndarray  # (…, H, height, width)

    def __getitem__(self, head: int | slice | tuple[int, ...]) -> "Received":
        return Received(self.received[head], self.picture[head])


@dataclass(frozen=True, eq=False)
class Tile:
    """The weights of neighbouring queries and keys in all heads, (H, rows, keys), and their logarithms to the base of
    2, until the next tile comes."""

    rows: slice
    keys: slice
    p: torch.Tensor
    logarithm: torch.Tensor

    @property
    def entropy(self) -> torch.Tensor:
        """What these weights add to the entropy of each row, in nats: (H, rows)."""
        return torch.linalg.vecdot(self.p, self.logarithm).mul_(-LN_2)

    @property
    def allowed(self) -> torch.Tensor:
        """Where some head may look, (rows, keys)."""
        return (self.logarithm > FAR).any(0)


@torch.autocast("cpu", enabled=False)
@torch.no_grad()
def look(
    q: torch.Tensor,
    k: torch.Tensor,
    lse: torch.Tensor,
    visible: Spans | torch.Tensor,
    scale: float,
    bias: torch.Tensor | None = None,
    cap: float | None = None,
    height: int = 256,
    width: int = 256,
) -> Looked:
    """Looks at every head of every text; takes (B, H, Q, D), (B, G, K, D) and (B, H, Q)."""
    texts = []
    for i in range(q.shape[0]):
        rows = Rows(q.shape[1], q.shape[2], k.shape[2], height, width)
        for tile in tiles_of(q[i], k[i], lse[i], of_text(visible, i), scale, of_text(bias, i), cap):
            rows.add(tile)
        texts.append(rows.looked())
    return Looked(*(np.stack([getattr(one, field.name) for one in texts]) for field in fields(Looked)))


class Rows:
    """What is known of one text so far, while tiles go by."""

    def __init__(self, heads: int, queries: int, keys: int, height: int, width: int):
        self.first = keys - queries  # queries are the last of the tokens
        self.down, self.across = edges(0, queries, height), edges(0, keys, width)
        self.received = torch.zeros(heads, keys)
        self.entropy, self.distance, self.largest = (torch.zeros(heads, queries) for _ in range(3))
        self.most = torch.full((heads, queries), -1)
        self.picture = np.zeros((heads, len(self.down) - 1, len(self.across) - 1), np.float32)

    def add(self, tile: Tile) -> None:
        rows, keys, p = tile.rows, tile.keys, tile.p
        self.entropy[:, rows] += tile.entropy
        self.distance[:, rows] += _apart(p, rows.start + self.first, keys.start)
        largest, at = _largest(p)
        is_larger = largest > self.largest[:, rows]
        self.largest[:, rows] = torch.where(is_larger, largest, self.largest[:, rows])
        self.most[:, rows] = torch.where(is_larger, at + keys.start, self.most[:, rows])
        self._add_to_picture(tile)

    def _add_to_picture(self, tile: Tile) -> None:
        """Queries that share a row of the picture are added up first, by a product; what is left to pool is small."""
        rows, keys = tile.rows, tile.keys
        row_of = np.searchsorted(self.down, np.arange(rows.start, rows.stop), "right") - 1
        top, count = row_of[0], row_of[-1] - row_of[0] + 1
        belongs = torch.from_numpy(row_of - top) == torch.arange(count)[:, None]
        together = belongs.to(tile.p.dtype).expand(tile.p.shape[0], -1, -1) @ tile.p  # (H, rows of the picture, keys)
        self.received[:, keys] += together.sum(1)
        left = np.searchsorted(self.across, keys.start, "right") - 1
        cuts = self.across[left : np.searchsorted(self.across, keys.stop, "left")]
        columns = np.add.reduceat(together.numpy(), np.maximum(cuts - keys.start, 0), axis=2)
        self.picture[:, top : top + count, left : left + columns.shape[2]] += columns

    def looked(self) -> Looked:
        picture = self.picture / np.diff(self.down)[:, None]
        found = (self.received, self.entropy.clamp_(min=0.0), self.distance, self.largest, self.most)
        received, entropy, distance, largest, most = (x.numpy() for x in found)
        return Looked(received, entropy, distance, largest, most, picture)


def tiles_of(
    q: torch.Tensor,
    k: torch.Tensor,
    lse: torch.Tensor,
    visible: Spans | torch.Tensor,
    scale: float,
    bias: torch.Tensor | None = None,
    cap: float | None = None,
) -> Iterator[Tile]:
    """The weights of one text, (H, Q, D), tile by tile; those in which nobody may see anything are left out."""
    heads, queries, width = q.shape
    groups, keys, _ = k.shape
    together = k.float().mT  # (G, D, K)
    room = torch.empty(heads * min(ROWS, queries) * min(KEYS, keys))  # memory anew for each tile takes a tenth longer
    power = LOG2_E if cap is None else 1.0
    for rows in tiles(queries, ROWS):
        asking = (q[:, rows].float() * (scale * power)).reshape(groups, -1, width)
        shift = _finite(lse[:, rows, None]).mul_(LOG2_E)
        reach = _reach(visible, rows, keys)
        for own in tiles(reach.stop, KEYS, reach.start):
            size = own.stop - own.start
            out = room[: asking.shape[:2].numel() * size].view(groups, -1, size)
            scores = torch.bmm(asking, together[:, :, own], out=out).view(heads, -1, size)
            if cap is not None:
                scores.div_(cap).tanh_().mul_(cap * LOG2_E)
            if bias is not None:
                scores.add_(_part(bias, rows, own), alpha=LOG2_E)
            logarithm = scores.sub_(shift)
            for part, hidden in _hidden(visible, rows, own):
                logarithm[..., part].masked_fill_(hidden, FAR)
            yield Tile(rows, own, logarithm.exp2(), logarithm)


def _finite(lse: torch.Tensor) -> torch.Tensor:
    return lse.float().masked_fill(lse == -math.inf, 0.0)


def _reach(visible: Spans | torch.Tensor, rows: slice, keys: int) -> slice:
    """From the first to the last key that anybody in these rows may see."""
    if not isinstance(visible, Spans):
        return slice(0, keys)
    begin, end = visible.begin[..., rows], visible.end[..., rows]
    seen = end > begin
    return slice(int(begin[seen].min()), int(end[seen].max())) if seen.any() else slice(0, 0)


def _hidden(visible: Spans | torch.Tensor, rows: slice, own: slice) -> Iterator[tuple[slice, torch.Tensor]]:
    """The columns of a tile in which something is hidden, and what: with spans, only its two ends."""
    if not isinstance(visible, Spans):
        yield slice(None), ~_part(visible, rows, own)
        return
    begin, end = (torch.from_numpy(x[..., rows])[..., None] for x in (visible.begin, visible.end))
    left, right = min(int(begin.max()), own.stop), max(int(end.min()), own.start)
    if left > own.start:
        yield slice(0, left - own.start), torch.arange(own.start, left) < begin
    if right < own.stop:
        yield slice(right - own.start, None), torch.arange(right, own.stop) >= end


def _part(numbers: torch.Tensor, rows: slice, own: slice) -> torch.Tensor:
    if numbers.shape[-2] != 1:
        numbers = numbers[..., rows, :]
    return numbers[..., own] if numbers.shape[-1] != 1 else numbers


def of_text(numbers: Any, text: int) -> Any:
    """What belongs to one text, of what is the same for all or has an axis for them: (B, H, …)."""
    if isinstance(numbers, Spans):
        return Spans(_of_array(numbers.begin, text, 3), _of_array(numbers.end, text, 3))
    return None if numbers is None else _of_array(numbers, text, 4)


def _of_array(numbers: Any, text: int, axes: int) -> Any:
    return numbers if numbers.ndim < axes else numbers[text if numbers.shape[0] > 1 else 0]


def _apart(p: torch.Tensor, first_query: int, first_key: int) -> torch.Tensor:
    """Σ p·|i − j|: to the left of all these queries i·Σp − Σp·j, to the right the other way round, between as it is."""
    rows, keys = p.shape[1:]
    place = torch.arange(first_key, first_key + keys, dtype=p.dtype)
    queries = torch.arange(first_query, first_query + rows, dtype=p.dtype)
    left = max(0, min(first_query - first_key, keys))
    right = max(left, min(first_query + rows - first_key, keys))
    # counted from the nearest query, so that large positions do not cancel
    found = p[:, :, :left] @ (queries[0] - place[:left]) + (queries - queries[0]) * p[:, :, :left].sum(-1)
    found += p[:, :, right:] @ (place[right:] - queries[-1]) + (queries[-1] - queries) * p[:, :, right:].sum(-1)
    between = (queries[:, None] - place[left:right]).abs_()
    return found + (p[:, :, left:right] * between).sum(-1)


def _largest(p: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The largest of each row and where it is: first which block it is in, which is quick, then where in the block."""
    keys = p.shape[2]
    if keys % BLOCK:
        p = F.pad(p, (0, BLOCK - keys % BLOCK))
    blocks = p.view(*p.shape[:2], -1, BLOCK)
    block = blocks.amax(-1).argmax(-1)
    found, at = blocks.gather(2, block[..., None, None].expand(-1, -1, 1, BLOCK))[:, :, 0].max(-1)
    return found, block * BLOCK + at
