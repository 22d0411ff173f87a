"""torch's fused attention for the CPU, called directly for the log-sum-exp, which sdpa keeps to itself."""

import math

import torch

from regard.attending.kernels.kernel import Answer, Asked, lacks
from regard.attending.masks import causal


class FlashCPU:
    name = "flash_cpu"
    about = "torch's fused attention for the CPU, with log-sum-exp"

    def objection(self, asked: Asked) -> str | None:
        if not hasattr(torch.ops.aten, "_scaled_dot_product_flash_attention_for_cpu"):
            return "this torch does not have it"
        if asked.q.device.type != "cpu":
            return "needs tensors on the CPU"
        if asked.v.shape[-1] != asked.q.shape[-1]:
            return "needs values of the same width as queries"
        if not asked.q.numel() or not asked.k.numel():
            return "needs at least one query and one key"
        if asked.dropout:
            return "does not apply dropout to weights"
        if asked.learns_bias:
            return "gives no gradient to the bias"
        return lacks(asked, ("lse",)) or (None if _looks_back(asked) else asked.large_mask)

    def run(self, asked: Asked) -> Answer:
        looks_back = _looks_back(asked)
        mask = None if looks_back else asked.mask()
        if mask is not None and mask.dtype == torch.bool:
            mask = torch.zeros_like(mask, dtype=asked.q.dtype).masked_fill_(~mask, -math.inf)
        if mask is not None:
            mask = mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
        context, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            asked.q, asked.k, asked.v, 0.0, looks_back, attn_mask=mask, scale=asked.scale
        )
        lse = lse.detach()
        if mask is not None:  # it gives 0 for rows that see nothing
            lse = lse.masked_fill((mask == -math.inf).all(-1), -math.inf)
        return Answer(context, lse if "lse" in asked.also else None)


def _looks_back(asked: Asked) -> bool:
    return asked.visible is causal and asked.bias is None and asked.queries == asked.keys


KERNEL = FlashCPU()
