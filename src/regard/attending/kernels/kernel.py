"""What a kernel is asked, what it answers, and how it says that it cannot."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import torch

from regard.attending.bias import ByDistance
from regard.attending.masks import Rule

LARGEST_MASK = 2**28  # cells of a mask made for one call; beyond that, tiles are better
# what can be asked for besides the context
NAMED = {"lse": "log-sum-exp of each row", "weights": "weights"}


@dataclass(frozen=True, eq=False)
class Asked:
    """Everything a kernel needs to know. The door (attending/door.py) has checked that it fits together."""

    q: torch.Tensor  # (B, H, Q, D)
    k: torch.Tensor  # (B, G, K, D): G key/value heads, each for H / G neighbouring query heads
    v: torch.Tensor  # (B, G, K, E)
    visible: Rule | torch.Tensor | None = None  # None: everybody sees everything; a tensor broadcasts to (B, H, Q, K)
    scale: float = 1.0
    bias: ByDistance | torch.Tensor | None = None
    dropout: float = 0.0
    also: tuple[str, ...] = ()  # "lse", "weights"
    cap: float | None = None  # scores stay between ±cap

    @property
    def queries(self) -> int:
        return self.q.shape[-2]

    @property
    def keys(self) -> int:
        return self.k.shape[-2]

    @property
    def is_grouped(self) -> bool:
        return self.q.shape[1] != self.k.shape[1]

    @property
    def learns_bias(self) -> bool:
        table = self.bias.table if isinstance(self.bias, ByDistance) else self.bias
        return table is not None and table.requires_grad and torch.is_grad_enabled()

    def places(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Positions of queries and keys; where there are fewer queries, they are the last of the tokens."""
        place = torch.arange(self.keys, device=self.q.device)
        if self.queries == self.keys:
            return place, place
        return torch.arange(self.keys - self.queries, self.keys, device=self.q.device), place

    def allowed(self) -> torch.Tensor | None:
        """Who may look at whom as one tensor: True for yes."""
        return self.visible.tile(*self.places()) if isinstance(self.visible, Rule) else self.visible

    def added(self) -> torch.Tensor | None:
        """What is added to the scores, as one tensor."""
        bias = self.bias.tile(*self.places())[None] if isinstance(self.bias, ByDistance) else self.bias
        return None if bias is None else bias.to(self.q.dtype)

    def mask(self) -> torch.Tensor | None:
        """Both in one, as fused kernels take them: True and False, or numbers with −inf for what is hidden."""
        allowed, added = self.allowed(), self.added()
        if added is None or allowed is None:
            return allowed if added is None else added
        return added.masked_fill(~allowed, -math.inf)

    @property
    def large_mask(self) -> str | None:
        """The objection of a kernel that would have to make a mask of all queries × keys, if that is large."""
        made = isinstance(self.visible, Rule) or isinstance(self.bias, ByDistance)
        heads = self.q.shape[1] if isinstance(self.bias, ByDistance) else 1
        if not made or heads * self.queries * self.keys <= LARGEST_MASK:
            return None
        return f"would need a mask of {self.queries:,} × {self.keys:,}"


class Answer(NamedTuple):
    """What each query reads (B, H, Q, E), and what else was asked for."""

    context: torch.Tensor
    lse: torch.Tensor | None = None  # (B, H, Q); −inf where nothing is seen; carries no gradient
    weights: torch.Tensor | None = None  # (B, H, Q, K)


class Kernel(Protocol):
    """One way to compute attention."""

    name: str
    about: str

    def objection(self, asked: Asked) -> str | None:
        """Why it cannot answer this, in words; None if it can."""
        ...

    def run(self, asked: Asked) -> Answer: ...


def lacks(asked: Asked, gives: tuple[str, ...]) -> str | None:
    """The objection of a fused kernel that does not give all that is asked for."""
    if asked.cap is not None:
        return "does not cap scores"
    missing: list[Any] = [NAMED[name] for name in asked.also if name not in gives]
    return f"does not give the {' and '.join(missing)}" if missing else None
