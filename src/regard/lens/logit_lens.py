"""The next-word candidates after every layer, ranked: when does the model know what it will say?

The probabilities are steps of the run (lens/saying.py); this ranks them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.lens.saying import every_logits, says
from regard.trace import Cell, Step, Trace


@dataclass(frozen=True)
class Ranked:
    """A word with its probability, a cell, and its rank: 1 is the most probable."""

    word: str
    cell: Cell
    rank: int

    @property
    def probability(self) -> float:
        return self.cell.value

    def data(self) -> dict[str, object]:
        cell = f"{self.cell.step.name}[{','.join(map(str, self.cell.at))}]"
        return {"word": self.word, "probability": self.probability, "rank": self.rank, "cell": cell}


@dataclass(frozen=True)
class Layer:
    """The candidates after one layer, and the ranks of the word finally predicted and of the one that should follow."""

    name: str
    candidates: tuple[Ranked, ...]
    predicted: Ranked
    target: Ranked | None

    def data(self) -> dict[str, object]:
        return {
            "name": self.name,
            "candidates": [candidate.data() for candidate in self.candidates],
            "predicted": self.predicted.data(),
            "target": None if self.target is None else self.target.data(),
        }


def logit_lens(trace: Trace, top: int = 5) -> list[Layer]:
    """The next-word candidates after every layer, at the position that predicts.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", model="untrained")
    >>> layers = logit_lens(trace, top=1)
    >>> [layer.name for layer in layers], layers[-1].candidates[0].word == trace.predicted
    (['embedding', 'layer0', 'layer1'], True)
    """
    words = trace.labels.words["V"]
    predicted = words.index(trace.predicted)
    target = int(trace.array("target")) if "target" in trace.steps else None
    found: list[Layer] = []
    for name, step in says(trace):
        order = np.argsort(-step.value, kind="stable")
        ranks = np.empty(len(order), dtype=int)
        ranks[order] = np.arange(1, len(order) + 1)

        def ranked(number: int, step: Step = step, ranks: np.ndarray = ranks) -> Ranked:
            return Ranked(words[number], Cell(step, (number,)), int(ranks[number]))

        best = tuple(ranked(int(number)) for number in order[:top])
        found.append(Layer(name, best, ranked(predicted), None if target is None else ranked(target)))
    return found


@dataclass(frozen=True)
class Place:
    """After one layer, at one position: the word it would say, and the rank of the one it says in the end."""

    word: str
    probability: float
    rank: int


def every_position(trace: Trace) -> list[tuple[str, list[Place]]]:
    """Layers × positions: when does each position know its next word?"""
    logits = every_logits(trace)
    final = np.argmax(logits[-1][1].value, axis=1)
    words = trace.labels.words["V"]
    return [(name, _places(step.value, final, words)) for name, step in logits]


def _places(logits_TV: np.ndarray, final: np.ndarray, words: Sequence[str]) -> list[Place]:
    best = np.argmax(logits_TV, axis=1)
    rows = np.arange(len(final))
    highest = logits_TV[rows, best]
    shares = 1 / np.exp(logits_TV - highest[:, None]).sum(axis=1)
    ranks = 1 + (logits_TV > logits_TV[rows, final][:, None]).sum(axis=1)
    return [Place(words[int(b)], float(p), int(r)) for b, p, r in zip(best, shares, ranks)]
