"""torch's own choice among its fused kernels, called by its name: the same output, and the log-sum-exp that it computes
anyway and `scaled_dot_product_attention` keeps to itself.
"""

import math
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)
from torch.nn.attention import SDPBackend

from regard.attending.kernels.kernel import Answer, Asked, lacks
from regard.attending.masks import causal

# as torch itself defines it, also while F.scaled_dot_product_attention is being watched
ATTENTION = F.scaled_dot_product_attention
NAMES = {way.value: name.lower() for name, way in SDPBackend.__members__.items()}  # by torch's numbers


class Fused(NamedTuple):
    """What each query reads, the log-sum-exp of each row where the kernel gives it, and which kernel it was."""

    context: torch.Tensor
    lse: torch.Tensor | None  # (B, H, Q)
    kernel: str


def fused(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Fused:
    """`scaled_dot_product_attention`, bit for bit, with its log-sum-exp where the kernel that torch chooses has one.

    >>> q = torch.ones(1, 2, 3, 4)
    >>> fused(q, q, q, is_causal=True).lse[0, 0].sub(2.0).exp()
    tensor([1., 2., 3.])
    """
    way = _chosen(q, k, v, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    called = CALLS.get((q.device.type, way))
    if called is None or not can_be_called(q, k, v, attn_mask, dropout_p):
        context = ATTENTION(q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        return Fused(context, None, way)
    mask = None if attn_mask is None else _numbers(attn_mask, q)
    context, lse = called(torch.ops.aten if torch.compiler.is_compiling() else torch, q, k, v, mask, is_causal, scale)
    if lse.requires_grad:
        lse = lse.detach()
    if lse.shape != q.shape[:-1]:  # with one more axis, or rows to fill a block
        lse = lse.reshape(*lse.shape[:2], -1)[..., : q.shape[-2]]
    return Fused(context, lse, way)


def _chosen(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    mask: torch.Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> str:
    """Which kernel torch itself would take."""
    if torch.compiler.is_compiling():
        return _chosen_while_compiling(q, mask)
    if torch.is_autocast_enabled(q.device.type) or q.ndim != 4:
        return "math"
    choose: Any = torch._fused_sdp_choice  # pyright: ignore[reportPrivateImportUsage]
    return NAMES[choose(q, k, v, mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)]


def _chosen_while_compiling(q: torch.Tensor, mask: torch.Tensor | None) -> str:
    """A compiler cannot ask torch: a kernel that is always there for such a question."""
    on_cpu, is_half = q.device.type == "cpu", q.dtype in (torch.float16, torch.bfloat16)
    return "flash_attention" if on_cpu or (is_half and mask is None) else "efficient_attention"


def can_be_called(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None, dropout_p: float
) -> bool:
    """Dropout draws numbers, odd widths and masks are padded first: then only torch's own way in gives the same."""
    if dropout_p or q.shape[-1] != v.shape[-1]:
        return False
    return q.device.type == "cpu" or (q.shape[-1] % 8 == 0 and (mask is None or k.shape[-2] % 8 == 0))


def _numbers(mask: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """A mask of True and False as the numbers that are added to the scores."""
    if mask.dtype != torch.bool:
        return mask
    return torch.zeros_like(mask, dtype=q.dtype).masked_fill_(~mask, -math.inf)


# torch's own functions; a compiler wants them as operators, which take longer to call than a small kernel runs


def _flash_cpu(own: Any, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float | None) -> Any:
    return own._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, is_causal, attn_mask=mask, scale=scale)


def _flash_cuda(own: Any, q: Any, k: Any, v: Any, _mask: Any, is_causal: bool, scale: float | None) -> Any:
    return own._scaled_dot_product_flash_attention(q, k, v, 0.0, is_causal, scale=scale)[:2]


def _cudnn(own: Any, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float | None) -> Any:
    return own._scaled_dot_product_cudnn_attention(q, k, v, mask, True, 0.0, is_causal, scale=scale)[:2]


def _efficient(own: Any, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float | None) -> Any:
    mask = None if mask is None else mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    return own._scaled_dot_product_efficient_attention(q, k, v, mask, True, 0.0, is_causal, scale=scale)[:2]


CALLS = {
    ("cpu", "flash_attention"): _flash_cpu,
    ("cuda", "flash_attention"): _flash_cuda,
    ("cuda", "cudnn_attention"): _cudnn,
    ("cuda", "efficient_attention"): _efficient,
}


class WithLse:
    name = "fused"
    about = "torch's fused attention, called by name for its log-sum-exp"

    def objection(self, asked: Asked) -> str | None:
        if asked.dropout:
            return "does not apply dropout to weights"
        if asked.v.shape[-1] != asked.q.shape[-1]:
            return "needs values of the same width as queries"
        if not asked.q.numel() or not asked.k.numel():
            return "needs at least one query and one key"
        if asked.learns_bias and asked.q.device.type == "cpu":
            return "gives no gradient to the bias"
        if problem := lacks(asked, ("lse",)) or (None if _looks_back(asked) else asked.large_mask):
            return problem
        mask, *rest = self._given(asked)
        way = _chosen(asked.q, asked.k, asked.v, mask, *rest)
        can = can_be_called(asked.q, asked.k, asked.v, mask, 0.0)
        if not can or (asked.q.device.type, way) not in CALLS:
            return f"has no fused kernel for {asked.q.dtype} of width {asked.q.shape[-1]} on {asked.q.device.type}"
        return None

    def run(self, asked: Asked) -> Answer:
        mask, *rest = self._given(asked)
        found = fused(asked.q, asked.k, asked.v, mask, *rest)
        lse = found.lse
        if lse is not None and mask is not None:  # a row that sees nothing has 0, or whatever was there
            sees = mask.any(-1) if mask.dtype == torch.bool else (mask != -math.inf).any(-1)
            lse = lse.masked_fill(~sees, -math.inf)
        return Answer(found.context, lse if "lse" in asked.also else None)

    def _given(self, asked: Asked) -> tuple[Any, ...]:
        """Mask, dropout, whether it is causal, scale, and whether heads share keys, as torch takes them."""
        looks_back = _looks_back(asked)
        mask = None if looks_back else asked.mask()
        mask = None if mask is None else mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
        return mask, 0.0, looks_back, asked.scale, asked.is_grouped


def _looks_back(asked: Asked) -> bool:
    return asked.visible is causal and asked.bias is None and asked.queries == asked.keys


KERNEL = WithLse()
