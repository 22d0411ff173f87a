"""Texts of a toy: one of several names, a text, a list of texts, one word; or what is wrong with it, and where."""

from collections.abc import Iterable, Sequence
from typing import Any

from regard.text.words import one_word
from regard.toys.problem import Path, ToyProblem, written


def chosen(given: Any, known: Iterable[str], path: Path) -> None:
    known = list(known)
    if given not in known:
        raise ToyProblem(f"{written(path)} expects one of {', '.join(known)}, got {given!r:.40}", path)


def text(given: Any, path: Path) -> str:
    if not isinstance(given, str):
        raise ToyProblem(f"{written(path)} expects a text in quotes, got {given!r:.40}", path)
    return given


def texts(given: Any, path: Path) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ToyProblem(f"{written(path)} expects a list of texts, got {given!r:.40}", path)
    return [text(each, (*path, i)) for i, each in enumerate(given)]


def single_word(given: Any, path: Path, of_key: bool = False) -> str:
    try:
        return one_word(given, written(path))
    except ValueError as error:
        what = written(path[:-1]) if of_key else written(path)
        empty = isinstance(given, str) and not given.strip()
        told = f"{what} has a word without a letter, {given!r}; write the word itself" if empty else str(error)
        raise ToyProblem(told, path, of_key) from None
