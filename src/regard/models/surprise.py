"""The mean surprise of a model at its targets, and its gradients, computed in one go.

The scores of a vocabulary are by far the largest numbers of an update: 64 texts of 1,024 tokens have 3.3 billion of
them. Each row of scores is turned at once into its surprise and its gradient (probability − target), and that into the
gradients of the vectors and of the table, so the scores are read once and nothing of their size is kept.
"""

from importlib.util import find_spec
from typing import Any, cast

import torch
import torch.nn.functional as F  # noqa: N812  (as everybody writes it)

EVEN = 64  # GPUs multiply matrices whose sides are multiples of it at twice the speed: 50,257 words are not
TRITON = find_spec("triton") is not None  # comes with torch builds for GPUs


def mean_surprise(
    x: torch.Tensor, table_VC: torch.Tensor, bias_V: torch.Tensor | None, targets: torch.Tensor
) -> torch.Tensor:
    """The mean over all rows of −ln of the target's probability; targets below 0 are ignored, and count as 0.

    >>> mean_surprise(torch.zeros(1, 3, 2), torch.ones(8, 2), None, torch.tensor([[1, 7, 0]])).item()  # ln 8
    2.0794415...
    """
    rows_NC, targets_N = x.flatten(0, -2), targets.flatten()
    if torch.is_autocast_enabled(x.device.type):
        kind = torch.get_autocast_dtype(x.device.type)
        rows_NC, table_VC = rows_NC.to(kind), table_VC.to(kind)
        bias_V = None if bias_V is None else bias_V.to(kind)
    return cast("torch.Tensor", _MeanSurprise.apply(rows_NC, table_VC, bias_V, targets_N))  # pyright: ignore[reportUnknownMemberType]


class _MeanSurprise(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any, x_NC: torch.Tensor, table_VC: torch.Tensor, bias_V: torch.Tensor | None, targets_N: torch.Tensor
    ) -> torch.Tensor:
        words = table_VC.shape[0]
        if x_NC.is_cuda and words % EVEN:
            table_VC = F.pad(table_VC, (0, 0, 0, -words % EVEN))
            bias_V = None if bias_V is None else F.pad(bias_V, (0, -words % EVEN))
        scores_NV = F.linear(x_NC, table_VC, bias_V)
        share = 1 / targets_N.numel()
        surprise_N, gradient_NV = _by_kernel(x_NC)(scores_NV, targets_N, words, share)
        by_bias = None if bias_V is None else gradient_NV.sum(0)[:words]
        context.save_for_backward(gradient_NV @ table_VC, (gradient_NV.mT @ x_NC)[:words], by_bias)
        return surprise_N.sum() * share

    @staticmethod
    def backward(context: Any, blame: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
        x_NC, table_VC, bias_V = context.saved_tensors
        return blame * x_NC, blame * table_VC, None if bias_V is None else blame * bias_V, None


def of_rows(
    scores_NV: torch.Tensor, targets_N: torch.Tensor, words: int, share: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The surprise of each row, and its share of the scores' gradient; padding columns count for nothing."""
    exact_NV = scores_NV if scores_NV.dtype == torch.float64 else scores_NV.float()
    if words < scores_NV.shape[1]:
        exact_NV = exact_NV.masked_fill(torch.arange(scores_NV.shape[1], device=scores_NV.device) >= words, -torch.inf)
    asked_N, at_N1 = targets_N >= 0, targets_N.clamp(min=0)[:, None]
    logarithm_NV = exact_NV.log_softmax(-1)
    surprise_N = -logarithm_NV.gather(1, at_N1)[:, 0] * asked_N
    gradient_NV = logarithm_NV.exp_()
    gradient_NV.scatter_add_(1, at_N1, -torch.ones_like(at_N1, dtype=exact_NV.dtype))
    gradient_NV *= (asked_N.to(exact_NV.dtype) * share)[:, None]
    return surprise_N, gradient_NV.to(scores_NV.dtype)


def _by_kernel(x: torch.Tensor) -> Any:
    """A single pass of our own where there is Triton; several by torch elsewhere."""
    if TRITON and x.is_cuda and x.dtype != torch.float64:
        from regard.models.surprise_kernel import of_rows_fused

        return of_rows_fused
    return of_rows
