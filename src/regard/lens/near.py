"""Which words stand near a word in the table that a model reads with: neighbours by cosine, as steps.

`near5.cosine[dog]` is the cosine of the vector of dog with that of word 5 of the vocabulary.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.ops import Contract, Given, Map, Pick
from regard.suggestions import NotFound
from regard.trace import Cell, Step, Trace


def near_steps(trace: Trace, number: int) -> Iterator[Step]:
    """The cosine of every word of the table with one of them: dot product over both lengths."""
    table = trace.steps.get("E")
    if table is None:
        return
    if number >= table.shape[0]:
        raise NotFound(f"no word {number}; there are {table.shape[0]:,}, counted from 0")
    name = f"near{number}"
    which = Step(f"{name}.word", Given(np.int64(number), "", "constant"))
    own = Step(f"{name}.own", Pick("IC,->C"), (table, which))
    dots = Step(f"{name}.dot", Contract("IC,C->I"), (table, own))
    squares = Step(f"{name}.square", Contract("IC,IC->I"), (table, table))
    sizes = Step(f"{name}.size", Map("square_root", "I->I"), (squares,))
    size = Step(f"{name}.own.size", Pick("I,->"), (sizes, which))
    both = Step(f"{name}.sizes", Map("product", "I,->I"), (sizes, size))
    yield from (which, own, dots, squares, sizes, size, both)
    yield Step(f"{name}.cosine", Map("divide", "I,I->I"), (dots, both))


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest words of a word, the nearest first; the word itself is left out."""

    trace: Trace
    word: str
    words: tuple[str, ...]
    cosines: tuple[Cell, ...]

    def data(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "near": [
                {"word": word, "cosine": cell.value, "cell": self.trace.address_of(cell)}
                for word, cell in zip(self.words, self.cosines)
            ],
        }

    def __str__(self) -> str:
        return "\n".join(f"{word} {cell.value:.3f}" for word, cell in zip(self.words, self.cosines))


def neighbours(trace: Trace, word: str, most: int = 10) -> Neighbours:
    """
    >>> import regard
    >>> print(neighbours(regard.explain("The quick brown fox", model="fox"), "fox", 2))
    brown 0.926
    quick 0.922
    """
    words = trace.labels.words.get("I", ())
    number = trace.labels.position("I", len(words), word)
    step = trace.step(f"near{number}.cosine")
    best = np.argsort(-step.value, kind="stable")
    nearest = [int(place) for place in best if place != number][:most]
    found = tuple(words[place] for place in nearest)
    return Neighbours(trace, words[number], found, tuple(Cell(step, (place,)) for place in nearest))
