"""The arithmetic of one cell: a small tree whose leaves are cells and constants.

A formula is written once, with the functions of this file, and used twice: handed arrays it computes,
handed trees it builds the expression that a person reads. So what is shown is what was computed.

>>> def logistic(x): return 1 / (1 + exp(-x))
>>> float(logistic(np.array(0.0)))
0.5
>>> logistic(Number(0.0)).value
0.5
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from regard.ops.erf import erf as erf_of_array


class Tree:
    """An expression. Python's operators make larger ones."""

    value: float

    def __add__(self, other: "Tree | float") -> "Tree":
        return Call("+", (self, tree(other)))

    def __radd__(self, other: float) -> "Tree":
        return Call("+", (tree(other), self))

    def __sub__(self, other: "Tree | float") -> "Tree":
        return Call("-", (self, tree(other)))

    def __rsub__(self, other: float) -> "Tree":
        return Call("-", (tree(other), self))

    def __mul__(self, other: "Tree | float") -> "Tree":
        return Call("*", (self, tree(other)))

    def __rmul__(self, other: float) -> "Tree":
        return Call("*", (tree(other), self))

    def __truediv__(self, other: "Tree | float") -> "Tree":
        return Call("/", (self, tree(other)))

    def __rtruediv__(self, other: float) -> "Tree":
        return Call("/", (tree(other), self))

    def __neg__(self) -> "Tree":
        return Call("negative", (self,))

    @property
    def cells(self) -> tuple[Any, ...]:
        """The cells this expression read, in reading order, each once."""
        return tuple(dict.fromkeys(leaf.cell for leaf in leaves(self)))


@dataclass(frozen=True)
class Number(Tree):
    """A constant of the recipe (the 2 in √2), printed as it is."""

    value: float  # pyright: ignore[reportIncompatibleVariableOverride]


@dataclass(frozen=True)
class Leaf(Tree):
    """A cell of another step: its value, and where to read on."""

    cell: Any
    value: float  # pyright: ignore[reportIncompatibleVariableOverride]


