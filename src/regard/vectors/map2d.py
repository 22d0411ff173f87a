"""Word vectors in a plane: by the two directions in which they differ most, or by UMAP where it is installed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.ops import Contract, Given
from regard.ops.narrow import Numbers
from regard.suggestions import NotFound, suggestion
from regard.trace import Cell, Step, Trace
from regard.vectors.expression import written
from regard.vectors.scanning import Doubles, blocks
from regard.vectors.steps import middle_steps, sum_steps, unit_steps

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

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
        both = np.column_stack([self.trace.array("map.across"), self.trace.array("map.up")])
        return both[: len(self.words)]  # the words of a direction come after those of the map

    def cells(self, word: int) -> tuple[Cell, Cell]:
        return Cell(self.trace.step("map.across"), (word,)), Cell(self.trace.step("map.up"), (word,))

    def data(self) -> dict[str, Any]:
        places = zip(self.words, self.places.tolist())
        return {
            "axes": self.axes,
            "says": self.says,
            "words": [{"word": word, "across": across, "up": up} for word, (across, up) in places],
        }


def principal(vectors: Numbers) -> tuple[Doubles, Doubles, float]:
    """The middle of some vectors, the two directions in which they differ most, and the share of differences they show.

    The table is read in blocks, and only a width × width matrix is held. Of a direction and its opposite, that whose
    largest number is positive.

    >>> middle, directions, kept = principal(np.array([[0.0, 0, 1], [4, 0, 1], [0, 2, 1], [4, 2, 1]]))
    >>> middle.tolist(), directions.T.round(3).tolist(), round(kept, 3)
    ([2.0, 1.0, 1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 1.0)
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
    total = float(values.clip(0).sum())
    return middle, directions, float(values[::-1][:2].clip(0).sum()) / total if total else 1.0


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
    sums = {"map.across": vectors.meant(across)[0], "map.up": vectors.meant(up)[0]}
    kept = list(dict.fromkeys([*places, *(vectors.position(term.word) for terms in sums.values() for term in terms)]))
    at = {place: i for i, place in enumerate(kept)}
    E = vectors.table(kept)
    steps, found = [E], {}
    for letter, (name, terms) in zip("WX", sums.items()):
        rows = [at[vectors.position(term.word)] for term in terms]
        steps += sum_steps(name, E, [term.factor for term in terms], rows, letter)
        steps += unit_steps(name, steps[-1])
        found[name] = steps[-1].value
        steps.append(Step(name, Contract("IC,C->I"), (E, steps[-1])))
    letters = {letter: [term.word for term in terms] for letter, terms in zip("WX", sums.values())}
    names = tuple(vectors.words[place] for place in places)
    alike = float(found["map.across"] @ found["map.up"])
    axes = tuple(written(terms) for terms in sums.values())
    trace = vectors.trace_of(steps, kept, **letters)
    return Map2D(trace, names, (axes[0], axes[1]), f"the cosine of the two directions is {alike:.2f}")


def _places(vectors: "WordVectors", words: Iterable[str] | None) -> Sequence[int]:
    places = range(len(vectors)) if words is None else [vectors.position(word) for word in dict.fromkeys(words)]
    if not places:
        raise ValueError("a map expects at least one word, got none")
    return places


def _by_principal(table: Step) -> tuple[list[Step], tuple[str, str], str]:
    _, directions, kept = principal(table.value)
    steps = list(middle_steps("map", table))
    for name, direction in zip(("map.across", "map.up"), directions.T):
        steps.append(Step(f"{name}.direction", Given(direction, "C", "constant")))
        steps.append(Step(name, Contract("IC,C->I"), (steps[1], steps[-1])))
    axes = "first principal direction", "second principal direction"
    return steps, axes, f"the plane shows {kept:.0%} of how the words differ"


def _by_umap(table: Step) -> tuple[list[Step], tuple[str, str], str]:
    try:
        umap = import_module("umap")
    except ImportError:
        raise ValueError(NO_UMAP) from None
    found = umap.UMAP(n_components=2, metric="cosine", random_state=0, n_jobs=1).fit_transform(table.value)
    places = np.asarray(found, np.float64)
    steps = [Step(name, Given(column, "I")) for name, column in zip(("map.across", "map.up"), places.T)]
    return steps, ("UMAP 1", "UMAP 2"), "UMAP keeps neighbours together; distances and directions mean nothing"


WAYS: dict[str, Callable[[Step], tuple[list[Step], tuple[str, str], str]]] = {"pca": _by_principal, "umap": _by_umap}
