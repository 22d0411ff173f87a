"""What a head may have the habit of reading, each as a condition on a query and a key: one definition for every screen.

The conditions take arrays of any library, of positions and of the numbers of words, that broadcast to (queries, keys).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pairs:
    """Queries and keys: where they stand, which words they are, which word stands before a key, and whether it is a
    sign of punctuation."""

    query: Any
    key: Any
    word: Any
    other: Any
    before: Any
    sign: Any


HABITS: dict[str, Callable[[Pairs], Any]] = {
    "first": lambda p: (p.key == 0) & (p.query > 0),
    "previous": lambda p: p.key == p.query - 1,
    "two_back": lambda p: p.key == p.query - 2,
    "same": lambda p: (p.word == p.other) & (p.key < p.query),
    "induction": lambda p: (p.before == p.word) & (p.key > 0) & (p.key <= p.query),  # Olsson et al. 2022
    "punctuation": lambda p: p.sign & (p.key > 0) & (p.key != p.query),
}
