"""How often words stand together: counted word by word, written to disk in sorted runs, and merged.

A pair of words is one number: the place of the one · the size of the vocabulary + the place of the other. A part of the
text is indexed by its words; then each word's neighbours are added up in one row, which stays in the cache.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regard.training.vectors.compiling import compiled
from regard.training.vectors.walk import END

PART = 2**24  # words of the text that are counted at a time
ROOM = 2**22  # pairs in memory before they are written
MERGED = 2**20  # pairs of each run in memory while they are merged
NOBODY = -1

Ids = npt.NDArray[np.int32]
Keys = npt.NDArray[np.int64]
Sums = npt.NDArray[np.float64]


class PairCounts:
    """Counts of pairs of words.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counts = PairCounts(3, Path(folder))
    ...     counts.add_windows(np.array([0, 1, 2, -1, 1, 0], np.int32), window=2)
    ...     [(divmod(int(k), 3), float(s)) for keys, sums in counts.merged() for k, s in zip(keys, sums)]
    [((0, 1), 2.0), ((0, 2), 0.5), ((1, 2), 1.0)]
    """

    def __init__(self, size: int, folder: Path, part: int = PART, room: int = ROOM):
        self.size, self.folder, self.part = size, folder, part
        self.row, self.touched = np.zeros(size), np.empty(size, np.int32)
        self.keys, self.sums = np.empty(room + size, np.int64), np.empty(room + size)
        self.runs: list[tuple[Path, Path]] = []

    def add_windows(self, ids: Ids, window: int) -> None:
        """Words at most `window` apart in one line, whatever their order, by 1 / distance (GloVe)."""
        self._add(ids, END, lambda *given: _count_windows(ids, window, *given))

    def add_neighbours(self, ids: Ids, end: int) -> None:
        """Words and the ones that follow them."""
        self._add(ids, end, lambda *given: _count_neighbours(ids, end, *given))

    def _add(self, ids: Ids, end: int, count: Callable[..., tuple[int, int]]) -> None:
        """One sorted run for each part of the text."""
        for start in range(0, len(ids), self.part):
            part = ids[start : start + self.part]
            places = np.flatnonzero(part != end).astype(np.int32)
            order = places[np.argsort(part[places], kind="stable")] + start
            begins = np.r_[0, np.cumsum(np.bincount(part[places], minlength=self.size))]
            files = self.folder / f".pairs-{len(self.runs):05d}.keys", self.folder / f".pairs-{len(self.runs):05d}.sums"
            self.runs.append(files)
            word = 0
            with files[0].open("wb") as keys, files[1].open("wb") as sums:
                while word < self.size:
                    word, found = count(order, begins, word, self.row, self.touched, self.keys, self.sums)
                    self.keys[:found].tofile(keys)
                    self.sums[:found].tofile(sums)

    def merged(self) -> Iterator[tuple[Keys, Sums]]:
        """All pairs in order, each once, in blocks; the runs are removed at the end."""
        runs: list[tuple[Keys, Sums]] = [
            (np.memmap(keys, np.int64, "r"), np.memmap(sums, np.float64, "r"))
            for keys, sums in self.runs
            if keys.stat().st_size
        ]
        yield from merge(runs)
        del runs
        for file in (file for files in self.runs for file in files):
            file.unlink()
        self.runs = []


def merge(runs: list[tuple[Keys, Sums]], block: int = MERGED) -> Iterator[tuple[Keys, Sums]]:
    """Sorted runs as one, with equal keys added up; of each run one block is in memory.

    >>> runs = [(np.array([1, 5]), np.array([1.0, 1])), (np.array([2, 5, 9]), np.array([1.0, 2, 1]))]
    >>> [(keys.tolist(), sums.tolist()) for keys, sums in merge(runs, block=2)]
    [([1, 2, 5], [1.0, 1.0, 3.0]), ([9], [1.0])]
    """
    starts = [0] * len(runs)
    while any(start < len(keys) for start, (keys, _) in zip(starts, runs)):
        blocks = [
            (keys[start : start + block], sums[start : start + block]) for start, (keys, sums) in zip(starts, runs)
        ]
        last = min(int(keys[-1]) for keys, _ in blocks if len(keys))  # beyond it, another run may have more
        ends = [int(np.searchsorted(keys, last, "right")) for keys, _ in blocks]
        keys = np.concatenate([keys[:end] for (keys, _), end in zip(blocks, ends)])
        sums = np.concatenate([sums[:end] for (_, sums), end in zip(blocks, ends)])
        order = np.argsort(keys, kind="stable")
        keys, sums = keys[order], sums[order]
        begins = np.flatnonzero(np.diff(keys, prepend=NOBODY))
        yield keys[begins], np.add.reduceat(sums, begins)
        starts = [start + end for start, end in zip(starts, ends)]


@compiled
def _emit(word, count, row, touched, keys, sums, at):
    """The row of a word as sorted pairs, and the row empty again; where the next pair goes."""
    columns = touched[:count]
    columns.sort()
    for column in columns:
        keys[at] = np.int64(word) * len(row) + column
        sums[at] = row[column]
        row[column] = 0
        at += 1
    return at


@compiled
def _count_windows(ids, window, order, begins, word, row, touched, keys, sums):
    """From a word on, as long as there is room: the next word, and how many pairs were found.

    A pair belongs to the word with the lower place; a word beside itself, to the later of the two.
    """
    at = 0
    while word < len(row) and at + len(row) <= len(keys):
        count = 0
        for k in range(begins[word], begins[word + 1]):
            here = order[k]
            for distance in range(1, window + 1):
                if here < distance or ids[here - distance] == END:
                    break
                other = ids[here - distance]
                if other >= word:
                    if row[other] == 0:
                        touched[count] = other
                        count += 1
                    row[other] += 1.0 / distance
            for distance in range(1, window + 1):
                if here + distance >= len(ids) or ids[here + distance] == END:
                    break
                other = ids[here + distance]
                if other > word:
                    if row[other] == 0:
                        touched[count] = other
                        count += 1
                    row[other] += 1.0 / distance
        at = _emit(word, count, row, touched, keys, sums, at)
        word += 1
    return word, at


@compiled
def _count_neighbours(ids, end, order, begins, word, row, touched, keys, sums):
    at = 0
    while word < len(row) and at + len(row) <= len(keys):
        count = 0
        for k in range(begins[word], begins[word + 1]):
            here = order[k] + 1
            if here < len(ids) and ids[here] != end:
                if row[ids[here]] == 0:
                    touched[count] = ids[here]
                    count += 1
                row[ids[here]] += 1.0
        at = _emit(word, count, row, touched, keys, sums, at)
        word += 1
    return word, at
