"""regard's own file of word vectors: mapped when it is opened, so that millions of words are there at once.

A header of 64 bytes (`HEADER`: sign, version, whether there are counts, rows, width, bytes of the words, bytes of the
file, CRC-32 of all before it), then, each beginning at a multiple of 64 bytes: the table as float32, row by row; the
length of each vector, float32; how often each word was seen, int64, if there are counts; where each word ends in the
text, uint64; the numbers of the words in the order of their bytes, uint32, in which a word is looked up; the words as
UTF-8, end to end. All numbers are little-endian.
"""

import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from regard.replacing import replacing
from regard.suggestions import NotFound
from regard.vectors.problem import Unreadable, Unwritable
from regard.vectors.scanning import Singles, blocks, lengths
from regard.vectors.words import not_found

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

SIGN = b"regard vectors\r\n"
VERSION = 1
HEADER = struct.Struct("<16sIIQQQQ")  # followed by its CRC-32
ALIGNED = 64
MOST_ROWS = 2**32


class Mapped:
    """Words that stay in the file: one is decoded when it is asked for, and found by its place among the sorted."""

    def __init__(self, text: memoryview, ends: npt.NDArray[np.uint64], order: npt.NDArray[np.uint32]):
        self._text, self._ends, self._order = text, ends, order

    def __len__(self) -> int:
        return len(self._ends)

    def _bytes(self, position: int) -> bytes:
        start = int(self._ends[position - 1]) if position else 0
        return bytes(self._text[start : int(self._ends[position])])

    def __getitem__(self, position: int, /) -> str:
        if not 0 <= position < len(self):
            raise IndexError(f"no word {position}; there are {len(self):,}, counted from 0")
        return self._bytes(position).decode(errors="replace")

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def position(self, word: str) -> int | None:
        try:
            wanted = word.encode()
        except UnicodeEncodeError:
            return None
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(self._at(middle)) < wanted:
                low = middle + 1
            else:
                high = middle
        found = self._at(low) if low < len(self) else None
        return found if found is not None and self._bytes(found) == wanted else None

    def missing(self, word: str) -> NotFound:
        return not_found(word, self)

    def _at(self, place: int) -> int:
        number = int(self._order[place])
        if number >= len(self):
            raise Unreadable(f"the file's order of words names word {number:,} of {len(self):,}; it is damaged")
        return number


def is_mapped(beginning: bytes) -> bool:
    return beginning.startswith(SIGN)


def read(file: BinaryIO, size: int, **about: Any) -> "WordVectors":
    """The vectors of an open file: only its header, the lengths and where words end are looked at."""
    from regard.vectors.wordvectors import WordVectors

    rows, width, text, has_counts = _header(file.read(ALIGNED), size)
    held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if len(held) != size:
        raise Unreadable(f"the file changed while it was opened: it had {size:,} bytes and now has {len(held):,}")
    table, sizes, counts, ends, order, words = _sections(rows, width, text, has_counts)
    numbers = np.frombuffer(held, "<f4", rows * width, table).reshape(rows, width)
    found_sizes = np.frombuffer(held, "<f4", rows, sizes)
    if not np.isfinite(found_sizes).all() or (found_sizes < 0).any():
        raise Unreadable("some lengths of vectors are not numbers of 0 or more; the file is damaged, write it again")
    found_ends = np.frombuffer(held, "<u8", rows, ends)
    if rows and (found_ends[-1] != text or found_ends[0] == 0 or (found_ends[1:] <= found_ends[:-1]).any()):
        raise Unreadable("the ends of its words are not in order; the file is damaged, write it again")
    found_words = Mapped(memoryview(held)[words : words + text], found_ends, np.frombuffer(held, "<u4", rows, order))
    found_counts = np.frombuffer(held, "<i8", rows, counts) if has_counts else None
    return WordVectors(found_words, numbers, found_counts, sizes=found_sizes, **about)


def _header(data: bytes, size: int) -> tuple[int, int, int, bool]:
    if len(data) < ALIGNED:
        raise Unreadable(f"a header of {ALIGNED} bytes was expected, and the file has {size:,}; it was cut short")
    _, version, has_counts, rows, width, text, total = HEADER.unpack_from(data)
    if version != VERSION:
        raise Unreadable(f"the file is of version {version}; this regard reads version {VERSION}; use a newer one")
    if zlib.crc32(data[: HEADER.size]) != int.from_bytes(data[HEADER.size : HEADER.size + 4], "little"):
        raise Unreadable("its header is damaged: the check number does not fit; write the file again")
    if has_counts > 1 or not width or rows >= MOST_ROWS:
        raise Unreadable(f"its header describes {rows:,} rows of {width:,} numbers, which no table has")
    expected = _sections(rows, width, text, bool(has_counts))[-1] + text
    if total != expected or size != expected:
        raise Unreadable(
            f"{rows:,} words of {width:,} numbers take {expected:,} bytes, and the file has {size:,}; it was cut short "
            "or something was added; write it again"
        )
    return rows, width, text, bool(has_counts)


def _sections(rows: int, width: int, text: int, has_counts: bool) -> tuple[int, ...]:
    """Where each part begins."""
    starts: list[int] = []
    end = ALIGNED
    for length in (4 * rows * width, 4 * rows, 8 * rows * has_counts, 8 * rows, 4 * rows, text):
        starts.append(_aligned(end))
        end = starts[-1] + length
    return tuple(starts)


def _aligned(place: int) -> int:
    return -(-place // ALIGNED) * ALIGNED


def write(path: str | os.PathLike[str], vectors: "WordVectors") -> None:
    """Write a table, a block at a time."""
    parts = (
        (
            [vectors.words[place] for place in range(part.start, part.stop)],
            np.asarray(vectors.vectors[part], np.float32),
        )
        for part in blocks(len(vectors), vectors.width)
    )
    write_rows(path, parts, vectors.width, vectors.counts)


def write_rows(
    path: str | os.PathLike[str],
    parts: Iterable[tuple[list[str], Singles]],
    width: int,
    counts: npt.NDArray[Any] | None = None,
) -> None:
    """Write words and vectors as they come: only the words are held."""
    with replacing(path) as file:
        if not file.seekable():
            raise Unwritable(f"{os.fspath(path)} is no plain file, and this format is written in two passes; name one")
        file.write(bytes(ALIGNED))
        words: list[bytes] = []
        sizes = [np.empty(0, np.float32)]
        for some, vectors in parts:
            file.write(np.ascontiguousarray(vectors, "<f4").data)
            sizes.append(lengths(vectors))
            words += (word.encode(errors="surrogatepass") for word in some)
        if len(words) >= MOST_ROWS:
            raise Unwritable(f"this format holds fewer than {MOST_ROWS:,} words, got {len(words):,}")
        ends = np.cumsum(np.fromiter(map(len, words), np.uint64, len(words)), dtype=np.uint64)
        order = np.array(sorted(range(len(words)), key=words.__getitem__), np.uint32)
        text = int(ends[-1]) if words else 0
        starts = _sections(len(words), width, text, counts is not None)
        kept = None if counts is None else counts.astype(np.int64)
        for start, array in zip(starts[1:], (np.concatenate(sizes), kept, ends, order, None)):
            file.write(bytes(start - file.tell()))
            if array is not None:
                file.write(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).data)
        file.writelines(words)
        header = HEADER.pack(SIGN, VERSION, counts is not None, len(words), width, text, starts[-1] + text)
        file.seek(0)
        file.write(header + zlib.crc32(header).to_bytes(4, "little"))
