"""The words of a table: where a word stands, and which word stands at a place."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Protocol

from regard.suggestions import NotFound

LOOKED_AT = 50_000  # words compared with a misspelt one: files begin with the frequent ones
SHOWN = 60  # characters of a word in a message: a stranger's file may have words of megabytes


class Words(Protocol):
    """What a table asks of its words. `Listed` holds them, a mapped file looks them up on disk, a model cuts them."""

    def __len__(self) -> int: ...

    def __getitem__(self, position: int, /) -> str: ...

    def __iter__(self) -> Iterator[str]: ...

    def position(self, word: str) -> int | None:
        """Where a word stands, or None."""
        ...

    def missing(self, word: str) -> NotFound:
        """What to tell whoever asked for a word that is not there."""
        ...


class Listed:
    """Words in memory, each once.

    >>> words = Listed(["king", "queen"])
    >>> words.position("queen"), words.position("Queen"), words[0], len(words)
    (1, None, 'king', 2)
    >>> print(words.missing("quen"))
    no vector for 'quen'; did you mean queen?
    """

    def __init__(self, words: Sequence[str]):
        self._words = tuple(words)
        for word in self._words:
            if not isinstance(word, str) or not word:
                raise ValueError(f"a word is a string of at least one character, got {word!r}")
        if len(self._positions) != len(self._words):
            twice = next(word for i, word in enumerate(self._words) if self._positions[word] != i)
            raise ValueError(f"each word has one vector, but {twice!r} is there more than once; leave out the others")

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self._words)}

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, position: int, /) -> str:
        return self._words[position]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def position(self, word: str) -> int | None:
        return self._positions.get(word)

    def missing(self, word: str) -> NotFound:
        return not_found(word, self)


def not_found(word: str, words: Words) -> NotFound:
    """There is no such word; which ones are written like it, among those of a table that come first."""
    forms = dict.fromkeys((word.lower(), word.capitalize(), word.upper()))
    close = [form for form in forms if words.position(form) is not None]
    close = close or get_close_matches(word.lower(), _of_like_length(word, words), n=4, cutoff=0.6)
    if close:
        return NotFound(f"no vector for {word!r:.60}; did you mean {' or '.join(close)}?")
    few = ", ".join(words[i][:SHOWN] for i in range(min(5, len(words))))
    return NotFound(f"no vector for {word!r:.60}; there are {len(words):,} words, such as {few}")


def _of_like_length(word: str, words: Words) -> list[str]:
    first = (words[i] for i in range(min(LOOKED_AT, len(words))))
    return [other for other in first if abs(len(other) - len(word)) <= 2]
