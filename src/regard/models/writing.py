"""Writing on without torch: the model predicts a word, the word is added, and every run is a trace to look into.

Each word costs a whole run, so this is for a few words of a small model; models/generate.py is for many.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regard.models.model import Model
from regard.text.bpe import END
from regard.trace import Trace


@dataclass(frozen=True)
class Written:
    """One word, the run that chose it, and all words so far."""

    word: str
    trace: Trace
    words: tuple[str, ...]


def write_on(
    model: Model,
    text: str,
    count: int,
    temperature: float = 0.0,
    top: int = 0,
    seed: int = 0,
    mask: str | None = None,
    mass: float = 1.0,
) -> Iterator[Written]:
    """Words that follow a text, one by one, until there are enough, the text is full or the model ends it.

    >>> from regard.models.catalogue import find_model
    >>> [written.word for written in write_on(find_model("fox"), "The quick brown fox", 2)]
    ['fox', 'fox']
    """
    if model.task.name != "next":
        raise ValueError(f"{model.name} does not say what follows, so it cannot write on; english can")
    generator = np.random.default_rng(seed)
    words = tuple(model.tokenizer.words(text))
    for _ in range(count):
        if len(words) > model.settings.max_tokens:
            return
        trace = model.read(words, mask=mask)
        number = chosen(trace.array("logits").ravel(), temperature, top, generator, mass)
        word = trace.labels.words["V"][number]
        words = (*words, word)
        yield Written(word, trace, words)
        if word == END:
            return


def chosen(logits: np.ndarray, temperature: float, top: int, generator: np.random.Generator, mass: float = 1.0) -> int:
    """The number of a word: the most probable at temperature 0, else drawn from softmax(logits / temperature).

    >>> chosen(np.array([1.0, 3.0, 2.0]), 0.0, 0, np.random.default_rng(0))
    1
    """
    if not (0 <= temperature < math.inf and 0 < mass <= 1):
        raise ValueError(f"a temperature is 0 or more and mass a share up to 1; {temperature} and {mass} came")
    if temperature == 0:
        return int(np.argmax(logits))
    scaled = (logits - logits.max()) / temperature  # shifted first: a tiny temperature must not make infinities
    if top and top < len(scaled):
        least = np.partition(scaled, len(scaled) - top)[len(scaled) - top]
        scaled = np.where(scaled >= least, scaled, -np.inf)
    shares = np.exp(scaled)
    order = np.argsort(-shares, kind="stable")
    before = np.cumsum(shares[order]) / shares.sum() - shares[order] / shares.sum()
    shares[order[1:][before[1:] >= mass]] = 0.0  # of the improbable words none is drawn; the most probable always may
    return int(generator.choice(len(shares), p=shares / shares.sum()))
