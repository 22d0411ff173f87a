"""What is asked of the look kernel, and what comes back: tensors, where q and k lie.

What depends on the form of the heads and on the question alone is decided once and kept: between a question and the
first launch, the GPU has nothing to do.
"""

import importlib.util
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import torch

from regard.attending.bias import ByDistance
from regard.attending.kernels import arguments, planning
from regard.attending.kernels.arguments import Launch, Tile
from regard.attending.kernels.heads import LOG2_E, Form, Heads
from regard.attending.kernels.planning import Plan, plan_of
from regard.attending.kernels.topmost import MOST, Topmost, bytes_of_lane, launches_of
from regard.attending.spans import Spans

WIDEST = 256  # head
DTYPES = (torch.bfloat16, torch.float16, torch.float32)


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
    return _whole(heads.form, tuple(what), height, width, pool, top, tile)(heads)


@lru_cache(maxsize=64)
def _whole(form: Form, what: tuple[str, ...], height: int, width: int, pool: str, top: int, tile: Tile | None) -> Any:
    """A look at heads of this form; at some keys after the others, where all at once were too many."""
    keys, tile = form.shape[3], tile or planning.best_tile(form, what, top)
    width = min(width, keys)
    edges = _edges(form, what, width, tile)
    if len(edges) == 2:
        return Look(form, what, height, Columns(0, width, keys, width), pool, min(top, keys), tile)
    text, head, rows = (slice(0, size) for size in form.shape[:3])

    def in_parts(heads: Heads) -> Found:
        found = []
        for left, right in pairwise(edges):
            part = heads.part(text, head, rows, slice(left * keys // width, right * keys // width))
            columns = Columns(left, right, keys, width)
            found.append(_of_part(part.form, what, height, columns, pool, min(top, part.shape[3]), tile)(part))
        return _joined(found, [left * keys // width for left in edges], top)

    return in_parts


class Columns(NamedTuple):
    """Which columns of the picture the keys of a part are, and how many keys and columns there are in all."""

    left: int
    right: int
    keys: int
    width: int


class Look:
    """A question, ready to be asked of any heads of a form."""

    def __init__(
        self, form: Form, what: Collection[str], height: int, columns: Columns, pool: str, count: int, tile: Tile
    ):
        self.form, self.columns, self.count = form, columns, count
        self.has_columns = "received" in what
        self.plan = plan = plan_of(form, self.has_columns, height, tile, bytes_of_lane(count))
        self.asks_largest = "largest" in what
        self.rows = tuple(name for name in ROWS if name in what and not (count and name == "largest"))
        self.finds_largest = "largest" in self.rows
        self.pool = pool
        self._look = _look_launch(form, plan, pool if self.has_columns else "none", self.rows)
        self._top = launches_of(plan, count) if count else None
        self._gather = [_gather_launch(plan, columns, pool, later) for later in (False, True)]

    def __call__(self, heads: Heads) -> Found:
        plan, (batch, number, queries, keys), new = self.plan, self.form.shape, heads.q.new_empty
        each, width = batch * number, self.columns.right - self.columns.left
        columns_of_head, marks_of_head = plan.scratch
        occupied = None if heads.sight.mask is None else heads.blocks(plan.tile.keys)
        sums = received = pooled = most = None
        reaches: Any = None
        rows: dict[str, Any] = dict.fromkeys(ROWS)
        for name in self.rows:
            rows[name] = new((batch, number, queries), dtype=torch.float32)
        if self.has_columns:
            sums = new(each * columns_of_head, dtype=torch.float32)
        if self.has_columns or self.count:
            reaches = new((each, plan.blocks, 2), dtype=torch.int32)
        if self.finds_largest:
            most = new((batch, number, queries), dtype=torch.int32)
        marks = new(each * marks_of_head, dtype=torch.int32) if self.count else None
        best = None
        sizes = (*heads.sizes, *_strides(occupied), columns_of_head, marks_of_head)
        for slab, (table, places) in enumerate(plan.tables):
            self._look(
                *(*heads.tensors, table, places, occupied, sums, reaches, *rows.values(), most),
                *(marks, None, None, *sizes),
            )
            if self.has_columns:
                if received is None or pooled is None:
                    received = new((batch, number, keys), dtype=torch.float32)
                    pooled = new((batch, number, plan.slabs * plan.blocks * plan.together, width), dtype=torch.float32)
                self._gather[slab > 0](
                    *(sums, reaches, places, received, pooled, keys, plan.blocks, columns_of_head),
                    *(*plan.order(slab), pooled.shape[2], self.columns.keys, self.columns.width, self.columns.left),
                )
            if self._top is not None and marks is not None:
                best = best or Topmost(heads, self.count, plan, self._top, marks)
                best.take(table, places, reaches)
        if most is not None and plan.tile.keys >= 64:
            _refine(heads, most, plan.tile.keys // plan.tile.groups)
        found = Found(received, self._picture(pooled), **rows, read_most=most)
        if best is None:
            return found
        best.finish()
        found = replace(found, top_keys=best.keys, top=best.weights)
        if not self.asks_largest:
            return found
        return replace(found, largest=best.weights[..., 0], read_most=best.keys[..., 0])

    def _picture(self, pooled: torch.Tensor | None) -> torch.Tensor | None:
        """Strips of a cell together."""
        if pooled is None:
            return None
        pooled, each = pooled[:, :, : self.plan.strips], self.plan.strips // self.plan.cells
        if each == 1:
            return pooled
        cells = pooled.unflatten(2, (self.plan.cells, each))
        return cells.sum(3) if self.pool == "sum" else cells.amax(3)


_of_part = lru_cache(maxsize=64)(Look)


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
    plan, launch = _log_sum_exp(heads.form, tile)
    parts = tuple(heads.q.new_empty(heads.shape[:3], dtype=torch.float32) for _ in range(2))
    (table, places), *_ = plan.tables
    occupied = None if heads.sight.mask is None else heads.blocks(plan.tile.keys)
    launch(
        *heads.tensors, table, places, occupied, *(None,) * 8, *parts, *heads.sizes, *_strides(occupied), *plan.scratch
    )
    return parts[0], parts[1]


@lru_cache(maxsize=64)
def _log_sum_exp(form: Form, tile: Tile | None) -> tuple[Plan, Launch]:
    plan = plan_of(form, False, 1, tile or planning.best_tile(form, ()))
    return plan, _look_launch(form, plan, "none", (), lse=True)


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
    found = heads.q.new_empty(heads.shape, dtype=torch.float32)
    _tile_launch(heads.form)(*heads.tensors, found, *heads.sizes)
    return found


@lru_cache(maxsize=64)
def _tile_launch(form: Form) -> Launch:
    batch, count, queries, keys = form.shape
    grid = (-(-keys // 64), -(-queries // 32), batch * count)
    return Launch(_single()._tile, grid, **arguments.kinds_of_tiles(form), ROWS=32, KEYS=64)


def at(heads: Heads, chosen: Collection[int], back: bool) -> torch.Tensor:
    """The weight of each query on chosen keys, or on those so many places back: (B, H, chosen, Q)."""
    batch, count, queries, _ = heads.shape
    numbers = arguments.on_device(tuple(chosen), heads.q.device)
    found = heads.q.new_empty((batch, count, len(numbers), queries), dtype=torch.float32)
    if len(numbers):
        _at_launch(heads.form, len(numbers), back)(*heads.tensors, numbers, found, *heads.sizes)
    return found


@lru_cache(maxsize=64)
def _at_launch(form: Form, count: int, back: bool) -> Launch:
    grid = (-(-form.shape[2] // 32), form.shape[0] * form.shape[1], count)
    return Launch(_single()._at, grid, **arguments.kinds_of_pairs(form), BACK=back, ROWS=32)


def _refine(heads: Heads, most: torch.Tensor, group: int) -> None:
    """From the first key of a group to the one that is read most."""
    _refine_launch(heads.form, group)(*heads.tensors, most, *heads.sizes)


@lru_cache(maxsize=64)
def _refine_launch(form: Form, group: int) -> Launch:
    grid = (-(-form.shape[2] // 32), form.shape[0] * form.shape[1])
    return Launch(_single()._refine, grid, **arguments.kinds_of_pairs(form), GROUP=group, ROWS=32)


def _edges(form: Form, what: Collection[str], width: int, tile: Tile) -> list[int]:
    """Columns of the picture between which keys are looked at on their own: all at once, unless the column sums of as
    many programs as keep a GPU busy were too large."""
    batch, count, queries, keys = form.shape
    programs = min(planning.PROGRAMS, batch * count * -(-queries // tile.rows)) if "received" in what else 0
    parts = min(width, -(-programs * keys * 4 // planning.SCRATCH))
    return sorted({nth * width // max(1, parts) for nth in range(max(1, parts) + 1)})


# the launches


def _kernel() -> Any:
    """Imported when first used: Triton takes a second."""
    from regard.attending.kernels import look_kernel

    return look_kernel


def _single() -> Any:
    from regard.attending.kernels import single_weights_kernel

    return single_weights_kernel


def _look_launch(form: Form, plan: Plan, columns: str, rows: Collection[str], lse: bool = False) -> Launch:
    """The rows of a slab."""
    constants = arguments.compiled_for(form, plan.tile)
    constants["REST_OF_SHIFT"] = form.has_rest and not lse
    return Launch(
        _kernel()._look,
        (form.shape[0] * form.shape[1], plan.blocks),
        **constants,
        STAIRS=form.is_causal and plan.together == 1,
        COLUMNS=columns,
        TOTAL="given" in rows,
        ENTROPY="entropy" in rows,
        DISTANCE="mean_distance" in rows,
        LARGEST="largest" in rows,
        STRETCH=0 if plan.marks is None else plan.marks.stretch,
        STEP=1 if plan.marks is None else plan.marks.step,
        LSE=lse,
        STRIP=plan.strip,
    )


def _gather_launch(plan: Plan, columns: Columns, pool: str, later: bool) -> Launch:
    """The column sums of a slab, the first or a later one."""
    every, width = columns.keys, columns.width
    return Launch(
        _kernel()._gather,
        (columns.right - columns.left, plan.form.shape[0] * plan.form.shape[1]),
        SUM=pool == "sum",
        LATER=later,
        STRIPS=plan.together,
        AT_ONCE=32,
        KEYS=min(1024, max(16, 1 << (-(-every // width) - 1).bit_length())),
        EVENLY=every // width if every % (16 * width) == 0 else 0,
        num_warps=4,
    )


def _strides(occupied: torch.Tensor | None) -> tuple[int, ...]:
    return (0, 0, 0) if occupied is None else occupied.stride()[:3]


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
