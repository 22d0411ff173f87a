"""What chance decides in word2vec: which frequent words are skipped, and how often a word is taken as a negative.

Mikolov et al., Distributed Representations of Words and Phrases and their Compositionality, 2013.
"""

import numpy as np
import numpy.typing as npt

POWER = 0.75  # negatives are drawn by count to this power
WHOLE = 2**32  # what chances are compared with, as whole numbers
LAST_RATE = 1e-4  # of the first rate: where it ends


def kept_chances(counts: npt.ArrayLike, sample: float) -> npt.NDArray[np.uint64]:
    """The chance that each occurrence of a word is kept, in 2⁻³²: rare words always, frequent ones seldom.

    >>> (kept_chances([900, 90, 10], sample=0.01) / WHOLE).round(3).tolist()
    [0.117, 0.444, 1.0]
    """
    share = np.asarray(counts) / np.sum(counts)
    kept = np.ones(len(share)) if not sample else np.minimum(1, np.sqrt(sample / share) + sample / share)
    return np.round(kept * WHOLE).astype(np.uint64)


def rate_after(passed: float, first: float) -> float:
    """The learning rate falls evenly, to nearly nothing.

    >>> rate_after(0.0, 0.025), rate_after(0.5, 0.025)
    (0.025, 0.0125)
    """
    return first * max(LAST_RATE, 1 - passed)
