"""One row of scores → its surprise and its gradient, in Triton: read once from memory, once from the cache.

What `of_rows` in models/surprise.py says, for GPUs. The compiler of torch makes a kernel of that too, and it takes
more than twice as long on an H200 (docs/training-speed.md).
"""

import torch
import triton
import triton.language as tl

BLOCK, WARPS = 8192, 16


@triton.jit
def _row(
    scores, targets, surprises, gradients, share, row_length: tl.constexpr, words: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)  # rows × words may be more than an int32 counts
    scores += row * row_length
    gradients += row * row_length
    target = tl.load(targets + row)
    place = tl.arange(0, BLOCK)
    peak = -float("inf")
    total = 0.0
    for start in range(0, words, BLOCK):  # the largest so far, and the sum of e^(score − largest)
        score = tl.load(scores + start + place, mask=start + place < words, other=-float("inf")).to(tl.float32)
        higher = tl.maximum(peak, tl.max(score, 0))
        total = total * tl.exp(peak - higher) + tl.sum(tl.exp(score - higher), 0)
        peak = higher
    logarithm = peak + tl.log(total)
    asked = target >= 0
    at_target = tl.load(scores + tl.where(asked, target, 0)).to(tl.float32)
    tl.store(surprises + row, tl.where(asked, logarithm - at_target, 0.0))
    weight = tl.where(asked, share, 0.0)
    for start in range(0, row_length, BLOCK):
        column = start + place
        score = tl.load(scores + column, mask=column < words, other=-float("inf")).to(tl.float32)
        gradient = (tl.exp(score - logarithm) - tl.where(column == target, 1.0, 0.0)) * weight
        tl.store(gradients + column, gradient.to(gradients.dtype.element_ty), mask=column < row_length)


@torch.library.custom_op("regard::surprise_of_rows", mutates_args=())
def of_rows_fused(
    scores_NV: torch.Tensor, targets_N: torch.Tensor, words: int, share: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The surprise of each row, and its share of the scores' gradient; columns beyond the words count for nothing."""
    scores_NV, targets_N = scores_NV.contiguous(), targets_N.contiguous()
    surprise_N = torch.empty(len(scores_NV), dtype=torch.float32, device=scores_NV.device)
    gradient_NV = torch.empty_like(scores_NV)
    _row[(len(scores_NV),)](
        scores_NV, targets_N, surprise_N, gradient_NV, share, scores_NV.shape[1], words, BLOCK, num_warps=WARPS
    )
    return surprise_N, gradient_NV


@of_rows_fused.register_fake
def _(
    scores_NV: torch.Tensor, targets_N: torch.Tensor, words: int, share: float
) -> tuple[torch.Tensor, torch.Tensor]:
    return scores_NV.new_empty(len(scores_NV), dtype=torch.float32), torch.empty_like(scores_NV)
