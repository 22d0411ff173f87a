"""What scores are multiplied by before softmax. Decided here: whoever needs it asks for the factor or the operation.

>>> ROOT.factor(64), WIDTH.factor(64), NONE.factor(64), Times(0.3).factor(64)
(0.125, 0.015625, 1.0, 0.3)
>>> OfWidth(ROOT, 16).factor(64)
0.25
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from regard.ops.contract import Contract
from regard.ops.formulas import formula
from regard.ops.map import Map
from regard.ops.operation import Operation

ScalingName = Literal["root", "width", "none"]  # as files, links and settings call them


@dataclass(frozen=True)
class Over:
    """A score divided by a function of the head width, written as the formula that says so."""

    formula: str
    divisor: Callable[[float], float]

    def factor(self, head_width: float) -> float:
        return 1 / self.divisor(head_width)

    def operation(self, axes: str, head_width: float) -> Operation:
        constants = (float(head_width),) * formula(self.formula).constants
        return Map(self.formula, f"{axes}->{axes}", constants)


@dataclass(frozen=True)
class Times:
    """A score times a number, whatever the head width."""

    number: float

    def factor(self, head_width: float) -> float:
        return self.number

    def operation(self, axes: str, head_width: float) -> Operation:
        return Contract(f"{axes}->{axes}", self.number)


@dataclass(frozen=True)
class OfWidth:
    """A score divided by a function of a number that is not the head width (Gemma 2)."""

    way: Over
    width: float

    def factor(self, head_width: float) -> float:
        return self.way.factor(self.width)

    def operation(self, axes: str, head_width: float) -> Operation:
        return self.way.operation(axes, self.width)


Scaling = Over | Times | OfWidth

ROOT = Over("over_root", math.sqrt)
WIDTH = Over("over", float)
NONE = Over("same", lambda head_width: 1.0)
SCALINGS: dict[ScalingName, Over] = {"root": ROOT, "width": WIDTH, "none": NONE}


def scaling_named(name: str) -> Over:
    """
    >>> scaling_named("cube")
    Traceback (most recent call last):
    ValueError: unknown scaling 'cube'; choose one of root, width, none
    """
    for known in get_args(ScalingName):
        if name == known:
            return SCALINGS[known]
    raise ValueError(f"unknown scaling {name!r}; choose one of {', '.join(SCALINGS)}")
