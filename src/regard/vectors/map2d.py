"""Word vectors in a plane: by the two directions in which they differ most, or by UMAP where it is installed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.ops import Contract, Given
from regard.ops.narrow import Numbers
from regard.suggestions import NotFound, suggestion
from regard.trace import Cell, Step, Trace
from regard.vectors.expression import Term, written
from regard.vectors.scanning import Doubles, blocks
from regard.vectors.steps import middle_steps, sum_steps, unit_steps

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

NAMES = "map.across", "map.up"
ALIKE = "map.alike"  # the cosine of two directions that were given
LETTERS = "XZ"  # of the words of the sums that they are; W is that of a sum which is asked for
PRINCIPAL = "first principal direction", "second principal direction"
NO_UMAP = "UMAP needs umap-learn, which is not installed; pip install umap-learn, or leave it out: PCA needs nothing"


@dataclass(frozen=True, eq=False)
class Map2D:
    """Words and where they stand, as cells: `map.across` and `map.up`."""

    trace: Trace
    words: tuple[str, ...]
    axes: tuple[str, str]  # what the two directions are
    says: str

    @property
    def places(self) -> Doubles:
        """Across and up, one row per word."""
        both = np.column_stack([self.trace.array(name) for name in NAMES])
        return both[: len(self.words)]  # the words of a direction come after those of the map

    def cells(self, word: int) -> tuple[Cell, Cell]:
        across, up = (Cell(self.trace.step(name), (word,)) for name in NAMES)
        return across, up

    def data(self) -> dict[str, Any]:
        places = zip(self.words, self.places.tolist())
        return {
            "axes": self.axes,
            "says": self.says,
            "words": [{"word": word, "across": across, "up": up} for word, (across, up) in places],
        }


def principal(vectors: Numbers) -> tuple[Doubles, Doubles, tuple[float, float]]:
    """The middle of some vectors, the two directions in which they differ most, and how much they differ: there, and in
    all, as sums of squares.

    The table is read in blocks, and only a width × width matrix is held. Of a direction and its opposite, that whose
    largest number is positive.

    >>> middle, directions, kept = principal(np.array([[0.0, 0, 1], [4, 0, 1], [0, 2, 1], [4, 2, 1]]))
    >>> middle.tolist(), directions.T.round(3).tolist(), kept
    ([2.0, 1.0, 1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], (20.0, 20.0))
    """
    rows, width = vectors.shape
    middle = sum((np.asarray(vectors[part], np.float64).sum(axis=0) for part in blocks(rows, width)), np.zeros(width))
    middle /= rows
    spread = np.zeros((width, width))
    for part in blocks(rows, width):
        apart = np.asarray(vectors[part], np.float64) - middle
        spread += apart.T @ apart
    values, found = np.linalg.eigh(spread)
    directions = np.zeros((width, 2))
    directions[:, : min(2, width)] = found[:, ::-1][:, :2]
    largest = np.argmax(np.abs(directions), axis=0)
    directions *= np.where(directions[largest, [0, 1]] < 0, -1.0, 1.0)
    seen, total = (float(some.clip(0).sum()) for some in (values[::-1][:2], values))
    return middle, directions, (seen, total) if total else (1.0, 1.0)


def map2d(vectors: "WordVectors", words: Iterable[str] | None = None, by: str = "pca") -> Map2D:
    """A map of these words, or of all, by one of the `WAYS`."""
    if by not in WAYS:
        raise NotFound(f"no way to a plane is called {by!r:.40}; {suggestion(by, WAYS)}")
    places = _places(vectors, words)
    E = vectors.table(places)
    steps, axes, says = WAYS[by](E)
    names = tuple(vectors.words[place] for place in places)
    return Map2D(vectors.trace_of((E, *steps), places), names, axes, says)


def along(vectors: "WordVectors", words: Iterable[str] | None, across: str, up: str) -> Map2D:
    """A map of these words along two directions that sums of words point in, from 0."""
    places = _places(vectors, words)
    sums = vectors.meant(across)[0], vectors.meant(up)[0]
    kept = list(dict.fromkeys([*places, *(vectors.position(term.word) for terms in sums for term in terms)]))
    at = {place: i for i, place in enumerate(kept)}
    E = vectors.table(kept)
    steps = along_steps(E, sums, lambda word: at[vectors.position(word)])
    letters = {letter: [term.word for term in terms] for letter, terms in zip(LETTERS, sums)}
    names = tuple(vectors.words[place] for place in places)
    trace = vectors.trace_of((E, *steps), kept, **letters)
    alike = float(trace.array(ALIKE))
    return Map2D(trace, names, (written(sums[0]), written(sums[1])), f"the cosine of the two directions is {alike:.2f}")


def along_steps(table: Step, sums: Sequence[Sequence[Term]], row: Callable[[str], int]) -> list[Step]:
    """The coordinates of every row of a table along two sums of its words; `row` says where a word stands in it."""
    steps: list[Step] = []
    directions: list[Step] = []
    for letter, name, terms in zip(LETTERS, NAMES, sums):
        rows = [row(term.word) for term in terms]
        steps += sum_steps(name, table, [term.factor for term in terms], rows, letter)
        steps += unit_steps(name, steps[-1])
        directions.append(steps[-1])
        steps.append(Step(name, Contract("IC,C->I"), (table, steps[-1])))
    return [*steps, Step(ALIKE, Contract("C,C->"), tuple(directions))]


def _places(vectors: "WordVectors", words: Iterable[str] | None) -> Sequence[int]:
    places = range(len(vectors)) if words is None else [vectors.position(word) for word in dict.fromkeys(words)]
    if not places:
        raise ValueError("a map expects at least one word, got none")
    return places


def _by_principal(table: Step) -> tuple[list[Step], tuple[str, str], str]:
    _, directions, (seen, total) = principal(table.value)
    steps = list(middle_steps("map", table))
    steps += principal_steps(steps[1], directions)
    return steps, PRINCIPAL, f"the plane shows {seen / total:.0%} of how the words differ"


def principal_steps(apart: Step, directions: Doubles) -> Iterator[Step]:
    """The coordinates of rows, each less the middle, along two given directions."""
    for name, direction in zip(NAMES, directions.T):
        given = Step(f"{name}.direction", Given(direction, "C", "constant"))
        yield given
        yield Step(name, Contract("IC,C->I"), (apart, given))


def _by_umap(table: Step) -> tuple[list[Step], tuple[str, str], str]:
    try:
        umap = import_module("umap")
    except ImportError:
        raise ValueError(NO_UMAP) from None
    found = umap.UMAP(n_components=2, metric="cosine", random_state=0, n_jobs=1).fit_transform(table.value)
    places = np.asarray(found, np.float64)
    steps = [Step(name, Given(column, "I")) for name, column in zip(NAMES, places.T)]
    return steps, ("UMAP 1", "UMAP 2"), "UMAP keeps neighbours together; distances and directions mean nothing"


WAYS: dict[str, Callable[[Step], tuple[list[Step], tuple[str, str], str]]] = {"pca": _by_principal, "umap": _by_umap}
