"""Weights whose queries and keys lie on a GPU, and stay there: the same questions, answered by one kernel.

What each answer means is defined in attending/weights.py; here are only other ways to it.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import torch

from regard.attending.arriving import ArrivingLooked, ArrivingReceived, sent
from regard.attending.bias import ByDistance
from regard.attending.kernels.heads import LOG2_E, Heads, Sight, sight_of
from regard.attending.kernels.looking import at, heads_of, look, objection, top, weights
from regard.attending.look import Looked, Received
from regard.attending.masks import Rule, both, causal, of_last_queries
from regard.attending.pooling import edges
from regard.attending.spans import Spans
from regard.attending.top import Top
from regard.attending.weights import Part, Pool, Weights
from regard.ops.scaling import ROOT

LOOKED = ("received", "entropy", "mean_distance", "largest")
ROWS = 128  # of a cell, where only columns are asked for
FEW = 2**20  # numbers
MASK_CELLS = 2**28  # of a rule that are looked at at once, to see whether it has gaps


class Doubt(NamedTuple):
    """That the log-sum-exp has too few digits. Whether it is right is known when the numbers arrive: to ask before
    would be to wait."""

    size: torch.Tensor  # of the largest, on its device
    is_right: Callable[[float], bool]
    exactly: Callable[[], "Tensors"]


class Tensors:
    """Any part of any head's matrix, from tensors where they lie."""

    def __init__(self, heads: Heads, lead: tuple[int, ...], doubt: Doubt | None = None):
        self.heads, self.lead, self.doubt = heads, lead, doubt
        self.queries, self.keys = heads.shape[2:]

    def part(self, head: tuple[int, ...], rows: slice | None = None, keys: slice | None = None) -> Heads:
        """One head, one text, or all that there is."""
        chosen = (0,) * (2 - len(self.lead)) + head
        every = [slice(0, size) for size in self.heads.shape]
        for axis, i in enumerate(chosen):
            every[axis] = slice(i, i + 1)
        return self.heads.part(every[0], every[1], rows or every[2], keys or every[3])

    def tile(self, head: tuple[int, ...], rows: slice, keys: slice) -> np.ndarray | None:
        if rows.start == rows.stop or keys.start == keys.stop:
            return None
        return _numbers(weights(self.part(head, rows, keys)))[0, 0]

    @property
    def lse(self) -> np.ndarray:
        """The natural logarithm of the sum of each row's exponentials; 0 where a row sees nothing."""
        shift, rest = self.heads.shift, self.heads.rest
        assert shift is not None
        whole = shift.double() if rest is None else shift.double() + rest
        return (whole.masked_fill(shift >= 1e30, 0.0) / math.log2(math.e)).cpu().numpy()

    def looked(self, height: int, width: int) -> Looked:
        """Everything one wants to know of all heads, in one pass."""
        found = look(self.heads, LOOKED, height, width)
        named = (found.received, found.entropy, found.mean_distance, found.largest, found.read_most)
        numbers = [*named, self._shares(found.picture, height)]
        return ArrivingLooked(self._fetch(Looked, numbers, lambda exact: exact.looked(height, width)))

    def received(self, height: int, width: int) -> Received:
        """What every key gets, and the picture."""
        found = look(self.heads, ("received",), height, width)
        numbers = [found.received, self._shares(found.picture, height)]
        return ArrivingReceived(self._fetch(Received, numbers, lambda exact: exact.received(height, width)))

    def _fetch(self, kind: Any, numbers: list[Any], again: Callable[["Tensors"], Any]) -> Callable[[], Any]:
        """How the numbers are had: as they were sent, or, where the doubt was right, from the exact ones."""
        doubt = self.doubt
        if doubt is None:
            arrived = sent(numbers)
            return lambda: kind(*arrived())
        arrived = sent([*numbers, doubt.size])

        def fetch() -> Any:
            *found, size = arrived()
            return again(doubt.exactly()) if doubt.is_right(float(size)) else kind(*found)

        return fetch

    def _shares(self, picture: torch.Tensor | None, height: int) -> torch.Tensor:
        """From sums over a cell to what its queries give, on average: divided where it lies."""
        assert picture is not None
        return picture / _rows_of_cells(self.queries, height, picture.device)[:, None]


@lru_cache(maxsize=16)
def _rows_of_cells(queries: int, height: int, device: torch.device) -> torch.Tensor:
    """Copied once: a copy waits for all that the GPU still has to do."""
    return torch.from_numpy(np.diff(edges(0, queries, height))).to(device, torch.float32)


