"""How the work of looking is cut: which rows a program owns, and where in scratch memory it leaves its column sums and
its marks. Decided once for all heads of a form."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch

from regard.attending.kernels.arguments import Tile
from regard.attending.kernels.heads import Form
from regard.attending.spans import Spans

SCRATCH = 256 * 2**20  # bytes for parts of column sums, and marks of the largest weights;
FOR_MARKS = 64 * 2**20  # so many more where there are marks, since one launch more costs 4 % of a forward
PROGRAMS = 264  # that keep an H200 busy
MARKS = 512  # of a row, about
INDICES = 64  # that a mark can tell apart


def best_tile(form: Form, what: Collection[str], top: int = 0) -> Tile:
    """What was quickest on an H200 (benchmarks/NOTES.md)."""
    if form.dtype == torch.float32:
        return Tile(32, 32, 4, 1)
    if form.width > 128:
        return Tile(64, 64, 4, 2)
    is_narrow, is_plain = form.width <= 64, not form.has_mask and form.bias == "none"
    few = is_plain and not form.has_cap and not form.has_rest  # numbers in registers
    if list(what) == ["received"] and not top:
        wide = (124, 144) if form.is_causal else (128, 168)
        return Tile(128, 64, 4, 3, wide[not is_narrow] if few else None, is_narrow)
    if few and form.is_causal:  # so few that three programs share a multiprocessor
        if not is_narrow or not (what or top):
            return Tile(64, 64, 4, 3, 168)
        if "received" in what and not top:
            return Tile(64, 64, 4, 4, 168)
    return Tile(64, 128 if (what or top) and is_narrow and is_plain else 64, 4, 3)


class Marks(NamedTuple):
    """How marks are left: keys are cut into stretches of so many tiles, in which a mark tells so many apart."""

    stretch: int
    step: int  # tiles that have one index
    groups: int

    @classmethod
    def of(cls, keys: int, tile: Tile) -> "Marks":
        tiles = -(-keys // tile.keys)
        stretch = 1 << (max(1, tiles * tile.groups // MARKS) - 1).bit_length()
        return cls(stretch, max(1, stretch // INDICES), tile.groups)


@dataclass(frozen=True, eq=False)
class Plan:
    """Rows in strips, strips in blocks of one program each, blocks in slabs, each looked at in one launch."""

    tile: Tile
    cells: int  # rows of the picture
    strip: int  # rows whose column sums are added up in a program
    strips: int
    blocks: int  # programs for each head, at once
    slabs: int
    mixed: bool  # whether each slab has rows from everywhere
    form: Form
    has_columns: bool
    marks: Marks | None

    @property
    def together(self) -> int:
        """Strips of a block."""
        return self.tile.rows // self.strip

    def order(self, slab: int) -> tuple[int, int]:
        """Which of all blocks the first of a slab is, and how far it is from one to the next."""
        return (slab, self.slabs) if self.mixed else (slab * self.blocks, 1)

    @cached_property
    def rows(self) -> np.ndarray:
        """(slabs, blocks, rows): which row stands where; −1 for none. No strip lies in two cells."""
        blocks = np.arange(self.blocks)
        block = np.stack([first + step * blocks for first, step in map(self.order, range(self.slabs))])
        place = np.arange(self.tile.rows)
        strip = block[..., None] * self.together + place // self.strip
        each, queries = self.strips // self.cells, self.form.shape[2]
        cell = strip // each
        row = cell * queries // self.cells + strip % each * self.strip + place % self.strip
        return np.where((row < (cell + 1) * queries // self.cells) & (cell < self.cells), row, -1).astype(np.int32)

    @cached_property
    def reaches(self) -> tuple[np.ndarray, np.ndarray]:
        """From which tile on, and up to which, some head may see something in a block: (slabs, blocks) each."""
        keys = self.form.shape[3]
        begin, end = _seen_by_some(self.form.spans, self.form.shape[2], keys)
        there = self.rows >= 0
        low = np.where(there, begin[self.rows], keys).min(-1) // self.tile.keys
        high = -(-np.where(there, end[self.rows], 0).max(-1) // self.tile.keys)
        return np.minimum(low, high), high

    @cached_property
    def rooms(self) -> np.ndarray:
        """(slabs, blocks, 2): numbers of column sums, and of marks, that a block leaves of what it sees."""
        low, high = self.reaches
        found = np.zeros((*low.shape, 2), np.int64)
        if self.has_columns:
            found[..., 0] = (high - low) * self.tile.keys * self.together
        if self.marks is not None:
            stretches = -(-high // self.marks.stretch) - low // self.marks.stretch
            found[..., 1] = stretches * self.tile.rows * self.marks.groups
        return found

    @cached_property
    def scratch(self) -> tuple[int, int]:
        """Numbers of column sums, and of marks, that a head leaves at once."""
        columns, marks = self.rooms.sum(1).max(0)
        return int(columns), int(marks)

    @cached_property
    def places(self) -> np.ndarray:
        """(slabs, blocks, 4): where in scratch a block's column sums would begin if they began at key 0, how many
        numbers a strip of them has, and where its marks would begin if the first stretch had any."""
        low, high = self.reaches
        before = self.rooms.cumsum(1) - self.rooms
        found = np.zeros((*low.shape, 4), np.int64)  # 16 bytes each, so that all slabs are aligned alike
        found[..., 0] = before[..., 0] - low * self.tile.keys
        found[..., 1] = (high - low) * self.tile.keys
        if self.marks is not None:
            found[..., 2] = before[..., 1] - low // self.marks.stretch * self.tile.rows * self.marks.groups
        return found.astype(np.int32)

    @cached_property
    def tables(self) -> tuple[tuple[torch.Tensor, torch.Tensor], ...]:
        """Rows and places of each slab, where they are needed."""
        rows, places = (torch.from_numpy(x).to(self.form.device) for x in (self.rows, self.places))
        return tuple(zip(rows, places))


def plan_of(form: Form, has_columns: bool, height: int, tile: Tile, bytes_of_lane: int = 0) -> Plan:
    """`bytes_of_lane`: what each row needs beside its marks, where the keys that are read most are asked for."""
    batch, number, queries, keys = form.shape
    cells, strip = -(-queries // tile.rows), tile.rows
    strips = cells
    if has_columns:
        cells = min(height, queries)
        tallest = -(-queries // cells)
        # rows of a strip that are not there cost as much as others: the largest strips that waste little
        sizes = [size for size in (8, 16, 32, 64, 128) if size <= tile.rows]
        rows = {size: -(-tallest // size) * size for size in sizes}
        strip = max(size for size in sizes if rows[size] <= 1.1 * min(rows.values()))
        strips = cells * rows[strip] // strip
    blocks = -(-strips // (tile.rows // strip))
    marks = Marks.of(keys, tile) if bytes_of_lane else None

    def cut(slabs: int, mixed: bool) -> Plan:
        return Plan(tile, cells, strip, strips, -(-blocks // slabs), slabs, mixed, form, has_columns, marks)

    def bytes_of_blocks(plan: Plan) -> np.ndarray:
        return batch * number * (4 * plan.rooms.sum(-1) + tile.rows * bytes_of_lane)

    whole, scratch = cut(1, mixed=False), SCRATCH + (FOR_MARKS if marks else 0)
    size = bytes_of_blocks(whole)
    least = -(-int(size.sum()) // scratch)
    if least <= 1:
        return whole
    # Of two turns of programs and more, short rows of a causal mask fill the time in which long ones end, if a slab
    # has both. One turn takes as long as its longest row, so its rows are neighbours.
    programs = batch * number * blocks
    if programs // least >= 2 * PROGRAMS:
        for slabs in range(least, blocks):
            plan = cut(slabs, mixed=True)
            if bytes_of_blocks(plan).sum(1).max() <= scratch:
                return plan
    fitting = scratch // int(size.max()) * batch * number
    return cut(min(blocks, -(-programs // max(1, min(PROGRAMS, fitting)))), mixed=False)


def _seen_by_some(spans: Spans | None, queries: int, keys: int) -> tuple[np.ndarray, np.ndarray]:
    """From which key on a query sees something, and up to which, in some text and head."""
    if spans is None:
        return np.zeros(queries, np.int64), np.full(queries, keys)
    begin, end = (x.reshape(-1, x.shape[-1]) for x in np.broadcast_arrays(spans.begin, spans.end))
    begin = np.where(begin < end, begin, keys).min(0)
    return np.broadcast_to(begin, queries), np.broadcast_to(end.max(0), queries)
