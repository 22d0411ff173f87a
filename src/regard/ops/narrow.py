"""Numbers kept in the shorter type of their file, such as bfloat16: each is widened, exactly, where it is read.

A real checkpoint stays on disk, mapped into memory; only what one step reads is ever held in full width.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BLOCK = 2**18  # numbers widened at a time: two megabytes, which fit in a processor's cache
EXPONENT = np.uint16(0x7F80)  # of a bfloat16; all ones where the number is infinite or NaN


@dataclass(frozen=True, eq=False)
class Narrow:
    """An array of float64 to its readers, whatever it is kept in. uint16 stands for the upper half of a float32.

    >>> numbers = Narrow(np.array([0x3F80, 0xC040], np.uint16))
    >>> numbers[1], np.asarray(numbers).tolist(), numbers.is_finite
    (array(-3.), [1.0, -3.0], True)
    """

    kept: npt.NDArray[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.kept.shape

    @property
    def ndim(self) -> int:
        return self.kept.ndim

    @property
    def size(self) -> int:
        return self.kept.size

    @property
    def strides(self) -> tuple[int, ...]:
        return self.kept.strides

    @property
    def dtype(self) -> np.dtype[np.float64]:
        return np.dtype(np.float64)

    def __getitem__(self, at: Any) -> npt.NDArray[np.float64]:
        return _widened(np.asarray(self.kept[at]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _widened(self.kept).astype(dtype or np.float64, copy=bool(copy))

    def blocks(self, axis: int, multiple: int = 1) -> Iterator[slice]:
        """Ranges along an axis, each small enough to be widened at once, and where there is room a multiple long."""
        length = self.shape[axis]
        step = max(1, BLOCK * length // self.size)
        step -= step % multiple if step > multiple else 0
        return (slice(start, min(start + step, length)) for start in range(0, length, step))

    @property
    def is_finite(self) -> bool:
        if not self.ndim:
            return bool(np.isfinite(self[()]))
        return all(_is_finite(self.kept[part]) for part in self.blocks(0))


Numbers: TypeAlias = npt.NDArray[Any] | Narrow


def _widened(kept: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    if kept.dtype == np.uint16:
        upper = kept.astype(np.uint32)
        upper <<= 16
        kept = upper.view(np.float32)
    return kept.astype(np.float64, copy=False)


def _is_finite(kept: npt.NDArray[Any]) -> bool:
    if kept.dtype == np.uint16:
        return bool(np.max(kept & EXPONENT) < EXPONENT)
    return bool(np.isfinite(kept).all())
