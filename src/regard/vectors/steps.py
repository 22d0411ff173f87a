"""Cosines and sums of word vectors as steps of a trace, so that each number opens down to the vectors."""

from collections.abc import Iterator, Sequence

import numpy as np

from regard.ops import Contract, Given, Map, Pick
from regard.trace import Step


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


def sum_steps(name: str, table: Step, factors: Sequence[float], rows: Sequence[int]) -> Iterator[Step]:
    """A sum of rows, each brought to length 1 first, so that a long vector does not outweigh the others."""
    which = Step(f"{name}.words", Given(np.array(rows, np.int64), "T", "constant"))
    picked = Step(f"{name}.rows", Pick("IC,T->TC"), (table, which))
    squares = Step(f"{name}.rows.square", Contract("TC,TC->T"), (picked, picked))
    sizes = Step(f"{name}.rows.size", Map("square_root", "T->T"), (squares,))
    units = Step(f"{name}.units", Map("divide", "TC,T->TC"), (picked, sizes))
    times = Step(f"{name}.factors", Given(np.array(factors, np.float64), "T", "constant"))
    yield from (which, picked, squares, sizes, units, times)
    yield Step(f"{name}.own", Contract("T,TC->C"), (times, units))


def map_steps(name: str, table: Step, middle: np.ndarray, directions: np.ndarray) -> Iterator[Step]:
    """Where each row stands in a plane: how far it lies from the middle along two directions."""
    centre = Step(f"{name}.middle", Given(middle, "C", "constant"))
    axes = Step(f"{name}.directions", Given(directions, "CA", "constant"))
    apart = Step(f"{name}.apart", Map("subtract", "IC,C->IC"), (table, centre))
    yield from (centre, axes, apart)
    yield Step(f"{name}.place", Contract("IC,CA->IA"), (apart, axes))
