"""What every kernel that looks at heads is given: what it is compiled for, and how it is launched."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import torch

from regard.attending.kernels.heads import Form


class Tile(NamedTuple):
    """How many rows a program owns, how many keys it takes at a time, and what compiles well."""

    rows: int
    keys: int
    warps: int
    stages: int
    registers: int | None = None  # a thread may take; with fewer, more programs run side by side
    polynomial: bool = False  # whether some powers of column sums are computed by ordinary units

    @property
    def groups(self) -> int:
        """Places of a tile's keys of which a thread finds the largest on its own; neighbouring keys share one."""
        return min(self.keys, 32)


class Launch:
    """A kernel, how many programs of it, and what it is compiled for.

    At each call, Triton finds out from all arguments which of a kernel's versions is meant, which takes longer than
    some of these kernels run. For heads of one form it is always the same one, so it is asked once.
    """

    def __init__(self, kernel: Any, grid: tuple[int, ...], **constants: Any):
        self._kernel, self._grid, self._constants = kernel, grid, constants
        self._run: Any = None
        self._last: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> None:
        if self._run is not None:
            self._run(*arguments, *self._last)
            return
        compiled = self._kernel[self._grid](*arguments, **self._constants)
        if compiled is not None:  # the interpreter compiles nothing
            self._last = tuple(self._constants[name] for name in self._kernel.arg_names[len(arguments) :])
            self._run = compiled[(*self._grid, 1, 1)[:3]]


def kinds(form: Form) -> dict[str, Any]:
    return {
        "WIDTH": form.width,
        "REST_OF_SHIFT": form.has_rest,
        "MASK": form.has_mask,
        "CAP": form.has_cap,
        "BIAS": form.bias,
        "REACH": form.reach,
    }


def kinds_of_pairs(form: Form) -> dict[str, Any]:
    """Of a kernel that multiplies one query by one key, element by element."""
    return {**kinds(form), "PADDED": max(16, 1 << (form.width - 1).bit_length())}


def kinds_of_tiles(form: Form) -> dict[str, Any]:
    """Of a kernel that multiplies on tensor cores: a width such as 72 is taken as 64 and 16."""
    broad = max(16, 1 << (form.width.bit_length() - 1))
    rest = form.width - broad
    own = {"FIRST": broad, "REST": max(16, 1 << (rest - 1).bit_length()) if rest > 0 else 0, "PRECISION": "ieee"}
    return {**kinds(form), **own}


def compiled_for(form: Form, tile: Tile) -> dict[str, Any]:
    return {
        **kinds_of_tiles(form),
        "ALIGNED": math.gcd(form.strides[5], 16),
        "ROWS": tile.rows,
        "KEYS": tile.keys,
        "STAGES": tile.stages,
        "POLYNOMIAL": tile.polynomial,
        "num_warps": tile.warps,
        "maxnreg": tile.registers,
    }


@lru_cache(maxsize=64)
def on_device(numbers: tuple[int, ...], device: torch.device) -> torch.Tensor:
    """Copied once: a copy waits for all that the GPU still has to do."""
    return torch.tensor(numbers, dtype=torch.int32, device=device)
