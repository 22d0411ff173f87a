"""A run in one line: what it predicts, what else it might have said, and which word its leading head reads."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from regard.lens.contributions import contributions
from regard.lens.heads import leading_head
from regard.trace import Cell, Step, Trace


@dataclass(frozen=True)
class Noted:
    """A cell of a run that is not kept: of a long text there are too many runs to hold them all."""

    address: str
    value: float


@dataclass(frozen=True)
class Prediction:
    """`head` moves the difference between the word and its rival most; `reads` is what it looks at most."""

    word: str
    probability: Noted
    rival: str
    rival_probability: Noted
    head: str
    reads: str
    weight: Noted

    def data(self) -> dict[str, Any]:
        """Words and numbers."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value.value if isinstance(value, Noted) else value for name, value in found.items()}


def prediction(trace: Trace, word: str) -> Prediction:
    """What a run says about one word that might follow.

    >>> import regard
    >>> prediction(regard.explain("The quick brown fox", model="fox"), "jumps").rival
    'fox'
    """
    words, shares = trace.labels.words["V"], trace.array("probabilities")
    chosen = words.index(word)
    others = np.where(np.arange(len(shares)) == chosen, -1.0, shares)
    rival = int(np.argmax(others))
    head = leading_head(trace, contributions(trace, word, words[rival]))
    weights, at = trace.steps[f"{head.layer}.weights"], (head.head or 0, int(trace.array("query")))
    most = int(np.argmax(weights.value[at]))
    return Prediction(
        word,
        _noted(trace.steps["probabilities"], chosen),
        words[rival],
        _noted(trace.steps["probabilities"], rival),
        f"{head.layer}.head{head.head or 0}",
        trace.labels.plain("K", most),
        _noted(weights, *at, most),
    )


def _noted(step: Step, *at: int) -> Noted:
    cell = Cell(step, at)
    return Noted(cell.address, cell.value)
