"""A film of heads: what all of them do with one probe text, looked at again and again while a model learns.

The probe is random words read twice: what followed the earlier copy of a word can be known there only by looking it up,
so that induction heads (Olsson et al. 2022) show as they form.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from regard.attending.habits import HABITS, Pairs

WORDS = 24  # that are read twice
SMALL = 24  # rows and columns of a small map
MOST_FRAMES = 200
MOST_BYTES = 16 * 2**20  # of small maps
MEASURED = (*(name for name in HABITS if name != "punctuation"), "broad")  # random words have no signs between them
ALL = 255  # in a small map: the whole of a row


def probe(vocabulary: Sequence[str], window: int, seed: int = 0) -> list[int]:
    """The numbers of random words, read twice: whole words where a vocabulary has enough of them.

    >>> numbers = probe([*"abcdefgh", "fox", "dog", "cat", "the"], window=6)
    >>> [numbers.count(number) for number in set(numbers)], min(numbers) >= 8
    ([2, 2, 2], True)
    """
    count = max(1, min(WORDS, window // 2))
    whole = [i for i, word in enumerate(vocabulary) if word.isalpha() and word.islower() and len(word) > 2]
    known = whole if len(whole) >= count else range(len(vocabulary))
    chosen = np.random.default_rng(seed).choice(known, min(count, len(known)), replace=False)
    return chosen.tolist() * 2


@dataclass(frozen=True)
class Frame:
    """All heads at one update: how much each gives to what, and whom it lets read whom."""

    update: int
    loss: float  # of the update; nan before the first
    shares: np.ndarray  # (layers, heads, measured)
    maps: np.ndarray  # (layers, heads, rows, columns), 255 for the whole of a row


@dataclass(frozen=True)
class Film:
    """Frames, and what they are of.

    `shares[f, l, h, m]` is the share that a head gives to `MEASURED[m]`, on average over the words that could;
    `evenly[m]` what it would be for a head that reads all it may see alike.
    """

    about: str
    words: tuple[str, ...]
    every: int  # updates from frame to frame
    evenly: np.ndarray
    updates: np.ndarray
    losses: np.ndarray
    shares: np.ndarray
    maps: np.ndarray

    def __len__(self) -> int:
        return len(self.updates)

    @property
    def heads(self) -> list[tuple[int, int]]:
        return [(layer, head) for layer in range(self.shares.shape[1]) for head in range(self.shares.shape[2])]

    def joined(self, frame: Frame) -> "Film":
        """One frame longer; a film that grows too large loses every other frame, and grows more slowly from then on."""
        longer = replace(
            self,
            updates=np.append(self.updates, frame.update),
            losses=np.append(self.losses, np.float32(frame.loss)),
            shares=np.append(self.shares, frame.shares[None], axis=0),
            maps=np.append(self.maps, frame.maps[None], axis=0),
        )
        while len(longer) > 2 and (len(longer) > MOST_FRAMES or longer.maps.nbytes > MOST_BYTES):
            longer = longer.chosen(longer.updates % (2 * longer.every) == 0, 2 * longer.every)
        return longer

    def wants(self, update: int) -> bool:
        """Whether a frame of this update belongs to the film and is not in it yet."""
        return update % self.every == 0 and update > self.updates[-1]

    def until(self, update: int) -> "Film":
        return self.chosen(self.updates <= update, self.every)

    def chosen(self, which: np.ndarray, every: int) -> "Film":
        frames = {name: getattr(self, name)[which] for name in FRAMES}
        return replace(self, every=every, **frames)

    def at(self, update: int) -> int:
        """The frame that shows an update: the last one before it, or it."""
        return max(0, int(np.searchsorted(self.updates, update, side="right")) - 1)


FRAMES = ("updates", "losses", "shares", "maps")
ARRAYS = tuple(field.name for field in fields(Film) if field.name not in ("about", "words", "every"))


def begun(about: str, words: Sequence[str], every: int, evenly: np.ndarray, first: Frame) -> Film:
    return Film(
        about,
        tuple(words),
        every,
        evenly.astype(np.float32),
        np.array([first.update], np.int64),
        np.array([first.loss], np.float32),
        first.shares[None].astype(np.float32),
        first.maps[None],
    )


@dataclass(frozen=True)
class Measures:
    """What is measured on one probe: for each habit, which pairs of words follow it, as shares of those that could."""

    which: np.ndarray  # (measured without broad, T, T)
    spread: np.ndarray  # (T,): how much the surprise of each row counts for broad
    even: np.ndarray  # (T, T): the weights of a head that reads all it may see alike

    @classmethod
    def of(cls, numbers: Sequence[int], visible: np.ndarray) -> "Measures":
        place, word = np.arange(len(numbers)), np.asarray(numbers)
        before = word[np.maximum(place - 1, 0)]
        pairs = Pairs(place[:, None], place, word[:, None], word, before, np.zeros_like(visible))
        masks = [HABITS[name](pairs) & visible for name in MEASURED[:-1]]
        count = np.maximum(1, visible.sum(axis=-1))
        wide = count > 1
        spread = np.where(wide, 1 / np.log(np.maximum(count, 2)), 0.0) / max(1, wide.sum())
        return cls(
            np.stack([mask / max(1, mask.any(axis=-1).sum()) for mask in masks]), spread, visible / count[:, None]
        )

    def shares(self, weights: np.ndarray) -> np.ndarray:
        """(…, T, T) → (…, measured)."""
        pairs = weights.shape[-1] ** 2
        followed = weights.reshape(*weights.shape[:-2], pairs) @ self.which.reshape(-1, pairs).T
        logarithm = np.log(np.where(weights > 0, weights, 1.0))
        broad = np.einsum("...q,q->...", -(weights * logarithm).sum(axis=-1), self.spread)
        return np.concatenate([followed, broad[..., None]], axis=-1)


def small_map(weights: np.ndarray) -> np.ndarray:
    """(…, T, T) → (…, rows, columns) of bytes, at most SMALL of each: in each place the strongest of its weights.

    >>> small_map(np.eye(48)).shape, small_map(np.array([[1.0, 0.0], [0.5, 0.5]])).tolist()
    ((24, 24), [[255, 0], [128, 128]])
    """
    T = weights.shape[-1]
    step = -(-T // SMALL)
    rows = -(-T // step)
    room = np.zeros((*weights.shape[:-2], rows * step, rows * step))
    room[..., :T, :T] = weights
    # one of each block after the other, which is many times quicker than a maximum over two short axes
    parts = (room[..., i::step, j::step] for i in range(step) for j in range(step))
    return np.rint(ALL * functools.reduce(np.maximum, parts)).astype(np.uint8)
