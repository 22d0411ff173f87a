"""How a model knows the order of words. Each way is a value handed to the description, which never asks which it is.

`place` changes the vectors that enter the first layer, `turn` the queries and keys, `bias` the scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from regard.attending.bias import ByDistance
from regard.attending.stretching import ByFactors, Unstretched

X = TypeVar("X")


class Placing(Protocol[X]):
    """The verbs by which words get their places; X is what they compute with (models/verbs.py has all verbs)."""

    def add_positions(self, x: X, table: X, offset: int) -> X:
        """(T, C) + the T rows of (P, C) from `offset` on."""
        ...

    def add_waves(self, x: X) -> X: ...

    def rotate(self, name: str, x: X, by: "RotaryPositions") -> X:
        """(H, T, D), turned by angles that grow with the position."""
        ...


@dataclass(frozen=True)
class NoPositions:
    """Words as a bag: attention alone does not see their order."""

    def shapes(self, width: int, heads: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        return {}

    def place(self, do: Placing[X], x: X, parameters: Mapping[str, X]) -> X:
        return x

    def turn(self, do: Placing[X], name: str, x: X) -> X:
        return x

    def bias(self, parameters: Mapping[str, X]) -> ByDistance[X] | None:
        return None


@dataclass(frozen=True)
class LearnedPositions(NoPositions):
    """One learned vector per position, added to the word's (GPT-2, BERT)."""

    max_tokens: int
    offset: int = 0  # rows of the table before that of the first word: other places had them (RoBERTa, OPT)

    def shapes(self, width: int, heads: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        return {"position": ("PC", (self.max_tokens + self.offset, width))}

    def place(self, do: Placing[X], x: X, parameters: Mapping[str, X]) -> X:
        return do.add_positions(x, parameters["position"], self.offset)


@dataclass(frozen=True)
class SinusoidalPositions(NoPositions):
    """Fixed waves of many lengths, added to the word's vector (Vaswani et al. 2017)."""

    def place(self, do: Placing[X], x: X, parameters: Mapping[str, X]) -> X:
        return do.add_waves(x)


@dataclass(frozen=True)
class RotaryPositions(NoPositions):
    """Queries and keys are turned by an angle that grows with position (Su et al. 2021): q·k sees the distance."""

    base: float = 10_000.0
    turns: int = 0  # how many numbers of a head are turned, its first ones; 0: all
    stretch: Unstretched = field(default_factory=Unstretched)

    def __post_init__(self) -> None:
        if self.turns < 0 or self.turns % 2:
            raise ValueError(f"rotary positions turn pairs of numbers, got {self.turns} to be turned")

    def turn(self, do: Placing[X], name: str, x: X) -> X:
        return do.rotate(name, x, self)

    def turned(self, head_width: int) -> int:
        """How many numbers of a head are turned."""
        if head_width % 2 and not self.turns:
            raise ValueError(
                f"rotary positions turn pairs of numbers, so the head width must be even, got {head_width}"
            )
        if self.turns > head_width:
            raise ValueError(f"a head has {head_width} numbers, so {self.turns} of them cannot be turned")
        turned = self.turns or head_width
        if isinstance(self.stretch, ByFactors) and len(self.stretch.factors) != turned // 2:
            raise ValueError(
                f"{turned} numbers turn in {turned // 2} pairs, but {len(self.stretch.factors)} of them have a factor"
            )
        return turned

    def frequency(self, pair: Any, pairs: int) -> Any:
        """The angle between neighbours for each pair of numbers, in NumPy and torch alike."""
        return self.stretch(self.base ** (-pair / pairs))

    def angles(self, tokens: int, head_width: int, start: int = 0) -> np.ndarray:
        """Angle of each position from `start` on in each dimension: i turns together with i + half of what turns.

        >>> RotaryPositions().angles(2, 4)[1].tolist(), RotaryPositions(turns=2).angles(2, 4)[1].tolist()
        ([1.0, 0.01, 1.0, 0.01], [1.0, 1.0, 0.0, 0.0])
        """
        turned = self.turned(head_width)
        frequency = self.frequency(np.arange(turned // 2), turned // 2)
        angle = np.arange(start, start + tokens)[:, None] * frequency[None, :]
        still = np.zeros((tokens, head_width - turned))
        return np.concatenate([angle, angle, still], axis=1)


@dataclass(frozen=True)
class DistanceBias(NoPositions):
    """A learned number per head and distance, added to the score; the last one serves all greater distances."""

    reach: int

    def shapes(self, width: int, heads: int) -> dict[str, tuple[str, tuple[int, ...]]]:
        return {"position": ("HN", (heads, self.reach))}

    def bias(self, parameters: Mapping[str, X]) -> ByDistance[X] | None:
        return ByDistance(parameters["position"])


def distances(queries: int, keys: int, reach: int) -> np.ndarray:
    """How far apart a query and a key are; the last of `reach` distances serves all greater ones.

    >>> distances(4, 4, reach=3)[3].tolist()
    [2, 2, 1, 0]
    """
    apart = np.abs(np.arange(queries)[:, None] + (keys - queries) - np.arange(keys)[None, :])
    return np.minimum(apart, reach - 1)


def sinusoids(tokens: int, width: int, start: int = 0) -> np.ndarray:
    """Sines in the even dimensions, cosines in the odd ones, for the positions from `start` on.

    >>> sinusoids(2, 4).round(4).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]
    """
    place = np.arange(start, start + tokens)[:, None]
    pair = np.arange(width) // 2 * 2
    angle = place / 10_000.0 ** (pair / width)
    return np.where(np.arange(width) % 2 == 0, np.sin(angle), np.cos(angle))
