"""Runs the description of a transformer at full speed: batches, fused attention, autograd, compile.

The same verbs as Glass (models/glass.py), carried out by torch. Nothing is kept except what autograd needs.
"""

from collections.abc import Callable
from functools import reduce

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.attending.bias import ByDistance
from regard.attending.door import attend
from regard.attending.masks import Visible, narrowed
from regard.attending.positions import RotaryPositions
from regard.models.surprise import mean_surprise
from regard.ops.scaling import Scaling

CURVES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "relu": F.relu,
    "tanh": torch.tanh,
}


class Fast:
    """The verbs of models/transformer.py on tensors of shape (batch, tokens, …)."""

    def __init__(self, dropout: float = 0.0, start: int = 0):
        self.dropout, self.start = dropout, start  # start: the position of the first token

    def within(self, name: str) -> "Fast":
        """Names are for looking inside, which nobody does here."""
        return self

    def drop(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, self.dropout) if self.dropout else x

    # words and positions

    def embed(self, name: str, table: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return _short(F.embedding(ids, table))

    def add_segments(self, x: torch.Tensor, table: torch.Tensor, segments: torch.Tensor | None) -> torch.Tensor:
        return x + (table[0] if segments is None else F.embedding(segments, table)).to(x.dtype)

    def add_positions(self, x: torch.Tensor, table: torch.Tensor, offset: int) -> torch.Tensor:
        end, most = self.start + x.shape[1], table.shape[0] - offset
        if end > most:
            raise ValueError(f"this model reads at most {most} tokens, got {end}; pass a shorter text")
        return x + table[self.start + offset : end + offset].to(x.dtype)

    def add_waves(self, x: torch.Tensor) -> torch.Tensor:
        tokens, width = x.shape[1:]
        dimension = torch.arange(width, device=x.device)
        angle = self._places(tokens, x)[:, None] / 10_000.0 ** ((dimension // 2 * 2).to(_exact(x)) / width)
        return x + torch.where(dimension % 2 == 0, angle.sin(), angle.cos()).to(x.dtype)

    def rotate(self, name: str, x: torch.Tensor, by: RotaryPositions) -> torch.Tensor:
        turned = by.turned(x.shape[-1])
        half = turned // 2
        frequency = by.frequency(torch.arange(half, device=x.device, dtype=_exact(x)), half)
        angle = (self._places(x.shape[-2], x)[:, None] * frequency).repeat(1, 2)
        still = x[..., turned:]
        x = x[..., :turned]
        first, second = x.chunk(2, dim=-1)
        partner = torch.cat([-second, first], dim=-1)
        result = x * angle.cos().to(x.dtype) + partner * angle.sin().to(x.dtype)
        return torch.cat([result, still], dim=-1) if still.shape[-1] else result

    def _places(self, tokens: int, like: torch.Tensor) -> torch.Tensor:
        return torch.arange(self.start, self.start + tokens, device=like.device, dtype=_exact(like))

    # linear maps

    def heads(self, name: str, x: torch.Tensor, W: torch.Tensor, bias: torch.Tensor | None, axes: str) -> torch.Tensor:
        heads, width, head_width = W.shape
        flat = W.transpose(0, 1).reshape(width, heads * head_width)
        result = F.linear(x, flat.mT, None if bias is None else bias.reshape(-1))
        return result.view(*result.shape[:-1], heads, head_width).transpose(1, 2)

    def share(self, name: str, x: torch.Tensor, heads: int) -> torch.Tensor:
        return x  # the fused kernels share key/value heads themselves

    def linear(self, name: str, x: torch.Tensor, W: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
        return F.linear(x, W.mT, bias)

    def unembed(
        self, name: str, x: torch.Tensor, W: torch.Tensor, bias: torch.Tensor | None = None, cap: float | None = None
    ) -> torch.Tensor:
        logits = F.linear(x, W, bias)
        return logits if cap is None else torch.tanh(logits / cap) * cap

    # attention

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
        scale = scaling.factor(q.shape[-1])
        return attend(q, k, v, narrowed(visible, window), scale, bias, self.dropout, cap=cap).context

    def join(self, context: torch.Tensor, W_O: torch.Tensor | None, bias: torch.Tensor | None) -> torch.Tensor:
        side_by_side = context.transpose(1, 2).flatten(2)
        return side_by_side if W_O is None else F.linear(side_by_side, W_O.flatten(0, 1).mT, bias)

    def join_by_adding(
        self, context: torch.Tensor, W_O: torch.Tensor | None, bias: torch.Tensor | None
    ) -> torch.Tensor:
        summed = context.sum(1)
        return summed if W_O is None else F.linear(summed, W_O.mT, bias)

    # the rest of a block

    def layer_norm(
        self, name: str, x: torch.Tensor, gain: torch.Tensor | None, bias: torch.Tensor | None, epsilon: float
    ) -> torch.Tensor:
        return F.layer_norm(x, x.shape[-1:], gain, bias, epsilon)

    def rms_norm(self, name: str, x: torch.Tensor, gain: torch.Tensor | None, epsilon: float) -> torch.Tensor:
        return F.rms_norm(x if gain is None else x.to(gain.dtype), x.shape[-1:], gain, epsilon)

    def activate(self, name: str, x: torch.Tensor, curve: str) -> torch.Tensor:
        return CURVES[curve](x)

    def multiply(self, name: str, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * b

    def times(self, name: str, x: torch.Tensor, number: float) -> torch.Tensor:
        return x * number

    def add(self, name: str, *terms: torch.Tensor) -> torch.Tensor:
        return reduce(torch.add, terms)

    # prediction

    def read(self, name: str, x: torch.Tensor, position: int) -> torch.Tensor:
        return x[:, position]

    def read_several(self, name: str, x: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return x.gather(1, places[..., None].expand(-1, -1, x.shape[-1]))

    def probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.float().softmax(-1) if logits.dtype != torch.float64 else logits.softmax(-1)

    def surprise(self, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """−ln of the probability of each target; targets below 0 are ignored."""
        return F.cross_entropy(logits.flatten(0, -2), targets.flatten(), ignore_index=-1, reduction="none")

    def mean_surprise(
        self,
        name: str,
        x: torch.Tensor,
        table: torch.Tensor,
        bias: torch.Tensor | None,
        targets: torch.Tensor,
        cap: float | None = None,
    ) -> torch.Tensor:
        if torch.is_grad_enabled() and cap is None:
            return mean_surprise(x, table, bias, targets)
        return self.surprise(self.unembed("logits", x, table, bias, cap), targets).mean()


def _short(x: torch.Tensor) -> torch.Tensor:
    """The stream in the precision that matrices are multiplied in: half the bytes for all that adds to it.

    Sums are still taken exactly where many numbers meet: inside norms, softmax, products and the loss.
    """
    kind = x.device.type
    return x.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else x


def _exact(like: torch.Tensor) -> torch.dtype:
    """Angles are computed in single precision at least, whatever the model runs in."""
    return torch.float64 if like.dtype == torch.float64 else torch.float32
