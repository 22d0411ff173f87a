"""The words of a toy and their vectors: written out, or taken from word vectors."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.toys.numbers import numbers
from regard.toys.problem import Path, ToyProblem, written
from regard.toys.sizes import MOST_WIDTH, MOST_WORDS
from regard.toys.texts import single_word, texts

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors


def words_and_vectors(given: Any, path: Path, width: int | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    """Words in order, and one row of numbers for each."""
    if not isinstance(given, Mapping):
        raise ToyProblem(f"{written(path)} expects words and their vectors, such as fox = [0.8, 0.6]", path)
    if not given:
        raise ToyProblem(f"{written(path)} is empty; give at least one word, such as fox = [0.8, 0.6]", path)
    if len(given) > MOST_WORDS:
        raise ToyProblem(f"{written(path)} has {len(given):,} words; a toy has at most {MOST_WORDS:,}", path)
    names: dict[str, str] = {}
    rows: list[np.ndarray] = []
    for key, vector in given.items():
        at = (*path, key)
        word = single_word(key, at, of_key=True)
        if word in names:
            raise ToyProblem(f"{written(path)} has {word!r} twice, as {names[word]!r} and {key!r}", at, True)
        names[word] = key
        rows.append(numbers(vector, at, (1,)))
        width = width or len(rows[0])
        if len(rows[-1]) != width:
            first = "the words" if path == ("next",) else next(iter(names))
            raise ToyProblem(f"{written(at)} expects {width} numbers, as many as {first}, got {len(rows[-1])}", at)
        if width > MOST_WIDTH:
            raise ToyProblem(f"{written(at)} has {width} numbers; a toy's vectors have at most {MOST_WIDTH}", at)
    return tuple(names), np.array(rows)


def table_of_vectors(given: Any) -> "WordVectors":
    """The word vectors that a toy takes its own from."""
    from regard.vectors.finding import find_vectors  # here, not above: few toys have any
    from regard.vectors.wordvectors import WordVectors

    if isinstance(given, WordVectors):
        return given
    if not isinstance(given, str | os.PathLike):
        raise ToyProblem(f"vectors expects the name of a file of word vectors, got {given!r:.40}", ("vectors",))
    try:
        return find_vectors(given)
    except (ValueError, KeyError, OSError) as error:
        told = f"{given}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
        told = told.replace(os.fspath(given), os.path.basename(given))  # a page need not know where files lie
        raise ToyProblem(f"vectors: {told}", ("vectors",)) from None


def with_vectors(given: Any, vectors: "WordVectors", path: Path) -> Any:
    """A list of words with their vectors; vectors that are written out stay as they are."""
    if given is None or isinstance(given, Mapping):
        return given
    words = texts(given, path)
    if len(words) > MOST_WORDS:
        raise ToyProblem(f"{written(path)} has {len(words):,} words; a toy has at most {MOST_WORDS:,}", path)
    for place, word in enumerate(words):
        if word not in vectors:
            raise ToyProblem(f"{written((*path, place))}: {vectors.words.missing(word)}", (*path, place))
    return {word: vectors[word].tolist() for word in words}
