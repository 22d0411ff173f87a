"""The formula as it is written: every score and every weight at once. The yardstick of the others, and for short texts.

softmax(q·kᵀ·scale + bias)·v
"""

import math

import torch
import torch.nn.functional as F  # noqa: N812

from regard.attending.kernels.kernel import Answer, Asked

LARGEST = 2**30  # cells of all heads together: 4 GB in single precision


class Plain:
    name = "plain"
    about = "the formula as written, with every weight"

    def objection(self, asked: Asked) -> str | None:
        cells = math.prod(asked.q.shape[:-1]) * asked.keys
        if cells > LARGEST:
            return f"would store {cells:,} weights"
        return None

    def run(self, asked: Asked) -> Answer:
        k, v = _for_every_head(asked.k, asked), _for_every_head(asked.v, asked)
        scores = (asked.q * asked.scale) @ k.mT
        scores = scores if asked.cap is None else torch.tanh(scores / asked.cap) * asked.cap
        mask, hidden = asked.mask(), None
        if mask is not None and mask.dtype == torch.bool:
            hidden = ~mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~(mask | hidden), -math.inf)
        elif mask is not None:
            hidden = (mask == -math.inf).all(-1, keepdim=True)
            scores = scores + mask.masked_fill(hidden, 0.0)
        weights = scores.softmax(-1)
        # a row that sees nothing was shown everything, since 0 / 0 is NaN; it reads none of it
        weights = weights if hidden is None else weights.masked_fill(hidden, 0.0)
        weights = F.dropout(weights, asked.dropout) if asked.dropout else weights
        lse = torch.logsumexp(scores.detach(), -1) if "lse" in asked.also else None
        if lse is not None and hidden is not None:
            lse = lse.masked_fill(hidden[..., 0], -math.inf)
        return Answer(weights @ v, lse, weights if "weights" in asked.also else None)


def _for_every_head(x: torch.Tensor, asked: Asked) -> torch.Tensor:
    return x.repeat_interleave(asked.q.shape[1] // x.shape[1], dim=1) if asked.is_grouped else x


KERNEL = Plain()
