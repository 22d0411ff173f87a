"""The words of a table, each once: where a word stands, and which word stands at a place."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Protocol

from regard.suggestions import NotFound

LOOKED_AT = 50_000  # words compared with a misspelt one: files begin with the frequent ones


class Words(Protocol):
    """What a table needs to know about its words; `Listed` holds them, a mapped file looks them up on disk."""

    def __len__(self) -> int: ...

    def __getitem__(self, position: int, /) -> str: ...

    def __iter__(self) -> Iterator[str]: ...

    def position(self, word: str) -> int | None:
        """Where a word stands, or None."""
        ...


class Listed:
    """Words in memory.

    >>> words = Listed(["king", "queen"])
    >>> words.position("queen"), words.position("Queen"), words[0], len(words)
    (1, None, 'king', 2)
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


def not_found(word: str, words: Words) -> NotFound:
    """There is no such word; which ones are written like it, among the first of a table and those of the same letters.

    >>> print(not_found("quen", Listed(["king", "queen"])))
    no vector for 'quen'; did you mean queen?
    """
    other_cases = [form for form in (word.lower(), word.capitalize(), word.upper()) if words.position(form) is not None]
    alike = [] if other_cases else get_close_matches(word.lower(), _candidates(word, words), n=4, cutoff=0.6)
    if close := [form for form in dict.fromkeys([*other_cases, *alike]) if form != word]:
        return NotFound(f"no vector for {word!r}; did you mean {' or '.join(close)}?")
    return NotFound(f"no vector for {word!r} among {len(words):,} words, such as {', '.join(_first(words, 5))}")


def _candidates(word: str, words: Words) -> list[str]:
    return [w for w in _first(words, LOOKED_AT) if abs(len(w) - len(word)) <= 2]


def _first(words: Words, most: int) -> list[str]:
    return [words[i] for i in range(min(most, len(words)))]
