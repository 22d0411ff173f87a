"""Who reads whom: how much each head lets one word read another, beside what an average word gets.

`layer2.average_word[2,it]` is what every visible word would get if head 2 spread what "it" reads evenly, and
`layer2.others[2,it,animal]` how much the other words that see "animal" read it: a head that always looks there is no
discovery.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.lens.attending import letters, mixing
from regard.ops import Contract, Given, Map
from regard.trace import Cell, Step, Trace
from regard.trace.names import in_layer


def average_steps(trace: Trace) -> Iterator[Step]:
    """`average_word` = Σ weights of a row / how many words it may read."""
    visible = trace.steps.get("visible")
    if visible is None:
        return
    count = Step("visible.count", Contract(f"{visible.axes}->{visible.axes[:-1]}"), (visible,))
    yield count
    for layer, mix in mixing(trace).items():
        axes, _ = letters(mix)
        whole = Step(in_layer(layer, "average_word.sum"), Contract(f"{axes}->{axes[:-1]}"), (mix.inputs[0],))
        rows = Map("divide", f"{axes[:-1]},{count.axes}->{axes[:-1]}")
        yield from (whole, Step(in_layer(layer, "average_word"), rows, (whole, count)))


def others_steps(trace: Trace) -> Iterator[Step]:
    """`others` = what all words but one give to a word / how many of them may read it."""
    visible = trace.steps.get("visible")
    if visible is None or visible.shape[-2] < 2:
        return
    sees = np.asarray(visible.value, dtype=np.float64)
    count = Step("others.count", Given(sees.sum(axis=-2, keepdims=True) - sees, visible.axes, "constant"))
    yield count
    for layer, mix in mixing(trace).items():
        axes, _ = letters(mix)
        column = f"{axes[:-2]}{axes[-1]}"
        weights = mix.inputs[0]
        whole = Step(in_layer(layer, "others.sum"), Contract(f"{axes}->{column}"), (weights,))
        rest = Step(in_layer(layer, "others.rest"), Map("subtract", f"{column},{axes}->{axes}"), (whole, weights))
        yield from (whole, rest)
        yield Step(in_layer(layer, "others"), Map("divide", f"{axes},{count.axes}->{axes}"), (rest, count))


@dataclass(frozen=True)
class Reading:
    """One head: how much of its reading goes from one word to another."""

    layer: int
    head: int
    word: str  # the word that is read
    weight: Cell
    average: Cell
    others: Cell | None  # None where no other word may read it


@dataclass(frozen=True, eq=False)
class Readings:
    """Every head, the one that reads most first."""

    trace: Trace
    reader: str
    read: str | None  # None: of each head, the word that it reads most
    heads: tuple[Reading, ...]

    def data(self) -> dict[str, Any]:
        def told(cell: Cell | None) -> dict[str, Any] | None:
            return None if cell is None else {"value": cell.value, "cell": self.trace.address_of(cell)}

        found = [
            {"layer": each.layer, "head": each.head, "word": each.word}
            | {name: told(getattr(each, name)) for name in ("weight", "average", "others")}
            for each in self.heads
        ]
        return {"from": self.reader, "to": self.read, "heads": found}

    def __str__(self) -> str:
        lines = [f"{self.reader} reads {self.read or 'most'}"]
        for each in self.heads[:8]:
            seen = "" if each.others is None else f", other words give it {each.others.value:.3f}"
            lines.append(
                f"layer {each.layer} head {each.head}: {each.word} {each.weight.value:.3f} "
                f"(an average word gets {each.average.value:.3f}{seen})"
            )
        return "\n".join(lines)


def readings(trace: Trace, reader: str | None = None, read: str | None = None) -> Readings:
    """The heads of a run by how much `reader` (by default the word that predicts) reads `read` in them.

    >>> import regard
    >>> print(str(regard.explain("On the mat a cat sat", model="two-heads").heads("sat", "cat")).partition(",")[0])
    sat reads cat
    layer 0 head 0: cat 0.604 (an average word gets 0.167
    """
    labels = trace.labels
    found: list[Reading] = []
    query, key = _position(trace, "Q", reader), None if read is None else _position(trace, "K", read)
    for number, (layer, mix) in enumerate(mixing(trace).items()):
        weights, average = mix.inputs[0], trace.step(in_layer(layer, "average_word"))
        for head in range(weights.shape[0]):
            place = int(weights.value[head, query].argmax()) if key is None else key
            at = (head, query, place)
            seen = trace.measure("others").get(in_layer(layer, "others"))
            count = None if seen is None else np.broadcast_to(trace.array("others.count"), seen.shape)[at]
            others = Cell(seen, at) if seen is not None and count else None
            word = labels.shown("K", place)
            found.append(Reading(number, head, word, Cell(weights, at), Cell(average, at[:2]), others))
    if not found:
        raise ValueError("this run has no attention weights to rank")
    ranked = tuple(sorted(found, key=lambda each: (-each.weight.value, each.layer, each.head)))
    return Readings(trace, labels.shown("Q", query), None if key is None else labels.shown("K", key), ranked)


def _position(trace: Trace, letter: str, word: str | None) -> int:
    if word is None:
        return int(trace.array("query")) if "query" in trace.steps else len(trace.labels.words[letter]) - 1
    along = trace.labels.words.get(letter, ())
    size = next(iter(mixing(trace).values())).inputs[0].shape[-2 if letter == "Q" else -1]
    places = [i for i, each in enumerate(along) if each == word]
    if len(places) == 1:
        return places[0]
    return trace.labels.position(letter, size, word)
