"""Cosines and sums of word vectors as steps of a trace, so that each number opens down to the vectors."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from regard.ops import Contract, Given, Map, Pick
from regard.trace import Step

SUM = r"-?\d{1,12}(?:[+-]\d{1,12})*"  # rows of a table that are added and subtracted: 654-300+787


def sum_name(factors: Sequence[float], rows: Sequence[int]) -> str | None:
    """A sum of rows as part of a step's name; None where a factor is no sign.

    >>> sum_name([1, -1, 1], [654, 300, 787]), sum_name([0.5], [3])
    ('654-300+787', None)
    """
    if any(abs(factor) != 1 for factor in factors):
        return None
    return "".join(f"{'-' if factor < 0 else '+'}{row}" for factor, row in zip(factors, rows)).removeprefix("+")


def named_sum(name: str) -> tuple[list[float], list[int]]:
    """The factors and the rows that such a part of a name means.

    >>> named_sum("654-300+787")
    ([1.0, -1.0, 1.0], [654, 300, 787])
    """
    found = re.findall(r"([+-]?)(\d+)", name)
    return [-1.0 if sign == "-" else 1.0 for sign, _ in found], [int(row) for _, row in found]


def vector_steps(
    name: str, table: Step, factors: Sequence[float], rows: Sequence[int], letter: str = "W"
) -> Iterator[Step]:
    """A row as it is, or a sum of several; the last step is the vector."""
    if len(rows) == 1 and factors[0] == 1:
        yield from row_steps(name, table, rows[0])
    else:
        yield from sum_steps(name, table, factors, rows, letter)


def cosine_steps(name: str, table: Step, own: Step) -> Iterator[Step]:
    """The cosine of every row of a table with one vector: their dot product over both lengths."""
    dots = Step(f"{name}.dot", Contract("IC,C->I"), (table, own))
    squares = Step(f"{name}.square", Contract("IC,IC->I"), (table, table))
    sizes = Step(f"{name}.size", Map("square_root", "I->I"), (squares,))
    square = Step(f"{name}.own.square", Contract("C,C->"), (own, own))
    size = Step(f"{name}.own.size", Map("square_root", "->"), (square,))
    both = Step(f"{name}.sizes", Map("product", "I,->I"), (sizes, size))
    yield from (dots, squares, sizes, square, size, both)
    yield Step(f"{name}.cosine", Map("divide", "I,I->I"), (dots, both))


def row_steps(name: str, table: Step, row: int) -> Iterator[Step]:
    """One row of a table."""
    which = Step(f"{name}.word", Given(np.int64(row), "", "constant"))
    yield which
    yield Step(f"{name}.own", Pick("IC,->C"), (table, which))


def sum_steps(name: str, table: Step, factors: Sequence[float], rows: Sequence[int], letter: str) -> Iterator[Step]:
    """A sum of rows, each brought to length 1 first, so that a long vector does not outweigh the others."""
    which = Step(f"{name}.words", Given(np.array(rows, np.int64), letter, "constant"))
    picked = Step(f"{name}.rows", Pick(f"IC,{letter}->{letter}C"), (table, which))
    squares = Step(f"{name}.rows.square", Contract(f"{letter}C,{letter}C->{letter}"), (picked, picked))
    sizes = Step(f"{name}.rows.size", Map("square_root", f"{letter}->{letter}"), (squares,))
    units = Step(f"{name}.units", Map("divide", f"{letter}C,{letter}->{letter}C"), (picked, sizes))
    times = Step(f"{name}.factors", Given(np.array(factors, np.float64), letter, "constant"))
    yield from (which, picked, squares, sizes, units, times)
    yield Step(f"{name}.own", Contract(f"{letter},{letter}C->C"), (times, units))


def unit_steps(name: str, own: Step) -> Iterator[Step]:
    """A vector brought to length 1."""
    square = Step(f"{name}.square", Contract("C,C->"), (own, own))
    size = Step(f"{name}.size", Map("square_root", "->"), (square,))
    yield from (square, size)
    yield Step(f"{name}.direction", Map("divide", "C,->C"), (own, size))


def middle_steps(name: str, table: Step) -> Iterator[Step]:
    """The mean of all rows, and how far each lies from it."""
    middle = Step(f"{name}.middle", Contract("IC->C", 1 / table.shape[0]), (table,))
    yield middle
    yield Step(f"{name}.apart", Map("subtract", "IC,C->IC"), (table, middle))
