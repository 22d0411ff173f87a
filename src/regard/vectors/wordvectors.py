"""A table of words and their vectors, to be read: looked up, compared, added, drawn, saved. Nothing changes it."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.vectors.scanning import Floats, lengths
from regard.vectors.words import Listed, Words, not_found


class WordVectors:
    """Words, each with a vector of the same width; `counts` says how often each was seen, where that is known.

    The table may be an array or a memory map of float32; it is not copied, and no method loads all of a mapped one.

    >>> vectors = WordVectors(["king", "queen"], [[1, 0], [3, 4]])
    >>> len(vectors), vectors.width, "queen" in vectors, vectors["queen"].tolist()
    (2, 2, True, [3.0, 4.0])
    """

    def __init__(
        self,
        words: Sequence[str] | Words,
        vectors: npt.ArrayLike,
        counts: npt.ArrayLike | None = None,
        *,
        sizes: Floats | None = None,
        title: str = "word vectors",
        notes: Iterable[str] = (),
    ):
        table = np.asanyarray(vectors)
        if table.ndim != 2 or not table.shape[1] or table.dtype.kind not in "fiu":
            raise ValueError(
                f"vectors expects one row of numbers per word, got an array of {table.dtype}, shape {table.shape}"
            )
        if len(words) != len(table):
            raise ValueError(f"vectors expects one row per word, got {len(table):,} rows for {len(words):,} words")
        self.words: Words = Listed(words) if isinstance(words, Sequence) else words
        self.vectors: Floats = _read_only(table.astype(np.float32, copy=False))
        self.counts = None if counts is None else _read_only(np.asanyarray(counts))
        if self.counts is not None and (self.counts.shape != (len(table),) or self.counts.dtype.kind not in "iu"):
            raise ValueError(f"counts expects one whole number per word, got {self.counts.dtype} {self.counts.shape}")
        self.title, self.notes = title, tuple(notes)
        self._sizes = sizes

    @property
    def width(self) -> int:
        return self.vectors.shape[1]

    @cached_property
    def sizes(self) -> Floats:
        """The length of each vector; a file of ours has them."""
        if self._sizes is not None:
            return self._sizes
        found = lengths(self.vectors)
        if not np.isfinite(found).all():
            word = self.words[int(np.argmin(np.isfinite(found)))]
            raise ValueError(f"the vector of {word!r} holds NaN, infinite or very large numbers; leave it out")
        return found

    def __len__(self) -> int:
        return len(self.vectors)

    def __contains__(self, word: Any) -> bool:
        return isinstance(word, str) and self.words.position(word) is not None

    def __getitem__(self, word: str) -> Floats:
        """The vector of a word, as it lies in the table."""
        return self.vectors[self.position(word)]

    def position(self, word: str) -> int:
        """The row of a word; for one that is not there, an error says which are written like it."""
        found = self.words.position(word) if isinstance(word, str) else None
        if found is None:
            raise not_found(str(word), self.words)
        return found

    def subset(self, words: Iterable[str]) -> "WordVectors":
        """The same vectors of these words alone, in this order.

        >>> WordVectors(["king", "queen", "man"], np.eye(3)).subset(["man", "king"])["king"].tolist()
        [1.0, 0.0, 0.0]
        """
        chosen = list(dict.fromkeys(words))
        places = [self.position(word) for word in chosen]
        counts = None if self.counts is None else self.counts[places]
        return WordVectors(chosen, self.vectors[places], counts, title=self.title, notes=self.notes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file in regard's own format, which is mapped when it is opened: millions of words take no time."""
        from regard.vectors.mapped import write

        write(path, self)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "WordVectors":
        """The word vectors of a file, of whatever kind."""
        from regard.vectors.files import open_vectors

        return open_vectors(path)

    def __repr__(self) -> str:
        return f"<WordVectors of {len(self):,} words, {self.width} numbers each>"


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    seen = array.view()
    seen.setflags(write=False)
    return seen
