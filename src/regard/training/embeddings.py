"""Word vectors as the table that a model begins to read with; pieces that they do not know begin at random."""

from collections.abc import Sequence

import numpy as np

from regard.training.beginning import WORDS
from regard.vectors.wordvectors import WordVectors


def check_width(vectors: WordVectors, width: int) -> None:
    if vectors.width != width:
        raise ValueError(
            f"{vectors.title} has vectors of {vectors.width} numbers and the model reads {width}; "
            f"set the width of the model: --set width={vectors.width} (heads must divide it)"
        )


def begun_with(vectors: WordVectors, E: np.ndarray, pieces: Sequence[str]) -> tuple[np.ndarray, str]:
    """The table with the vector of every piece that is a word, and how many of them are.

    All vectors are brought to the size of random ones together, so that the first loss is still that of a guess.

    >>> vectors = WordVectors(["cat", "sat"], [[3.0, 4.0], [0.0, 5.0]])
    >>> table, said = begun_with(vectors, np.zeros((4, 2)), [" cat", "Cat", "sat", "at"])
    >>> (table / WORDS).round(2).tolist(), said
    ([[0.85, 1.13], [0.85, 1.13], [0.0, 1.41], [0.0, 0.0]], '3 of 4 pieces begin with a vector of word vectors')
    """
    check_width(vectors, E.shape[1])
    found = [(row, at) for row, piece in enumerate(pieces) if (at := _place(vectors, piece)) is not None]
    table = E.copy()
    if found:
        rows, places = map(list, zip(*found))
        taken = np.asarray(vectors.vectors[places], np.float64)
        size = np.sqrt(np.mean(taken**2))
        table[rows] = taken * (WORDS / size if size else 1.0)
    return table, f"{len(found):,} of {len(pieces):,} pieces begin with a vector of {vectors.title}"


def _place(vectors: WordVectors, piece: str) -> int | None:
    """The row of a piece: as it is written, or in lower case; without the space that pieces begin with."""
    word = piece.strip()
    ways = (word, word.lower())
    return next((at for way in ways if way and (at := vectors.words.position(way)) is not None), None)
