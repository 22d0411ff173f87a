"""torch's own fused attention: whichever it finds fastest on the device. Gives the context and nothing else."""

import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

from regard.attending.kernels.kernel import Answer, Asked, lacks
from regard.attending.masks import causal


class Sdpa:
    name = "sdpa"
    about = "torch's scaled_dot_product_attention"

    def objection(self, asked: Asked) -> str | None:
        return lacks(asked, ()) or (None if _looks_back(asked) else asked.large_mask)

    def run(self, asked: Asked) -> Answer:
        looks_back = _looks_back(asked)
        context = F.scaled_dot_product_attention(
            asked.q,
            asked.k,
            asked.v,
            attn_mask=None if looks_back else asked.mask(),
            dropout_p=asked.dropout,
            is_causal=looks_back and asked.queries > 1,
            scale=asked.scale,
            enable_gqa=asked.is_grouped,
        )
        return Answer(context)


def _looks_back(asked: Asked) -> bool:
    """Causal in the way that needs no mask: torch counts queries from the first key, so they must be all or one."""
    return asked.visible is causal and asked.bias is None and asked.queries in (1, asked.keys)


KERNEL = Sdpa()
