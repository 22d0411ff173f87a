"""How often words stand together: counted in a table of bounded size, which is sorted and spilled to disk when full.

A pair of words is one number: the place of the one · the size of the vocabulary + the place of the other.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regard.training.vectors.compiling import compiled
from regard.training.vectors.walk import END

SLOTS = 2**24  # of the table in memory: 16 bytes each
FULL = 0.7  # share of the slots in use at which it is spilled
MERGED = 2**20  # pairs of each spilled file in memory while they are merged
NOBODY = -1

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

    def __init__(self, size: int, folder: Path, slots: int = SLOTS):
        self.size, self.folder = size, folder
        self.keys, self.sums = np.full(slots, NOBODY, np.int64), np.zeros(slots)
        self.used = np.zeros(1, np.int64)
        self.spilled: list[tuple[Path, Path]] = []

    def add_windows(self, ids: npt.NDArray[np.int32], window: int) -> None:
        """Words at most `window` apart in one line, whatever their order, by 1 / distance (GloVe)."""
        here = 0
        while here < len(ids):
            here = _add_windows(ids, here, window, self.size, self.keys, self.sums, self.used, self._room)
            self._spill_if_full()

    def add_neighbours(self, ids: npt.NDArray[np.int32], end: int) -> None:
        """Words and the ones that follow them."""
        here = 0
        while here < len(ids) - 1:
            here = _add_neighbours(ids, here, end, self.size, self.keys, self.sums, self.used, self._room)
            self._spill_if_full()

    @property
    def _room(self) -> int:
        return int(FULL * len(self.keys))

    def _spill_if_full(self) -> None:
        if self.used[0] >= self._room:
            files = tuple(self.folder / f".pairs-{len(self.spilled):05d}.{part}" for part in ("keys", "sums"))
            for file, numbers in zip(files, self._sorted()):
                numbers.tofile(file)
            self.spilled.append(files)  # pyright: ignore[reportArgumentType]
            self.keys[:], self.sums[:], self.used[0] = NOBODY, 0, 0

    def _sorted(self) -> tuple[Keys, Sums]:
        taken = np.flatnonzero(self.keys != NOBODY)
        order = taken[np.argsort(self.keys[taken])]
        return self.keys[order], self.sums[order]

    def merged(self) -> Iterator[tuple[Keys, Sums]]:
        """All pairs in order, each once, in blocks; what was spilled is removed at the end."""
        runs: list[tuple[Keys, Sums]] = [
            (np.memmap(keys, np.int64, "r"), np.memmap(sums, np.float64, "r")) for keys, sums in self.spilled
        ]
        yield from merge([*runs, self._sorted()])
        del runs
        for file in (file for files in self.spilled for file in files):
            file.unlink()
        self.spilled = []


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
def _add(key, amount, keys, sums, used):
    """Into an open-addressed table, whose size is a power of two."""
    mask = np.uint64(len(keys) - 1)
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    while True:
        at = np.int64(slot & mask)
        if keys[at] == key:
            sums[at] += amount
            return
        if keys[at] == NOBODY:
            keys[at], sums[at] = key, amount
            used[0] += 1
            return
        slot += np.uint64(1)


@compiled
def _add_windows(ids, here, window, size, keys, sums, used, room):
    """Until the text or the room ends; where to go on."""
    while here < len(ids) and used[0] < room:
        for distance in range(1, window + 1):
            other = here - distance
            if ids[here] == END or other < 0 or ids[other] == END:
                break
            low, high = min(ids[here], ids[other]), max(ids[here], ids[other])
            _add(np.int64(low) * size + high, 1.0 / distance, keys, sums, used)
        here += 1
    return here


@compiled
def _add_neighbours(ids, here, end, size, keys, sums, used, room):
    while here < len(ids) - 1 and used[0] < room:
        if ids[here] != end and ids[here + 1] != end:
            _add(np.int64(ids[here]) * size + ids[here + 1], 1.0, keys, sums, used)
        here += 1
    return here
