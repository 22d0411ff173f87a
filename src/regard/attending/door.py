"""Attention has one door: each question goes to the fastest kernel that can answer it.

>>> import math
>>> q, k, v = torch.ones(3, 1, 2, 5, 4)
>>> attend(q, k, v, causal).context.shape
torch.Size([1, 2, 5, 4])
>>> attend(q, k, v, causal, also=("lse",)).lse[0, 0].exp()[:3] / math.e**2
tensor([1.0000, 2.0000, 3.0000])
"""

from collections.abc import Sequence
from typing import Any

import torch

from regard.attending.bias import ByDistance
from regard.attending.kernels import KERNELS, Answer, Asked, Kernel
from regard.attending.kernels.kernel import NAMED
from regard.attending.masks import Rule, both, causal, of_last_queries
from regard.ops.scaling import ROOT

__all__ = ["ask", "attend", "causal", "chosen"]


def attend(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    visible: Any = None,
    scale: float | None = None,
    bias: Any = None,
    dropout: float = 0.0,
    also: Sequence[str] = (),
    cap: float | None = None,
) -> Answer:
    """What each query reads: softmax(q·kᵀ·scale + bias)·v over the keys it may see; zeros where it may see none.

    q is (B, H, Q, D), k and v (B, G, K, …) with as many heads as q or fewer, which neighbouring query heads share.
    `visible` is a Rule such as `causal`, a function of the number of tokens, an array that is True where a query may
    look, or nothing; `scale` is 1/√D by default; `bias` is ByDistance or numbers to add to the scores.
    Where there are fewer queries than keys, they are the last of the tokens. `also` asks for "lse" or "weights".
    With a `cap`, a score s becomes cap·tanh(s / cap) before anything is added to it.
    """
    asked = ask(q, k, v, visible, scale, bias, dropout, also, cap)
    return chosen(asked).run(asked)


def ask(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    visible: Any = None,
    scale: float | None = None,
    bias: Any = None,
    dropout: float = 0.0,
    also: Sequence[str] = (),
    cap: float | None = None,
) -> Asked:
    """The question, checked: it can be put to every kernel."""
    _check_shapes(q, k, v)
    for name in also:
        if name not in NAMED:
            raise ValueError(f"also expects {' or '.join(NAMED)}, got {name!r}")
    seen = _visible(visible, q, k)
    scale = ROOT.factor(q.shape[-1]) if scale is None else scale
    return Asked(q, k, v, seen, scale, _bias(bias, q, k), dropout, tuple(also), cap)


def chosen(asked: Asked, kernels: Sequence[Kernel] = KERNELS) -> Kernel:
    """The first kernel without an objection."""
    for kernel in kernels:
        if kernel.objection(asked) is None:
            return kernel
    reasons = "; ".join(f"{kernel.name} {kernel.objection(asked)}" for kernel in kernels)
    raise ValueError(f"no kernel can do this: {reasons}")


def _check_shapes(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> None:
    fits = (
        q.ndim == k.ndim == v.ndim == 4
        and q.shape[0] == k.shape[0]
        and q.shape[-1] == k.shape[-1]
        and k.shape[:-1] == v.shape[:-1]
        and k.shape[1] > 0
        and q.shape[1] % k.shape[1] == 0
    )
    if not fits:
        raise ValueError(
            f"expected (batch, heads, queries, width), got q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}; "
            "k and v have one row per key, and as many heads as q or a number that divides it"
        )


def _visible(visible: Any, q: torch.Tensor, k: torch.Tensor) -> Rule | torch.Tensor | None:
    queries, keys = q.shape[-2], k.shape[-2]
    if visible is None or visible is both:
        return None
    if isinstance(visible, Rule):
        return visible
    mask = torch.as_tensor(visible(keys) if callable(visible) else visible, device=q.device)
    if mask.dtype != torch.bool:
        raise ValueError(f"visible expects True (may look) and False, got {mask.dtype}")
    return _spreads("visible", of_last_queries(mask, queries, keys), q, k)


def _bias(bias: Any, q: torch.Tensor, k: torch.Tensor) -> ByDistance | torch.Tensor | None:
    if bias is None:
        return None
    if not isinstance(bias, ByDistance):
        return _spreads("bias", torch.as_tensor(bias, device=q.device), q, k)
    if bias.table.shape[0] != q.shape[1]:
        raise ValueError(f"the bias by distance expects one row per head ({q.shape[1]}), got {bias.table.shape[0]}")
    return bias


def _spreads(name: str, numbers: torch.Tensor, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    whole = (q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    if numbers.ndim > 4 or any(n not in (1, whole[-i]) for i, n in enumerate(reversed(numbers.shape), start=1)):
        raise ValueError(f"{name} expects the shape {whole}, or one that broadcasts to it, got {tuple(numbers.shape)}")
    return numbers