class OnDevice(Weights):
    """Every answer is computed where the tensors lie; only what was asked for is copied."""

    source: Tensors

    def _part(self, rows: slice | None = None, keys: slice | None = None) -> Heads:
        return self.source.part(self.head, rows, keys)

    def _shaped(self, found: torch.Tensor | None) -> np.ndarray:
        assert found is not None
        return _numbers(found).reshape(*self.heads, *found.shape[2:])

    def _tile(self, rows: slice, keys: slice) -> np.ndarray:
        return self._shaped(weights(self._part(rows, keys)))

    def received(self) -> np.ndarray:
        return self._shaped(look(self._part(), ("received",), -(-self.source.queries // ROWS)).received)

    def given(self) -> np.ndarray:
        return self._shaped(look(self._part(), ("given",)).given)

    def entropy(self) -> np.ndarray:
        return self._shaped(look(self._part(), ("entropy",)).entropy)

    def mean_distance(self) -> np.ndarray:
        return self._shaped(look(self._part(), ("mean_distance",)).mean_distance)

    def back(self, places: Sequence[int]) -> np.ndarray:
        return self._shaped(at(self._part(), places, back=True).mT)

    def _on(self, keys: list[int]) -> np.ndarray:
        return self._shaped(at(self._part(), keys, back=False).mT)

    def _top(self, count: int) -> Top:
        keys, weights = top(self._part(), count)
        return Top(keys.cpu().numpy().astype(np.int64).reshape(*self.heads, *keys.shape[2:]), self._shaped(weights))

    def _pictures(self, part: Part, pools: Sequence[Pool]) -> list[np.ndarray]:
        height, width = len(part.down) - 1, len(part.across) - 1
        if not height or not width:
            return [np.zeros((*self.heads, height, width)) for _ in pools]
        heads = self._part(part.rows, part.keys)
        return [self._shaped(look(heads, ("received",), height, width, pool).picture) for pool in pools]


def of_queries(
    q: Any, k: Any, lse: Any = None, visible: Any = None, scale: float | None = None, bias: Any = None
) -> OnDevice | None:
    """What `Weights.from_queries` takes, where the kernel can do it."""
    return None if objection(q, k) else made(q, k, lse, visible, scale, bias)


@torch.no_grad()
def made(
    q: torch.Tensor,
    k: torch.Tensor,
    lse: Any = None,
    visible: Any = None,
    scale: float | None = None,
    bias: Any = None,
    cap: float | None = None,
    sinks: torch.Tensor | None = None,
) -> OnDevice:
    lead = tuple(q.shape[:-2])
    if k.shape[-1] != q.shape[-1] or k.ndim != q.ndim or (lead and lead[-1] % k.shape[-3]) or lead[:-1] != k.shape[:-3]:
        raise ValueError(f"key heads must divide query heads, got q {tuple(q.shape)}, k {tuple(k.shape)}")
    four = [x.reshape((1,) * (4 - x.ndim) + tuple(x.shape)) for x in (q, k)]
    if lse is not None:
        lse = torch.as_tensor(lse, device=q.device)
        if lse.shape != q.shape[:-1]:
            raise ValueError(f"lse expects the shape {tuple(q.shape[:-1])}, got {tuple(lse.shape)}")
        lse = lse.reshape(four[0].shape[:-1])
    whole = (*lead, q.shape[-2], k.shape[-2])
    seen = _visible(visible, whole, q.device)
    if bias is not None and not isinstance(bias, ByDistance):
        bias = _spread("bias", torch.as_tensor(bias, device=q.device), whole)
    if isinstance(bias, ByDistance) and len(bias.table) != (count := lead[-1] if lead else 1):
        raise ValueError(f"the bias by distance expects one row per head ({count}), got {len(bias.table)}")
    scale = ROOT.factor(q.shape[-1]) if scale is None else float(scale)
    return OnDevice(Tensors(_heads(four[0], four[1], lse, seen, scale, bias, cap, sinks), lead))


def _heads(
    q: torch.Tensor, k: torch.Tensor, lse: torch.Tensor | None, seen: Any, scale: float, bias: Any, cap: Any, sinks: Any
) -> Heads:
    if lse is None or bias is not None or not isinstance(seen, Spans):
        return heads_of(q, k, lse, seen, scale, bias, cap, sinks)
    q, k = (x.detach() if x.stride(-1) == 1 else x.detach().contiguous() for x in (q, k))
    sight = _sight(seen, (*q.shape[:3], k.shape[2]), q.device)
    heads = Heads(q, k, sight, scale, None, cap, first=k.shape[2] - q.shape[2])
    return heads.divided(lse.to(q.device, torch.float32) * LOG2_E, None, sinks)


@lru_cache(maxsize=8)
def _sight(spans: Spans, whole: tuple[int, ...], device: torch.device) -> Sight:
    """Copied once for all layers: a copy waits for all that the GPU still has to do."""
    return sight_of(spans, whole, device)


def _visible(visible: Any, whole: tuple[int, ...], device: torch.device) -> Spans | torch.Tensor | None:
    """A rule or a mask as spans, where every row is one stretch of keys; else as True and False."""
    queries, keys = whole[-2:]
    if visible is None or visible is both or isinstance(visible, Spans):
        return None if visible is both else visible
    if visible is causal:
        return Spans(np.zeros(queries, np.int64), np.arange(keys - queries, keys) + 1)
    if isinstance(visible, Rule):
        place = torch.arange(keys, device=device)
        step = max(1, MASK_CELLS // keys)
        parts = [visible.tile(rows, place) for rows in place[keys - queries :].split(step)]
        spans = [Spans.of(part) for part in parts]
        if all(span is not None for span in spans):
            begin, end = (np.concatenate([getattr(span, name) for span in spans]) for name in ("begin", "end"))
            return Spans(begin, end)
        return torch.cat(parts)
    mask = torch.as_tensor(visible(keys) if callable(visible) else visible, device=device)
    if mask.dtype != torch.bool:
        raise ValueError(f"visible expects True (may look) and False, got {mask.dtype}")
    mask = of_last_queries(mask, queries, keys)
    _spread("visible", mask, whole)
    mask = mask.expand(*mask.shape[:-2], queries, keys)  # what is the same for all heads is looked at once
    return mask if (spans := Spans.of(mask)) is None else spans


def _spread(name: str, numbers: torch.Tensor, whole: tuple[int, ...]) -> torch.Tensor:
    try:
        return numbers.broadcast_to(whole)
    except RuntimeError:
        raise ValueError(f"{name} expects the shape {whole[-2:]} or {whole}, got {tuple(numbers.shape)}") from None


def _numbers(found: torch.Tensor | None) -> np.ndarray:
    assert found is not None
    if found.numel() <= FEW:  # new memory here costs more than a kernel there
        return found.double().cpu().numpy()
    return found.cpu().numpy().astype(np.float64)  # by one thread: to wake others takes longer than the work
