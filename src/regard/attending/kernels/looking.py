"""What the look kernel is given, how the work is cut, and what comes back: tensors, where q and k lie."""

import importlib.util
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import torch

from regard.attending.bias import ByDistance
from regard.attending.kernels import arguments
from regard.attending.kernels.arguments import Tile
from regard.attending.kernels.heads import LOG2_E, Heads
from regard.attending.kernels.topmost import MOST, Topmost
from regard.attending.spans import Spans

WIDEST = 256  # head
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
SCRATCH = 256 * 2**20  # bytes for parts of column sums, and marks of the largest weights
PROGRAMS = 264  # that keep an H200 busy


@dataclass(frozen=True, eq=False)
class Found:
    """What was asked for, as float32; of all heads (B, H, …)."""

    received: torch.Tensor | None = None  # (…, K)
    picture: torch.Tensor | None = None  # (…, height, width): sums or largest of all weights that a cell covers
    given: torch.Tensor | None = None  # (…, Q), and so the others
    entropy: torch.Tensor | None = None
    mean_distance: torch.Tensor | None = None
    largest: torch.Tensor | None = None
    read_most: torch.Tensor | None = None  # the key; −1 where nothing is seen
    top_keys: torch.Tensor | None = None  # (…, Q, count): the keys that are read most; −1 where nothing is left
    top: torch.Tensor | None = None  # and their weights, largest first


def objection(q: Any, k: Any) -> str | None:
    """Why the kernel cannot look at these, in words; None if it can."""
    if not isinstance(q, torch.Tensor) or not isinstance(k, torch.Tensor) or not q.is_cuda or not k.is_cuda:
        return "looks at tensors of a GPU"
    if not 2 <= q.ndim <= 4:
        return f"takes (batch, heads, queries, width), got {tuple(q.shape)}"
    if q.dtype not in DTYPES or k.dtype != q.dtype:
        return f"computes in {', '.join(str(x).removeprefix('torch.') for x in DTYPES)}, got {q.dtype} and {k.dtype}"
    if not 1 <= q.shape[-1] <= WIDEST or not q.numel() or not k.numel():
        return f"takes heads of width 1 to {WIDEST} and at least one query and key, got {tuple(q.shape)}"
    return None if importlib.util.find_spec("triton") else "is written in Triton, which is not installed"


ROWS = ("given", "entropy", "mean_distance", "largest")
ALL = ("received", *ROWS)


