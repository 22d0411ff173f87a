"""Generation: the model predicts a word, the word is added to the text, and so on.

Keys and values of what was read are remembered, so each new word costs one position and not the whole text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from regard.attending.bias import ByDistance
from regard.attending.masks import Visible, causal
from regard.models.fast import Fast
from regard.models.network import Network
from regard.ops.scaling import Scaling

Memory = dict[str, tuple[torch.Tensor, torch.Tensor]]  # by layer: the keys and values of what was read


@dataclass(frozen=True)
class Choice:
    """How a word is chosen from the probabilities; temperature 0 always takes the most probable.

    >>> Choice(temperature=0.0)
    Choice(temperature=0.0, top=0, mass=1.0, seed=0)
    """

    temperature: float = 0.8
    top: int = 0  # only among this many of the most probable; 0: among all
    mass: float = 1.0  # only among the most probable that together have this share (top-p)
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < float("inf"):
            raise ValueError(f"temperature must be 0 or more, got {self.temperature}")
        if self.top < 0:
            raise ValueError(f"top must be a number of words, or 0 for all of them, got {self.top}")
        if not 0 < self.mass <= 1:
            raise ValueError(f"mass must be above 0 and at most 1, got {self.mass}")

    def probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        """What is drawn from: the softmax of logits / temperature, the improbable words taken out.

        >>> Choice(1.0, mass=0.6).probabilities(torch.tensor([0.5, 0.3, 0.2]).log()).round(decimals=3).tolist()
        [0.625, 0.375, 0.0]
        """
        if not self.temperature:
            return torch.nn.functional.one_hot(logits.argmax(), len(logits)).double()
        # shifted first: a tiny temperature must not make infinities
        scaled = (logits.double() - logits.max()) / self.temperature
        shares, order = scaled.softmax(-1).sort(descending=True, stable=True)
        before = shares.cumsum(-1) - shares
        kept = before < self.mass
        if self.top:
            kept[self.top :] = False
        kept[0] = True
        shares = shares * kept
        return torch.empty_like(shares).scatter_(0, order, shares / shares.sum())


class FastWithMemory(Fast):
    """Fast on the new tokens of a text, with the keys and values of those before."""

    def __init__(self, memory: Memory, start: int, layer: str = ""):
        super().__init__(start=start)
        self.memory, self.layer = memory, layer

    def within(self, name: str) -> "FastWithMemory":
        return FastWithMemory(self.memory, self.start, name)

    def attend(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        visible: Visible | torch.Tensor,
        scaling: Scaling,
        bias: ByDistance[torch.Tensor] | None,
        window: int = 0,
        cap: float | None = None,
    ) -> torch.Tensor:
        if self.layer in self.memory:
            keys, values = self.memory[self.layer]
            k, v = torch.cat([keys, k], dim=-2), torch.cat([values, v], dim=-2)
        self.memory[self.layer] = k, v
        return super().attend(q, k, v, visible, scaling, bias, window, cap)


@torch.no_grad()
def generate(network: Network, ids: Sequence[int], choice: Choice, most: int, end: int | None = None) -> Iterator[int]:
    """New tokens, one after the other: at most `count`, and none after `end`. The same seed writes the same text."""
    if not ids:
        raise ValueError("there is nothing to continue; give at least one token")
    if network.visible is not causal:
        raise ValueError("this model reads both ways, so it cannot continue a text; only causal models can")
    device, reach = next(network.parameters()).device, network.settings.max_tokens
    chance = torch.Generator().manual_seed(choice.seed)
    text, read = list(ids), 0
    memory: Memory = {}
    for _ in range(most):
        if len(text) > reach or not memory:  # too long to be remembered: read the later half again
            text = text[-max(1, reach // 2) :] if len(text) > reach else text
            memory, read = {}, 0
        new = torch.tensor([text[read:]], device=device)
        logits = _last_logits(network, new, memory, read)
        read = len(text)
        shares = choice.probabilities(logits.float().cpu())
        token = int(torch.multinomial(shares, 1, generator=chance))
        yield token
        if token == end:
            return
        text.append(token)


def _last_logits(network: Network, new: torch.Tensor, memory: Memory, read: int) -> torch.Tensor:
    return network.last_logits(FastWithMemory(memory, read), new)[0]
