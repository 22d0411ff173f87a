"""Numbers as a person writes them, in lists of lists or arrays: rectangular, finite, and not too many."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from regard.toys.problem import Path, ToyProblem, written
from regard.trace.edits import LARGEST

MOST_NUMBERS = 100_000  # of one vector, matrix or table: a toy is to be checked by hand


def numbers(given: Any, path: Path, axes: Sequence[int]) -> np.ndarray:
    """An array with one of these numbers of axes; an error says which number is the first that does not fit.

    >>> numbers([[1, 2], [3, 4]], ("W_Q",), (2,)).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    >>> numbers([[1, 2], [3]], ("W_Q",), (2,))
    Traceback (most recent call last):
    regard.toys.problem.ToyProblem: W_Q[1] expects 2 numbers like the rows before it, got 1
    """
    nested = given.tolist() if isinstance(given, np.ndarray) else given
    shape = _shape(nested, path, max(axes))
    if len(shape) not in axes:
        kinds = " or ".join(KINDS[n] for n in axes)
        raise ToyProblem(f"{written(path)} expects {kinds}, got {_said(nested)}", path)
    size = int(np.prod(shape, dtype=object))
    if size > MOST_NUMBERS:
        raise ToyProblem(f"{written(path)} has {size:,} numbers; a toy holds at most {MOST_NUMBERS:,}", path)
    flat: list[float] = []
    _collect(nested, path, shape, flat)
    return np.array(flat, dtype=np.float64).reshape(shape)


KINDS = ("a number", "a list of numbers", "a matrix (a list of rows)", "a list of matrices, one for each head")


def number(given: Any, path: Path) -> float:
    """One number, finite."""
    if isinstance(given, bool | np.bool_) or not isinstance(given, int | float | np.integer | np.floating):
        raise ToyProblem(f"{written(path)} expects a number, got {_said(given)}", path)
    if not abs(given) <= LARGEST:
        raise ToyProblem(
            f"{written(path)} expects a finite number, at most {LARGEST:g} in size, got {str(given)[:20]}", path
        )
    return float(given)


def _shape(nested: Any, path: Path, most: int) -> tuple[int, ...]:
    """How long the first list of each level is."""
    shape: list[int] = []
    while isinstance(nested, Sequence) and not isinstance(nested, str | bytes) and len(shape) <= most:
        if not len(nested):
            raise ToyProblem(f"{written((*path, *[0] * len(shape)))} is empty; give at least one number", path)
        shape.append(len(nested))
        nested = nested[0]
    return tuple(shape)


def _collect(nested: Any, path: Path, shape: tuple[int, ...], into: list[float]) -> None:
    if not shape:
        into.append(number(nested, path))
        return
    if not isinstance(nested, Sequence) or isinstance(nested, str | bytes):
        raise ToyProblem(f"{written(path)} expects {_counted(shape[0], len(shape))}, got {_said(nested)}", path)
    if len(nested) != shape[0]:
        expected = _counted(shape[0], len(shape))
        raise ToyProblem(f"{written(path)} expects {expected} like the rows before it, got {len(nested)}", path)
    for place, part in enumerate(nested):
        _collect(part, (*path, place), shape[1:], into)


def _counted(count: int, depth: int) -> str:
    what = "number" if depth == 1 else "row"
    return f"{count} {what}{'' if count == 1 else 's'}"


def _said(given: Any) -> str:
    """What came, in a few words, however large it is."""
    if isinstance(given, str):
        return f"the text {given[:40]!r}"
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, Mapping):
        return "a table"
    if isinstance(given, Sequence):
        return f"a list of {len(given)}"
    return f"{given!r:.40}" if isinstance(given, int | float) else f"a {type(given).__name__}"