def look(
    heads: Heads,
    what: Collection[str] = ALL,
    height: int = 256,
    width: int = 256,
    pool: str = "sum",
    top: int = 0,
    tile: Tile | None = None,
) -> Found:
    """One pass: of `what` is named, and with "received" a picture too. `pool` says whether its cells are a sum or the
    largest; with `top`, the keys that each row reads most, up to 16 of them."""
    batch, count, queries, keys = heads.shape
    tile, width = tile or _best(heads, what, top), min(width, keys)
    edges = _edges(heads, what, width, tile)
    found = []
    for left, right in pairwise(edges):
        part = heads
        if len(edges) > 2:
            some = slice(left * keys // width, right * keys // width)
            part = heads.part(slice(0, batch), slice(0, count), slice(0, queries), some)
        found.append(
            _look_at(part, what, height, Columns(left, right, keys, width), pool, min(top, part.shape[3]), tile)
        )
    return found[0] if len(found) == 1 else _joined(found, [left * keys // width for left in edges], top)


class Columns(NamedTuple):
    """Which columns of the picture the keys of a part are, and how many keys and columns there are in all."""

    left: int
    right: int
    keys: int
    width: int


def _look_at(
    heads: Heads, what: Collection[str], height: int, columns: Columns, pool: str, count: int, tile: Tile
) -> Found:
    batch, number, _, keys = heads.shape
    has_columns = "received" in what
    plan = _plan(heads, has_columns, height, tile, count)
    rows = {name: heads.q.new_empty(heads.shape[:3], dtype=torch.float32) for name in ROWS if name in what}
    best = Topmost(heads, count, tile, plan.blocks * tile.rows) if count else None
    most = None
    if best is not None and "largest" in rows:
        del rows["largest"]  # it is the first of the topmost
    elif "largest" in rows:
        most = torch.empty_like(rows["largest"], dtype=torch.int32)
    reaches = heads.q.new_empty((batch * number, plan.blocks, 2), dtype=torch.int32) if has_columns or count else None
    received = picture = sums = pooled = None
    if has_columns:
        sums = heads.q.new_empty((batch * number, plan.at_once, keys), dtype=torch.float32)
        received = heads.q.new_empty((batch, number, keys), dtype=torch.float32)
        width = columns.right - columns.left
        pooled = heads.q.new_zeros((batch, number, plan.slabs * plan.at_once, width), dtype=torch.float32)
    for first in range(0, plan.slabs * plan.at_once, plan.at_once):
        table = plan.rows_from(first, heads.q.device)
        _launch(heads, plan, table, pool if has_columns else "none", sums, reaches, rows, most, best)
        if has_columns:
            _add_up(sums, reaches, plan, first, columns, pool, received, pooled)
        if best is not None and reaches is not None:
            best.take(table, reaches)
    if pooled is not None:
        cells = plan.in_order(pooled).unflatten(2, (plan.cells, -1))
        picture = cells.sum(3) if pool == "sum" else cells.amax(3)
    if most is not None and tile.keys >= 64:
        _refine(heads, most, tile.keys // tile.groups)
    found = Found(received, picture, **{name: rows.get(name) for name in ROWS}, read_most=most)
    if best is None:
        return found
    best.finish()
    found = replace(found, top_keys=best.keys, top=best.weights)
    return replace(found, largest=best.weights[..., 0], read_most=best.keys[..., 0]) if "largest" in what else found


def _joined(parts: Sequence[Found], first_keys: Sequence[int], count: int) -> Found:
    """What was seen of some keys after the others, as of all of them."""

    def all_of(name: str) -> list[torch.Tensor] | None:
        return None if getattr(parts[0], name) is None else [getattr(part, name) for part in parts]

    def moved(name: str) -> list[torch.Tensor] | None:
        keys = all_of(name)
        return keys and [torch.where(own >= 0, own + first, own) for own, first in zip(keys, first_keys)]

    found: dict[str, Any] = {}
    for name in ("given", "entropy", "mean_distance"):
        if numbers := all_of(name):
            found[name] = torch.stack(numbers).sum(0)
    for name in ("received", "picture"):
        if numbers := all_of(name):
            found[name] = torch.cat(numbers, -1)
    # of equal ones the earlier key comes first, here too
    if (numbers := all_of("largest")) and (keys := moved("read_most")):
        found["largest"] = torch.stack(numbers).amax(0)
        first = torch.stack([own == found["largest"] for own in numbers]).int().argmax(0)
        found["read_most"] = torch.stack(keys).gather(0, first[None])[0]
    if (numbers := all_of("top")) and (keys := moved("top_keys")):
        weights, order = torch.sort(torch.cat(numbers, -1), dim=-1, descending=True, stable=True)
        found["top"] = weights[..., :count].contiguous()
        found["top_keys"] = torch.cat(keys, -1).gather(-1, order[..., :count])
    return Found(**found)


def heads_of(
    q: torch.Tensor,
    k: torch.Tensor,
    lse: torch.Tensor | None = None,
    visible: Spans | torch.Tensor | None = None,
    scale: float = 1.0,
    bias: ByDistance | torch.Tensor | None = None,
    cap: float | None = None,
    sinks: torch.Tensor | None = None,
) -> Heads:
    """Heads, ready to be looked at. Without `lse` it is computed first."""
    heads = Heads.of(q, k, visible, scale, bias, cap)
    high, low = log_sum_exp(heads) if lse is None else (lse.to(q.device, torch.float32) * LOG2_E, None)
    return heads.divided(high, low, sinks)


def log_sum_exp(heads: Heads, tile: Tile | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """log₂ of the sum of each row's powers, in two parts: the largest score, and the rest. −∞ where nothing is seen."""
    plan = _plan(heads, False, 1, tile or _best(heads, ()))
    parts = tuple(heads.q.new_empty(heads.shape[:3], dtype=torch.float32) for _ in range(2))
    _launch(heads, plan, plan.rows_from(0, heads.q.device), "none", lse=parts)
    return parts[0], parts[1]


def top(heads: Heads, count: int, tile: Tile | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """The keys that each query reads most, and their weights: (B, H, Q, count) each, largest first."""
    here = min(count, heads.shape[3])
    if here > MOST:
        return _sorted_rows(heads, count)
    found = look(heads, (), top=here, tile=tile)
    assert found.top_keys is not None and found.top is not None
    more = (0, count - here)
    return torch.nn.functional.pad(found.top_keys, more, value=-1), torch.nn.functional.pad(found.top, more)


def weights(heads: Heads) -> torch.Tensor:
    """Every weight, (B, H, Q, K): for parts that are small."""
    batch, count, queries, keys = heads.shape
    found = heads.q.new_empty(heads.shape, dtype=torch.float32)
    _single()._tile[(-(-keys // 64), -(-queries // 32), batch * count)](
        *(*arguments.tensors(heads), found, *arguments.sizes(heads)),
        **arguments.kinds_of_tiles(heads),
        REST_OF_SHIFT=heads.rest is not None,
        ROWS=32,
        KEYS=64,
    )
    return found


def at(heads: Heads, chosen: Collection[int], back: bool) -> torch.Tensor:
    """The weight of each query on chosen keys, or on those so many places back: (B, H, chosen, Q)."""
    batch, count, queries, _ = heads.shape
    numbers = arguments.on_device(tuple(chosen), heads.q.device)
    found = heads.q.new_empty((batch, count, len(numbers), queries), dtype=torch.float32)
    if not len(numbers):
        return found
    _single()._at[(-(-queries // 32), batch * count, len(numbers))](
        *(*arguments.tensors(heads), numbers, found, *arguments.sizes(heads)),
        **arguments.kinds_of_pairs(heads),
        BACK=back,
        ROWS=32,
    )
    return found


def _refine(heads: Heads, most: torch.Tensor, group: int) -> None:
    """From the first key of a group to the one that is read most."""
    kinds = arguments.kinds_of_pairs(heads)
    del kinds["REST_OF_SHIFT"]
    q, k, begin, end, _, _, mask, bias = arguments.tensors(heads)
    _single()._refine[(-(-heads.shape[2] // 32), heads.shape[0] * heads.shape[1])](
        *(q, k, begin, end, mask, bias, most, *arguments.sizes(heads)), **kinds, GROUP=group, ROWS=32
    )


# how the work is cut


def _kernel() -> Any:
    """Imported when first used: Triton takes a second."""
    from regard.attending.kernels import look_kernel

    return look_kernel


def _single() -> Any:
    from regard.attending.kernels import single_weights_kernel

    return single_weights_kernel


class Plan(NamedTuple):
    """Rows in strips, strips in blocks of one program each, blocks in slabs, each looked at in one launch."""

    tile: Tile
    cells: int  # rows of the picture
    strip: int  # rows whose column sums are added up in a program
    strips: int
    blocks: int  # programs for each head, at once
    slabs: int
    queries: int

    @property
    def together(self) -> int:
        """Strips of a block."""
        return self.tile.rows // self.strip

    @property
    def at_once(self) -> int:
        """Strips of a slab."""
        return self.blocks * self.together

    def rows_from(self, first: int, device: torch.device) -> torch.Tensor:
        """Which row stands where in the strips from this one on; −1 for none."""
        return self._rows(device)[first * self.strip :]

    @lru_cache(maxsize=64)  # noqa: B019  (a plan is a value, and its tables are small)
    def _rows(self, device: torch.device) -> torch.Tensor:
        """No strip lies in two cells. Each slab has blocks of everywhere, so that short rows of a causal mask fill
        the time in which the last of its long ones end."""
        here = torch.arange(self.slabs * self.at_once * self.strip, device=device)
        slab, block, row = (
            here // self.tile.rows // self.blocks,
            here // self.tile.rows % self.blocks,
            here % self.tile.rows,
        )
        strip, each = (block * self.slabs + slab) * self.together + row // self.strip, self.strips // self.cells
        cell = strip // each
        row = cell * self.queries // self.cells + strip % each * self.strip + row % self.strip
        there = (row < (cell + 1) * self.queries // self.cells) & (cell < self.cells)
        return torch.where(there, row, -1).to(torch.int32)

    def in_order(self, of_strips: torch.Tensor) -> torch.Tensor:
        """(…, strips as they were looked at, width) as they follow each other."""
        apart = of_strips.unflatten(-2, (self.slabs, self.blocks, self.together))
        return apart.transpose(-4, -3).flatten(-4, -2)[..., : self.strips, :]


def _best(heads: Heads, what: Collection[str], count: int = 0) -> Tile:
    """What was quickest on an H200 (benchmarks/NOTES.md)."""
    width = heads.q.shape[-1]
    if heads.q.dtype == torch.float32:
        return Tile(32, 32, 4, 1)
    if width > 128:
        return Tile(64, 64, 4, 2)
    if list(what) == ["received"]:
        return Tile(128, 64, 4, 3)
    broad = what and not count and width <= 64 and heads.sight.mask is None and heads.bias is None
    return Tile(64, 128 if broad else 64, 4, 3)


def _edges(heads: Heads, what: Collection[str], width: int, tile: Tile) -> list[int]:
    """Columns of the picture between which keys are looked at on their own: all at once, unless the column sums of as
    many programs as keep a GPU busy were too large."""
    batch, count, queries, keys = heads.shape
    programs = min(PROGRAMS, batch * count * -(-queries // tile.rows)) if "received" in what else 0
    parts = min(width, -(-programs * keys * 4 // SCRATCH))
    return sorted({nth * width // max(1, parts) for nth in range(max(1, parts) + 1)})


def _plan(heads: Heads, has_columns: bool, height: int, tile: Tile, count: int = 0) -> Plan:
    batch, number, queries, keys = heads.shape
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
    together = tile.rows // strip
    blocks = -(-strips // together)
    size = together * keys * 4 if has_columns else 0
    size += tile.rows * Topmost.bytes_of_lane(keys, count, tile) if count else 0
    programs = batch * number * blocks
    if programs * size > SCRATCH:
        programs = max(1, SCRATCH // size)
        if PROGRAMS < programs < 3 * PROGRAMS:  # few turns are whole ones: no multiprocessor waits for half of a turn
            programs -= programs % PROGRAMS
    slabs = -(-blocks // max(1, programs // (batch * number)))
    blocks = -(-blocks // slabs)
    return Plan(tile, cells, strip, strips, blocks, slabs, queries)


def _launch(
    heads: Heads,
    plan: Plan,
    table: torch.Tensor,
    columns: str,
    sums: torch.Tensor | None = None,
    reaches: torch.Tensor | None = None,
    rows: dict[str, torch.Tensor] | None = None,
    most: torch.Tensor | None = None,
    best: Topmost | None = None,
    lse: tuple[torch.Tensor, ...] = (None, None),  # pyright: ignore[reportArgumentType]
) -> None:
    """The rows of some strips."""
    batch, count = heads.shape[:2]
    q, k, begin, end, shift, rest, mask, bias = arguments.tensors(heads)
    rows = rows or {}
    occupied = None if mask is None else heads.blocks(plan.tile.keys)
    _kernel()._look[(batch * count, plan.blocks)](
        *(q, k, table, begin, end, shift, rest, mask, occupied, bias, sums, reaches),
        *(*(rows.get(name) for name in ROWS), most, None if best is None else best.marks, *lse),
        *(*heads.shape[2:], heads.first, count, count // heads.k.shape[1], arguments.factor(heads), heads.cap or 1.0),
        *(*arguments.strides(heads), *arguments.strides_of_mask(heads)),
        *((0, 0, 0) if occupied is None else occupied.stride()[:3]),
        *(*arguments.strides_of_bias(heads), 0 if best is None else best.how.stretches),
        **arguments.compiled_for(heads, plan.tile),
        REST_OF_SHIFT=rest is not None and lse[0] is None,
        COLUMNS=columns,
        TOTAL="given" in rows,
        ENTROPY="entropy" in rows,
        DISTANCE="mean_distance" in rows,
        LARGEST=most is not None,
        STRETCH=0 if best is None else best.how.stretch,
        STEP=1 if best is None else best.how.step,
        LSE=lse[0] is not None,
        STRIP=plan.strip,
    )


def _add_up(
    sums: Any, reaches: Any, plan: Plan, first: int, columns: Columns, pool: str, received: Any, pooled: Any
) -> None:
    every, width = columns.keys, columns.width
    _kernel()._gather[(columns.right - columns.left, sums.shape[0])](
        *(sums, reaches, received, pooled, received.shape[-1], first, sums.shape[1], pooled.shape[2]),
        *(every, width, columns.left),
        SUM=pool == "sum",
        LATER=first > 0,
        STRIPS=plan.together,
        AT_ONCE=32,
        KEYS=min(1024, max(16, 1 << (-(-every // width) - 1).bit_length())),
        EVENLY=every // width if every % (16 * width) == 0 else 0,
        num_warps=4,
    )


def _sorted_rows(heads: Heads, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Every weight of some rows at a time, sorted; the earlier key first, where they are equal."""
    batch, number, queries, keys = heads.shape
    found = heads.q.new_zeros((batch, number, queries, count), dtype=torch.float32)
    at_keys = torch.full_like(found, -1, dtype=torch.int32)
    count, step = min(count, keys), max(1, 2**26 // (batch * number * keys))
    for row in range(0, queries, step):
        rows = slice(row, min(row + step, queries))
        p = weights(heads.part(slice(0, batch), slice(0, number), rows, slice(0, keys)))
        p, where = (x[..., :count] for x in torch.sort(p, dim=-1, descending=True, stable=True))
        found[:, :, rows, :count] = p
        at_keys[:, :, rows, :count] = where.to(torch.int32).masked_fill(p == 0, -1)
    return at_keys, found
