"""How alike texts are: the cosine of every two of their vectors, as steps of one trace.

The trace is the run of the first text. `vectors[2]` is the vector of the third one, a number of another run, and opens
there; `similar[0,2]` is the product of the two, since both have length 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regard.ops import Contract
from regard.trace import Arithmetic, Cell, Step, Trace
from regard.trace.elsewhere import Elsewhere

MOST_TEXTS = 1000  # every two of them are compared
SHOWN = 40  # letters of a text where it names a run


@dataclass(frozen=True, eq=False)
class Similar:
    """Texts, one vector each, and how alike every two are."""

    texts: tuple[str, ...]
    trace: Trace
    notes: tuple[str, ...] = ()  # what a reader should know

    @property
    def vectors(self) -> np.ndarray:
        return self.trace.array("vectors")

    @property
    def cosines(self) -> np.ndarray:
        return self.trace.array("similar")

    def cosine(self, first: int, second: int) -> Cell:
        return Cell(self.trace.step("similar"), (first, second))

    def why(self, address: str) -> Arithmetic:
        return self.trace.why(address)

    def pairs(self) -> list[tuple[int, int]]:
        """Every two texts, the most alike first."""
        first, second = np.triu_indices(len(self.texts), 1)
        order = np.argsort(-self.cosines[first, second], kind="stable")
        return [(int(first[i]), int(second[i])) for i in order]

    def data(self) -> dict[str, Any]:
        return {
            "model": self.trace.info["model"],
            "notes": list(self.notes),
            "texts": list(self.texts),
            "cosines": self.cosines.tolist(),
            "vectors": self.vectors.tolist(),
            "cells": {"cosines": "similar[FIRST,SECOND]", "vectors": "vectors[TEXT,DIMENSION]"},
        }

    def __str__(self) -> str:
        return "\n".join(f"{self.cosines[i, j]:.3f}  {self.texts[i]!r} {self.texts[j]!r}" for i, j in self.pairs()[:20])


def compared(texts: Sequence[str], run: Callable[[str], Trace], notes: tuple[str, ...] = ()) -> Similar:
    """`run` reads a text. Of the runs, the first and the last few are kept; another is made again when it is opened."""
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise ValueError(f"expects 2 to {MOST_TEXTS:,} texts to compare, got {len(texts):,}")
    first = _named(run(texts[0]), texts[0])
    sentence = first.step("sentence")

    def reading(change: tuple[Any, ...]) -> Trace:
        return first if change[1] == 0 else first.changed(change, lambda _, change: _read(run, texts, change[1]))

    changes = tuple(("text", number) for number in range(len(texts)))
    along = sentence.axes
    vectors = Step("vectors", Elsewhere("sentence", along, "A", changes, reading), (sentence,))
    cosine = Step("similar", Contract(f"A{along},Y{along}->AY"), (vectors, vectors))
    behind = (s for name, s in first.measure("sentence").items() if name not in first.own)
    trace = replace(first, forward=(*first.forward, *behind, vectors, cosine), switched=None)
    return Similar(tuple(texts), trace, notes)


def _read(run: Callable[[str], Trace], texts: Sequence[str], number: int) -> Trace:
    return _named(run(texts[number]), texts[number])


def _named(trace: Trace, text: str) -> Trace:
    """A run that is told apart from others by what it read."""
    short = text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
    return replace(trace, switched=(f"“{short}”", len(trace.edits)))
