"""The arithmetic of one cell, forward or backward, as text, LaTeX and runnable NumPy."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from regard.ops import Given, Replace, notation
from regard.ops.expression import Call, Leaf, Number, Tree, abridged
from regard.ops.notation import decimals_of, format_number
from regard.trace.edits import before
from regard.trace.step import Cell


@dataclass(frozen=True)
class Arithmetic:
    """Why a number is what it is: `0.7500 = 2.0281 / 2.7042`, and the cells that were read."""

    cell: Cell
    expression: Tree
    name_of: Callable[[Cell], str]

    @property
    def value(self) -> float:
        return self.cell.value

    @property
    def name(self) -> str:
        return self.name_of(self.cell)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What was read, from the same run as the cell itself unless it names another."""
        return self.read_by(self.expression)

    def read_by(self, expression: Tree) -> tuple[Cell, ...]:
        """What a part of the arithmetic read, or the whole of it abridged."""
        return tuple(self._here(cell) for cell in expression.cells)

    def _here(self, cell: Cell) -> Cell:
        return cell if self.cell.run is None or cell.run is not None else replace(cell, run=self.cell.run)

    @property
    def is_given(self) -> bool:
        return not self.cell.step.inputs

    def text(self, digits: int = 4, most_terms: int | None = 8) -> str:
        """`0.7500 = 2.0281 / 2.7042`; where there is nothing to compute, the number and where it comes from."""
        shown = abridged(self.expression, most_terms)
        result = self._result(shown, digits)
        if isinstance(shown, Number | Leaf):
            return f"{result}{self._origin(digits)}"
        return f"{result} = {notation.text(shown, digits, None, self.value)}"

    def _origin(self, digits: int) -> str:
        op = self.cell.step.op
        if isinstance(op, Given):
            return " (given)"
        if isinstance(op, Replace) and self.cell.at == op.at:
            was = float(before(self.cell.step).value[self.cell.at])
            return f" (set by hand; was {format_number(was, digits)})"
        return " (hidden)" if self.value == -math.inf else ""

    def latex(self, digits: int = 4, most_terms: int | None = 8) -> str:
        shown = abridged(self.expression, most_terms)
        result = notation.latex_number(self._result(shown, digits))
        return f"{result} = {notation.latex(shown, digits, None, self.value)}"

    def numpy(self) -> str:
        """One expression; with `import numpy as np` it evaluates to the cell."""
        return notation.numpy(self.expression)

    def symbols(self, most_terms: int | None = 8) -> str:
        """The same arithmetic with the names of the cells instead of their numbers."""
        return notation.text(
            self.expression, most_terms=most_terms, leaf=lambda leaf: self.name_of(self._here(leaf.cell))
        )

    def _result(self, shown: Tree, digits: int) -> str:
        if self.cell.step.value.dtype.kind != "f":
            return str(int(self.value))
        return format_number(self.value, decimals_of(shown, digits, self.value))

    def walk(self, depth: int, most_terms: int = 8) -> Iterator[tuple[int, "Arithmetic"]]:
        """This arithmetic and that of the cells it read, down to `depth`, each cell once; terms of 0 are not opened."""
        yield from self._walk(0, depth, most_terms, set())

    def _walk(self, level: int, depth: int, most_terms: int, seen: set[Cell]) -> Iterator[tuple[int, "Arithmetic"]]:
        if self.cell in seen:
            return
        seen.add(self.cell)
        yield level, self
        if level + 1 < depth:
            for cell in _worth_opening(abridged(self.expression, most_terms)):
                yield from explain(self._here(cell), self.name_of)._walk(level + 1, depth, most_terms, seen)

    def __str__(self) -> str:
        return f"{self.name} = {self.text()}"


def explain(cell: Cell, name_of: Callable[[Cell], str]) -> Arithmetic:
    return Arithmetic(cell, cell.step.op.arithmetic(cell.at, cell.step.inputs), name_of)


def _worth_opening(expression: Tree) -> tuple[Cell, ...]:
    """The cells of an expression, without those of terms that add nothing."""
    if isinstance(expression, Call) and expression.sign == "+":
        kept = (part for part in expression.parts if part.value != 0)
        return tuple(dict.fromkeys(cell for part in kept for cell in part.cells))
    return expression.cells
