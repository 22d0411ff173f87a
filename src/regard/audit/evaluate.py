"""The value of an expression, computed here alone: no `eval`, bounded sizes; `log` or `*` may mean several things."""

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.grammar import parse
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector, calls_in, walk

Array = np.ndarray
Function = Callable[..., Any]
LARGEST_VECTOR, LARGEST_POWER = 20_000, 1024
CONSTANTS = {"π": math.pi, "pi": math.pi, "e": math.e, "inf": math.inf}
# A page keeps to one logarithm, one unit of angles and one kind of deviation.
FAMILY = {name: first for name, (first,) in data.MEANINGS["families"].items()}
UNARY: dict[str, Function] = {"-": operator.neg, "√": np.sqrt, ".T": np.transpose}
UNARY["!"] = lambda x: math.factorial(int(x)) if 0 <= x == int(x) <= 20 else math.nan
PLAIN: dict[str, Function] = {"+": operator.add, "-": operator.sub, "/": operator.truediv, "//": operator.floordiv}
PLAIN |= dict.fromkeys("*×·⊙", operator.mul)
SIGNS = {*PLAIN, "@", "^", "**"}


class Reading(NamedTuple):
    """One way to understand the signs of a page."""

    choices: Mapping[str, int] = {}  # which of its definitions a function has, by the first function of its family
    shifts: Mapping[int, float] = {}  # how far each number, by its place, is moved
    values: Mapping[str, Array] = {}  # of names


USUAL = Reading()


def readings(node: Node) -> Iterator[Reading]:
    """Every way to understand an expression, the usual one first."""
    used = calls_in(node)
    ways = {FAMILY.get(name, name): range(len(FUNCTIONS[name])) for name in sorted(used & FUNCTIONS.keys())}
    if used & {"*", "×", "·", "^", "**"} and any(isinstance(part, Vector | Name) for part in walk(node)):
        ways["×"] = range(2)  # the usual product, and the other one
    for choice in itertools.product(*ways.values()):
        yield Reading(dict(zip(ways, choice, strict=True))) if any(choice) else USUAL


def evaluate(node: Node, reading: Reading = USUAL) -> Array:
    """The value of an expression as an array: a scalar has no axes, a vector one, a matrix two."""
    try:
        value = np.asarray(value_of(node, reading))
    except (ArithmeticError, ValueError, TypeError, RecursionError) as problem:
        raise Unreadable(str(problem)) from problem
    if not np.all(np.isfinite(value)):
        raise Unreadable("the value is not finite")
    return value


def value_of(node: Node, reading: Reading) -> Any:
    """The same, whatever comes out: columns of a table are computed at once, and have holes."""
    match node:
        case Number():
            return node.value + reading.shifts.get(node.place, 0.0)
        case Name(text) if text in reading.values or text in CONSTANTS:
            return reading.values[text] if text in reading.values else CONSTANTS[text]
        case Vector(parts):
            return _stack([value_of(part, reading) for part in parts])
        case Call(sign, (operand,)) if sign in UNARY:
            return UNARY[sign](value_of(operand, reading))
        case Call(sign, (left, right)) if sign in SIGNS:
            one, other = value_of(left, reading), value_of(right, reading)
            if isinstance(one, float) and isinstance(other, float) and sign in PLAIN:
                return PLAIN[sign](one, other)
            return _joined(sign, np.asarray(one, float), np.asarray(other, float), reading.choices.get("×", 0))
        case Call(function, parts) if function in FUNCTIONS:
            return _applied(function, [np.asarray(value_of(part, reading)) for part in parts], reading)
    raise Unreadable("an unknown name, or an unknown function")


def number_of(node: Node, reading: Reading = USUAL) -> float:
    """The value of an expression that is one number; NaN where it has none: 1e999."""
    with suppress(Unreadable, TypeError):
        return float(evaluate(node, reading))
    return math.nan


def _stack(items: Sequence[Array | float]) -> Array:
    """A vector of scalars or a matrix of rows; rows of different lengths are no matrix."""
    if sum(map(np.size, items)) > LARGEST_VECTOR:
        raise Unreadable("too large")
    return np.stack([np.asarray(item) for item in items])


def _joined(sign: str, left: Array, right: Array, choice: int) -> Array:
    """Two arrays joined item by item, or as vectors and matrices where the sign or the reading says so."""
    if sign in ("^", "**") and not right.ndim and abs(right) <= LARGEST_POWER and (left.ndim < 2 or right == 2):
        is_product = left.ndim and right == 2 and (left.ndim == 2) != (choice == 1)
        return left @ left if is_product else np.power(left, right)
    is_product = sign == "@" or (sign == "·" or 2 in (left.ndim, right.ndim)) != (choice == 1)
    if left.ndim and right.ndim and sign in ("·", "*", "×", "@") and is_product:
        return left @ right
    if sign not in PLAIN or (left.shape != right.shape and left.ndim and right.ndim):
        raise Unreadable(f"{sign} of these is not understood")
    return PLAIN[sign](left, right)


def _applied(function: str, arguments: list[Array], reading: Reading) -> Array:
    """A function of two vectors, of a row, which several scalars are too, or of anything item by item."""
    pair, row = function in PAIRS and len(arguments) == 2, function in OVER_A_ROW
    arguments = [_stack(arguments)] if row and len(arguments) > 1 else arguments
    if len(arguments) != 1 + pair or not all(argument.ndim for argument in arguments if pair or row):
        raise Unreadable(f"{function} of these arguments")
    choice = reading.choices.get(FAMILY.get(function, function), 0)
    return PAIRS[function][0](*arguments) if pair else FUNCTIONS[function][choice](*arguments)


OURS: dict[str, Function] = {
    "softmax": lambda x: (shares := np.exp(x - x.max(-1, keepdims=True))) / shares.sum(-1, keepdims=True),
    "causal_softmax": lambda x: OURS["softmax"](np.where(np.tri(*x.shape, dtype=bool), x, -np.inf)),
    "entropy": lambda x: -(x[x > 0] * np.log(x[x > 0])).sum(),
    "normal_cdf": lambda x: 0.5 + 0.5 * np.vectorize(math.erf)(x / math.sqrt(2)),
}


def _definition(text: str) -> Function:
    """A function of ours or of NumPy by its name, or a formula of x and y, where x has n items."""
    if text in OURS or hasattr(np, text):
        return OURS.get(text) or getattr(np, text)
    node = parse(text)
    return lambda x, y=None: value_of(node, Reading(values={"x": x, "y": np.asarray(y), "n": np.asarray(np.size(x))}))


ITEMWISE, OVER_A_ROW, PAIRS = (
    {name: tuple(map(_definition, texts)) for name, texts in data.MEANINGS[kind].items()}
    for kind in ("items", "rows", "pairs")
)
FUNCTIONS = PAIRS | ITEMWISE | OVER_A_ROW
