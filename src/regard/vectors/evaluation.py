"""How good vectors are: how many analogies they answer, and how well their cosines agree with people's ratings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.ops import Contract, Given, Map, Pick, Scatter
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

    @property
    def asked(self) -> Cell:
        return Cell(self.trace.step("pairs"), ())

    @property
    def covered(self) -> Cell:
        return Cell(self.trace.step("covered"), ())

    @property
    def agreement(self) -> Cell:
        return Cell(self.trace.step("agreement"), ())

    def data(self) -> dict[str, Any]:
        asked, covered = int(self.asked.value), int(self.covered.value)
        return {"name": self.name, "asked": asked, "covered": covered, "spearman": self.agreement.value}


def spelled(vectors: WordVectors, word: str) -> int | None:
    """The row of a word as it is written, or in small letters: many tables have nothing else."""
    found = vectors.words.position(word)
    return vectors.words.position(word.lower()) if found is None else found


def answered(vectors: WordVectors, questions: Analogies) -> Answered:
    """Every analogy whose four words are there, by the word nearest to b − a + c."""
    categories = tuple(questions.categories)
    asked = np.zeros(len(categories))
    covered: list[tuple[int, ...]] = []
    written: list[str] = []
    for at, category in enumerate(categories):
        for words in questions.categories[category]:
            places = [place for word in words if (place := spelled(vectors, word)) is not None]
            if len(places) == 4:
                covered.append((at, *places))
                written.append(":".join(words))
        asked[at] = len(questions.categories[category])
    right = {name: np.zeros(len(covered)) for name in ANSWERS}
    for part in range(0, len(covered), TOGETHER):
        table = np.array(covered[part : part + TOGETHER])
        for name, found in zip(ANSWERS, _right(vectors, table)):
            right[name][part : part + TOGETHER] = found
    groups = np.array([row[0] for row in covered], np.int64)
    labels = Labels({"S": categories, "T": tuple(written)})
    return Answered(Trace(tuple(_counted(asked, groups, right)), labels), questions.name, categories)


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


def _counted(asked: Doubles, groups: npt.NDArray[np.int64], right: dict[str, Doubles]) -> Iterator[Step]:
    """The counts as steps: what became of each question, of each category, of all, and the shares of those covered."""
    which = Step("category", Given(groups, "T", "constant"))
    yield which
    counted = {"asked": Step("asked", Given(asked, "S", "constant"))}
    for name, each in {"covered": np.ones(len(groups)), **right}.items():
        one = Step(f"{name}.each", Given(each, "T", "constant"))
        counted[name] = Step(name, Scatter("T,T->S", len(asked)), (one, which))
        yield one
    total: dict[str, Step] = {}
    for name, step in counted.items():
        total[name] = Step(f"{name}.all", Contract("S->"), (step,))
        yield from (step, total[name])
    for name in ANSWERS:
        yield Step(f"{name}.share", Map("divide", "S,S->S"), (counted[name], counted["covered"]))
        yield Step(f"{name}.share.all", Map("divide", ",->"), (total[name], total["covered"]))


def agreement(vectors: WordVectors, ratings: Ratings) -> Agreement:
    """Spearman's ρ between the cosines of pairs and people's ratings, over the pairs whose words are there."""
    places = [(spelled(vectors, one), spelled(vectors, other)) for one, other, _ in ratings.pairs]
    covered = [i for i, pair in enumerate(places) if None not in pair]
    if len(covered) < 2:
        raise ValueError(
            f"{ratings.name} has {len(covered)} pairs whose words are both in {vectors.title}; two are needed"
        )
    pairs = [places[i] for i in covered]
    kept = list(dict.fromkeys(place for pair in pairs for place in pair if place is not None))
    at = {place: i for i, place in enumerate(kept)}
    E = vectors.table(kept)
    cosines = list(_cosines(E, np.array([[at[place] for place in pair if place is not None] for pair in pairs])))
    rated = Step("rated", Given(np.array([ratings.pairs[i][2] for i in covered]), "T"))
    counts = [Step("pairs", Given(np.float64(len(places)), "", "constant"))]
    counts.append(Step("covered.each", Given(np.ones(len(covered)), "T", "constant")))
    counts.append(Step("covered", Contract("T->"), (counts[-1],)))
    steps = (E, *cosines, rated, *counts, *_spearman(cosines[-1], rated))
    words = {"I": tuple(vectors.words[place] for place in kept)}
    written = tuple(f"{ratings.pairs[i][0]}–{ratings.pairs[i][1]}" for i in covered)
    trace = Trace(steps, Labels({**words, "T": written}))
    return Agreement(trace, ratings.name)


def _cosines(table: Step, pairs: npt.NDArray[np.int64]) -> Iterator[Step]:
    """The cosine of each pair of rows of a table, which are two columns."""
    sides: list[Step] = []
    sizes: list[Step] = []
    for name, rows in zip(("one", "other"), pairs.T):
        which = Step(f"{name}.word", Given(rows, "T", "constant"))
        sides.append(Step(name, Pick("IC,T->TC"), (table, which)))
        square = Step(f"{name}.square", Contract("TC,TC->T"), (sides[-1], sides[-1]))
        sizes.append(Step(f"{name}.size", Map("square_root", "T->T"), (square,)))
        yield from (which, sides[-1], square, sizes[-1])
    dot = Step("cosine.dot", Contract("TC,TC->T"), tuple(sides))
    both = Step("cosine.sizes", Map("product", "T,T->T"), tuple(sizes))
    yield from (dot, both, Step("cosine", Map("divide", "T,T->T"), (dot, both)))


def _spearman(cosines: Step, rated: Step) -> Iterator[Step]:
    """ρ is the cosine of the ranks, each less the middle rank."""
    apart: list[Step] = []
    sizes: list[Step] = []
    for step in (cosines, rated):
        name = step.name
        ranks = Step(f"{name}.rank", Given(ranked(step.value), "T", "constant"))
        middle = Step(f"{name}.middle", Contract("T->", 1 / step.shape[0]), (ranks,))
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


def holding(traces: Sequence[Trace], cell: str) -> Trace:
    """The first of some traces that a cell is a number of; if none, the last error says what there is."""
    for trace in traces[:-1]:
        try:
            trace.cell(cell)
            return trace
        except (KeyError, ValueError):
            continue
    return traces[-1]
