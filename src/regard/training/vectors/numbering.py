"""A text as numbers on disk: read once, so that a pipe will do, and never in memory as a whole.

    FOLDER/words.txt     the vocabulary: a word and its count on each line, the most frequent first
    FOLDER/text.int32    the text: the place of each word in it, and −1 where a line ends

Each word gets the next free number when it is first seen; once all are counted, a second walk, over the numbers,
leaves out what is rare and puts the most frequent first.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regard.replacing import replacing
from regard.text.words import JOINS

WORDS, TEXT, FIRST = "words.txt", "text.int32", ".first.int32"
TOKEN = re.compile(rf"\w+(?:[{JOINS}]\w+)*|\n")
NEW_LINE = 0  # the first number, while words are counted
END = -1
BLOCK = 2**22  # numbers in memory at a time

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Numbered:
    """A text as numbers, and what they mean."""

    words: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    ids: Ids  # mapped from disk
    digest: str  # of the numbers, by which a run that goes on knows its text again

    @property
    def length(self) -> int:
        """How many words the text has, of those that get vectors."""
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class First:
    """A text as numbers in order of first appearance, on disk; place 0 is the end of a line."""

    words: list[str]
    counts: npt.NDArray[np.int64]
    file: Path

    def blocks(self) -> Iterator[Ids]:
        return blocks_of(self.file)


def number(texts: Iterable[str], folder: Path) -> First:
    """Read texts, in lower case, and write their words as numbers."""
    index: defaultdict[str, int] = defaultdict()
    index.default_factory = index.__len__
    index["\n"] = NEW_LINE
    counts = np.zeros(0, np.int64)
    with (folder / FIRST).open("wb") as file:
        for text in texts:
            found = TOKEN.findall(text.lower())
            ids = np.fromiter(map(index.__getitem__, found), np.int32, len(found))
            ids.tofile(file)
            counts = add_counts(counts, ids, len(index))
    return First(list(index), counts, folder / FIRST)


def add_counts(counts: npt.NDArray[np.int64], ids: Ids, size: int) -> npt.NDArray[np.int64]:
    more = np.bincount(ids, minlength=size)
    more[: len(counts)] += counts
    return more


def settle(first: First, folder: Path, least: int, name: str) -> Numbered:
    """Leave out what is rare, the most frequent first, and keep words and text in the folder."""
    order = np.argsort(-first.counts, kind="stable")
    order = order[(first.counts[order] >= least) & (order != NEW_LINE)]
    if len(order) < 2:
        raise ValueError(
            f"{name} has {len(order)} words that occur {least} times or more, and vectors need at least 2; "
            "give more text, or a smaller --least"
        )
    place = np.full(len(first.words), END - 1, np.int32)  # of a word that is left out
    place[order] = np.arange(len(order))
    place[NEW_LINE] = END
    with replacing(folder / TEXT) as file:
        for block in first.blocks():
            ids = place[block]
            file.write(ids[ids >= END].tobytes())
    with replacing(folder / WORDS) as file:
        for i in order:
            file.write(f"{first.words[i]} {first.counts[i]}\n".encode())
    first.file.unlink()
    return opened(folder)


def opened(folder: Path) -> Numbered:
    """What `settle` wrote."""
    lines = (folder / WORDS).read_text(encoding="utf-8").split("\n")[:-1]
    words, counts = zip(*(line.rsplit(" ", 1) for line in lines))
    with (folder / TEXT).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    ids = np.memmap(folder / TEXT, np.int32, "r")
    return Numbered(words, np.array(counts, np.int64), ids, digest)


def blocks_of(file: Path) -> Iterator[Ids]:
    with file.open("rb") as f:
        while (block := np.fromfile(f, np.int32, BLOCK)).size:
            yield block
