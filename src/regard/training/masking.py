"""Texts with some words hidden, to be guessed from both sides (Devlin et al. 2018)."""

from dataclasses import dataclass

import numpy as np

from regard.training.data import Mixture

SHARE = 0.15  # of the words are asked for
# of those: replaced by the mask; by any word; the rest stays, so that no word can be trusted
HIDDEN, SWAPPED = 0.8, 0.1


def asked(window: int) -> int:
    """How many words of a row are asked for."""
    return max(1, round(SHARE * window))


@dataclass(frozen=True, eq=False)
class Masked:
    """Windows of a mixture, with as many words asked for in every one: a pure function of seed and draw, too.

    >>> from regard.training.data import Tokens
    >>> texts = Masked(Mixture({"a": Tokens(np.arange(50))}, {"a": 1.0}), mask=99, vocabulary=90)
    >>> ids, targets, places = texts.batch(batch=4, window=20, seed=1, draw=0)
    >>> ids.shape, targets.shape, bool((ids == 99).any())
    ((4, 20), (4, 3), True)
    """

    texts: Mixture
    mask: int
    vocabulary: int

    def each(self) -> dict[str, "Masked"]:
        return {name: Masked(alone, self.mask, self.vocabulary) for name, alone in self.texts.each().items()}

    def batch(self, batch: int, window: int, seed: int, draw: int) -> tuple[np.ndarray, ...]:
        """Rows with words hidden, the words that stood there, and where."""
        ids = self.texts.batch(batch, window, seed, draw)[0].copy()
        generator = np.random.Generator(np.random.Philox(key=[seed, 1], counter=draw << 64))
        count = asked(window)
        places = np.sort(generator.random((batch, window)).argsort(axis=1)[:, :count], axis=1)
        targets = np.take_along_axis(ids, places, axis=1)
        lot = generator.random((batch, count))
        anything = generator.integers(self.vocabulary, size=(batch, count))
        shown = np.where(lot < HIDDEN, self.mask, np.where(lot < HIDDEN + SWAPPED, anything, targets))
        np.put_along_axis(ids, places, shown, axis=1)
        return ids, targets, places
