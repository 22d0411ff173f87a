"""Texts of any size, a piece at a time: files, folders, .xz, pipes and standard input. Little is in memory at once."""

import codecs
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from regard import strangers
from regard.text.tokenizer import END
from regard.training.corpus import files_of
from regard.training.unpacking import PIECE, unpacked_pieces

STANDARD_INPUT = "-"
LONGEST = 2**20  # characters without a new line; a longer line is cut between two words


def pieces(paths: Sequence[Path | str]) -> Iterator[str]:
    """The text in pieces of about a megabyte that end where a line ends; a new document begins on a new line."""
    for path in paths:
        if str(path) == STANDARD_INPUT:
            yield from _whole_lines(_decoded(_read(sys.stdin.buffer), "standard input"))
            continue
        for file in files_of(Path(path)):
            with ExitStack() as held:
                yield from _whole_lines(_decoded(_bytes_of(file, held), str(file)))


def _bytes_of(file: Path, held: ExitStack) -> Iterator[bytes | memoryview]:
    if file.is_fifo():  # <(some command)
        return _read(held.enter_context(file.open("rb")))
    real = file.resolve()
    opened, size = held.enter_context(strangers.opened(real.parent, real.name))
    return unpacked_pieces(opened, str(file), size) if file.suffix == ".xz" else _read(opened)


def _read(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(PIECE), b"")


def _decoded(data: Iterable[bytes | memoryview], name: str) -> Iterator[str]:
    """UTF-8 as text; an error names the byte that is no text."""
    decoder, before = codecs.getincrementaldecoder("utf-8-sig")(), 0
    try:
        for piece in data:
            text = decoder.decode(piece)
            if "\0" in text:
                raise ValueError(f"{name} is not text: it holds the byte 0; give a UTF-8 text")
            before += len(piece)
            yield text
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not UTF-8 text near byte {before + error.start:,}; convert it to UTF-8 first"
        ) from None


def _whole_lines(texts: Iterable[str]) -> Iterator[str]:
    """The same text, cut at ends of lines.

    >>> list(_whole_lines(["the c", "at sat\\non", " the mat"]))
    ['the cat sat\\n', 'on the mat\\n']
    """
    waiting: list[str] = []
    length = 0
    for text in texts:
        cut = text.rfind("\n") + 1
        if not cut and length + len(text) > LONGEST:
            cut = text.rfind(" ") + 1
        if cut:
            yield "".join([*waiting, text[:cut]]).replace(END, "\n")
            waiting, length = [], 0
        waiting.append(text[cut:])
        length += len(text) - cut
    if rest := "".join(waiting):
        yield rest.replace(END, "\n") + "\n"
