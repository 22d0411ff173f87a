"""Vectors as text, one word per line: word2vec's and fastText's, whose first line says how many, and GloVe's without.

A word may hold spaces: the last numbers of a line are its vector, and what stands before them is its word.
"""

import itertools
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from regard.replacing import replacing
from regard.vectors.formats.rows import MOST_WIDTH, Row, Rows
from regard.vectors.formats.spaces import line_of
from regard.vectors.problem import Unreadable
from regard.vectors.scanning import blocks

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

MOST_LINE = 2**21  # bytes: 65,536 numbers of 25 characters, and a word
LEAST = 2  # bytes of a number: a space and a digit
COUNTED = re.compile(rb"\s*(\d{1,12})\s+(\d{1,12})\s*\Z")  # the first line: how many words, how many numbers each


def header_of(line: bytes) -> tuple[int, int] | None:
    """The number of words and of numbers for each, from a line that says so.

    >>> header_of(b"3000000 300\\n"), header_of(b"the 0.1 0.2\\n")
    ((3000000, 300), None)
    """
    found = COUNTED.match(line)
    return (int(found[1]), int(found[2])) if found else None


def counted(file: BinaryIO, size: int) -> Rows:
    """The rows of a file whose first line counts them."""
    header = header_of(_line(file, 1))
    if header is None:
        raise Unreadable("its first line should be two numbers: how many words, and how many numbers each has")
    count, width = checked_header(*header, size, LEAST)
    return Rows(_rows(file, width, 2, count), count, width)


def checked_header(count: int, width: int, size: int, least: int) -> tuple[int, int]:
    """What a header says, if a file of this size can hold it; `least` is how many bytes a number takes."""
    if not 0 < width <= MOST_WIDTH:
        raise Unreadable(f"its first line says {width:,} numbers per word; between 1 and {MOST_WIDTH:,} are expected")
    needed = count * (least * width + 1)
    if needed > size:
        raise Unreadable(
            f"its first line says {count:,} words of {width:,} numbers, which take at least {needed:,} bytes, and the "
            f"file has {size:,}; it was cut short, or the line is wrong"
        )
    return count, width


def uncounted(file: BinaryIO, size: int, width: int) -> Rows:
    """The rows of a file without such a line, as GloVe writes them: as many as it has lines, but no more than fit."""
    count = min(_lines(file), size // (LEAST * width) + 1)
    file.seek(0)
    return Rows(_rows(file, width, 1, None), count, width)


def width_of(line: bytes) -> int:
    """How many numbers stand at the end of a line, after a word.

    >>> width_of(b"the 0.1 -2e-3\\n"), width_of(b"# a page\\n")
    (2, 0)
    """
    parts = line.split()[1:]
    width = 0
    while width < len(parts) and _is_number(parts[-1 - width]):
        width += 1
    return width


def _rows(file: BinaryIO, width: int, first: int, count: int | None) -> Iterator[Row]:
    found = 0
    for number in itertools.count(first):
        line = _line(file, number)
        if not line:
            break
        if not line.strip(b" \t\r\n"):
            continue
        if found == count:
            raise Unreadable(f"its first line says {count:,} words, and it goes on after them, on line {number:,}")
        yield _row(line, width, number)
        found += 1
    if count is not None and found < count:
        raise Unreadable(
            f"its first line says {count:,} words, and it ends after {found:,}; it was cut short, or the line is wrong"
        )


def _row(line: bytes, width: int, number: int) -> Row:
    word, *parts = line.rsplit(None, width)
    if len(parts) < width:
        raise Unreadable(f"line {number:,} expects a word and {width:,} numbers, got {len(parts):,} parts after it")
    word = word.strip(b" \t")
    if (b" " in word or b"\t" in word) and all(map(_is_number, word.split()[1:])):
        raise Unreadable(f"line {number:,} expects a word and {width:,} numbers, got more numbers")
    try:
        return word, list(map(float, parts))
    except ValueError:
        # which is not told: a toy of others may name any file of this machine
        odd = 1 + next(place for place, part in enumerate(parts) if not _is_number(part))
        raise Unreadable(f"line {number:,} expects {width:,} numbers after its word; number {odd:,} is none") from None


def _line(file: BinaryIO, number: int) -> bytes:
    line = file.readline(MOST_LINE)
    if len(line) == MOST_LINE:
        raise Unreadable(f"line {number:,} has more than {MOST_LINE:,} bytes; a line is one word and its vector")
    return line


def _lines(file: BinaryIO) -> int:
    """How many lines there are from here on, the last with or without an end."""
    found, last = 0, b"\n"
    while chunk := file.read(2**20):
        found += chunk.count(b"\n")
        last = chunk[-1:]
    return found + (last != b"\n")


def _is_number(part: bytes) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def write_counted(path: str | os.PathLike[str], vectors: "WordVectors", spaces: str | None = None) -> None:
    """word2vec's text, which gensim and fastText's tools read too."""
    _write(path, vectors, f"{len(vectors)} {vectors.width}\n".encode(), spaces)


def write_uncounted(path: str | os.PathLike[str], vectors: "WordVectors", spaces: str | None = None) -> None:
    """GloVe's text: the same without its first line."""
    _write(path, vectors, b"", spaces)


def _write(path: str | os.PathLike[str], vectors: "WordVectors", first: bytes, spaces: str | None) -> None:
    with replacing(path) as file:
        file.write(first)
        for part in blocks(len(vectors), vectors.width):
            # numpy writes as few digits as give the same float32 again
            rows = vectors.vectors[part].astype(np.float32).astype("S32").tolist()
            words = (line_of(vectors.words[place], spaces) for place in range(part.start, part.stop))
            file.writelines(b" ".join((word, *row)) + b"\n" for word, row in zip(words, rows))
