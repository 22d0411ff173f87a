"""What the model would say if it stopped after each layer: the logit lens (nostalgebraist 2020).

The stream after a layer is put in the place of the last layer's, and the model's own end (norm, vocabulary, softmax)
reads it. So the last row is the prediction itself, edits included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.lens.contributions import vocabulary_product
from regard.lens.streams import streams
from regard.trace import Trace


@dataclass(frozen=True)
class RankedWord:
    word: str
    probability: float
    rank: int  # 1 is the most probable


@dataclass(frozen=True)
class Layer:
    """The candidates after one layer; where the word that is predicted in the end stands, and the one that came."""

    name: str
    candidates: tuple[RankedWord, ...]
    predicted: RankedWord
    target: RankedWord | None


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
    found = []
    for name, stopped in stopped_after_each_layer(trace):
        shares = stopped.array("probabilities").ravel()
        order = np.argsort(-shares, kind="stable")
        rank = np.empty(len(order), dtype=int)
        rank[order] = np.arange(1, len(order) + 1)

        def candidate(number: int, shares: np.ndarray = shares, rank: np.ndarray = rank) -> RankedWord:
            return RankedWord(words[number], float(shares[number]), int(rank[number]))

        best = tuple(candidate(int(number)) for number in order[:top])
        found.append(Layer(name, best, candidate(predicted), None if target is None else candidate(target)))
    return found


def stopped_after_each_layer(trace: Trace) -> list[tuple[str, Trace]]:
    """The run as it would be if the last layer handed on what each earlier one did."""
    steps = streams(trace)
    last = steps[-1][1]
    return [(name, trace.pin(last.name, step.value)) for name, step in steps if step.shape == last.shape]


@dataclass(frozen=True)
class Place:
    """After one layer, at one position: the word it would say, and the rank of the one it says in the end."""

    word: str
    probability: float
    rank: int


def every_position(trace: Trace) -> list[tuple[str, list[Place]]]:
    """Layers × positions: when does each position know its next word?"""
    stopped = stopped_after_each_layer(trace)
    final = np.argmax(_logits(stopped[-1][1]), axis=1)
    words = trace.labels.words["V"]
    return [(name, _places(_logits(each), final, words)) for name, each in stopped]


def _logits(trace: Trace) -> np.ndarray:
    """The logits of every position: as at the one that predicts, with the same vocabulary and bias."""
    logits = trace.step("logits")
    product = vocabulary_product(logits)
    read = trace.step("read")
    if product is None or not read.inputs:
        raise ValueError("the logits or what they are read from were replaced; undo that to look at every position")
    bias: Any = logits.inputs[1].value if logits is not product and len(logits.inputs) == 2 else 0.0
    return read.inputs[0].value @ product.inputs[1].value.T + bias


def _places(logits_TV: np.ndarray, final: np.ndarray, words: Sequence[str]) -> list[Place]:
    best = np.argmax(logits_TV, axis=1)
    rows = np.arange(len(final))
    highest = logits_TV[rows, best]
    shares = 1 / np.exp(logits_TV - highest[:, None]).sum(axis=1)
    ranks = 1 + (logits_TV > logits_TV[rows, final][:, None]).sum(axis=1)
    return [Place(words[int(b)], float(p), int(r)) for b, p, r in zip(best, shares, ranks)]