@dataclass(frozen=True)
class Call(Tree):
    """A sign applied to parts; + and * take any number of them."""

    sign: str
    parts: tuple[Tree, ...]

    @cached_property
    def value(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return MEANING[self.sign](*(part.value for part in self.parts))


@dataclass(frozen=True)
class Input(Tree):
    """An input of a formula that is being written down: it has a place among the inputs, and no value yet."""

    position: int


@dataclass(frozen=True)
class Condition:
    """What will decide between two expressions, once their inputs have values."""

    sign: str
    parts: "tuple[Tree | Condition, ...]"

    def __and__(self, other: "Condition") -> "Condition":
        return Condition("and", (self, other))


@dataclass(frozen=True)
class Choice(Tree):
    """One of two expressions; only formulas that are being written down hold both."""

    condition: Condition | Tree
    then: Tree
    otherwise: Tree


class Sum(Tree):
    """A sum of many terms, whose values are known at once and whose trees are made when looked at."""

    def __init__(self, values: np.ndarray, term: Callable[[int], Tree]):
        self.values = values
        self.term = term

    @cached_property
    def parts(self) -> tuple[Tree, ...]:
        return tuple(self.term(i) for i in range(len(self.values)))

    @property
    def value(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return MEANING["+"](*self.values.tolist())


@dataclass(frozen=True)
class More(Tree):
    """What an abridged sum leaves out."""

    count: int
    value: float  # pyright: ignore[reportIncompatibleVariableOverride]


def tree(value: "Tree | float") -> Tree:
    return value if isinstance(value, Tree) else Number(value)


def leaves(expression: Tree) -> list[Leaf]:
    if isinstance(expression, Leaf):
        return [expression]
    if isinstance(expression, (Call, Sum)):
        return [leaf for part in expression.parts for leaf in leaves(part)]
    return []


def abridged(expression: Tree, most_terms: int | None) -> Tree:
    """The expression with only the largest terms of its long sums, and how many more there are."""
    if isinstance(expression, Call):
        parts = tuple([abridged(part, most_terms) for part in expression.parts])
        return expression if all(map(operator.is_, parts, expression.parts)) else Call(expression.sign, parts)
    if not isinstance(expression, Sum):
        return expression
    count = len(expression.values)
    if most_terms is None or count <= most_terms + 1:
        return total(list(expression.parts))
    # among equal terms the first, so that every interpreter of these operations shows the same ones
    largest = np.sort(np.argsort(-np.abs(expression.values), kind="stable")[:most_terms])
    rest = expression.value - float(expression.values[largest].sum())
    return Call("+", (*(expression.term(int(i)) for i in largest), More(count - most_terms, rest)))


def total(terms: list[Tree]) -> Tree:
    """The sum of terms; a single term is written without a plus sign."""
    if not terms:
        return Number(0.0)
    return terms[0] if len(terms) == 1 else Call("+", tuple(terms))


def _function(sign: str, of_array: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Any) -> Any:
        return Call(sign, (x,)) if isinstance(x, Tree) else of_array(x)

    apply.__name__ = sign
    return apply


exp = _function("exp", np.exp)
log = _function("log", np.log)
sqrt = _function("sqrt", np.sqrt)
tanh = _function("tanh", np.tanh)
erf = _function("erf", erf_of_array)
round_half_even = _function("round", np.round)


_per_cell: Callable[[Any, Any, Any], np.ndarray] = np.where


def where(condition: Any, then: Any, otherwise: Any) -> Any:
    """One of two values per cell; in an expression only the branch that was taken is shown."""
    if isinstance(condition, Tree | Condition):
        if is_open(condition):
            return Choice(condition, tree(then), tree(otherwise))
        assert isinstance(condition, Tree)
        return tree(then if condition.value else otherwise)
    if isinstance(condition, bool):
        return tree(then if condition else otherwise)
    return _per_cell(condition, then, otherwise)


def is_open(expression: Tree | Condition) -> bool:
    """Whether an expression still waits for its inputs."""
    if isinstance(expression, Call):
        return any(map(is_open, expression.parts))
    return isinstance(expression, Input | Condition | Choice)


def _test(sign: str, holds: Callable[..., Any]) -> Callable[..., Any]:
    """A question about values: an answer per cell for arrays, yes or no for trees, a condition for open ones."""

    def ask(*values: Any) -> Any:
        if not any(isinstance(value, Tree) for value in values):
            return holds(*values)
        trees = tuple(tree(value) for value in values)
        return Condition(sign, trees) if any(map(is_open, trees)) else bool(holds(*(t.value for t in trees)))

    ask.__name__ = sign
    return ask


def _is_zero(x: Any) -> Any:
    return x == 0


is_zero = _test("zero", _is_zero)
is_below = _test("below", operator.lt)


def is_positive(x: Any) -> Any:
    return is_below(0.0, x)


def is_negative(x: Any) -> Any:
    return is_below(x, 0.0)


def at_least_zero(x: Any) -> Any:
    """Where an edit made a variance negative, its root is 0."""
    return where(is_below(x, 0.0), 0.0, x) if isinstance(x, Tree) else np.maximum(x, 0.0)


def at_most(x: Any, bound: float) -> Any:
    return where(is_below(bound, x), bound, x) if isinstance(x, Tree) else np.minimum(x, bound)


def _sum(*parts: float) -> float:
    return math.fsum(parts) if all(map(math.isfinite, parts)) else sum(parts)


def _product(*parts: float) -> float:
    return math.prod(parts)


def _difference(a: float, b: float) -> float:
    return a - b


def _negative(a: float) -> float:
    return -a


def _quotient(a: float, b: float) -> float:
    return a / b if b else math.copysign(math.inf, a) if a else math.nan


def _exponential(a: float) -> float:
    return float(np.exp(a))


def _logarithm(a: float) -> float:
    return math.log(a) if a > 0 else -math.inf


def _rounded(a: float) -> float:
    return float(np.round(a))


MEANING: dict[str, Callable[..., float]] = {
    "+": _sum,
    "*": _product,
    "-": _difference,
    "/": _quotient,
    "negative": _negative,
    "exp": _exponential,
    "log": _logarithm,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
    "erf": math.erf,
    "round": _rounded,
}
