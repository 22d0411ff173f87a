"""Texts of several lengths, each with its class, as numbers on disk; and batches of them."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regard import strangers
from regard.replacing import replacing
from regard.text.bpe import BPE
from regard.training.corpus import encoded
from regard.training.labelled import Labelled

HELD_OUT = 0.1  # of each class, and at least one
PARTS = ("ids", "starts", "labels")


@dataclass(frozen=True, eq=False)
class Examples:
    """Texts one after the other, where each begins, and the class of each. Every text ends with the end token.

    >>> examples = Examples(np.array([5, 6, 0, 7, 0]), np.array([0, 3, 5]), np.array([1, 0]))
    >>> ids, targets, places, lengths = examples.batch(batch=2, window=8, seed=0, draw=1)
    >>> ids.tolist(), targets.tolist(), places.tolist(), lengths.tolist()
    ([[7, 0, 0], [5, 6, 0]], [[0], [1]], [[1], [2]], [2, 3])
    """

    ids: np.ndarray
    starts: np.ndarray  # one more than there are texts
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def each(self) -> "dict[str, Examples]":
        return {"text": self}

    def batch(self, batch: int, window: int, seed: int, draw: int) -> tuple[np.ndarray, ...]:
        """Any texts, filled up to the longest; their classes; where the class is asked for; how long they are."""
        generator = np.random.Generator(np.random.Philox(key=seed, counter=draw << 64))
        return self.rows(generator.integers(len(self), size=batch), window)

    def rows(self, chosen: np.ndarray, window: int) -> tuple[np.ndarray, ...]:
        """These texts; of one longer than the window the beginning and the end token."""
        texts = [self.ids[self.starts[i] : self.starts[i + 1]] for i in chosen]
        texts = [t if len(t) <= window else np.append(t[: window - 1], t[-1]) for t in texts]
        lengths = np.array([len(t) for t in texts])
        ids = np.zeros((len(texts), lengths.max()), dtype=np.int64)
        for row, text in zip(ids, texts):
            row[: len(text)] = text
        return ids, self.labels[chosen].astype(np.int64)[:, None], lengths[:, None] - 1, lengths


@dataclass(frozen=True, eq=False)
class LabelledSplit:
    """The examples to learn from and the ones held out, on disk beside the run."""

    learned: Examples
    held_out: Examples
    digest: str


def examples_of(corpus: Labelled, bpe: BPE, folder: Path) -> LabelledSplit:
    """Cut the texts into tokens, hold some of every class out, and write both to the folder."""
    texts = [np.array([*ids, bpe.end], dtype=np.uint32) for ids in encoded(corpus.documents, bpe)]
    held = held_out(corpus.labels)
    folder.mkdir(parents=True, exist_ok=True)
    for name, chosen in (("learned", [i for i in range(len(texts)) if i not in held]), ("held_out", sorted(held))):
        starts = np.cumsum([0, *(len(texts[i]) for i in chosen)])
        arrays = (np.concatenate([texts[i] for i in chosen]), starts, np.array([corpus.labels[i] for i in chosen]))
        for part, array in zip(PARTS, arrays):
            with replacing(folder / f"{name}.{part}.npy") as file:
                np.save(file, array, allow_pickle=False)
    return opened(folder)


def opened(folder: Path) -> LabelledSplit:
    """What `examples_of` wrote. The digest is of the bytes as they are now."""
    digest = hashlib.sha256()
    sides = []
    for name in ("learned", "held_out"):
        files = [folder / f"{name}.{part}.npy" for part in PARTS]
        for file in files:
            with strangers.opened(folder, file.name) as (f, _):
                digest.update(hashlib.file_digest(f, "sha256").digest())
        sides.append(Examples(*(np.load(file, mmap_mode="r", allow_pickle=False) for file in files)))
    return LabelledSplit(sides[0], sides[1], digest.hexdigest())


def held_out(labels: Sequence[int]) -> set[int]:
    """Some texts of every class, the same for the same labels.

    >>> sorted(held_out([0] * 20 + [1, 1]) & {20, 21}) in ([20], [21]), len(held_out([0] * 20 + [1, 1]))
    (True, 3)
    """
    chosen: set[int] = set()
    for label in sorted(set(labels)):
        own = [i for i, other in enumerate(labels) if other == label]
        random.Random(label).shuffle(own)
        chosen.update(own[: max(1, round(HELD_OUT * len(own)))])
    return chosen
