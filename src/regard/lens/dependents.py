"""What depends on a number: the cells that read it directly."""

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from regard.ops.expression import leaves
from regard.trace import Cell, Step, Trace

MOST = 24  # that are told
TRIED = 600  # places of one step that are looked at


def dependents(trace: Trace, address: str, most: int = MOST) -> tuple[list[Cell], int]:
    """The cells whose arithmetic names this one, the first of them, and how many further ones were seen.

    >>> import regard
    >>> found, more = dependents(regard.explain("The quick brown fox", model="fox"), "weights[fox,fox]")
    >>> [cell.step.name for cell in found], more
    (['layer0.context', 'layer0.context'], 0)
    """
    cell = trace.cell(address)
    found = [
        Cell(step, at)
        for step in trace.steps.values()
        if cell.step in step.inputs
        for at in islice(_places(cell, step), TRIED)
        if any(leaf.cell == cell for leaf in leaves(step.op.arithmetic(at, step.inputs)))
    ]
    return found[:most], max(0, len(found) - most)


def _places(cell: Cell, step: Step) -> Iterator[tuple[int, ...]]:
    """Where a step may have read a cell: along axes of the same letter, at the same position; first, elsewhere all."""
    known = dict(zip(cell.step.axes, cell.at))
    fixed = [known.get(letter) for letter in step.axes]
    # a letter may stand for something else there; then every place is looked at
    yield from _along(step, fixed)
    if any(place is not None for place in fixed) and math.prod(step.shape) <= TRIED:
        yield from (at for at in np.ndindex(step.shape) if not _fits(at, fixed))


def _along(step: Step, fixed: list[int | None]) -> Iterator[tuple[int, ...]]:
    sizes = [1 if place is not None and place < size else size for place, size in zip(fixed, step.shape)]
    for at in np.ndindex(*sizes):
        yield tuple(i if place is None or size > 1 else place for i, place, size in zip(at, fixed, sizes))


def _fits(at: tuple[int, ...], fixed: list[int | None]) -> bool:
    return all(place is None or i == place for i, place in zip(at, fixed))
