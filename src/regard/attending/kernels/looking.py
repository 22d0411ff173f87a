"""What the look kernel is given, how the work is cut, and what comes back: tensors, where q and k lie."""

import importlib.util
import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from regard.attending.bias import ByDistance
from regard.attending.kernels.heads import LOG2_E, Heads
from regard.attending.spans import Spans

WIDEST = 256  # head
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
SCRATCH = 256 * 2**20  # bytes for parts of column sums,
STRIPS_AT_ONCE = 264  # and at least as many strips as keep an H200 busy, for texts of a million tokens


class Tile(NamedTuple):
    """How many rows a program owns, how many keys it takes at a time, and what compiles well."""

    rows: int
    keys: int
    warps: int
    stages: int
    registers: int | None = None  # a thread may take; with fewer, more programs run side by side


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
    bound: torch.Tensor | None = None  # log₂ of a weight that `count` weights of the row reach


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
    bound: int = 0,
    tile: Tile | None = None,
) -> Found:
    """One pass: of `what` is named, and with "received" a picture too. `pool` says whether its cells are a sum or the
    largest; with `bound`, as many weights of each row as that are at least as large as what is found."""
    batch, count, _, keys = heads.shape
    columns = pool if "received" in what else "none"
    plan = _plan(heads, columns != "none", height, tile or _best(heads, what))
    rows = {name: heads.q.new_empty(heads.shape[:3], dtype=torch.float32) for name in ROWS if name in what}
    most = torch.empty_like(rows["largest"], dtype=torch.int32) if "largest" in what else None
    least = heads.q.new_empty(heads.shape[:3], dtype=torch.float32) if bound else None
    received = picture = None
    if columns == "none":
        _launch(heads, plan, 0, plan.strips, "none", rows, most, least, bound)
    else:
        width = min(width, keys)
        received = heads.q.new_empty((batch, count, keys), dtype=torch.float32)
        pooled = heads.q.new_empty((batch, count, plan.strips, width), dtype=torch.float32)
        for first in range(0, plan.strips, plan.at_once):
            scratch = _launch(heads, plan, first, plan.at_once, columns, rows, most, least, bound)
            _add_up(scratch, plan, first, columns, received, pooled)
        cells = pooled.unflatten(2, (plan.cells, -1))
        picture = cells.sum(3) if pool == "sum" else cells.amax(3)
    if most is not None and plan.tile.keys >= 64:
        _refine(heads, most, plan.tile.keys // 32)
    found = {name: rows.get(name) for name in ROWS}
    return Found(received, picture, **found, read_most=most, bound=least)


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
    _launch(heads, plan, 0, plan.strips, "none", lse=parts)
    return parts[0], parts[1]


def top(heads: Heads, count: int, keep: int = 32, bound: torch.Tensor | None = None, tile: Tile | None = None) -> Any:
    """The keys that each query reads most, and their weights: (B, H, Q, count) each, largest first.

    The first pass finds a weight that `count` weights of a row reach, the second keeps all that reach it: hardly more.
    Where they are too many, as when all weights are equal, the row is sorted whole.
    """
    plan = _plan(heads, False, 1, tile or _best(heads, ()))
    count_here = min(count, heads.shape[3])
    if count_here > min(plan.tile.keys, 32, keep // 2):
        return _sorted_rows(heads, count)
    if bound is None:
        bound = look(heads, (), bound=count_here, tile=tile).bound
    rows = math.prod(heads.shape[:3])
    counts = torch.empty(heads.shape[:3], dtype=torch.int32, device=heads.q.device)
    kept_keys = torch.empty((rows, keep), dtype=torch.int32, device=counts.device)
    kept = torch.empty((rows, keep), dtype=torch.float32, device=counts.device)
    _single()._beyond[(plan.strips, heads.shape[0] * heads.shape[1])](
        *(heads.q, heads.k, heads.sight.begin, heads.sight.end, heads.shift, heads.rest, heads.sight.mask, heads.bias),
        *(bound, counts, kept_keys, kept, *_sizes(heads)),
        **_kinds_of_tiles(heads, plan.tile),
        REST_OF_SHIFT=heads.rest is not None,
        KEEP=keep,
    )
    found = torch.empty((*heads.shape[:3], count_here), dtype=torch.float32, device=counts.device)
    keys = torch.empty_like(found, dtype=torch.int32)
    _single()._select[(-(-rows // 32),)](counts, kept_keys, kept, keys, found, rows, keep, count_here, 32)
    for text, head, row in (counts > keep).nonzero().tolist():
        one = heads.part(slice(text, text + 1), slice(head, head + 1), slice(row, row + 1), slice(0, heads.shape[3]))
        keys[text, head, row], found[text, head, row] = (x[0, 0, 0, :count_here] for x in _sorted_rows(one, count_here))
    missing = count - count_here
    return torch.nn.functional.pad(keys, (0, missing), value=-1), torch.nn.functional.pad(found, (0, missing))


def at(heads: Heads, chosen: Collection[int], back: bool) -> torch.Tensor:
    """The weight of each query on chosen keys, or on those so many places back: (B, H, chosen, Q)."""
    batch, count, queries, _ = heads.shape
    numbers = _on_device(tuple(chosen), heads.q.device)
    found = heads.q.new_empty((batch, count, len(numbers), queries), dtype=torch.float32)
    if not len(numbers):
        return found
    _single()._at[(-(-queries // 32), batch * count, len(numbers))](
        *(heads.q, heads.k, heads.sight.begin, heads.sight.end, heads.shift, heads.rest, heads.sight.mask, heads.bias),
        *(numbers, found, *_sizes(heads)),
        **_kinds_of_pairs(heads),
        REST_OF_SHIFT=heads.rest is not None,
        BACK=back,
    )
    return found


@lru_cache(maxsize=64)
def _on_device(numbers: tuple[int, ...], device: torch.device) -> torch.Tensor:
    """Copied once: a copy waits for all that the GPU still has to do."""
    return torch.tensor(numbers, dtype=torch.int32, device=device)


def _refine(heads: Heads, most: torch.Tensor, group: int) -> None:
    """From the first key of a group to the one that is read most."""
    _single()._refine[(-(-heads.shape[2] // 32), heads.shape[0] * heads.shape[1])](
        *(heads.q, heads.k, heads.sight.begin, heads.sight.end, heads.sight.mask, heads.bias, most, *_sizes(heads)),
        **_kinds_of_pairs(heads),
        GROUP=group,
    )


def _sizes(heads: Heads) -> tuple[Any, ...]:
    given, count = _given(heads), heads.shape[1]
    sizes = (*heads.shape[2:], heads.first, count, count // heads.k.shape[1], given.factor, heads.cap or 1.0)
    return (*sizes, *given.strides, *given.see, *given.biased)


def _kinds_of_pairs(heads: Heads) -> dict[str, Any]:
    width = heads.q.shape[-1]
    padded = max(16, 1 << (width - 1).bit_length())
    return {"WIDTH": width, "PADDED": padded, "MASK": heads.sight.mask is not None, **_given(heads).kinds, "ROWS": 32}


# how the work is cut


def _kernel() -> Any:
    """Imported when first used: Triton takes a second."""
    from regard.attending.kernels import look_kernel

    return look_kernel


def _single() -> Any:
    from regard.attending.kernels import single_weights_kernel

    return single_weights_kernel


class Plan(NamedTuple):
    tile: Tile
    cells: int  # rows of the picture
    strip: int  # rows whose column sums are added up in a program
    strips: int
    at_once: int
    queries: int

    @lru_cache(maxsize=64)  # noqa: B019  (a plan is a value, and its tables are small)
    def rows_of(self, first: int, blocks: int, device: torch.device) -> torch.Tensor:
        """Which row stands where in the strips of some blocks; −1 for none. No strip lies in two cells."""
        here = torch.arange(blocks * self.tile.rows, device=device)
        strip, each = first + here // self.strip, self.strips // self.cells
        cell = strip // each
        row = cell * self.queries // self.cells + strip % each * self.strip + here % self.strip
        there = (row < (cell + 1) * self.queries // self.cells) & (cell < self.cells)
        return torch.where(there, row, -1).to(torch.int32)


def _best(heads: Heads, what: Collection[str]) -> Tile:
    """What was quickest on an H200 (benchmarks/NOTES.md)."""
    width = heads.q.shape[-1]
    if heads.q.dtype == torch.float32:
        return Tile(32, 32, 4, 1)
    if width > 128:
        return Tile(64, 64, 4, 2)
    return Tile(128, 64, 4, 3) if list(what) == ["received"] else Tile(64, 64, 4, 3)


def _plan(heads: Heads, has_columns: bool, height: int, tile: Tile) -> Plan:
    batch, count, queries, keys = heads.shape
    if not has_columns:
        blocks = -(-queries // tile.rows)
        return Plan(tile, blocks, tile.rows, blocks, blocks, queries)
    cells = min(height, queries)
    tallest = -(-queries // cells)
    # rows of a strip that are not there cost as much as others: the largest strips that waste little
    sizes = [size for size in (8, 16, 32, 64, 128) if size <= tile.rows]
    rows = {size: -(-tallest // size) * size for size in sizes}
    strip = max(size for size in sizes if rows[size] <= 1.1 * min(rows.values()))
    strips = cells * rows[strip] // strip
    bytes_of_strip = batch * count * keys * 4
    together = tile.rows // strip
    at_once = max(SCRATCH // bytes_of_strip, STRIPS_AT_ONCE // (batch * count), 1)
    at_once = min(-(-at_once // together), -(-strips // together)) * together
    return Plan(tile, cells, strip, strips, at_once, queries)


class Given(NamedTuple):
    factor: float
    strides: tuple[int, ...]
    see: tuple[int, ...]
    biased: tuple[int, ...]
    kinds: dict[str, Any]


def _given(heads: Heads) -> Given:
    bias, mask = heads.bias, heads.sight.mask
    kind = "none" if bias is None else "matrix" if bias.ndim == 4 else "distance"
    biased = (0, 0, 0, 0)
    if bias is not None:
        biased = bias.stride() if bias.ndim == 4 else (0, bias.stride(0), 0, 0)
    return Given(
        heads.scale * (1.0 if heads.cap is not None else LOG2_E),
        (*heads.q.stride()[:3], *heads.k.stride()[:3], *heads.sight.begin.stride()[:2]),
        (0, 0, 0, 0) if mask is None else tuple(mask.stride()),
        biased,
        {
            "CAP": heads.cap is not None,
            "BIAS": kind,
            "REACH": bias.shape[1] if bias is not None and kind == "distance" else 1,
        },
    )


def _launch(
    heads: Heads,
    plan: Plan,
    first: int,
    strips: int,
    columns: str,
    rows: dict[str, torch.Tensor] | None = None,
    most: torch.Tensor | None = None,
    least: torch.Tensor | None = None,
    bound: int = 0,
    lse: tuple[torch.Tensor, ...] | None = None,
) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Some of the strips; gives their column sums and how far each program's keys reach."""
    batch, count, queries, keys = heads.shape
    mask, rows = heads.sight.mask, rows or {}
    blocks = -(-strips // (plan.tile.rows // plan.strip))
    scratch = None
    if columns != "none":
        sums = heads.q.new_empty((batch * count, strips, keys), dtype=torch.float32)
        scratch = sums, heads.q.new_empty((batch * count, blocks, 2), dtype=torch.int32)
    given, occupied = _given(heads), None if mask is None else heads.blocks(plan.tile.keys)
    _kernel()._look[(blocks, batch * count)](
        *(heads.q, heads.k, plan.rows_of(first, blocks, heads.q.device), heads.sight.begin, heads.sight.end),
        *(heads.shift, heads.rest, mask, occupied, heads.bias, *(scratch or (None, None))),
        *(rows.get(name) for name in ROWS),
        *(most, least, *(lse or (None, None))),
        *(queries, keys, heads.first, count, count // heads.k.shape[1], given.factor, heads.cap or 1.0),
        *(*given.strides, *given.see, *((0, 0, 0) if occupied is None else occupied.stride()[:3]), *given.biased),
        **_kinds_of_tiles(heads, plan.tile),
        REST_OF_SHIFT=heads.rest is not None and lse is None,
        COLUMNS=columns,
        TOTAL="given" in rows,
        ENTROPY="entropy" in rows,
        DISTANCE="mean_distance" in rows,
        LARGEST="largest" in rows,
        BOUND=bound,
        LSE=lse is not None,
        STRIP=plan.strip,
    )
    return scratch


def _kinds_of_tiles(heads: Heads, tile: Tile) -> dict[str, Any]:
    width = heads.q.shape[-1]
    broad = max(16, 1 << (width.bit_length() - 1))
    rest = width - broad
    return {
        "WIDTH": width,
        "FIRST": broad,
        "REST": max(16, 1 << (rest - 1).bit_length()) if rest > 0 else 0,
        "PRECISION": "ieee",
        "ALIGNED": math.gcd(heads.k.stride(2), 16),
        "MASK": heads.sight.mask is not None,
        **_given(heads).kinds,
        "ROWS": tile.rows,
        "KEYS": tile.keys,
        "STAGES": tile.stages,
        "num_warps": tile.warps,
        "maxnreg": tile.registers,
    }


def _add_up(scratch: Any, plan: Plan, first: int, columns: str, received: torch.Tensor, pooled: torch.Tensor) -> None:
    sums, reaches = scratch
    keys, width = received.shape[-1], pooled.shape[-1]
    _kernel()._gather[(width, sums.shape[0])](
        *(sums, reaches, received, pooled, keys, first, sums.shape[1], plan.strips, width),
        SUM=columns == "sum",
        LATER=first > 0,
        STRIPS=plan.tile.rows // plan.strip,
        AT_ONCE=32,
        KEYS=min(1024, max(16, 1 << (-(-keys // width) - 1).bit_length())),
        EVENLY=keys // width if keys % (16 * width) == 0 else 0,
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
        p = heads.part(slice(0, batch), slice(0, number), rows, slice(0, keys)).tile()
        p, where = (x[..., :count] for x in torch.sort(p, dim=-1, descending=True, stable=True))
        found[:, :, rows, :count] = p
        at_keys[:, :, rows, :count] = where.to(torch.int32).masked_fill(p == 0, -1)
    return at_keys, found
