"""Numbers as GGUF packs them: blocks of 32 or 256 that share a scale, unpacked where they are read.

A parameter stays in its file, mapped into memory; an index touches only the rows, and of long rows only the blocks,
that it needs. The products are made in single precision, as llama.cpp makes them, and widened then.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from regard.ops.narrow import Narrow

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Kind:
    """One way to pack numbers: a block of `length` of them has this type, and `unpack` gives them along a new axis."""

    name: str
    length: int
    type: np.dtype[Any]
    unpack: Callable[[Array], Array]

    def bytes(self, count: int) -> int:
        return count // self.length * self.type.itemsize

    def are_finite(self, blocks: Array) -> bool:
        """Whether every number will be: where they share scales, whether these are."""
        names = [name for name in blocks.dtype.names or () if blocks.dtype[name].kind == "f"]
        if not names:
            return Narrow(blocks).is_finite
        return all(bool(np.isfinite(blocks[name]).all()) for name in names)


def _wide(numbers: Array) -> Array:
    return numbers.astype(np.float32)[..., None]


def _half_nibbles(block: Array) -> Array:
    """Sixteen bytes are 32 numbers from 0 to 15: all lower halves first."""
    packed = block["nibbles"]
    return np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)


def _q4_0(block: Array) -> Array:
    return _wide(block["scale"]) * (_half_nibbles(block) - np.float32(8))


def _q4_1(block: Array) -> Array:
    return _wide(block["scale"]) * _half_nibbles(block) + _wide(block["least"])


def _q8_0(block: Array) -> Array:
    return _wide(block["scale"]) * block["numbers"].astype(np.float32)


def _q4_k(block: Array) -> Array:
    """Eight groups of 32 numbers, each with a scale and a least number of six bits, twelve bytes for all of these."""
    first, second, third = (block["packed"][..., i : i + 4] for i in (0, 4, 8))
    scales = np.concatenate([first & 63, (third & 15) | ((first >> 6) << 4)], axis=-1)
    least = np.concatenate([second & 63, (third >> 4) | ((second >> 6) << 4)], axis=-1)
    pairs = block["nibbles"].reshape(*block.shape, 4, 32)
    numbers = np.stack([pairs & 15, pairs >> 4], axis=-2).reshape(*block.shape, 8, 32).astype(np.float32)
    scale = _wide(block["scale"]) * scales.astype(np.float32)
    shift = _wide(block["least"]) * least.astype(np.float32)
    return (scale[..., None] * numbers - shift[..., None]).reshape(*block.shape, 256)


def _q6_k(block: Array) -> Array:
    """Sixteen groups of 16 numbers from −32 to 31: four bits of each in one place, two in another."""
    low = block["low"].reshape(*block.shape, 2, 64)
    low = np.stack([low & 15, low >> 4], axis=-2).reshape(*block.shape, 2, 4, 32)
    high = block["high"].reshape(*block.shape, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8)[:, None] & 3
    numbers = (low | high << 4).astype(np.float32) - np.float32(32)
    scale = _wide(block["scale"]) * block["scales"].astype(np.float32)
    return (scale[..., None] * numbers.reshape(*block.shape, 16, 16)).reshape(*block.shape, 256)


def _plain(numbers: Array) -> Array:
    return Narrow(numbers)[...][..., None]


def _block(*fields: tuple[str, str] | tuple[str, str, int]) -> np.dtype[Any]:
    return np.dtype(list(fields))


KINDS = {  # by their numbers in the file
    0: Kind("F32", 1, np.dtype("<f4"), _plain),
    1: Kind("F16", 1, np.dtype("<f2"), _plain),
    2: Kind("Q4_0", 32, _block(("scale", "<f2"), ("nibbles", "u1", 16)), _q4_0),
    3: Kind("Q4_1", 32, _block(("scale", "<f2"), ("least", "<f2"), ("nibbles", "u1", 16)), _q4_1),
    8: Kind("Q8_0", 32, _block(("scale", "<f2"), ("numbers", "i1", 32)), _q8_0),
    12: Kind(
        "Q4_K", 256, _block(("scale", "<f2"), ("least", "<f2"), ("packed", "u1", 12), ("nibbles", "u1", 128)), _q4_k
    ),
    14: Kind(
        "Q6_K", 256, _block(("low", "u1", 128), ("high", "u1", 64), ("scales", "i1", 16), ("scale", "<f2")), _q6_k
    ),
    30: Kind("BF16", 1, np.dtype("<u2"), _plain),  # as ops/narrow.py keeps it
}


@dataclass(frozen=True, eq=False)
class Packed(Narrow):
    """An array of float64 to its readers: rows of blocks in `kept`, each row and its numbers cut into axes.

    `rows` and `columns` are the sizes of these axes, `order` says which of them stands where, `at` which row of the
    file each row is.

    >>> kept = np.zeros((6, 1), KINDS[8].type)
    >>> kept["scale"], kept["numbers"] = 0.5, np.arange(6)[:, None, None]
    >>> numbers = Packed(kept, KINDS[8], (2, 3), (32,), (0, 2, 1))
    >>> numbers.shape, numbers[1, 31], np.asarray(numbers).sum()
    ((2, 32, 3), array([1.5, 2. , 2.5]), np.float64(240.0))
    """

    kind: Kind
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    order: tuple[int, ...]
    at: Array | None = field(default=None)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return (*self.rows, *self.columns)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._sizes[axis] for axis in self.order)

    @property
    def ndim(self) -> int:
        return len(self.order)

    @property
    def size(self) -> int:
        return math.prod(self._sizes)

    @property
    def strides(self) -> tuple[int, ...]:
        """How far apart neighbours along an axis lie, in numbers."""
        return tuple(math.prod(self._sizes[axis + 1 :]) for axis in self.order)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self[...].astype(dtype or np.float64, copy=False)

    def __getitem__(self, at: Any) -> npt.NDArray[np.float64]:
        wanted = [_Wanted.of(index, size) for index, size in zip(_spelled_out(at, self.ndim), self.shape)]
        chosen = [wanted[self.order.index(axis)].places for axis in range(self.ndim)]
        picked = self._picked(chosen[: len(self.rows)], chosen[len(self.rows) :])
        return np.transpose(picked, self.order)[tuple(each.then for each in wanted)]

    def _picked(self, rows: Sequence[Array], columns: Sequence[Array]) -> npt.NDArray[np.float64]:
        """The numbers at every combination of these places, in the order of the file."""
        numbers = np.arange(len(self.kept)) if self.at is None else self.at
        which = numbers.reshape(self.rows)[np.ix_(*rows)]
        if len(columns) > 1:
            whole = self._unpacked(which, slice(None)).reshape(*which.shape, *self.columns)
            return whole[(..., *np.ix_(*columns))]
        (places,) = columns
        if not places.size:
            return np.zeros((*which.shape, 0))
        first, last = int(places.min()) // self.kind.length, int(places.max()) // self.kind.length
        found = self._unpacked(which, slice(first, last + 1))
        inside = places - first * self.kind.length
        is_a_range = bool(np.all(np.diff(places) == 1))
        return found[..., inside[0] : inside[-1] + 1] if is_a_range else found[..., inside]

    def _unpacked(self, rows: Array, blocks: slice) -> npt.NDArray[np.float64]:
        found = self.kind.unpack(self.kept[rows, blocks])
        *_, count, length = found.shape
        return found.reshape(*rows.shape, count * length).astype(np.float64)

    def blocks(self, axis: int, multiple: int = 1) -> Iterator[slice]:
        """Along a row's numbers, at least a block at a time: nobody can unpack half of one."""
        if self.order[axis] != len(self.rows) or len(self.columns) > 1:
            yield from super().blocks(axis, multiple)
            return
        ranges = list(super().blocks(axis, multiple))
        step = -(-ranges[0].stop // self.kind.length) * self.kind.length
        yield from (slice(start, min(start + step, self.shape[axis])) for start in range(0, self.shape[axis], step))

    @property
    def is_finite(self) -> bool:
        return self.kind.are_finite(self.kept)


@dataclass(frozen=True)
class _Wanted:
    """Which places of an axis are read, and what is then picked from them."""

    places: Array
    then: Any

    @classmethod
    def of(cls, index: Any, size: int) -> "_Wanted":
        if isinstance(index, slice):
            return cls(np.arange(size)[index], slice(None))
        asked = np.arange(size)[index]  # checks it, and counts what is below 0 from the end
        if asked.ndim == 0:
            return cls(asked[None], 0)
        places, then = np.unique(asked, return_inverse=True)
        return cls(places, then.reshape(asked.shape))


def _spelled_out(at: Any, axes: int) -> tuple[Any, ...]:
    """An index for every axis."""
    given = cast("tuple[Any, ...]", at if isinstance(at, tuple) else (at,))
    gaps = [i for i, part in enumerate(given) if part is Ellipsis]
    if any(part is None for part in given) or len(gaps) > 1 or len(given) - len(gaps) > axes:
        raise IndexError(f"{axes} axes cannot be read by {len(given)} indices; give one for each")
    place = gaps[0] if gaps else len(given)
    missing = [slice(None)] * (axes - len(given) + len(gaps))
    return (*given[:place], *missing, *given[place + 1 :])
