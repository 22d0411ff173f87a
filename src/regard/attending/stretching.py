"""Rotary positions made to reach farther than a model was trained for, as values: what becomes of each frequency.

For NumPy and torch alike.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Unstretched:
    def __call__(self, frequency: Any) -> Any:
        return frequency


@dataclass(frozen=True)
class Linear(Unstretched):
    """All turn slower by a factor: position 8 stands where 1 stood (Chen et al. 2023)."""

    factor: float

    def __call__(self, frequency: Any) -> Any:
        return frequency / self.factor


@dataclass(frozen=True)
class ByWavelength(Unstretched):
    """Only slow ones turn slower, so that near words are told apart as before (Llama 3.1: Dubey et al. 2024).

    What turns more than `high` times over the `trained` positions stays as it is, what turns less than `low` times is
    divided by the factor, and between them the two are mixed.

    >>> import numpy as np
    >>> (ByWavelength(8.0, 1.0, 4.0, 100)(2 * np.pi * np.array([0.05, 0.025, 0.005])) / np.pi).round(5).tolist()
    [0.1, 0.02812, 0.00125]
    """

    factor: float
    low: float
    high: float
    trained: int

    def __post_init__(self) -> None:
        if self.high <= self.low:
            raise ValueError(f"what stays must turn more often than what is slowed, got {self.high} and {self.low}")

    def __call__(self, frequency: Any) -> Any:
        turns = self.trained * frequency / (2 * math.pi)
        kept = ((turns - self.low) / (self.high - self.low)).clip(0.0, 1.0)
        return frequency * kept + frequency / self.factor * (1 - kept)


@dataclass(frozen=True)
class ByFactors(Unstretched):
    """Each turns slower by a factor of its own: the result of any such rule, written down (llama.cpp keeps Llama 3's
    so; Ding et al. 2024 search for the best ones).

    >>> ByFactors((1.0, 4.0))(np.array([0.5, 0.5])).tolist()
    [0.5, 0.125]
    """

    factors: tuple[float, ...]

    def __call__(self, frequency: Any) -> Any:
        same_kind = getattr(frequency, "new_tensor", np.asarray)
        return frequency / same_kind(self.factors)
