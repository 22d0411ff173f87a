"""The heads of a layer as looking knows them: q, k, who sees whom, what is added to scores, what divides rows."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch

from regard.attending.bias import ByDistance
from regard.attending.spans import Spans

LOG2_E = math.log2(math.e)
LARGE = 2**30  # weights: of so many it is worth while to know what each query sees, before it is looked at


class Sight(NamedTuple):
    """Who sees whom: from which key on, up to which (B, H, Q), and where that has gaps, a matrix (B, H, Q, K)."""

    begin: torch.Tensor
    end: torch.Tensor
    mask: torch.Tensor | None = None
    spans: Spans | None = None  # the same beginnings and ends where Python can read them without waiting, if it can


class Form(NamedTuple):
    """All that decides how heads are looked at, and none of their numbers: what was prepared for some heads serves all
    others of their form."""

    shape: tuple[int, int, int, int]  # B, H, Q, K
    key_heads: int
    width: int
    device: torch.device
    strides: tuple[int, ...]  # of q, k, and the others
    tensors: tuple[tuple[torch.dtype, bool] | None, ...]  # which there are, of what kind; whether aligned to 16 bytes
    has_cap: bool
    bias: str
    reach: int  # of a bias by distance
    spans: Spans | None  # where it matters that they are known
    is_causal: bool  # each query sees all keys up to its own place

    @property
    def dtype(self) -> torch.dtype:
        return self.tensors[0][0]  # pyright: ignore[reportOptionalSubscript]

    @property
    def has_rest(self) -> bool:
        return self.tensors[5] is not None

    @property
    def has_mask(self) -> bool:
        return self.tensors[6] is not None


@dataclass(frozen=True, eq=False)
class Heads:
    """All that looking needs to know of the heads of a layer."""

    q: torch.Tensor  # (B, H, Q, D)
    k: torch.Tensor  # (B, G, K, D): G key heads, each for H / G neighbouring query heads
    sight: Sight
    scale: float
    bias: torch.Tensor | None = None  # (B, H, Q, K); by distance (H, reach)
    cap: float | None = None
    shift: torch.Tensor | None = None  # (B, H, Q): log₂ of the sum of each row's powers,
    rest: torch.Tensor | None = None  # and what is left of it where one float32 would know too few of its digits
    first: int = 0  # where the first query stands among the keys

    @classmethod
    def of(
        cls,
        q: torch.Tensor,
        k: torch.Tensor,
        visible: Spans | torch.Tensor | None = None,
        scale: float = 1.0,
        bias: ByDistance | torch.Tensor | None = None,
        cap: float | None = None,
    ) -> "Heads":
        """From what `look` and `Scores` take; what each row is divided by is not known yet."""
        q, k = (x.detach() if x.stride(-1) == 1 else x.detach().contiguous() for x in (q, k))
        whole = (*q.shape[:3], k.shape[2])
        heads = cls(q, k, sight_of(visible, whole, q.device), scale, _bias(bias, whole, q.device), cap)
        return replace(heads, first=k.shape[2] - q.shape[2])

    def divided(self, high: torch.Tensor, low: torch.Tensor | None, sinks: torch.Tensor | None) -> "Heads":
        """With the logarithms that rows are divided by, in one part or two; a sink is one more score in them."""
        if sinks is not None:
            sink = (sinks.to(high.device, torch.float32)[:, None] * LOG2_E).expand_as(high)
            if low is None:
                high = torch.logaddexp2(high, sink)
            else:  # in the second part: one float32 for both would know too few digits of large scores
                low = torch.logaddexp2(low, sink - high).masked_fill(high == -math.inf, 0.0)
        # a row that sees nothing has no logarithm; 2^(score − 10^30) is 0
        return replace(self, shift=high.masked_fill(high == -math.inf, 1e30).contiguous(), rest=low)

    @property
    def shape(self) -> tuple[int, int, int, int]:
        batch, heads, queries, _ = self.q.shape
        return batch, heads, queries, self.k.shape[2]

    def part(self, text: slice, head: slice, rows: slice, keys: slice) -> "Heads":
        """Some of the texts, heads, neighbouring queries and neighbouring keys."""
        shared = self.q.shape[1] // self.k.shape[1]
        own = slice(head.start // shared, (head.stop - 1) // shared + 1)
        if head.stop - head.start > 1 and (head.start % shared or head.stop % shared):
            raise ValueError(f"heads that share keys are looked at together, or one alone, got {head}")
        begin, end, mask, _ = self.sight
        begin, end = begin[text, head, rows], end[text, head, rows]
        if keys.stop - keys.start < self.k.shape[2]:
            begin, end = (x.sub(keys.start).clamp_(0, keys.stop - keys.start) for x in (begin, end))
        bias = self.bias
        if bias is not None:
            bias = bias[head] if bias.ndim == 2 else bias[text, head, rows, keys]
        return replace(
            self,
            q=self.q[text, head, rows],
            k=self.k[text, own, keys],
            sight=Sight(_row_by_row(begin), _row_by_row(end), None if mask is None else mask[text, head, rows, keys]),
            bias=bias,
            shift=None if self.shift is None else self.shift[text, head, rows].contiguous(),
            rest=None if self.rest is None else self.rest[text, head, rows].contiguous(),
            first=self.first + rows.start - keys.start,
        )

    @cached_property
    def tensors(self) -> tuple[torch.Tensor | None, ...]:
        """As every kernel takes them."""
        sight = self.sight
        return self.q, self.k, sight.begin, sight.end, self.shift, self.rest, sight.mask, self.bias

    @cached_property
    def sizes(self) -> tuple[Any, ...]:
        """As every kernel takes them, after the tensors."""
        count, sight, bias = self.q.shape[1], self.sight, self.bias
        own = (*self.shape[2:], self.first, count, count // self.k.shape[1])
        factor = self.scale * (1.0 if self.cap is not None else LOG2_E)
        strides = (*self.q.stride()[:3], *self.k.stride()[:3], *sight.begin.stride()[:2])
        of_mask = (0, 0, 0, 0) if sight.mask is None else sight.mask.stride()
        of_bias = (0, 0, 0, 0)
        if bias is not None:
            of_bias = bias.stride() if bias.ndim == 4 else (0, bias.stride(0), 0, 0)
        return (*own, factor, self.cap or 1.0, *strides, *of_mask, *of_bias)

    @cached_property
    def form(self) -> Form:
        batch, count, queries, keys = self.shape
        bias = self.bias
        kind = "none" if bias is None else "matrix" if bias.ndim == 4 else "distance"
        return Form(
            self.shape,
            self.k.shape[1],
            self.q.shape[3],
            self.q.device,
            self.sizes[7:],
            tuple(None if x is None else (x.dtype, x.data_ptr() % 16 == 0) for x in self.tensors),
            self.cap is not None,
            kind,
            bias.shape[1] if bias is not None and kind == "distance" else 1,
            self.sight.spans if batch * count * queries * keys >= LARGE else None,
            self.sight.spans is not None and self.sight.spans.stairs == self.first + 1,
        )

    @cached_property
    def _blocks(self) -> dict[int, torch.Tensor]:
        return {}

    def blocks(self, size: int) -> torch.Tensor:
        """Of a mask with gaps: where a row sees anything among so many neighbouring keys, (B, H, Q, blocks)."""
        assert self.sight.mask is not None
        if size not in self._blocks:
            mask = _once(self.sight.mask)
            count = -(-self.k.shape[2] // size)
            padded = torch.nn.functional.pad(mask, (0, count * size - mask.shape[-1])) if mask.shape[-1] > 1 else mask
            some = padded.reshape(*mask.shape[:-1], -1, min(size, padded.shape[-1])).any(-1)
            self._blocks[size] = some.to(torch.uint8).expand(*self.shape[:3], count)
        return self._blocks[size]


def sight_of(visible: Spans | torch.Tensor | None, whole: tuple[int, ...], device: torch.device) -> Sight:
    batch, heads, queries, keys = whole
    if visible is None:
        visible = Spans.all(queries, keys)
    if isinstance(visible, Spans):
        ends = (_three_axes(torch.from_numpy(np.ascontiguousarray(x))) for x in (visible.begin, visible.end))
        begin, end = (x.to(device, torch.int32).expand(batch, heads, queries) for x in ends)
        return Sight(_row_by_row(begin), _row_by_row(end), None, visible)
    mask = visible.to(device)
    mask = mask.reshape((1,) * (4 - mask.ndim) + tuple(mask.shape))
    spread = mask.expand(*mask.shape[:3], keys)
    some = spread.any(-1)
    numbers = spread.to(torch.uint8)
    begin = numbers.argmax(-1).masked_fill(~some, 0)
    end = (keys - numbers.flip(-1).argmax(-1)).masked_fill(~some, 0)
    begin, end = (x.to(torch.int32).expand(batch, heads, queries) for x in (begin, end))
    return Sight(_row_by_row(begin), _row_by_row(end), mask.expand(whole))


def _bias(bias: ByDistance | torch.Tensor | None, whole: tuple[int, ...], device: torch.device) -> torch.Tensor | None:
    if bias is None:
        return None
    if isinstance(bias, ByDistance):
        return torch.as_tensor(bias.table).detach().to(device).contiguous()
    bias = bias.detach().to(device)
    return bias.reshape((1,) * (4 - bias.ndim) + tuple(bias.shape)).expand(whole)


def _three_axes(x: torch.Tensor) -> torch.Tensor:
    return x.reshape((1,) * (3 - x.ndim) + tuple(x.shape))


def _row_by_row(x: torch.Tensor) -> torch.Tensor:
    """Queries next to each other in memory; texts and heads may share them."""
    return x if x.stride(-1) == 1 or x.shape[-1] == 1 else x.contiguous()


def _once(x: torch.Tensor) -> torch.Tensor:
    """Without the axes along which it only repeats itself."""
    return x[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in x.stride())]
