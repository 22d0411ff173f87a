"""Texts of a toy: one of several names, a text, a list of texts, one word; or what is wrong with it, and where."""

from collections.abc import Iterable, Sequence
from typing import Any

from regard.text.words import one_word
from regard.toys.problem import Path, ToyProblem, written


def chosen(given: Any, known: Iterable[str], path: Path) -> None:
    known = list(known)
    if not isinstance(given, str) or given not in known:
        raise ToyProblem(f"{written(path)} expects one of {', '.join(known)}, got {given!r:.40}", path)


def text(given: Any, path: Path) -> str:
    if not isinstance(given, str):
        raise ToyProblem(f"{written(path)} expects a text in quotes, got {given!r:.40}", path)
    return _whole(given, path, written(path))


def _whole(given: str, path: Path, what: str) -> str:
    """A text that can be written: Python has halves of characters, which no encoding has."""
    try:
        given.encode()
    except UnicodeEncodeError as error:
        half = given[error.start]
        raise ToyProblem(
            f"{what} expects whole characters, got half of one, {half!a}; write the character", path
        ) from None
    return given


def texts(given: Any, path: Path) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ToyProblem(f"{written(path)} expects a list of texts, got {given!r:.40}", path)
    return [text(each, (*path, i)) for i, each in enumerate(given)]


def single_word(given: Any, path: Path, of_key: bool = False) -> str:
    if isinstance(given, str):
        _whole(given, path, f"a word of {written(path[:-1])}" if of_key else written(path))
    try:
        return one_word(given, written(path))
    except ValueError as error:
        what = written(path[:-1]) if of_key else written(path)
        empty = isinstance(given, str) and not given.strip()
        told = f"{what} has a word without a letter, {given!r}; write the word itself" if empty else str(error)
        raise ToyProblem(told, path, of_key) from None
