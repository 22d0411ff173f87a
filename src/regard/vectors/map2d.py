"""Word vectors in a plane: by the two directions in which they differ most, or by UMAP where it is installed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.ops import Given
from regard.ops.narrow import Numbers
from regard.suggestions import NotFound, suggestion
from regard.trace import Cell, Step, Trace
from regard.vectors.scanning import Doubles, blocks
from regard.vectors.steps import map_steps

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

NO_UMAP = "UMAP needs umap-learn, which is not installed; pip install umap-learn, or leave it out: PCA needs nothing"


@dataclass(frozen=True, eq=False)
class Map2D:
    """Words and where they stand, as cells: across and up. `kept` is how much of their differences the plane shows."""

    trace: Trace
    words: tuple[str, ...]
    kept: float | None  # None where the way to the plane is not straight

    @property
    def places(self) -> Doubles:
        """Across and up, one row per word."""
        return self.trace.array("map.place")

    def cells(self, word: int) -> tuple[Cell, Cell]:
        step = self.trace.step("map.place")
        return Cell(step, (word, 0)), Cell(step, (word, 1))

    def data(self) -> dict[str, Any]:
        return {
            "kept": self.kept,
            "words": [{"word": word, "place": place} for word, place in zip(self.words, self.places.tolist())],
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
    """A map of these words, or of all."""
    if by not in WAYS:
        raise NotFound(f"no way to a plane is called {by!r:.40}; {suggestion(by, WAYS)}")
    places = range(len(vectors)) if words is None else [vectors.position(word) for word in dict.fromkeys(words)]
    if not places:
        raise ValueError("a map expects at least one word, got none")
    E = vectors.table(places)
    steps, kept = WAYS[by](E)
    names = tuple(vectors.words[place] for place in places)
    return Map2D(vectors.trace_of((E, *steps), places), names, kept)


def _by_principal(table: Step) -> tuple[list[Step], float]:
    middle, directions, kept = principal(table.value)
    return list(map_steps("map", table, middle, directions)), kept


def _by_umap(table: Step) -> tuple[list[Step], None]:
    try:
        umap = import_module("umap")
    except ImportError:
        raise ValueError(NO_UMAP) from None
    found = umap.UMAP(n_components=2, metric="cosine", random_state=0, n_jobs=1).fit_transform(table.value)
    return [Step("map.place", Given(np.asarray(found, np.float64), "IA"))], None


WAYS: dict[str, Callable[[Step], tuple[list[Step], float | None]]] = {"pca": _by_principal, "umap": _by_umap}
