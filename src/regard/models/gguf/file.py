"""Reading a GGUF file: a header, named values, a table of tensors, then their numbers, each at an aligned place.

All is little-endian. A file comes from anybody: every count is compared with the bytes that are there before anything
of that size is made, names occur once, and tensors follow one another without gaps or overlap up to the end, as
llama.cpp writes them; so a file that was cut or mixed up is noticed by its sizes.
"""

import math
import mmap
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regard import strangers
from regard.checkpoints.reading import few
from regard.models.gguf.packed import KINDS, Kind

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_VALUES, MOST_TENSORS = 2**12, 2**16
MOST_ITEMS = 2**20  # of all lists together: a vocabulary and its merges
MOST_TEXT = 2**20  # bytes of one string: a chat template has some thousands
MOST_NAME, MOST_AXES = 2**10, 4
ALIGNMENT, MOST_ALIGNMENT = 32, 2**16
LEAST_ENTRY = 8 + 1 + 4 + 8 + 4 + 8  # bytes of a tensor's entry: its name, axes, kind and place

# the kinds of values, by their numbers in the file
NUMBERS = {0: "<u1", 1: "<i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 10: "<u8", 11: "<i8", 12: "<f8"}
TRUTH, TEXT, LIST = 7, 8, 9


@dataclass(frozen=True)
class Tensor:
    """Where the numbers of one tensor are. The last axis of its shape lies together in the file."""

    kind: Kind
    shape: tuple[int, ...]
    start: int  # in the file
    bytes: int


@dataclass(frozen=True, eq=False)
class Gguf:
    """What a file says about itself, its tensors by name, and its bytes, mapped into memory."""

    values: dict[str, Any]
    tensors: dict[str, Tensor]
    data: mmap.mmap

    def blocks(self, tensor: Tensor) -> np.ndarray:
        """The tensor as it lies in the file: rows of blocks, of the type that its kind has."""
        rows, block = math.prod(tensor.shape[:-1]), tensor.kind.type
        flat = np.frombuffer(self.data, block, tensor.bytes // block.itemsize, tensor.start)
        return flat.reshape(rows, -1)


def read(path: str | os.PathLike[str]) -> Gguf:
    """The header and the table of a file; none of its tensors is read yet."""
    there = Path(path)
    with strangers.opened(there.parent, there.name, links_into=[there.resolve().parent]) as (file, size):
        if size < 24:
            raise ValueError(f"it has {size} bytes; a GGUF file has at least 24")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return _read(data)


def _read(data: mmap.mmap) -> Gguf:
    cursor = Cursor(data)
    if (magic := bytes(cursor.take(4))) != MAGIC:
        raise ValueError(f"it begins with {magic!r}; a GGUF file begins with {MAGIC!r}")
    version = cursor.whole("<I")
    if version not in VERSIONS:
        raise ValueError(
            f"it is GGUF of version {version:,}; regard reads {' and '.join(map(str, VERSIONS))}, little-endian"
        )
    tensors, values = cursor.whole("<Q"), cursor.whole("<Q")
    if tensors > min(MOST_TENSORS, len(data) // LEAST_ENTRY) or values > MOST_VALUES:
        raise ValueError(f"it claims {tensors:,} tensors and {values:,} values, which is not possible")
    said = _values(cursor, values)
    alignment = said.get("general.alignment", ALIGNMENT)
    if type(alignment) is not int or not 8 <= alignment <= MOST_ALIGNMENT or alignment % 8:
        raise ValueError(f"general.alignment must be a multiple of 8 up to {MOST_ALIGNMENT:,}, got {alignment!r:.40}")
    return Gguf(said, _tensors(cursor, tensors, alignment), data)


class Cursor:
    """A place in the file that only moves on, and never past the end."""

    def __init__(self, data: mmap.mmap):
        self.data, self.at, self.items = data, 0, 0

    def take(self, count: int) -> memoryview:
        if count > len(self.data) - self.at:
            raise ValueError(f"it ends at byte {len(self.data):,}, inside its header: {count:,} more were expected")
        self.at += count
        return memoryview(self.data)[self.at - count : self.at]

    def whole(self, form: str) -> int:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self, most: int = MOST_TEXT) -> str:
        length = self.whole("<Q")
        if length > most:
            raise ValueError(f"it has a string of {length:,} bytes at byte {self.at:,}; at most {most:,} are read")
        try:
            return str(self.take(length), "utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"it has a string at byte {self.at:,} that is not UTF-8") from None

    def texts(self, count: int) -> list[str]:
        """The same several times, in one loop: there may be a million."""
        length_at, data, at, found = struct.Struct("<Q").unpack_from, self.data, self.at, list[str]()
        try:
            for _ in range(count):
                start = at + 8
                at = start + length_at(data, at)[0]
                if at - start > MOST_TEXT or at > len(data):
                    break
                found.append(data[start:at].decode())
        except (struct.error, UnicodeDecodeError):
            pass
        if len(found) < count:  # said by the one that says it of every string
            self.at += sum(8 + len(text.encode()) for text in found)
            self.text()
        self.at = at
        return found

    def count(self, least: int) -> int:
        """How many items a list has, each of at least so many bytes."""
        found = self.whole("<Q")
        self.items += found
        if found * least > len(self.data) - self.at or self.items > MOST_ITEMS:
            raise ValueError(f"it has a list of {found:,} items at byte {self.at:,}, which is not possible")
        return found


def _values(cursor: Cursor, count: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for _ in range(count):
        name = cursor.text(MOST_NAME)
        if name in values:
            raise ValueError(f"it has the value {few([name])} twice")
        values[name] = _value(cursor, name)
    return values


def _value(cursor: Cursor, name: str) -> Any:
    kind = cursor.whole("<I")
    if kind != LIST:
        return _reader(kind, name)(cursor)
    kind = cursor.whole("<I")
    if kind == LIST:
        raise ValueError(f"{few([name])} is a list of lists, which no model has")
    if kind in NUMBERS:
        form = np.dtype(NUMBERS[kind])
        return np.frombuffer(cursor.take(cursor.count(form.itemsize) * form.itemsize), form).tolist()
    if kind == TEXT:
        return cursor.texts(cursor.count(8))
    read_one = _reader(kind, name)
    return [read_one(cursor) for _ in range(cursor.count(1))]


def _reader(kind: int, name: str) -> Callable[[Cursor], Any]:
    if kind == TEXT:
        return Cursor.text
    if kind == TRUTH:
        return lambda cursor: _truth(cursor, name)
    if kind not in NUMBERS:
        raise ValueError(f"{few([name])} is a value of the kind {kind:,}, which GGUF does not have")
    form = np.dtype(NUMBERS[kind])
    return lambda cursor: _number(cursor, form)


def _number(cursor: Cursor, form: np.dtype[Any]) -> int | float:
    """One number; of single precision as somebody wrote it: 1e-05, not 9.999999747378752e-06."""
    number = np.frombuffer(cursor.take(form.itemsize), form)[0]
    return float(str(number)) if form == np.float32 else number.item()


def _truth(cursor: Cursor, name: str) -> bool:
    value = cursor.whole("<B")
    if value > 1:
        raise ValueError(f"{few([name])} must be true or false, got {value}")
    return bool(value)


def _tensors(cursor: Cursor, count: int, alignment: int) -> dict[str, Tensor]:
    entries: dict[str, tuple[Kind, tuple[int, ...], int]] = {}
    for _ in range(count):
        name = cursor.text(MOST_NAME)
        if name in entries:
            raise ValueError(f"it has the tensor {few([name])} twice")
        entries[name] = _entry(cursor, name)
    end = start = cursor.at + -cursor.at % alignment
    tensors: dict[str, Tensor] = {}
    size = len(cursor.data)
    for name, (kind, shape, offset) in entries.items():
        place, length = end + -end % alignment, kind.bytes(math.prod(shape))
        if start + offset != place:
            raise ValueError(f"{few([name])} does not begin where the tensor before it ends")
        end = place + length
        if end > size:
            raise ValueError(f"{few([name])} ends at byte {end:,}, but the file has only {size:,}")
        tensors[name] = Tensor(kind, shape, place, length)
    if size != end + -end % alignment:
        raise ValueError(f"it has {size - end:,} bytes after its last tensor; expected {-end % alignment}")
    return tensors


def _entry(cursor: Cursor, name: str) -> tuple[Kind, tuple[int, ...], int]:
    axes = cursor.whole("<I")
    if not 1 <= axes <= MOST_AXES:
        raise ValueError(f"{few([name])} has {axes:,} axes; expected 1 to {MOST_AXES}")
    shape = tuple(cursor.whole("<Q") for _ in range(axes))[::-1]  # the file names the innermost first
    number, offset = cursor.whole("<I"), cursor.whole("<Q")
    kind = KINDS.get(number)
    if kind is None:
        known = ", ".join(kind.name for kind in KINDS.values())
        raise ValueError(f"{few([name])} holds numbers of the kind {number:,}; regard reads {known}")
    if 0 in shape or math.prod(shape) > 8 * len(cursor.data) or shape[-1] % kind.length:
        raise ValueError(f"{few([name])} has the shape {shape!r:.80}, which is not possible for {kind.name}")
    return kind, shape, offset
