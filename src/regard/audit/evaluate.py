"""The value of an expression, computed here and nowhere else: no `eval`, bounded sizes, bounded powers.

Some signs mean different things on different pages: `log` may be natural, decimal or binary, an angle may be in
degrees, a standard deviation may divide by n or n - 1, `*` between vectors may be a dot product. A `Reading` picks
one; a claim is wrong only if it is wrong under every reading.
"""

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Unreadable, Vector, walk

Array = np.ndarray
Values = Mapping[str, Array]
LARGEST_VECTOR = 20_000
CONSTANTS = {
    **dict.fromkeys(("π", "pi", "math.pi", "np.pi"), math.pi),
    **dict.fromkeys(("e", "math.e", "np.e"), math.e),
    **dict.fromkeys(("inf", "Inf", "math.inf", "np.inf"), math.inf),
}


class Reading(NamedTuple):
    """One way to understand the signs of a page."""

    choices: Mapping[str, int] = {}  # which of its definitions a function has, by the first function of its family
    star_is_dot: bool = False
    cross: bool = False  # × between vectors is the cross product
    shifts: Mapping[int, float] = {}  # how far each number, by place, is moved


USUAL = Reading()


def readings(node: Node) -> Iterator[Reading]:
    """Every way to understand an expression, the usual one first."""
    yield USUAL
    parts = list(walk(node))
    calls = {part.function for part in parts if isinstance(part, Call)}
    vectors = any(isinstance(part, Vector | Name) for part in parts)
    signs = {part.operator for part in parts if isinstance(part, Binary)} if vectors else set[str]()
    ways = {FAMILY.get(name, name): range(len(FUNCTIONS[name]) or 1) for name in sorted(calls & FUNCTIONS.keys())}
    ways["star"] = range(1 + bool(signs & {"*", "×", "·", "^", "**"}))
    ways["cross"] = range(1 + ("×" in signs))
    for choice in itertools.islice(itertools.product(*ways.values()), 1, None):
        chosen = dict(zip(ways, choice, strict=True))
        yield Reading(chosen, bool(chosen["star"]), bool(chosen["cross"]))


def evaluate(node: Node, values: Values, reading: Reading = USUAL) -> Array:
    """The value of an expression as an array: a scalar has no axes, a vector one, a matrix two.

    >>> from regard.audit.grammar import parse
    >>> float(evaluate(parse("0.2*0.66 + 0.9*0.525"), {}).round(6))
    0.6045
    """
    try:
        value = np.asarray(_value(node, values, reading))
    except (ArithmeticError, ValueError, TypeError, RecursionError) as problem:
        raise Unreadable(str(problem)) from problem
    if not (math.isfinite(value) if value.ndim == 0 else np.all(np.isfinite(value))):
        raise Unreadable("the value is not finite")
    return value


def _value(node: Node, values: Values, reading: Reading) -> Array | float:
    match node:
        case Number():
            return node.value + reading.shifts.get(node.place, 0.0) if reading.shifts else node.value
        case Binary(sign, left, right):
            one, other = _value(left, values, reading), _value(right, values, reading)
            if isinstance(one, float) and isinstance(other, float) and sign in PLAIN:
                return PLAIN[sign](one, other)
            return _binary(sign, np.asarray(one), np.asarray(other), reading)
        case Name(text):
            if text in values or text in CONSTANTS:
                return values[text] if text in values else CONSTANTS[text]
            raise Unreadable(f"{text} is not a number")
        case Vector(items):
            return _stack([_value(item, values, reading) for item in items])
        case Unary(sign, operand):
            return _unary(sign, _value(operand, values, reading))
        case Call(function, arguments, ()):
            return _call(function, [np.asarray(_value(argument, values, reading)) for argument in arguments], reading)
    raise Unreadable("a function with a keyword")


PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "/": operator.truediv, **dict.fromkeys("*×·⊙", operator.mul),
}  # fmt: skip


