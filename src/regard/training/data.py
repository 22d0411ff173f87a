"""Tokens on disk, and the batches of a training run: a pure function of seed and update.

Nothing is kept between batches, so a run that stops and goes on sees the very batches it would have seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np


class Batches(Protocol):
    """What the training loop asks of what it learns from."""

    def batch(self, batch: int, window: int, seed: int, draw: int) -> tuple[np.ndarray, ...]:
        """What a network is handed: ids, targets, and places and lengths where the task has them."""
        ...

    def each(self) -> "Mapping[str, Batches]":
        """Every text by itself, by name."""
        ...


@dataclass(frozen=True, eq=False)
class Tokens:
    """Texts as one long row of token numbers, read from disk when needed."""

    ids: np.ndarray

    @classmethod
    def open(cls, path: Path | str) -> "Tokens":
        return cls(np.load(path, mmap_mode="r", allow_pickle=False))

    def __len__(self) -> int:
        return len(self.ids)

    def windows(self, starts: np.ndarray, length: int) -> np.ndarray:
        """One row per start: `length` tokens and the one that follows."""
        return np.stack([self.ids[s : s + length + 1] for s in starts]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Mixture:
    """Several texts, each drawn with its share.

    >>> texts = Mixture({"a": Tokens(np.arange(50)), "b": Tokens(np.arange(100, 150))}, {"a": 0.75, "b": 0.25})
    >>> ids, targets = texts.batch(batch=4, window=8, seed=1, draw=0)
    >>> ids.shape, bool((ids[:, 1:] == targets[:, :-1]).all())
    ((4, 8), True)
    """

    texts: Mapping[str, Tokens]
    shares: Mapping[str, float]

    def each(self) -> dict[str, "Mixture"]:
        return {name: Mixture({name: text}, {name: 1.0}) for name, text in self.texts.items()}

    def batch(self, batch: int, window: int, seed: int, draw: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of tokens and of the tokens that follow them; the same for the same seed and draw."""
        generator = np.random.Generator(np.random.Philox(key=seed, counter=draw << 64))
        names = [n for n in self.texts if self.shares[n] > 0]
        shares = np.array([self.shares[n] for n in names])
        chosen = generator.choice(len(names), size=batch, p=shares / shares.sum())
        place = generator.random(batch)
        rows = []
        for which, where in zip(chosen, place):
            text = self.texts[names[which]]
            room = len(text) - window
            if room < 1:
                raise ValueError(
                    f"the text {names[which]} has {len(text)} tokens, a window takes {window} and one more; "
                    f"give more text or a smaller window"
                )
            rows.append(text.windows(np.array([int(where * room)]), window)[0])
        both = np.stack(rows)
        return both[:, :-1], both[:, 1:]
