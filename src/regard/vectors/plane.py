"""A plane laid through a table of vectors once: where words stand, to be drawn by the thousand or opened one by one.

Of the words that are drawn only places are computed, in blocks; of those that are asked about, every number is a step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, TypeAlias

import numpy as np

from regard.ops import Given, Map
from regard.ops.narrow import Narrow
from regard.trace import Step, Trace
from regard.vectors.expression import Term, written
from regard.vectors.map2d import ALIKE, LETTERS, NAMES, PRINCIPAL, along_steps, principal, principal_steps
from regard.vectors.neighbours import Neighbours
from regard.vectors.scanning import Doubles, blocks
from regard.vectors.wordvectors import WordVectors

WORK = 5e9  # multiplications by which the directions of a plane are found: rows beyond them are not asked
SHOWN = "map.shown"  # the share of the differences between words that a plane shows


@dataclass(frozen=True, eq=False)
class Principal:
    """A plane along the two directions in which the words differ most, from their middle.

    >>> four = WordVectors(["a", "b", "c", "d"], [[0, 0, 1], [4, 0, 1], [0, 2, 1], [4, 2, 1]])
    >>> places(four, Principal.of(four, 4), range(1, 3)).round(3).tolist()
    [[2.0, -1.0], [-2.0, 1.0]]
    """

    middle: Doubles
    directions: Doubles
    differ: tuple[float, float]  # the words, as a sum of squares: in the plane, and in all
    axes: ClassVar[tuple[str, str]] = PRINCIPAL
    told: ClassVar[str] = SHOWN  # the step that says how much the plane can be trusted
    words: ClassVar[tuple[str, ...]] = ()  # whose vectors its steps read, besides those that are asked about
    labels: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})

    @classmethod
    def of(cls, vectors: WordVectors, most: int) -> "Principal":
        """Of the first words of a table, which in most files are the frequent ones."""
        asked = min(len(vectors), most, max(1_000, int(WORK / vectors.width**2)))
        table = vectors.vectors
        return cls(*principal(Narrow(table.kept[:asked]) if isinstance(table, Narrow) else table[:asked]))

    def steps(self, table: Step, row: Callable[[str], int]) -> Sequence[Step]:
        """The coordinates of the rows of a table; `row` says where a word stands in it."""
        middle = Step("map.middle", Given(self.middle, "C", "constant"))
        apart = Step("map.apart", Map("subtract", "IC,C->IC"), (table, middle))
        parts = [
            Step(f"{SHOWN}.{name}", Given(np.float64(sum_), "", "constant"))
            for name, sum_ in zip(("here", "in_all"), self.differ)
        ]
        shown = Step(SHOWN, Map("divide", ",->"), tuple(parts))
        return [middle, apart, *principal_steps(apart, self.directions), *parts, shown]


@dataclass(frozen=True, eq=False)
class Along:
    """A plane along two sums of words, from 0: `woman - man` to the right, `king - man` up."""

    sums: tuple[tuple[Term, ...], tuple[Term, ...]]
    directions: Doubles
    middle: Doubles
    told: ClassVar[str] = ALIKE

    @classmethod
    def of(cls, vectors: WordVectors, across: str, up: str) -> "Along":
        sums = vectors.meant(across)[0], vectors.meant(up)[0]
        words = dict.fromkeys(term.word for terms in sums for term in terms)
        at = {word: i for i, word in enumerate(words)}
        steps = along_steps(vectors.table([vectors.position(word) for word in words]), sums, at.__getitem__)
        found = {step.name: step for step in steps}
        directions = np.column_stack([found[f"{name}.direction"].value for name in NAMES])
        return cls(sums, directions, np.zeros(vectors.width))

    @property
    def axes(self) -> tuple[str, str]:
        return written(self.sums[0]), written(self.sums[1])

    @property
    def words(self) -> Sequence[str]:
        return tuple(dict.fromkeys(term.word for terms in self.sums for term in terms))

    @property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        return {letter: tuple(term.word for term in terms) for letter, terms in zip(LETTERS, self.sums)}

    def steps(self, table: Step, row: Callable[[str], int]) -> Sequence[Step]:
        return along_steps(table, self.sums, row)


Plane: TypeAlias = Principal | Along


def places(vectors: WordVectors, plane: Plane, rows: range) -> Doubles:
    """Across and up, for some rows of a table that follow one another."""
    found = np.empty((len(rows), 2))
    for part in blocks(len(rows), vectors.width):
        some = np.asarray(vectors.vectors[rows.start + part.start : rows.start + part.stop], np.float64)
        found[part] = (some - plane.middle) @ plane.directions
    return found


def placed(vectors: WordVectors, nearest: Neighbours, plane: Plane) -> Trace:
    """The trace of some neighbours with their places in a plane as further steps."""
    trace, at = nearest.trace, {row: i for i, row in enumerate(nearest.rows)}
    steps = plane.steps(trace.step("E"), lambda word: at[vectors.position(word)])
    asked = {letter: words for letter, words in trace.labels.words.items() if letter == "W"}
    return vectors.trace_of((*trace.forward, *steps), nearest.rows, **asked, **plane.labels)