def _stack(items: Sequence[Array | float]) -> Array:
    """A vector of scalars or a matrix of rows; rows of different lengths are no matrix."""
    if items and len(items) <= LARGEST_VECTOR and all(isinstance(item, float) for item in items):
        return np.array(items)
    arrays = [np.asarray(item) for item in items]
    if not items or len({item.shape for item in arrays}) != 1 or sum(item.size for item in arrays) > LARGEST_VECTOR:
        raise Unreadable("not a vector or a matrix")
    return np.stack(arrays)


def _unary(sign: str, value: Array | float) -> Array | float:
    match sign:
        case "-":
            return -value
        case "√":
            return np.sqrt(value)
        case ".T":
            return np.asarray(value).T
        case "!" if np.ndim(value) == 0 and 0 <= value <= 170 and value == int(value):
            return float(math.factorial(int(value)))
    raise Unreadable(f"{sign} of this is not understood")


def _binary(sign: str, left: Array, right: Array, reading: Reading) -> Array:
    match sign:
        case "+" | "-" if left.shape == right.shape:
            return left + right if sign == "+" else left - right
        case "*" | "×" | "·" | "⊙":
            return _product(sign, left, right, reading)
        case "@":
            return _matmul(left, right)
        case "/" | "//" if not right.ndim or right.shape == left.shape:
            return left / right if sign == "/" else np.floor(left / right)
        case "^" | "**" if right.ndim == 0 and abs(float(right)) <= 1024:
            return _power(left.astype(float), right, reading)
    raise Unreadable(f"{sign} of these is not understood")


def _power(base: Array, exponent: Array, reading: Reading) -> Array:
    """Item by item, or the product of a vector or a square matrix with itself."""
    if not base.ndim or not reading.star_is_dot:
        return np.power(base, exponent)
    if base.ndim == 1 and exponent == 2:
        return np.asarray(base @ base)
    if base.ndim == 2 and base.shape[0] == base.shape[1] <= 64 and exponent == int(exponent) and abs(exponent) <= 64:
        return np.linalg.matrix_power(base, int(exponent))
    raise Unreadable("a power of something that has none")


def _product(sign: str, left: Array, right: Array, reading: Reading) -> Array:
    """A scalar times anything, a dot product, or item by item: which one depends on the sign and on the page."""
    if left.ndim == 0 or right.ndim == 0:
        return left * right
    if reading.cross and sign == "×":
        if left.shape == right.shape == (2,):
            return np.asarray(left[0] * right[1] - left[1] * right[0])
        if left.shape == right.shape == (3,):
            return np.cross(left, right)
        raise Unreadable("a cross product outside the plane and space")
    dot = sign == "·" or (sign in ("*", "×") and (left.ndim == 2 or right.ndim == 2))
    if sign != "⊙" and dot != reading.star_is_dot:
        return _matmul(left, right)
    if left.shape != right.shape:
        raise Unreadable("a product of different shapes")
    return left * right


def _matmul(left: Array, right: Array) -> Array:
    if left.ndim == 0 or right.ndim == 0 or left.shape[-1] != right.shape[0 if right.ndim == 1 else -2]:
        raise Unreadable("a matrix product of shapes that do not fit")
    return left @ right


def softmax(scores: Array) -> Array:
    """Shares that sum to 1, by the exponentials of the scores; row by row for a matrix."""
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def _deviation(value: Array, less: int) -> Array:
    if value.size <= less:
        raise Unreadable("the spread of too few numbers")
    return value.std(ddof=less)


def _entropy(base: float) -> Callable[[Array], Array]:
    return lambda x: -(x[x > 0] * np.log(x[x > 0])).sum() / math.log(base)


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _cosine(left: Array, right: Array) -> Array:
    return left @ right / (np.linalg.norm(left) * np.linalg.norm(right))


