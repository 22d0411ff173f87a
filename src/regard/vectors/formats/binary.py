"""word2vec's binary file: a line that counts, then each word, a space, and its numbers as float32.

Some writers put a line end after each vector and some do not; some words hold a space, although that should end them.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from regard.replacing import replacing
from regard.vectors.formats.rows import MOST_WORD, Row, Rows
from regard.vectors.formats.spaces import line_of
from regard.vectors.formats.text import checked_header, header_of
from regard.vectors.problem import Unreadable
from regard.vectors.scanning import blocks

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

CHUNK = 2**22
BETWEEN = b" \r\n"  # what may stand after a vector
MOST_SPACES = 8  # in one word


def counted(file: BinaryIO, size: int) -> Rows:
    header = header_of(line := file.readline(64))
    if header is None:
        raise Unreadable("its first line should be two numbers: how many words, and how many numbers each has")
    count, width = checked_header(*header, size - len(line), 4)
    return Rows(_rows(file, count, width), count, width)


class _Window:
    """The part of a file around the row that is being read."""

    def __init__(self, file: BinaryIO, row: int):
        self.file, self.ahead = file, row + 2 * MOST_WORD
        self.data, self.at, self.before, self.ended = b"", 0, file.tell(), False

    def fill(self) -> None:
        """Have all of the next row here, and the word after it."""
        while not self.ended and len(self.data) - self.at < self.ahead:
            more = self.file.read(max(CHUNK, self.ahead))
            self.ended = not more
            self.before += self.at
            self.data, self.at = self.data[self.at :] + more, 0

    def skip(self, start: int) -> int:
        while start < len(self.data) and self.data[start] in BETWEEN:
            start += 1
        return start

    def word(self, start: int) -> bytes | None:
        """What stands from here to the next space, if it is text."""
        end = self.data.find(b" ", start, start + MOST_WORD)
        return self.data[start:end] if end > start and _is_text(self.data[start:end]) else None


def _rows(file: BinaryIO, count: int, width: int) -> Iterator[Row]:
    window = _Window(file, 4 * width)
    for number in range(count):
        window.fill()
        window.at = window.skip(window.at)
        end = _end_of_word(window, 4 * width, is_last=number == count - 1)
        if end < 0 and len(window.data) - window.at > MOST_WORD:
            raise Unreadable(
                f"word {number + 1:,}, at byte {window.before + window.at:,}, has no space after it within "
                f"{MOST_WORD:,} bytes; the file is damaged, or is no word2vec file"
            )
        if end < 0 or end + 1 + 4 * width > len(window.data):
            raise Unreadable(
                f"its first line says {count:,} words of {width:,} numbers, and it ends within word {number + 1:,}; "
                "it was cut short, or the line is wrong"
            )
        yield window.data[window.at : end], np.frombuffer(window.data, "<f4", width, end + 1)
        window.at = end + 1 + 4 * width
    window.fill()
    if window.skip(window.at) < len(window.data):
        raise Unreadable(
            f"its first line says {count:,} words, and it goes on after them, at byte "
            f"{window.before + window.skip(window.at):,}"
        )


def _end_of_word(window: _Window, vector: int, is_last: bool) -> int:
    """Where the word ends: at its first space, unless only a later one leaves a word where the next should begin."""
    first = end = window.data.find(b" ", window.at, window.at + MOST_WORD)
    for _ in range(MOST_SPACES):
        if end < 0 or not _is_text(window.data[window.at : end]):
            return first
        after = window.skip(end + 1 + vector)
        if after >= len(window.data) if is_last else window.word(after) is not None:
            return end
        end = window.data.find(b" ", end + 1, window.at + MOST_WORD)
    return first


def _is_text(data: bytes) -> bool:
    if not data:
        return False
    try:
        return all(character >= " " and character != "\x7f" for character in data.decode())
    except UnicodeDecodeError:
        return False


def write(path: str | os.PathLike[str], vectors: "WordVectors", spaces: str | None = None) -> None:
    """As word2vec writes it, with a line end after each vector."""
    with replacing(path) as file:
        file.write(f"{len(vectors)} {vectors.width}\n".encode())
        for part in blocks(len(vectors), vectors.width):
            rows = vectors.vectors[part].astype("<f4")
            for place, row in zip(range(part.start, part.stop), rows):
                file.write(line_of(vectors.words[place], spaces) + b" " + row.tobytes() + b"\n")
