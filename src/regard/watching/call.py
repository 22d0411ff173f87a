"""One call of attention inside a model: everything needed to compute any of its weights again."""

import math
from typing import Any, NamedTuple

import torch

from regard.attending.spans import Spans
from regard.watching.handing_over import NONE, Own
from regard.watching.keeping import Keeper
from regard.watching.reading_masks import Sight

ROWS_TO_CHECK = 8  # of the output, kept to compare with


class Call(NamedTuple):
    q: torch.Tensor  # (B, H, Q, D)
    k: torch.Tensor  # (B, G, K, D)
    v: torch.Tensor  # (B, G, K, E)
    sight: Sight
    scale: float
    context: torch.Tensor  # (B, H, Q, E): what the model's own kernel gave; once it is kept, of the `sampled` queries
    kernel: str
    lse: torch.Tensor | None = None  # (B, H, Q), where the kernel gave it; without sinks
    cap: float | None = None
    sinks: torch.Tensor | None = None  # (H,)
    dropout: float = 0.0  # of the weights, while learning: the weights kept are those before it
    own: Own = NONE  # what nobody else will write into

    @property
    def bytes(self) -> int:
        kept = (self.q, self.k, self.v, *(x for x in (self.lse, self.sight.bias) if x is not None))
        return sum(x.numel() * x.element_size() for x in kept)

    def kept(self, keeper: Keeper) -> "Call":
        """With copies of its own of whatever others might write into, and some rows of its context alone."""
        q, k, v = keeper.keep((self.q, self.k, self.v), self.own)
        return self._replace(
            q=_whole(q),
            k=_whole(k),
            v=_whole(v),
            context=some_rows(self.context).clone(),
            lse=None if self.lse is None else keeper.take(trimmed(self.lse, self.q)),  # only the call has it
            sinks=None if self.sinks is None else self.sinks.detach(),
            own=NONE,
        )

    def with_heads(self, heads: list[int], key_heads: list[int]) -> "Call":
        """The same call as these heads made it."""

        def of(x: torch.Tensor | None, axis: int = 1) -> Any:
            return None if x is None else x.index_select(axis, torch.tensor(heads, device=x.device))

        keys = torch.tensor(key_heads, device=self.k.device)
        sight = Sight(*(_of_heads(part, heads, self.q.shape[1]) for part in self.sight))
        return self._replace(
            q=of(self.q),
            k=self.k.index_select(1, keys),
            v=self.v.index_select(1, keys),
            sight=sight,
            context=of(self.context),
            lse=of(self.lse),
            sinks=of(self.sinks, 0),
            own=NONE,
        )


def _of_heads(part: Any, heads: list[int], every: int) -> Any:
    """Who sees whom, or what is added, where it differs by head: (…, H, Q, K), or spans (…, H, Q)."""
    if isinstance(part, Spans):
        differs = part.begin.ndim >= 2 and part.begin.shape[-2] == every > 1
        return Spans(part.begin[..., heads, :], part.end[..., heads, :]) if differs else part
    if part is not None and part.ndim >= 3 and part.shape[-3] == every > 1:
        return part[..., heads, :, :]
    return part


def some_rows(context: torch.Tensor) -> torch.Tensor:
    """(B, H, Q, E): of the `sampled` queries."""
    rows = sampled(context.shape[2])
    return context.detach()[:, :, rows.start :: rows.step]


def _whole(x: torch.Tensor) -> torch.Tensor:
    """Not as a small part of something large, which it would hold."""
    return x if x.untyped_storage().nbytes() == x.nbytes else x.clone()


def trimmed(lse: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """(B, H, Q): some kernels give one more axis, or rows to fill a block."""
    lse = lse.detach()
    return lse if lse.shape == q.shape[:-1] else lse.reshape(*lse.shape[:2], -1)[..., : q.shape[-2]]


def sampled(queries: int) -> range:
    """Rows to compare with, spread evenly, the last one among them.

    >>> list(sampled(100)), list(sampled(3))
    ([8, 21, 34, 47, 60, 73, 86, 99], [0, 1, 2])
    """
    step = math.ceil(queries / ROWS_TO_CHECK)
    return range((queries - 1) % step, queries, step)
