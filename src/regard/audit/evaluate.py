"""The value of a parsed expression, computed here and nowhere else: no `eval`, bounded sizes, bounded powers.

Some signs mean different things on different pages: `log` may be natural, decimal or binary, an angle may be in
degrees, a standard deviation may divide by n or n - 1, `*` between vectors may be a dot product. A `Reading` picks
one; a claim is wrong only if it is wrong under every reading.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from regard.audit.expression import Unreadable
from regard.audit.tree import Binary, Call, Name, Node, Number, Unary, Vector, walk

Array = np.ndarray
LARGEST_VECTOR = 20_000
Values = Mapping[str, Array]
CONSTANTS = {
    **dict.fromkeys(("π", "pi", "math.pi", "np.pi"), math.pi),
    **dict.fromkeys(("e", "math.e", "np.e"), math.e),
    **dict.fromkeys(("inf", "Inf", "math.inf", "np.inf"), math.inf),
}


@dataclass(frozen=True)
class Reading:
    """One way to understand the signs of a page."""

    logarithm: float = math.e  # the base of a plain `log`
    degrees: bool = False
    sample: bool = False  # standard deviations divide by n - 1
    star_is_dot: bool = False
    cross: bool = False  # × between vectors is the cross product
    variant: int = 0  # which of the usual definitions of a norm, a length or a place is meant
    shifts: Mapping[int, float] = field(default_factory=dict)  # how far each number, by place, is moved


USUAL = Reading()


def readings(node: Node) -> list[Reading]:
    """Every way to understand an expression, the usual one first.

    >>> from regard.audit.expression import parse
    >>> from regard.audit.tokens import tokens_of
    >>> [reading.logarithm for reading in readings(parse(tokens_of("log(8)", 1)))]
    [2.718281828459045, 10.0, 2.0]
    """
    parts = list(walk(node))
    calls = {part.function for part in parts if isinstance(part, Call)}
    vectors = any(isinstance(part, Vector | Name) for part in parts)
    if not calls and not vectors:
        return [USUAL]
    signs = {part.operator for part in parts if isinstance(part, Binary)}
    variants = max((len(VARIANTS[function]) for function in calls & VARIANTS.keys()), default=0)
    return [
        Reading(base, degrees, sample, dot, cross, variant)
        for base, degrees, sample, dot, cross, variant in itertools.product(
            (math.e, 10.0, 2.0) if calls & {"log", "lg", "entropy"} else (math.e,),
            (False, True) if calls & {"sin", "cos", "tan"} else (False,),
            (False, True) if calls & {"std", "var", "layer_norm", "layernorm"} else (False,),
            (False, True) if signs & {"*", "×", "·", "^", "**"} and vectors else (False,),
            (False, True) if "×" in signs and vectors else (False,),
            range(variants + 1),
        )
    ]


def evaluate(node: Node, values: Values, reading: Reading | None = None) -> Array:
    """The value of an expression as an array: a scalar has no axes, a vector one, a matrix two.

    >>> from regard.audit.expression import parse
    >>> from regard.audit.tokens import tokens_of
    >>> float(evaluate(parse(tokens_of("0.2*0.66 + 0.9*0.525", 1)), {}).round(6))
    0.6045
    """
    try:
        value = _quietly(node, values, reading or USUAL)
    except (OverflowError, ZeroDivisionError, ValueError, TypeError, RecursionError) as problem:
        raise Unreadable(str(problem)) from problem
    if not (math.isfinite(value) if value.ndim == 0 else np.all(np.isfinite(value))):
        raise Unreadable("the value is not finite")
    return value


@np.errstate(all="ignore")
def _quietly(node: Node, values: Values, reading: Reading) -> Array:
    """Overflow and division by zero are found in the value, not by a warning."""
    return _value(node, values, reading)


def _value(node: Node, values: Values, reading: Reading) -> Array:
    match node:
        case Number():
            return np.asarray(node.value + reading.shifts.get(node.place, 0.0))
        case Name(text):
            if text in values:
                return values[text]
            if text in CONSTANTS:
                return np.asarray(CONSTANTS[text])
            raise Unreadable(f"{text} is not a number")
        case Vector(items):
            return _stack([_value(item, values, reading) for item in items])
        case Unary(operator, operand):
            return _unary(operator, _value(operand, values, reading))
        case Binary(operator, left, right):
            return _binary(operator, _value(left, values, reading), _value(right, values, reading), reading)
        case Call(function, arguments):
            return _call(function, [_value(argument, values, reading) for argument in arguments], reading)


def _stack(items: list[Array]) -> Array:
    """A vector of scalars or a matrix of rows; rows of different lengths are no matrix."""
    if not items or len({item.shape for item in items}) != 1 or sum(item.size for item in items) > LARGEST_VECTOR:
        raise Unreadable("not a vector or a matrix")
    return np.stack(items)


def _unary(operator: str, value: Array) -> Array:
    match operator:
        case "-":
            return -value
        case "√":
            return np.sqrt(value)
        case ".T":
            return value.T
        case "!" if value.ndim == 0 and 0 <= value <= 170 and value == int(value):
            return np.asarray(float(math.factorial(int(value))))
    raise Unreadable(f"{operator} of this is not understood")


def _binary(operator: str, left: Array, right: Array, reading: Reading) -> Array:
    match operator:
        case "+" | "-":
            if left.shape != right.shape:
                raise Unreadable("a sum of different shapes")
            return left + right if operator == "+" else left - right
        case "*" | "×" | "·" | "⊙":
            return _product(operator, left, right, reading)
        case "@":
            return _matmul(left, right)
        case "/":
            return left / _same_or_scalar(left, right)
        case "//":
            return np.floor(left / _same_or_scalar(left, right))
        case "^" | "**" if right.ndim == 0 and abs(float(right)) <= 1024:
            return _power(left.astype(float), right, reading)
    raise Unreadable(f"{operator} of these is not understood")


def _power(base: Array, exponent: Array, reading: Reading) -> Array:
    """Item by item, or the product of a vector or a square matrix with itself."""
    if not base.ndim or not reading.star_is_dot:
        return np.power(base, exponent)
    if base.ndim == 1 and exponent == 2:
        return np.asarray(base @ base)
    if base.ndim == 2 and base.shape[0] == base.shape[1] <= 64 and exponent == int(exponent) and abs(exponent) <= 64:
        return np.linalg.matrix_power(base, int(exponent))
    raise Unreadable("a power of something that has none")


def _cross(left: Array, right: Array) -> Array:
    """The cross product in space, or its only component in the plane."""
    if left.shape == right.shape == (2,):
        return np.asarray(left[0] * right[1] - left[1] * right[0])
    if left.shape == right.shape == (3,):
        return np.cross(left, right)
    raise Unreadable("a cross product outside the plane and space")


def _same_or_scalar(left: Array, right: Array) -> Array:
    if right.ndim and right.shape != left.shape:
        raise Unreadable("a quotient of different shapes")
    return right


def _product(operator: str, left: Array, right: Array, reading: Reading) -> Array:
    """A scalar times anything, a dot product, or item by item: which one depends on the sign and on the page."""
    if left.ndim == 0 or right.ndim == 0:
        return left * right
    if reading.cross and operator == "×":
        return _cross(left, right)
    dot = operator == "·" or (operator in ("*", "×") and (left.ndim == 2 or right.ndim == 2))
    if operator != "⊙" and dot != reading.star_is_dot:
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


def _entropy(shares: Array, base: float) -> Array:
    present = shares[shares > 0]
    return np.asarray(-(present * np.log(present)).sum() / math.log(base))


def _cosine(left: Array, right: Array) -> Array:
    return np.asarray(left @ right / (np.linalg.norm(left) * np.linalg.norm(right)))


def _deviation(value: Array, spare: int) -> Array:
    if value.size <= spare:
        raise Unreadable("the spread of too few numbers")
    return np.asarray(value.std(ddof=spare))


def _standard(value: Array, spare: int) -> Array:
    return (value - value.mean()) / _deviation(value, spare)


ITEMWISE: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp, "ln": np.log, "log2": np.log2, "log10": np.log10, "sqrt": np.sqrt, "tanh": np.tanh, "abs": np.abs,
    "square": np.square, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "σ": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0), "softplus": lambda x: np.log1p(np.exp(x)), "float": lambda x: x,
}  # fmt: skip
OVER_A_ROW: dict[str, Callable[[Array], object]] = {
    "max": np.max, "min": np.min, "sum": np.sum, "mean": np.mean, "average": np.mean, "norm": np.linalg.norm,
    "length": np.linalg.norm, "prod": np.prod, "argmax": np.argmax, "softmax": softmax,
    "log_softmax": lambda x: np.log(softmax(x)), "logsumexp": lambda x: np.log(np.exp(x).sum()),
}  # fmt: skip
VARIANTS: dict[str, tuple[Callable[[Array], object], ...]] = {
    "norm": (lambda x: np.abs(x).sum(), lambda x: np.abs(x).max(), lambda x: (x**2).sum()),
    "length": (len,),
    "argmax": (lambda x: np.argmax(x) + 1,),
    "normalize": (lambda x: _standard(x, 0), lambda x: _standard(x, 1), lambda x: x / x.sum(),
                  lambda x: (x - x.min()) / (x.max() - x.min()), lambda x: x / np.abs(x).max()),
}  # fmt: skip
PAIRS: dict[str, Callable[[Array, Array], Array]] = {
    "dot": _matmul, "inner": _matmul, "matmul": _matmul, "cosine": _cosine, "cos": _cosine,
    "cosine_similarity": _cosine, "cos_sim": _cosine, "outer": lambda left, right: np.outer(left, right),
}  # fmt: skip


def _call(function: str, arguments: list[Array], reading: Reading) -> Array:
    """A known function of its arguments; several scalars are one row."""
    if function in PAIRS and len(arguments) == 2 and all(argument.ndim for argument in arguments):
        return np.asarray(PAIRS[function](*arguments))
    if len(arguments) > 1 and (function in OVER_A_ROW or function == "entropy"):
        arguments = [_stack(arguments)]
    if len(arguments) != 1:
        raise Unreadable(f"{function} of {len(arguments)} arguments")
    (value,) = arguments
    if function in ITEMWISE:
        return np.asarray(ITEMWISE[function](value))
    if function in ("array", "tensor", "asarray", "vector", "list", "tuple"):
        return value
    if function in ("log", "lg"):
        return np.asarray(np.log(value) / math.log(reading.logarithm))
    if function in ("sin", "cos", "tan"):
        return np.asarray(getattr(np, function)(np.radians(value) if reading.degrees else value))
    if value.ndim == 0:
        raise Unreadable(f"{function} of one number")
    if function in VARIANTS and 0 < reading.variant <= len(VARIANTS[function]):
        return np.asarray(VARIANTS[function][reading.variant - 1](value))
    if function in OVER_A_ROW:
        return np.asarray(OVER_A_ROW[function](value))
    return _of_a_vector(function, value, reading)


def _of_a_vector(function: str, value: Array, reading: Reading) -> Array:
    """What only makes sense for a whole vector, and has more than one usual definition."""
    match function:
        case "std":
            return _deviation(value, int(reading.sample))
        case "var":
            return _deviation(value, int(reading.sample)) ** 2
        case "layer_norm" | "layernorm":
            return _standard(value, int(reading.sample))
        case "normalize":
            return value / np.linalg.norm(value)
        case "transpose":
            return value.T
        case "entropy":
            return _entropy(value, reading.logarithm)
    raise Unreadable(f"{function} is not understood")
