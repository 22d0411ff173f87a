"""What every kernel that looks at heads is given: sizes, strides, and what it is compiled for."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from regard.attending.kernels.heads import LOG2_E, Heads


class Tile(NamedTuple):
    """How many rows a program owns, how many keys it takes at a time, and what compiles well."""

    rows: int
    keys: int
    warps: int
    stages: int
    registers: int | None = None  # a thread may take; with fewer, more programs run side by side

    @property
    def groups(self) -> int:
        """Places of a tile's keys of which a thread finds the largest on its own; neighbouring keys share one."""
        return min(self.keys, 32)


def tensors(heads: Heads) -> tuple[Any, ...]:
    sight = heads.sight
    return heads.q, heads.k, sight.begin, sight.end, heads.shift, heads.rest, sight.mask, heads.bias


def sizes(heads: Heads) -> tuple[Any, ...]:
    count = heads.shape[1]
    own = (*heads.shape[2:], heads.first, count, count // heads.k.shape[1], factor(heads), heads.cap or 1.0)
    return (*own, *strides(heads), *strides_of_mask(heads), *strides_of_bias(heads))


def factor(heads: Heads) -> float:
    return heads.scale * (1.0 if heads.cap is not None else LOG2_E)


def strides(heads: Heads) -> tuple[int, ...]:
    return (*heads.q.stride()[:3], *heads.k.stride()[:3], *heads.sight.begin.stride()[:2])


def strides_of_mask(heads: Heads) -> tuple[int, ...]:
    return (0, 0, 0, 0) if heads.sight.mask is None else heads.sight.mask.stride()


def strides_of_bias(heads: Heads) -> tuple[int, ...]:
    if heads.bias is None:
        return (0, 0, 0, 0)
    return heads.bias.stride() if heads.bias.ndim == 4 else (0, heads.bias.stride(0), 0, 0)


def kinds(heads: Heads) -> dict[str, Any]:
    bias = heads.bias
    kind = "none" if bias is None else "matrix" if bias.ndim == 4 else "distance"
    return {
        "WIDTH": heads.q.shape[-1],
        "MASK": heads.sight.mask is not None,
        "CAP": heads.cap is not None,
        "BIAS": kind,
        "REACH": bias.shape[1] if bias is not None and kind == "distance" else 1,
    }


def kinds_of_pairs(heads: Heads) -> dict[str, Any]:
    """Of a kernel that multiplies one query by one key, element by element."""
    padded = max(16, 1 << (heads.q.shape[-1] - 1).bit_length())
    return {**kinds(heads), "PADDED": padded, "REST_OF_SHIFT": heads.rest is not None}


def kinds_of_tiles(heads: Heads) -> dict[str, Any]:
    """Of a kernel that multiplies on tensor cores: a width such as 72 is taken as 64 and 16."""
    width = heads.q.shape[-1]
    broad = max(16, 1 << (width.bit_length() - 1))
    rest = width - broad
    own = {"FIRST": broad, "REST": max(16, 1 << (rest - 1).bit_length()) if rest > 0 else 0, "PRECISION": "ieee"}
    return {**kinds(heads), **own}


def compiled_for(heads: Heads, tile: Tile) -> dict[str, Any]:
    return {
        **kinds_of_tiles(heads),
        "ALIGNED": math.gcd(heads.k.stride(2), 16),
        "ROWS": tile.rows,
        "KEYS": tile.keys,
        "STAGES": tile.stages,
        "num_warps": tile.warps,
        "maxnreg": tile.registers,
    }


@lru_cache(maxsize=64)
def on_device(numbers: tuple[int, ...], device: torch.device) -> torch.Tensor:
    """Copied once: a copy waits for all that the GPU still has to do."""
    return torch.tensor(numbers, dtype=torch.int32, device=device)
