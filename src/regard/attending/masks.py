"""Who may look at whom: True where a query may read a key. Masks combine with & and |.

>>> causal(3).astype(int).tolist()
[[1, 0, 0], [1, 1, 0], [1, 1, 1]]
>>> (causal(3) & window(3, 2)).astype(int).tolist()
[[1, 0, 0], [1, 1, 0], [0, 1, 1]]
"""

from collections.abc import Callable

import numpy as np


def causal(tokens: int) -> np.ndarray:
    """Each word reads itself and the words before it, as GPT does."""
    return np.tri(tokens, dtype=bool)


def both(tokens: int) -> np.ndarray:
    """Each word reads every word, as BERT does."""
    return np.ones((tokens, tokens), dtype=bool)


def window(tokens: int, size: int) -> np.ndarray:
    """Each word reads words less than `size` positions away."""
    if size < 1:
        raise ValueError(f"a window holds at least the word itself; {size} came")
    place = np.arange(tokens)
    return np.abs(place[:, None] - place[None, :]) < size


def padding(tokens: int, length: int) -> np.ndarray:
    """Nobody reads what comes after the first `length` tokens, and those read nothing."""
    if not 0 <= length <= tokens:
        raise ValueError(f"a text of {tokens} tokens cannot have {length} that are not padding")
    real = np.arange(tokens) < length
    return real[:, None] & real[None, :]


MASKS: dict[str, Callable[[int], np.ndarray]] = {"causal": causal, "both": both}