Definitions = tuple[Callable[[Array], Any], ...]
LOGARITHMS: Definitions = (np.log, np.log10, np.log2)
VARIANCE: Definitions = (lambda x: _deviation(x, 0) ** 2, lambda x: _deviation(x, 1) ** 2)
STANDARD: Definitions = tuple(lambda x, less=less: (x - x.mean()) / _deviation(x, less) for less in (0, 1))
# Every function with its definitions, the usual one first: of any array, of a row, of two vectors.
ITEMWISE: dict[str, Definitions] = {
    "log": LOGARITHMS, "lg": LOGARITHMS, "exp": (np.exp,), "ln": (np.log,), "log2": (np.log2,), "log10": (np.log10,),
    "log_2": (np.log2,), "log_10": (np.log10,), "sqrt": (np.sqrt,), "tanh": (np.tanh,), "abs": (np.abs,),
    "square": (np.square,), "sigmoid": (_sigmoid,), "σ": (_sigmoid,), "relu": (lambda x: np.maximum(x, 0),),
    **dict.fromkeys(("acos", "arccos"), (lambda x: np.degrees(np.arccos(x)), np.arccos)),
    "softplus": (lambda x: np.log1p(np.exp(x)),),
    "normal_cdf": (lambda x: 0.5 + 0.5 * np.vectorize(math.erf)(x / math.sqrt(2)),),
    **{name: (wave, lambda x, wave=wave: wave(np.radians(x)))
       for name, wave in (("sin", np.sin), ("cos", np.cos), ("tan", np.tan))},
    **dict.fromkeys(("float", "array", "tensor", "asarray", "vector", "list", "tuple"), (lambda x: x,)),
}  # fmt: skip
OVER_A_ROW: dict[str, Definitions] = {
    "max": (np.max,), "min": (np.min,), "sum": (np.sum,), "mean": (np.mean,), "average": (np.mean,), "prod": (np.prod,),
    "median": (np.median,), "cumsum": (np.cumsum,),
    "argmax": (np.argmax, lambda x: np.argmax(x) + 1), "softmax": (softmax,), "transpose": (lambda x: x.T,),
    "log_softmax": (lambda x: np.log(softmax(x)),), "logsumexp": (lambda x: np.log(np.exp(x).sum()),),
    "norm": (np.linalg.norm, lambda x: np.abs(x).sum(), lambda x: np.abs(x).max(), lambda x: (x**2).sum()),
    "length": (np.linalg.norm, len), "var": VARIANCE, "variance": VARIANCE, "layer_norm": STANDARD,
    "layernorm": STANDARD, "std": (lambda x: _deviation(x, 0), lambda x: _deviation(x, 1)),
    "sum_of_squares": (lambda x: (x**2).sum(),), "entropy": tuple(map(_entropy, (math.e, 10, 2))),
    "normalize": (lambda x: x / np.linalg.norm(x), *STANDARD, lambda x: x / x.sum(),
                  lambda x: (x - x.min()) / (x.max() - x.min()), lambda x: x / np.abs(x).max()),
}  # fmt: skip
PAIRS: dict[str, Callable[[Array, Array], Array]] = {
    "outer": np.outer, **dict.fromkeys(("dot", "inner", "matmul"), _matmul),
    **dict.fromkeys(("cosine", "cos", "cosine_similarity", "cos_sim"), _cosine),
}  # fmt: skip
FUNCTIONS = {**dict.fromkeys(PAIRS, ()), **ITEMWISE, **OVER_A_ROW}
# A page keeps to one logarithm, one unit of angles and one kind of deviation.
FAMILY = {"lg": "log", "entropy": "log", "cos": "sin", "tan": "sin",
          **dict.fromkeys(("var", "variance", "layer_norm", "layernorm"), "std")}  # fmt: skip


def _call(function: str, arguments: Sequence[Array], reading: Reading) -> Array:
    """A known function of its arguments; several scalars are one row."""
    if function in PAIRS and len(arguments) == 2 and all(argument.ndim for argument in arguments):
        return np.asarray(PAIRS[function](*arguments))
    if len(arguments) > 1 and function in OVER_A_ROW:
        arguments = [_stack(arguments)]
    if not FUNCTIONS.get(function) or len(arguments) != 1 or (function in OVER_A_ROW and not arguments[0].ndim):
        raise Unreadable(f"{function} of these arguments")
    return np.asarray(FUNCTIONS[function][reading.choices.get(FAMILY.get(function, function), 0)](arguments[0]))
