"""Words and their vectors as they come out of a file, a block at a time: each word once, and every number finite."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.vectors.problem import Unreadable
from regard.vectors.scanning import BLOCK, Singles
from regard.vectors.wordvectors import WordVectors

MOST_WIDTH = 2**16
MOST_WORD = 2**12  # bytes
Row = tuple[bytes, "list[float] | Singles"]


@dataclass
class Rows:
    """Rows of an open file. What was odd about them is known once they have been read: `notes`."""

    rows: Iterator[Row]
    count: int  # how many rows there are, repeated words included
    width: int
    repeated: list[str] = field(default_factory=list[str])
    not_text: int = 0

    def blocks(self) -> Iterator[tuple[list[str], Singles]]:
        """Some words and their vectors at a time. Of a word that is there twice, the first is taken."""
        seen: set[str] = set()
        words: list[str] = []
        most = max(1, BLOCK // self.width)
        table = np.empty((min(most, self.count), self.width), np.float32)
        for raw, numbers in self.rows:
            word = self._decoded(raw)
            if word in seen:
                self.repeated.append(word)
                continue
            seen.add(word)
            with np.errstate(over="ignore"):  # too large for float32: found below
                table[len(words)] = numbers
            words.append(word)
            if len(words) == len(table):
                yield words, _finite(words, table)
                words, table = [], np.empty_like(table)
        if words:
            yield words, _finite(words, table[: len(words)])

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.not_text += 1
            return raw.decode(errors="replace")

    @property
    def notes(self) -> tuple[str, ...]:
        found: list[str] = []
        if self.repeated:
            found.append(
                f"{len(self.repeated):,} rows were left out, since their words had come before: "
                f"{', '.join(map(repr, self.repeated[:3]))}{' and others' if len(self.repeated) > 3 else ''}"
            )
        if self.not_text:
            found.append(f"{self.not_text:,} words are not UTF-8; what cannot be read in them is shown as �")
        return tuple(found)

    def collected(self, **about: Any) -> WordVectors:
        """All of them in memory."""
        words: list[str] = []
        table = np.empty((self.count, self.width), np.float32)
        for some, vectors in self.blocks():
            table[len(words) : len(words) + len(some)] = vectors
            words += some
        return WordVectors(words, table[: len(words)], notes=self.notes, **about)


def _finite(words: list[str], table: Singles) -> Singles:
    sound = np.isfinite(table).all(axis=1)
    if not sound.all():
        word = words[int(np.argmin(sound))]
        raise Unreadable(
            f"the vector of {word!r:.60} holds NaN, infinite or too large numbers; the file is damaged, or that row "
            "must be left out"
        )
    return table
