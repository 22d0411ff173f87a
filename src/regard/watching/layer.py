"""What one attention layer did while it was watched: its queries and keys, growing where a text was written on."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from weakref import WeakSet

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.attending.arriving import Arriving
from regard.attending.kernels.looking import objection
from regard.attending.look import Looked, Received, Tile, look, of_text, tiles_of
from regard.attending.on_device import Doubt, OnDevice, Tensors, made
from regard.attending.scores import Scores
from regard.attending.sources import Queries
from regard.attending.spans import Spans
from regard.attending.weights import Weights
from regard.watching.call import Call, sampled
from regard.watching.keeping import Keeper
from regard.watching.reading_masks import without_sight

LARGE = 300.0  # a log-sum-exp beyond it is off by more than 1e-5 in single precision


class Layer:
    """One layer, as its last text left it. `weights` asks it anything; nothing of tokens × tokens is stored."""

    def __init__(self, name: str, number: int):
        self.name, self.number = name, number
        self.runs = 0  # texts read; the last one is kept
        self.is_stale = False  # of a text before the last one
        self._source: Queries | Tensors | None = None
        self._arriving: WeakSet[Arriving] = WeakSet()  # what was asked for and may still need what is kept

    @property
    def is_cross(self) -> bool:
        """Whether its keys are others than its queries' own: of another text, or of a cache filled before."""
        return self.queries != self.keys

    @property
    def bytes(self) -> int:
        """What is kept."""
        kept = (self.q, self.k, self.v, *self._optional()) if self.runs else ()
        return sum(x.numel() * x.element_size() for x in kept)

    @property
    def heads(self) -> int:
        return self.q.shape[1]

    @property
    def queries(self) -> int:
        return self.q.shape[2]

    @property
    def keys(self) -> int:
        return self.k.shape[2]

    def add(self, call: Call, keeper: Keeper, is_continued: bool = False) -> bool:
        """Take in a call as it was kept, and say whether it went on with the text that is there: keys as before and one
        more for each new query, or, where others of its model went on, the same keys of another text."""
        goes_on = bool(self.runs) and (self._goes_on(call) or (is_continued and self._has_keys(call.k)))
        if goes_on:
            self._append(call, keeper)
        else:
            self._begin(call)
        self._source, self.is_stale = None, False
        return goes_on

    def _begin(self, call: Call) -> None:
        self.runs += 1
        self.q, self.k, self.v, (self.visible, self.bias), self.lse = call.q, call.k, call.v, call.sight, call.lse
        self.scale, self.cap, self.kernel, self.dropout = call.scale, call.cap, call.kernel, call.dropout
        self.sinks, self.checked = call.sinks, [(sampled(self.queries), call.context)]

    def _goes_on(self, call: Call) -> bool:
        before, new = self.keys, call.q.shape[2]
        if (call.scale, call.cap) != (self.scale, self.cap) or self.is_stale:
            return False
        return call.k.shape[2] == before + new and self.queries == before and self._has_keys(call.k[:, :, :before])

    def _has_keys(self, k: torch.Tensor) -> bool:
        return k.shape == self.k.shape and torch.equal(k, self.k)

    def _append(self, call: Call, keeper: Keeper) -> None:
        first = self.queries
        self.q = keeper.take(torch.cat([self.q, call.q], 2))
        self.lse = None if self.lse is None or call.lse is None else keeper.take(torch.cat([self.lse, call.lse], 2))
        self.dropout = max(self.dropout, call.dropout)
        shapes = (first, self.keys), (call.q.shape[2], call.k.shape[2])
        self.visible = _grown(self.visible, call.sight.visible, *shapes)
        self.bias = _grown(self.bias, call.sight.bias, *shapes)
        rows = sampled(call.q.shape[2])
        self.checked.append((range(first + rows.start, first + rows.stop, rows.step), call.context))
        self.k, self.v = call.k, call.v

    def _optional(self) -> list[torch.Tensor]:
        return [x for x in (self.lse, self.bias) if x is not None]

    def weights(self, position: Callable[[str], int] | None = None) -> Weights:
        """Who reads whom, (texts, heads, queries, keys). On a GPU, the kernel answers."""
        source = self._queries()
        return (OnDevice if isinstance(source, Tensors) else Weights)(source, (), position)

    def _queries(self) -> Queries | Tensors:
        if self._source is None:
            lse = self.lse if self.lse is not None and _is_small(self.lse) else None
            if objection(self.q, self.k) is None:
                self._source = made(self.q, self.k, lse, *self._seen()).source
            else:
                scores = Scores(self.q, self.k, self.visible, self.scale, self.bias, self.cap)
                self._source = Queries(scores, lse, self.sinks)
        return self._source

    def _seen(self) -> tuple[Any, ...]:
        return self.visible, self.scale, self.bias, self.cap, self.sinks

    def _doubted(self) -> Tensors:
        """On a GPU, with the log-sum-exp as the kernel gave it: whether it can be trusted is seen later."""
        q, k, lse, given = self.q, self.k, self.lse, self._seen()
        if self._source is not None or lse is None:
            source = self._queries()
            assert isinstance(source, Tensors)
            return source
        largest = torch.linalg.vector_norm(lse, math.inf)
        found = made(q, k, lse, *given).source
        exactly = partial(made, q, k, None, *given)
        found.doubt = Doubt(largest, lambda size: size > LARGE and not _is_small(lse), lambda: exactly().source)
        return found

    def forget(self) -> None:
        """What it did last could not be kept, and what it did before is no answer any more."""
        self.runs = 0

    def drop(self) -> None:
        """It has been looked at: what it kept may go."""
        for found in self._arriving:
            found.arrive()
        self.forget()
        for name in ("q", "k", "v", "lse", "visible", "bias", "sinks", "checked", "_source"):
            delattr(self, name)

    def looked(self, height: int = 256, width: int = 256) -> Looked:
        """Everything one wants to know of the whole layer, in one pass. On a GPU it does not wait: its numbers do, when
        they are asked for."""
        if objection(self.q, self.k) is None:
            return self._on_its_way(self._doubted().looked(height, width))
        return look(*self._given(), height=height, width=width)

    def received(self, height: int = 256, width: int = 256) -> Received:
        """What every key gets, and the layer as a picture: on a GPU less work than `looked`."""
        if objection(self.q, self.k) is None:
            return self._on_its_way(self._doubted().received(height, width))
        found = self.looked(height, width)
        return Received(found.received, found.picture)

    def _on_its_way(self, found: Any) -> Any:
        self._arriving.add(found)
        return found

    def tiles(self, text: int) -> Iterator[Tile]:
        """The weights of one text, tile by tile, all heads side by side."""
        q, k, lse, visible, scale, bias, cap = self._given()
        return tiles_of(q[text], k[text], lse[text], of_text(visible, text), scale, of_text(bias, text), cap)

    def _given(self) -> tuple[Any, ...]:
        source = self._queries()
        bias = None if self.bias is None else self.bias.cpu()
        visible = self.visible if isinstance(self.visible, Spans) else self.visible.cpu()
        return self.q.cpu(), self.k.cpu(), torch.from_numpy(source.lse), visible, self.scale, bias, self.cap

    def error(self) -> float:
        """How far weights × values is from what the model's own kernel gave, in the rows that were kept: the largest
        difference, as a share of the largest number."""
        weights, worst, size = self.weights(), 0.0, 0.0
        values, hidden = _numbers(self.v), without_sight(self.visible)
        texts, heads = self.q.shape[:2]
        shared = heads // self.v.shape[1]
        for row, own in ((row, kept[:, :, i]) for rows, kept in self.checked for i, row in enumerate(rows)):
            p = weights.row(row)[..., : values.shape[-2]]
            own = _numbers(own)
            for text, head in np.ndindex(texts, heads):
                if _at(hidden, text, head, row):
                    continue
                found = p[text, head] @ values[text, head // shared]
                worst = np.fmax(worst, np.abs(found - own[text, head]).max(initial=0.0))
                size = np.fmax(size, np.abs(own[text, head]).max(initial=0.0))
                if not np.isfinite(found).all() or not np.isfinite(own[text, head]).all():
                    return math.nan
        return float(worst / size if size else worst)


def _is_small(lse: torch.Tensor) -> bool:
    """Whether single precision knows enough of its digits."""
    return not bool((lse.masked_fill(lse.isinf(), 0.0).abs() > LARGE).any())


def _numbers(x: torch.Tensor) -> np.ndarray:
    return x.detach().cpu().to(torch.float64).numpy()


def _at(hidden: np.ndarray, text: int, head: int, row: int) -> bool:
    """Of what has an axis for texts and heads, for heads, or for neither; an axis of size 1 serves all."""
    lead = (text, head)[3 - hidden.ndim :] if hidden.ndim > 1 else ()
    return bool(hidden[tuple(0 if size == 1 else i for i, size in zip(lead, hidden.shape))][row])


Shape = tuple[int, int]


def _grown(before: Any, after: Any, old: Shape, new: Shape) -> Any:
    """What the old queries see, or gain, and then the new ones; the old ones see and gain nothing of new keys."""
    if before is None and after is None:
        return None
    if isinstance(before, Spans) and isinstance(after, Spans):
        return after.after(before)
    above, below = _matrix(before, old), _matrix(after, new)
    above = F.pad(above, (0, new[1] - old[1]))
    lead = torch.broadcast_shapes(above.shape[:-2], below.shape[:-2])
    return torch.cat([x.expand(*lead, *x.shape[-2:]) for x in (above, below.to(above.device))], -2)


def _matrix(part: Any, shape: Shape) -> torch.Tensor:
    """Spans or nothing, written out."""
    if part is None:
        return torch.zeros(shape)
    if isinstance(part, Spans):
        place = np.arange(shape[1])
        return torch.from_numpy((place >= part.begin[..., None]) & (place < part.end[..., None]))
    return part.expand(*part.shape[:-2], *shape)
