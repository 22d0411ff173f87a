"""How good vectors are: how many analogies they answer, and how well their cosines agree with people's ratings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.ops import Contract, Given, Map
from regard.trace import Cell, Labels, Step, Trace
from regard.vectors.published import Analogies, Ratings
from regard.vectors.scanning import Doubles, first
from regard.vectors.wordvectors import WordVectors

TOGETHER = 512  # questions that one pass over the table answers
ANSWERS = ("answered", "with_inputs", "nearest_to_c")  # as the steps are called; what they are is said in `Answered`


@dataclass(frozen=True, eq=False)
class Answered:
    """For each category how many questions there are, how many the words cover, and how many are answered right.

    `answered` leaves the three words of a question out of the answers; `with_inputs` allows them; `nearest_to_c` asks
    only for the nearest neighbour of c, as a baseline that does no arithmetic.
    """

    trace: Trace
    name: str
    categories: tuple[str, ...]

    def number(self, what: str, category: int) -> Cell:
        return Cell(self.trace.step(what), (category,))

    def total(self, what: str) -> Cell:
        return Cell(self.trace.step(f"{what}.all"), ())

    def data(self) -> dict[str, Any]:
        names = ("asked", "covered", *ANSWERS)
        rows = {c: {n: int(self.number(n, i).value) for n in names} for i, c in enumerate(self.categories)}
        return {"name": self.name, "categories": rows, "all": {n: int(self.total(n).value) for n in names}}


@dataclass(frozen=True, eq=False)
class Agreement:
    """How well cosines rank pairs as people do: Spearman's ρ, the correlation of the ranks."""

    trace: Trace
    name: str
    asked: int
    covered: int

    @property
    def agreement(self) -> Cell:
        return Cell(self.trace.step("agreement"), ())

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "asked": self.asked, "covered": self.covered, "spearman": self.agreement.value}


def spelled(vectors: WordVectors, word: str) -> int | None:
    """The row of a word as it is written, or in small letters: many tables have nothing else."""
    found = vectors.words.position(word)
    return vectors.words.position(word.lower()) if found is None else found


def answered(vectors: WordVectors, questions: Analogies) -> Answered:
    """Every analogy whose four words are there, by the word nearest to b − a + c."""
    categories = tuple(questions.categories)
    counts = {name: np.zeros(len(categories), np.int64) for name in ("asked", "covered", *ANSWERS)}
    covered: list[tuple[int, ...]] = []
    for at, category in enumerate(categories):
        rows = [tuple(spelled(vectors, word) for word in asked) for asked in questions.categories[category]]
        known = [tuple(place for place in row if place is not None) for row in rows]
        covered += [(at, *row) for row in known if len(row) == 4]
        counts["asked"][at], counts["covered"][at] = len(rows), sum(len(row) == 4 for row in known)
    for part in range(0, len(covered), TOGETHER):
        table = np.array(covered[part : part + TOGETHER])
        for name, right in zip(ANSWERS, _right(vectors, table)):
            np.add.at(counts[name], table[:, 0], right)
    return Answered(_counted(counts, categories), questions.name, categories)


def _right(vectors: WordVectors, table: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.bool_]]:
    a, b, c = (_units(vectors, table[:, column]) for column in (1, 2, 3))
    target = table[:, 4]
    alone, free = first(vectors.vectors, vectors.sizes, b - a + c, table[:, 1:4])
    yield alone == target
    yield free == target
    yield first(vectors.vectors, vectors.sizes, c, table[:, 1:4])[0] == target


def _units(vectors: WordVectors, places: npt.NDArray[np.int64]) -> Doubles:
    rows = np.asarray(vectors.vectors[places], np.float64)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)


def _counted(counts: dict[str, npt.NDArray[np.int64]], categories: tuple[str, ...]) -> Trace:
    """The counts as steps: of each category, of all, and the shares of those that are covered."""
    steps: dict[str, Step] = {}
    for name, found in counts.items():
        steps[name] = Step(name, Given(found.astype(np.float64), "G", "constant"))
        steps[f"{name}.all"] = Step(f"{name}.all", Contract("G->"), (steps[name],))
    for name in ANSWERS:
        steps[f"{name}.share"] = Step(f"{name}.share", Map("divide", "G,G->G"), (steps[name], steps["covered"]))
        both = (steps[f"{name}.all"], steps["covered.all"])
        steps[f"{name}.share.all"] = Step(f"{name}.share.all", Map("divide", ",->"), both)
    return Trace(tuple(steps.values()), Labels({"G": categories}))


def agreement(vectors: WordVectors, ratings: Ratings) -> Agreement:
    """Spearman's ρ between the cosines of pairs and people's ratings, over the pairs whose words are there."""
    places = [(spelled(vectors, one), spelled(vectors, other)) for one, other, _ in ratings.pairs]
    covered = [i for i, pair in enumerate(places) if None not in pair]
    if len(covered) < 2:
        raise ValueError(
            f"{ratings.name} has {len(covered)} pairs whose words are both in {vectors.title}; two are needed"
        )
    first_of, second_of = (np.array([places[i][side] for i in covered]) for side in (0, 1))
    cosines = (_units(vectors, first_of) * _units(vectors, second_of)).sum(axis=1)
    rated = np.array([ratings.pairs[i][2] for i in covered])
    pairs = tuple(f"{ratings.pairs[i][0]}–{ratings.pairs[i][1]}" for i in covered)
    trace = Trace(tuple(_spearman(cosines, rated)), Labels({"T": pairs}))
    return Agreement(trace, ratings.name, len(ratings.pairs), len(covered))


def _spearman(cosines: Doubles, rated: Doubles) -> Iterator[Step]:
    """ρ is the cosine of the ranks, each less the middle rank."""
    apart: list[Step] = []
    sizes: list[Step] = []
    for name, values in (("cosine", cosines), ("rated", rated)):
        yield Step(name, Given(values, "T"))
        ranks = Step(f"{name}.rank", Given(ranked(values), "T", "constant"))
        middle = Step(f"{name}.middle", Contract("T->", 1 / len(values)), (ranks,))
        apart.append(Step(f"{name}.apart", Map("subtract", "T,->T"), (ranks, middle)))
        square = Step(f"{name}.square", Contract("T,T->"), (apart[-1], apart[-1]))
        sizes.append(Step(f"{name}.size", Map("square_root", "->"), (square,)))
        yield from (ranks, middle, apart[-1], square, sizes[-1])
    dot = Step("dot", Contract("T,T->"), tuple(apart))
    both = Step("sizes", Map("product", ",->"), tuple(sizes))
    yield from (dot, both)
    yield Step("agreement", Map("divide", ",->"), (dot, both))


def ranked(values: Sequence[float] | Doubles) -> Doubles:
    """The rank of each value, from 1; equals share the middle of theirs.

    >>> ranked([10.0, 30.0, 20.0, 30.0]).tolist()
    [1.0, 3.5, 2.0, 3.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((2 * ends - counts + 1) / 2)[which]
