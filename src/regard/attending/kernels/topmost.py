"""The keys that each query reads most: what the one pass has to leave behind, and what is made of it."""

import math
from typing import Any, NamedTuple

import torch

from regard.attending.kernels.arguments import Launch, kinds_of_pairs
from regard.attending.kernels.heads import Heads
from regard.attending.kernels.planning import Plan

MOST = 16  # keys of a row; to find more, it is sorted
LANES = 16  # rows that a program goes through
PRODUCTS = 32  # of a row's candidates that are made at once
WALKERS = 528  # programs that go over whole rows


def listed(count: int) -> int:
    """How many candidates of a row there may be, and how many of them are kept."""
    return 4 << (count - 1).bit_length()


def bytes_of_lane(count: int) -> int:
    """Scratch of a row, beside its marks."""
    return 4 * (3 * listed(count) + 2) if count else 0


class Topmost:
    """Collects the keys that are read most, some rows after the others."""

    def __init__(self, heads: Heads, count: int, plan: Plan, launches: "Launches", marks: torch.Tensor):
        new, (batch, number, queries, _) = heads.q.new_empty, heads.shape
        each, lanes, room = batch * number, plan.blocks * plan.tile.rows, listed(count)
        self.heads, self._launches, self._marks, self._marks_of_head = heads, launches, marks, plan.scratch[1]
        self._lists = new((2, each, lanes, room), dtype=torch.int32)
        self._kept = new((each, lanes, room), dtype=torch.float32)
        self._counts = new((each, lanes), dtype=torch.int32)
        self._limits = new((each, lanes), dtype=torch.float32)
        self.weights = new((batch, number, queries, count), dtype=torch.float32)
        self.keys = new((batch, number, queries, count), dtype=torch.int32)
        self._overflown = new(math.prod(heads.shape[:3]), dtype=torch.int32)
        self._overflow = heads.q.new_zeros(1, dtype=torch.int32)

    def take(self, rows: torch.Tensor, places: torch.Tensor, reaches: torch.Tensor) -> None:
        """The rows that left their marks."""
        queries, (candidates, kept_keys) = self.heads.shape[2], self._lists
        self._launches.candidates(
            *(self._marks, reaches, rows, places, self.heads.shift, self._limits, self._counts, candidates),
            *(self._overflow, self._overflown, queries, self._marks_of_head),
        )
        self._launches.weigh(
            *(*self.heads.tensors, rows, self._limits, self._counts, candidates, kept_keys, self._kept),
            *(self._overflow, self._overflown, *self.heads.sizes),
        )
        self._launches.select(rows, self._counts, kept_keys, self._kept, self.keys, self.weights, queries)

    def finish(self) -> None:
        """The rows of which too many weights are as good as the last one."""
        self._launches.walk(
            *self.heads.tensors, self._overflow, self._overflown, self.keys, self.weights, *self.heads.sizes
        )


class Launches(NamedTuple):
    candidates: Launch
    weigh: Launch
    select: Launch
    walk: Launch


def launches_of(plan: Plan, count: int) -> Launches:
    from regard.attending.kernels import top_kernel as kernel  # when first used: Triton takes a second

    form, tile, marks = plan.form, plan.tile, plan.marks
    assert marks is not None
    batch, number, queries, _ = form.shape
    all_lanes, lanes, pairs = plan.blocks * tile.rows, min(LANES, tile.rows), kinds_of_pairs(form)
    cut: dict[str, Any] = {"KEYS": tile.keys, "GROUPS": marks.groups, "STRETCH": marks.stretch, "LISTED": listed(count)}
    candidates = Launch(
        kernel._candidates, (all_lanes // lanes, batch * number), **cut,
        COUNT=count, ROWS=tile.rows, LANES=lanes, num_warps=4,
    )  # fmt: skip
    weigh = Launch(
        kernel._weigh, (all_lanes, number, batch), **pairs, **cut,
        STEP=marks.step, AT_ONCE=PRODUCTS if pairs["PADDED"] <= 64 else PRODUCTS // 2,
        num_warps=1, maxnreg=64,
    )  # fmt: skip
    select = Launch(
        kernel._select,
        (all_lanes // lanes, batch * number),
        LISTED=listed(count),
        COUNT=count,
        LANES=lanes,
        num_warps=4,
    )
    walk = Launch(
        kernel._walk, (min(WALKERS, batch * number * queries),), **pairs,
        COUNT=count, KEPT=1 << (count - 1).bit_length(), AT_ONCE=64 if pairs["PADDED"] <= 128 else 32, num_warps=2,
    )  # fmt: skip
    return Launches(candidates, weigh, select, walk)
