"""A run in one line: what it predicts, what else it might have said, and which word its leading head reads."""

from dataclasses import dataclass

import numpy as np

from regard.lens.contributions import contributions
from regard.lens.heads import leading_head
from regard.trace import Trace


@dataclass(frozen=True)
class Prediction:
    """`head` moves the difference between the word and its rival most; `reads` is what it looks at most."""

    word: str
    probability: float
    rival: str
    rival_probability: float
    head: str
    reads: str
    weight: float


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
    weights = trace.array(f"{head.layer}.weights")[head.head or 0, int(trace.array("query"))]
    most = int(np.argmax(weights))
    return Prediction(
        word,
        float(shares[chosen]),
        words[rival],
        float(shares[rival]),
        f"{head.layer}.head{head.head or 0}",
        trace.labels.plain("K", most),
        float(weights[most]),
    )
