"""Two words that stand together far more often than by chance become one: New York → new_york.

The score of Mikolov et al. 2013: (count of the pair − least) · words / (count of the one · count of the other).
"""

from pathlib import Path

import numpy as np

from regard.training.vectors.compiling import compiled
from regard.training.vectors.numbering import NEW_LINE, First, add_counts
from regard.training.vectors.pairs import PairCounts

JOINED = "_"


def joined(first: First, threshold: float, least: int, folder: Path) -> First:
    """The same text with its phrases as words."""
    size = len(first.words)
    counts = PairCounts(size, folder)
    for block in first.blocks():
        counts.add_neighbours(block, NEW_LINE)
    total, found = int(first.counts[1:].sum()), []
    for keys, together in counts.merged():
        left, right = np.divmod(keys, size)
        score = (together - least) * total / (first.counts[left] * first.counts[right])
        found.append(keys[(score > threshold) & (together >= least)])
    phrases = np.sort(np.concatenate(found)) if found else np.zeros(0, np.int64)
    words = [*first.words, *(f"{first.words[k // size]}{JOINED}{first.words[k % size]}" for k in phrases.tolist())]
    counted = np.zeros(0, np.int64)
    new = first.file.with_suffix(".phrases")
    with new.open("wb") as file:
        for block in first.blocks():
            ids = np.empty_like(block)
            ids = ids[: _join(block, phrases, size, ids)]
            ids.tofile(file)
            counted = add_counts(counted, ids, len(words))
    new.replace(first.file)
    return First(words, counted, first.file)


@compiled
def _join(ids, phrases, size, out):
    """From left to right, a phrase wherever two words make one; how many numbers are left."""
    here = count = 0
    while here < len(ids):
        out[count] = ids[here]
        if here + 1 < len(ids) and ids[here] != NEW_LINE and ids[here + 1] != NEW_LINE:
            key = np.int64(ids[here]) * size + ids[here + 1]
            at = np.searchsorted(phrases, key)
            if at < len(phrases) and phrases[at] == key:
                out[count] = size + at
                here += 1
        count += 1
        here += 1
    return count
