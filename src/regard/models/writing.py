"""Generation without torch: the model predicts a word, the word is added to the text, and so on.

Words are read by Plain (models/plain.py), which remembers keys and values. To look inside, ask for the run
that chose a word; only then is it recorded.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regard.attending.masks import Rule, causal, mask_named
from regard.models.model import Model
from regard.models.plain import Memory, Plain
from regard.models.transformer import predicted_logits, transformer
from regard.trace import Trace
from regard.trace.whatif import asked_at


@dataclass(frozen=True, eq=False)
class Written:
    """One word, the probabilities it was drawn from, and all words so far."""

    word: str
    words: tuple[str, ...]
    probabilities: np.ndarray  # of every word in the vocabulary
    model: Model
    mask: str

    @cached_property
    def trace(self) -> Trace:
        """The run that chose it, recorded when first asked for."""
        return self.model.read(self.words[:-1], mask=self.mask)


class Reader:
    """A model that reads a text further and further, and says what might follow."""

    def __init__(self, model: Model, visible: Rule):
        self.model, self.visible = model, visible
        self._take(model)
        self.memory, self.read = Memory(), 0

    def _take(self, model: Model) -> None:
        self.model = model
        self.number = {word: i for i, word in enumerate(model.reads)}

    def logits_after(self, words: Sequence[str]) -> np.ndarray:
        """A score for every word that may follow these, the first of which it has already read."""
        if any(word not in self.number for word in words[self.read :]):
            self._take(self.model.knowing(words, None))
        if self.visible is not causal:  # what was read would change, now that there is more to look at
            self.memory, self.read = Memory(), 0
        ids = [self.number[word] for word in words[self.read :]]
        do, parameters = Plain(self.memory, self.read), self.model.single
        x = transformer(do, ids, parameters, self.model.settings, self.visible)
        self.read = len(words)
        cap = self.model.settings.logit_cap
        return predicted_logits(do, do.read("read", x, -1), parameters, cap).astype(np.float64)


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
    """Words that follow a text, one by one, until there are enough, the text is full, or the model ends it.

    >>> from regard.models.catalogue import find_model
    >>> [written.word for written in write_on(find_model("fox"), "The quick brown fox", 2)]
    ['fox', 'fox']
    """
    if model.task.does_not_write is not None:
        raise ValueError(f"{model.name} {model.task.does_not_write}, so it cannot continue a text; english can")
    mask = mask or model.mask
    visible = mask_named(mask)
    generator = np.random.default_rng(seed)
    words = tuple(model.tokenizer.words(text))
    reader = Reader(model, visible)
    for _ in range(count):
        if len(words) > model.settings.max_tokens:
            return
        logits = reader.logits_after(words)
        word = reader.model.writes[chosen(logits, temperature, top, generator, mass)]
        words = (*words, word)
        yield Written(word, words, Plain().probabilities(logits), model, mask)
        if word == model.end:
            return


def runs_of(written: Sequence[Written]) -> list[Trace]:
    """The run that chose each of the words of one text. One reading serves them all where words only look back."""
    if not written or mask_named(written[-1].mask) is not causal:
        return [one.trace for one in written]
    whole = written[-1].trace
    return [asked_at(whole, len(one.words) - 2) for one in written]


def chosen(logits: np.ndarray, temperature: float, top: int, generator: np.random.Generator, mass: float = 1.0) -> int:
    """The number of a word: the most probable at temperature 0, else drawn from softmax(logits / temperature).

    >>> chosen(np.array([1.0, 3.0, 2.0]), 0.0, 0, np.random.default_rng(0))
    1
    """
    if not (0 <= temperature < math.inf and 0 < mass <= 1):
        raise ValueError(f"temperature must be 0 or more, mass above 0 and at most 1, got {temperature} and {mass}")
    if temperature == 0:
        return int(np.argmax(logits))
    scaled = (logits - logits.max()) / temperature  # shifted first: a tiny temperature must not make infinities
    if top and top < len(scaled):
        least = np.partition(scaled, len(scaled) - top)[len(scaled) - top]
        scaled = np.where(scaled >= least, scaled, -np.inf)
    shares = np.exp(scaled)
    order = np.argsort(-shares, kind="stable")
    before = np.cumsum(shares[order]) / shares.sum() - shares[order] / shares.sum()
    shares[order[1:][before[1:] >= mass]] = 0.0  # improbable words are never drawn; the most probable always may be
    return int(generator.choice(len(shares), p=shares / shares.sum()))
