"""What the code of a page may cost: steps, sizes and work are bounded, and what would go beyond is not known."""

import ast
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import numpy as np

MOST_STEPS = 60_000  # of a page
MOST_WORK = 20_000_000  # cells made on a page
MOST_ITEMS = 20_000  # of a list or a text
MOST_CELLS = 250_000  # of an array
MOST_AXES = 32
LONGEST_AXIS = 2**40  # of an array of which only the shape is known
MOST_BITS = 4_000  # of a whole number
MOST_PRODUCTS = 2_000_000_000  # numbers multiplied in one product of matrices


class Unknown(Exception):
    """A value that cannot be told from the page."""


def size_of(value: Any) -> int:
    """How many items or cells a value has."""
    return value.size if isinstance(value, np.ndarray) else len(value) if hasattr(value, "__len__") else 1


def shape_of(*shape: Any, size: Any = None) -> tuple[int, ...]:
    """A shape given as one tuple or as several numbers."""
    shape = shape if size is None else (size,)
    found = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    if len(found) > MOST_AXES or not all(isinstance(n, int) and 0 <= n <= LONGEST_AXIS for n in found):
        raise Unknown
    return found


def check_sizes(*shape: Any) -> None:
    """A shape must be small enough to be made."""
    if math.prod(shape_of(*shape)) > MOST_CELLS:
        raise Unknown


def check_operands(sign: ast.operator, left: Any, right: Any) -> None:
    """Two operands must not make something huge: a power, a text many times over, a number with a wide format."""
    match sign, left, right:
        case ast.Pow(), int() | Fraction(), int():
            fits = abs(right) * max(1, _bits(left)) <= MOST_BITS
        case ast.Mult(), str() | list() | tuple(), int():
            fits = len(left) * right <= MOST_ITEMS
        case ast.Mult(), int(), str() | list() | tuple():
            fits = left * len(right) <= MOST_ITEMS
        case ast.Mod(), str(), _:
            fits = not re.search(r"\d{3}|\*", left)
        case _:
            fits = True
    if not fits:
        raise Unknown


class Budget:
    """What a page has used up."""

    def __init__(self) -> None:
        self.steps = self.work = 0

    def step(self) -> None:
        """Count one step."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unknown

    def paid(self, value: Any) -> Any:
        """A value that is not too large to be kept, and has been paid for."""
        if isinstance(value, int | Fraction) and _bits(value) > MOST_BITS:
            raise Unknown
        size = size_of(value)
        self.work += size
        if self.work > MOST_WORK or size > (MOST_CELLS if isinstance(value, np.ndarray) else MOST_ITEMS):
            raise Unknown
        return value

    def check_arguments(self, given: Sequence[Any]) -> None:
        """What a function is given must not be large, nor become so when its arrays are stretched to fit."""
        for value in given:
            self.paid(value)
            if isinstance(value, list | tuple) and sum(map(size_of, value)) > MOST_CELLS:
                raise Unknown
        shapes = [value.shape[::-1] for value in given if isinstance(value, np.ndarray)]
        if len(shapes) > 1:
            check_sizes(*(max(axis) for axis in zip_longest(*shapes, fillvalue=1)))


def _bits(value: int | Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
