"""The keys that each query reads most: what the one pass has to leave behind, and what is made of it."""

import math
from typing import Any, NamedTuple

import torch

from regard.attending.kernels.arguments import Tile, kinds_of_pairs, sizes, tensors
from regard.attending.kernels.heads import Heads

MOST = 16  # keys of a row; to find more, it is sorted
MARKS = 512  # of a row, about
INDICES = 64  # that a mark can tell apart
LANES = 32  # rows that a program goes through
PRODUCTS = 32  # of a row's candidates that are made at once
WALKERS = 528  # programs that go over whole rows


class Marks(NamedTuple):
    """How marks are left: keys are cut into stretches of so many tiles, in which a mark tells so many apart."""

    stretch: int
    step: int  # tiles that have one index
    stretches: int
    groups: int

    @classmethod
    def of(cls, keys: int, tile: Tile) -> "Marks":
        tiles = -(-keys // tile.keys)
        stretch = 1 << (max(1, tiles * tile.groups // MARKS) - 1).bit_length()
        return cls(stretch, max(1, stretch // INDICES), -(-tiles // stretch), tile.groups)

    @property
    def of_row(self) -> int:
        return self.stretches * self.groups


class Topmost:
    """Collects the keys that are read most, some rows after the others."""

    def __init__(self, heads: Heads, count: int, tile: Tile, lanes: int):
        """`lanes`: how many rows of each head leave marks at once."""
        self.heads, self.count, self.tile, self.lanes = heads, count, tile, lanes
        self.how = Marks.of(heads.shape[3], tile)
        self.listed = 4 << (count - 1).bit_length()
        each = math.prod(heads.shape[:2])
        self.marks = heads.q.new_empty((each, lanes * self.how.of_row), dtype=torch.int32)
        self._lists = heads.q.new_empty((2, each, lanes, self.listed), dtype=torch.int32)
        self._kept = heads.q.new_empty((each, lanes, self.listed), dtype=torch.float32)
        self._counts = heads.q.new_empty((each, lanes), dtype=torch.int32)
        self._limits = heads.q.new_empty((each, lanes), dtype=torch.float32)
        self.weights = heads.q.new_empty((*heads.shape[:3], count), dtype=torch.float32)
        self.keys = torch.empty_like(self.weights, dtype=torch.int32)
        self._overflown = heads.q.new_empty(math.prod(heads.shape[:3]), dtype=torch.int32)
        self._overflow = heads.q.new_zeros(1, dtype=torch.int32)

    @staticmethod
    def bytes_of_lane(keys: int, count: int, tile: Tile) -> int:
        return 4 * (Marks.of(keys, tile).of_row + 3 * (4 << (count - 1).bit_length()) + 2)

    def take(self, rows: torch.Tensor, reaches: torch.Tensor) -> None:
        """The rows that left their marks."""
        kernel, each, how, queries = _kernel(), self.marks.shape[0], self.how, self.heads.shape[2]
        lanes = min(LANES, self.tile.rows)
        candidates, kept_keys = self._lists
        cut = {"KEYS": self.tile.keys, "GROUPS": how.groups, "STRETCH": how.stretch}
        kernel._candidates[(self.lanes // lanes, each)](
            *(self.marks, reaches, rows, self.heads.shift, self._limits, self._counts, candidates),
            *(self._overflow, self._overflown, queries, how.stretches),
            **cut,
            COUNT=self.count,
            LISTED=self.listed,
            ROWS=self.tile.rows,
            LANES=lanes,
            num_warps=4,
        )
        pairs = kinds_of_pairs(self.heads)
        kernel._weigh[(self.lanes, each)](
            *(*tensors(self.heads), rows, self._limits, self._counts, candidates, kept_keys, self._kept),
            *(self._overflow, self._overflown, *sizes(self.heads)),
            **pairs,
            **cut,
            STEP=how.step,
            LISTED=self.listed,
            KEPT=self.listed,
            AT_ONCE=PRODUCTS if pairs["PADDED"] <= 128 else PRODUCTS // 2,
            num_warps=1,
        )
        kernel._select[(self.lanes // lanes, each)](
            *(rows, self._counts, kept_keys, self._kept, self.keys, self.weights, queries),
            KEPT=self.listed,
            COUNT=self.count,
            LANES=lanes,
            num_warps=4,
        )

    def finish(self) -> None:
        """The rows of which too many weights are as good as the last one."""
        pairs = kinds_of_pairs(self.heads)
        _kernel()._walk[(min(WALKERS, len(self._overflown)),)](
            *(*tensors(self.heads), self._overflow, self._overflown, self.keys, self.weights, *sizes(self.heads)),
            **pairs,
            COUNT=self.count,
            KEPT=1 << (self.count - 1).bit_length(),
            AT_ONCE=64 if pairs["PADDED"] <= 128 else 32,
            num_warps=2,
        )


def _kernel() -> Any:
    """Imported when first used: Triton takes a second."""
    from regard.attending.kernels import top_kernel

    return top_kernel
