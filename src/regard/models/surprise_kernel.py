"""One row of scores → its surprise and its gradient, in Triton: read once from memory, once from the cache.

The same as `of_rows` in models/surprise.py, for GPUs. torch's compiler makes a kernel of that too, but it takes
longer (docs/training-speed.md).
"""
# pyright: basic
# what Triton compiles has no types that a checker knows

import torch
import triton
import triton.language as tl

BLOCK, WARPS = 2048, 4  # the quickest of those tried on an H200
LOW = tl.constexpr(-1e30)  # below every score, and still finite: e to it is 0
LOG2_E = tl.constexpr(1.4426950408889634)  # GPUs compute 2^x


@triton.jit
def _row(
    scores, targets, surprises, gradients, share, row_length: tl.constexpr, words: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)  # rows × words may be more than an int32 counts
    scores += row * row_length
    gradients += row * row_length
    target = tl.load(targets + row)
    place = tl.arange(0, BLOCK)
    # each place keeps its own largest score and its own sum of 2^(score − largest); the places meet once, at the end
    peaks = tl.full([BLOCK], LOW, tl.float32)
    sums = tl.zeros([BLOCK], tl.float32)
    for start in range(0, words, BLOCK):
        score = tl.load(scores + start + place, mask=start + place < words, other=-float("inf")).to(tl.float32) * LOG2_E
        apart = score - peaks
        smaller = tl.exp2(-tl.abs(apart))
        sums = tl.where(apart > 0, sums * smaller + 1, sums + smaller)
        peaks = tl.maximum(peaks, score)
    peak = tl.max(peaks, 0)
    logarithm = peak + tl.log2(tl.sum(sums * tl.exp2(peaks - peak), 0))
    asked = target >= 0
    at_target = tl.load(scores + tl.where(asked, target, 0)).to(tl.float32)
    tl.store(surprises + row, tl.where(asked, logarithm / LOG2_E - at_target, 0.0))
    weight = tl.where(asked, share, 0.0)
    for start in range(0, row_length, BLOCK):
        column = start + place
        score = tl.load(scores + column, mask=column < words, other=-float("inf")).to(tl.float32)
        gradient = (tl.exp2(score * LOG2_E - logarithm) - tl.where(column == target, 1.0, 0.0)) * weight
        tl.store(gradients + column, gradient.to(gradients.dtype.element_ty), mask=column < row_length)


@torch.library.custom_op("regard::surprise_of_rows", mutates_args=())
def of_rows_fused(
    scores_NV: torch.Tensor, targets_N: torch.Tensor, words: int, share: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The surprise of each row, and its share of the scores' gradient; padding columns count for nothing."""
    scores_NV, targets_N = scores_NV.contiguous(), targets_N.contiguous()
    surprise_N = torch.empty(len(scores_NV), dtype=torch.float32, device=scores_NV.device)
    gradient_NV = torch.empty_like(scores_NV)
    _row[(len(scores_NV),)](
        scores_NV,
        targets_N,
        surprise_N,
        gradient_NV,
        share,
        scores_NV.shape[1],
        words,
        BLOCK,
        num_warps=WARPS,  # pyright: ignore[reportCallIssue]
    )
    return surprise_N, gradient_NV


@of_rows_fused.register_fake
def _(scores_NV: torch.Tensor, *_others: object) -> tuple[torch.Tensor, torch.Tensor]:
    return scores_NV.new_empty(len(scores_NV), dtype=torch.float32), torch.empty_like(scores_NV)
