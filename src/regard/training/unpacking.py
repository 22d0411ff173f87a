"""A text that is packed with xz, unpacked within bounds: a few kilobytes can hold gigabytes of one letter."""

import lzma
import math
from collections.abc import Iterator
from io import BufferedReader

PIECE = 2**20  # bytes at a time
MOST_MEMORY = 2**28  # what a packed file may ask for to be unpacked: four times what xz -9 does
FREE = 2**26  # bytes that any file may have unpacked
MOST_RATIO = 200  # times its packed size that a larger one may have; prose is packed to a third or a quarter


def unpacked(file: BufferedReader, name: str, size: int, most: int) -> bytes:
    """The bytes of an .xz file of `size` bytes; refused as soon as they are more than a text of that size has."""
    return b"".join(unpacked_pieces(file, name, size, most))


def unpacked_pieces(file: BufferedReader, name: str, size: int, most: float = math.inf) -> Iterator[bytes]:
    """The same, a piece at a time."""
    bound = min(most, max(FREE, MOST_RATIO * size))
    length = 0
    try:
        for piece in _pieces(file):
            length += len(piece)
            if length > bound:
                raise ValueError(
                    f"{name} has {size:,} bytes packed and more than {bound:,} unpacked, and no more are read; "
                    "unpack it yourself and split it, if it is yours"
                )
            yield piece
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(f"{name} is not an .xz file that can be unpacked: {error}") from error


def _pieces(file: BufferedReader) -> Iterator[bytes]:
    """What is packed, a piece at a time; a file may hold several streams, one after the other, and zeros between."""
    waiting = file.read(PIECE)
    while waiting:
        stream = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        while not stream.eof:
            yield stream.decompress(waiting, PIECE)
            waiting = b"" if not stream.needs_input else file.read(PIECE)
            if stream.needs_input and not waiting and not stream.eof:
                raise EOFError("it ends too early")
        waiting = (stream.unused_data or waiting).lstrip(b"\0")
        while not waiting and (more := file.read(PIECE)):
            waiting = more.lstrip(b"\0")
