"""Who may look at whom: True where a query may read a key. Masks combine with & and |.

A `Rule` is a mask not yet made: a formula of two positions. It can be made whole for a short text, or asked for
tile by tile for a long one, so that no matrix of tokens × tokens is ever stored.

>>> causal(3).astype(int).tolist()
[[1, 0, 0], [1, 1, 0], [1, 1, 1]]
>>> (causal & within(2))(3).astype(int).tolist()
[[1, 0, 0], [1, 1, 0], [0, 1, 1]]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.suggestions import NotFound, suggestion


@dataclass(frozen=True)
class Rule:
    """A mask as a formula of a query's and a key's position, for NumPy and torch arrays alike.

    >>> causal.tile(np.array([5, 6]), np.array([4, 5, 6])).tolist()
    [[True, True, False], [True, True, True]]
    """

    name: str
    formula: Callable[[Any, Any], Any]

    def tile(self, queries: Any, keys: Any) -> Any:
        """The part of the mask at these positions."""
        return self.formula(queries[:, None], keys[None, :])

    def __call__(self, tokens: int) -> np.ndarray:
        """The whole mask of a text."""
        place = np.arange(tokens)
        return self.tile(place, place)

    def __and__(self, other: "Rule") -> "Rule":
        return Rule(f"{self.name} and {other.name}", lambda q, k: self.formula(q, k) & other.formula(q, k))

    def __or__(self, other: "Rule") -> "Rule":
        return Rule(f"{self.name} or {other.name}", lambda q, k: self.formula(q, k) | other.formula(q, k))


# each word reads itself and the words before it, as GPT does
causal = Rule("causal", lambda query, key: key <= query)

# each word reads every word, as BERT does
both = Rule("both", lambda query, key: (key == key) & (query == query))


def within(size: int) -> Rule:
    """Each word reads words less than `size` positions away."""
    if size < 1:
        raise ValueError(f"a window holds at least the word itself, so size must be 1 or more, got {size}")
    return Rule(f"within {size}", lambda query, key: abs(query - key) < size)


def first(length: int) -> Rule:
    """Nobody reads what comes after the first `length` tokens, and those read nothing."""
    return Rule(f"first {length}", lambda query, key: (query < length) & (key < length))


def window(tokens: int, size: int) -> np.ndarray:
    """Each word reads words less than `size` positions away."""
    return within(size)(tokens)


def padding(tokens: int, length: int) -> np.ndarray:
    """Nobody reads what comes after the first `length` tokens, and those read nothing."""
    if not 0 <= length <= tokens:
        raise ValueError(f"length must be from 0 to {tokens}, the number of tokens, got {length}")
    return first(length)(tokens)


# a mask as a rule, or made for a number of tokens; arrays of True and False work too
Visible = Rule | Callable[[int], np.ndarray]


def of_last_queries(mask: Any, queries: int, keys: int) -> Any:
    """The rows of a whole text's mask for its last queries; any other mask as it is. For NumPy and torch alike.

    >>> of_last_queries(causal(3), 2, 3).tolist()
    [[True, True, False], [True, True, True]]
    """
    whole = tuple(mask.shape[-2:]) == (keys, keys)
    return mask[..., keys - queries :, :] if whole and queries < keys else mask


def narrowed(visible: Any, size: int) -> Any:
    """A mask, of whatever kind, that lets each word read only those less than `size` positions away; 0: as it is.

    >>> narrowed(causal(3), 2).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    >>> narrowed(causal, 2)
    Rule(name='causal and within 2', ...)
    """
    if not size:
        return visible
    if isinstance(visible, Rule):
        return visible & within(size)
    if callable(visible):
        return lambda tokens: narrowed(visible(tokens), size)
    queries, keys = visible.shape[-2:]
    near = of_last_queries(window(keys, size), queries, keys)
    return visible & (visible.new_tensor(near) if hasattr(visible, "new_tensor") else near)


MASKS: dict[str, Rule] = {"causal": causal, "both": both}


def mask_named(name: str) -> Rule:
    if name not in MASKS:
        raise NotFound(f"no mask {name!r}; {suggestion(str(name), MASKS)}")
    return MASKS[name]
