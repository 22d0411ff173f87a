"""Why a word looks there: a score is bilinear, so with the norms held it splits exactly into pairs of parts.

The stream at the query is a sum of parts (the embedding, each earlier head, each MLP, the biases), and so is the stream
at the key. Every part of one meets every part of the other, and all these products add up to the score.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.lens.sources import PLAIN_NAMES
from regard.lens.strongest import strongest
from regard.ops import Contract, Given, Map, Pick
from regard.trace import Cell, Step, Trace
from regard.trace.carried import carried
from regard.trace.edits import unedited
from regard.trace.holding import DEVIATIONS, Holding, parameter_names
from regard.trace.names import layer_of, without_layer

NOTHING = 1e-12  # of the vector's size: what rounding leaves


@dataclass(frozen=True)
class Part:
    """One part of the stream, and the query or key vector that it makes."""

    name: str
    vector: Step


@dataclass(frozen=True)
class Pair:
    """A part of the query's stream, a part of the key's, and what they add to the score."""

    query: str
    key: str
    cell: Cell


@dataclass(frozen=True, eq=False)
class Looks:
    """A score as a sum over pairs. `held` says what counted as constant."""

    score: Cell
    queries: tuple[Part, ...]
    keys: tuple[Part, ...]
    held: str = "the norms' deviations, and everything that earlier heads and MLPs read"

    @cached_property
    def products(self) -> np.ndarray:
        """(parts of the query, parts of the key); their sum is the score."""
        query_AD, key_BD = (np.array([part.vector.value for part in parts]) for parts in (self.queries, self.keys))
        return query_AD @ key_BD.T

    def top(self, most: int = 10) -> list[Pair]:
        """The strongest pairs, each a number that opens."""
        return [self._pair(query, key) for query, key in strongest(self.products, most)]

    def rest(self, pairs: Sequence[Pair]) -> Cell:
        """What all other pairs add."""
        spec = f"{','.join([''] * len(pairs))}->"
        together = Step("looks.shown", Map("add", spec), tuple(pair.cell.step for pair in pairs))
        score = _vector(self.score.step, self.score.at)
        return Cell(Step("looks.rest", Map("subtract", ",->"), (score, together)), ())

    def _pair(self, query: int, key: int) -> Pair:
        a, b = self.queries[query], self.keys[key]
        product = Step(f"looks.{a.name}.{b.name}", Contract("D,D->"), (a.vector, b.vector))
        return Pair(a.name, b.name, Cell(product, ()))


def looks(trace: Trace, cell: Cell) -> Looks:
    """The pairs of a score such as layer3.scores[1,it,animal].

    >>> import regard
    >>> trace = regard.explain("The dog sat", model="untrained")
    >>> found = trace.looks("layer1.scores[0,sat,dog]")
    >>> bool(abs(found.products.sum() - found.score.value) < 1e-12), len(found.queries)
    (True, 6)
    """
    step = unedited(cell.step)
    if without_layer(cell.step.name) != "scores" or not isinstance(step.op, Contract) or len(step.inputs) != 2:
        raise ValueError(f"only a score such as layer0.scores[0,1,1] splits into pairs, got {cell.step.name}")
    head, query, key = cell.at
    layer = int(layer_of(step.name).removeprefix("layer"))
    queries, keys = (tuple(_parts(trace, side, (head, at), layer)) for side, at in zip(step.inputs, (query, key)))
    return Looks(Cell(step, cell.at), queries, keys)


def _parts(trace: Trace, side: Step, at: tuple[int, int], layer: int) -> Iterator[Part]:
    """The parts of the stream as the vectors of one head and word that they become."""
    reaches = _held_below(layer).reaching(trace.forward)
    found: list[Step] = []
    for name, sources in _sources(trace, side, reaches):
        whole, _ = carried(side, sources, reaches, f"from.{name}")
        if whole is not None:
            found.append(whole)
            yield Part(name, _vector(whole, at))
    rest = _vector(_difference(side, found), at)
    if np.abs(rest.value).max() > NOTHING * np.abs(side.value).max():
        yield Part("set by hand", rest)


def _held_below(layer: int) -> Holding:
    """Everything that the heads and MLPs of earlier layers read, and the norms' deviations."""
    earlier = "|".join(map(str, range(layer))) or "$^"
    names = rf"^layer({earlier})\.(weights|[kv](\.shared|\.rotated)?|activated)${DEVIATIONS}"
    return Holding("", "", names, is_linear=True)


def _sources(trace: Trace, side: Step, reaches: Callable[[Step, Step], bool]) -> Iterator[tuple[str, dict[Step, Step]]]:
    """What the stream is a sum of: by name, the steps where it begins, each with the value that counts."""
    parameters = parameter_names(trace.forward)
    begins = _beginnings(side, reaches)
    biases = {step: step for step in begins if step.name in parameters}
    for step in (s for s in trace.forward if s in begins and s not in biases):
        name = PLAIN_NAMES.get(step.name, step.name.removesuffix(".product"))
        if without_layer(step.name) != "context":
            yield name, {step: step}
            continue
        for head in range(step.shape[0]):
            only = Given(np.arange(step.shape[0]) == head, "H", "constant")
            op = Map("keep", f"{step.axes},H->{step.axes}")
            alone = Step(f"{layer_of(step.name)}.head{head}.alone", op, (step, Step(f"head{head}", only)))
            yield f"{layer_of(step.name)}.head{head}", {step: alone}
    if biases:
        yield "biases", biases


def _beginnings(side: Step, reaches: Callable[[Step, Step], bool]) -> set[Step]:
    found: set[Step] = set()
    seen, waiting = {side}, [side]
    while waiting:
        step = waiting.pop()
        read = [i for i in step.inputs if reaches(i, step)]
        if not read:
            found.add(step)
        waiting += [i for i in read if i not in seen]
        seen.update(read)
    return found


def _difference(whole: Step, parts: Sequence[Step]) -> Step:
    if not parts:
        return whole
    axes = whole.axes
    total = Step(f"{whole.name}.parts", Map("add", f"{','.join([axes] * len(parts))}->{axes}"), tuple(parts))
    return Step(f"{whole.name}.rest", Map("subtract", f"{axes},{axes}->{axes}"), (whole, total))


def _vector(step: Step, at: Sequence[int]) -> Step:
    """The vector of one head and word; with one more place, the number there."""
    for place in at:
        axes = step.axes
        number = Step(f"{step.name}.at", Given(np.int64(place), "", "constant"))
        step = Step(f"{step.name}[{place}]", Pick(f"{axes},->{axes[1:]}"), (step, number))
    return Step(step.name, Contract(f"{step.axes}->D"), (step,)) if step.axes not in ("D", "") else step
