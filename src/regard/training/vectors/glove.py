"""GloVe: vectors whose dot products come near the logarithms of how often words stand together.

Pennington et al., GloVe: Global Vectors for Word Representation, 2014. For a pair that was counted x times:

    error = v · c + b + d − ln x      weight = min(1, (x / 100)^0.75)      loss = weight · error² / 2

and AdaGrad: each number keeps the sum of its squared gradients, and moves by rate · gradient / √sum.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regard.replacing import replacing
from regard.training.vectors import tables
from regard.training.vectors.compiling import compiled
from regard.training.vectors.numbering import TEXT, Numbered, blocks_of
from regard.training.vectors.pairs import PairCounts
from regard.training.vectors.settings import Settings
from regard.training.vectors.tables import Table

PAIRS = "pairs.bin"
PAIR = np.dtype([("word", "<i4"), ("context", "<i4"), ("count", "<f4")])
BLOCK = 2**18  # pairs that are learned from at a time
MOST_COUNT, POWER = 100.0, 0.75  # pairs that occur as often weigh 1, rarer ones less
BUCKET = 2**22  # pairs that are shuffled in memory at a time


class GloVe:
    """Pairs of words with their counts, and tables that change. The bias is the last number of a row."""

    def __init__(self, pairs: npt.NDArray[np.void], words: int, settings: Settings, block: int = BLOCK):
        self.pairs, self.settings, self.block = pairs, settings, block
        width = settings.width + 1  # with its bias
        names = ("vectors", "contexts")
        self.tables: dict[str, Table] = {
            name: tables.random(words, width, seed) for seed, name in enumerate(names, 2 * settings.seed)
        }
        for name in names:
            self.tables[f"{name}.squares"] = np.ones_like(self.tables[name])

    @classmethod
    def of(cls, text: Numbered, settings: Settings, folder: Path) -> "GloVe":
        """Count the pairs of a text, unless the folder has them already."""
        if not (folder / PAIRS).exists():
            write_pairs(text, settings, folder)
        return cls(np.memmap(folder / PAIRS, PAIR, "r"), len(text.words), settings)

    @property
    def blocks(self) -> int:
        return -(-len(self.pairs) // self.block)

    def size(self, block: int) -> int:
        return min(self.block, len(self.pairs) - block * self.block)

    def learn(self, epoch: int, block: int) -> None:
        """The blocks of each epoch come in another order, and so do the pairs of a block."""
        seed = self.settings.seed
        which = int(np.random.default_rng([seed, epoch]).permutation(self.blocks)[block])
        pairs = np.asarray(self.pairs[which * self.block : (which + 1) * self.block])
        pairs = pairs[np.random.default_rng([seed, epoch, block]).permutation(len(pairs))]
        weights, logs = weights_and_logs(pairs["count"])
        update_glove(
            pairs["word"], pairs["context"], weights, logs, self.tables["vectors"], self.tables["contexts"],
            self.tables["vectors.squares"], self.tables["contexts.squares"], self.settings.width, self.settings.rate,
        )  # fmt: skip

    def restore(self, kept: dict[str, Table]) -> None:
        tables.restore(self.tables, kept)

    def vectors(self) -> Table:
        """The sum of the two vectors of a word, which play the same part."""
        return (self.tables["vectors"] + self.tables["contexts"])[:, : self.settings.width]


def weights_and_logs(counts: npt.NDArray[np.float32]) -> tuple[Table, Table]:
    weights = np.minimum(1, (counts / MOST_COUNT) ** POWER)
    return weights.astype(np.float32), np.log(counts).astype(np.float32)


@compiled
def update_glove(words, contexts, weights, logs, vectors, others, squares, other_squares, width, rate):
    """One update for each pair, in order. Number `width` of a row is its bias."""
    rate = np.float32(rate)
    for pair in range(len(words)):
        v, c = vectors[words[pair]], others[contexts[pair]]
        s, t = squares[words[pair]], other_squares[contexts[pair]]
        error = v[width] + c[width] - logs[pair]
        for d in range(width):
            error += v[d] * c[d]
        error *= weights[pair]
        for d in range(width):
            g, h = error * c[d], error * v[d]
            v[d] -= rate * g / np.sqrt(s[d])
            c[d] -= rate * h / np.sqrt(t[d])
            s[d] += g * g
            t[d] += h * h
        v[width] -= rate * error / np.sqrt(s[width])
        c[width] -= rate * error / np.sqrt(t[width])
        s[width] += error * error
        t[width] += error * error


def write_pairs(text: Numbered, settings: Settings, folder: Path) -> None:
    """Count which words stand together, and write the pairs in random order, both ways round."""
    counts = PairCounts(len(text.words), folder)
    for block in blocks_of(folder / TEXT):
        counts.add_windows(block, settings.window)
    random = np.random.default_rng([settings.seed, 0, 0, 0])
    buckets = max(1, 2 * text.length * settings.window // BUCKET)
    files = [folder / f".bucket-{i:05d}" for i in range(buckets)]
    for left in files:  # by a run that was killed while it wrote them
        left.unlink(missing_ok=True)
    for keys, sums in counts.merged():
        pairs = _both_ways(keys, sums, len(text.words))
        which = random.integers(buckets, size=len(pairs))
        order = np.argsort(which, kind="stable")
        ends = np.cumsum(np.bincount(which, minlength=buckets))
        for file, part in zip(files, np.split(pairs[order], ends[:-1])):
            with file.open("ab") as f:
                part.tofile(f)
    with replacing(folder / PAIRS) as whole:
        for pairs in _read_and_removed(files):
            whole.write(pairs[random.permutation(len(pairs))].tobytes())


def _both_ways(keys: npt.NDArray[np.int64], sums: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.void]:
    """A pair as (one, other) and as (other, one); a word beside itself is one pair, counted twice."""
    low, high = np.divmod(keys, size)
    twice = low != high
    pairs = np.empty(len(keys) + int(twice.sum()), PAIR)
    pairs["word"], pairs["context"] = np.r_[low, high[twice]], np.r_[high, low[twice]]
    pairs["count"] = np.r_[np.where(twice, sums, 2 * sums), sums[twice]]
    return pairs


def _read_and_removed(files: list[Path]) -> Iterator[npt.NDArray[np.void]]:
    for file in files:
        if file.exists():
            yield np.fromfile(file, PAIR)
            os.unlink(file)
