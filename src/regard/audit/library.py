"""The signs and functions that code on a page may use: those of plain Python, math, NumPy and torch that compute.

Each is bounded in what it makes; what would be larger is `Unknown`.
"""

import ast
import builtins
import collections
import datetime
import functools
import itertools
import math
import operator
import re
import statistics
import types
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.evaluate import softmax as softmax_of_rows
from regard.audit.limits import MOST_CELLS, MOST_ITEMS, MOST_PRODUCTS, Unknown, check_sizes, shape_of
from regard.audit.shapes import Trouble


class Mismatch(Exception):
    """Two arrays that cannot be multiplied, by their shapes."""


class Blank:
    """An array of which only the shape is known, of any size: a view of one number, so that it takes no memory."""

    def __init__(self, *shape: int) -> None:
        if math.prod(shape_of(shape)) >= 2**60:
            raise Unknown
        self.view = np.broadcast_to(math.nan, shape)
        self.shape, self.size, self.ndim = shape, self.view.size, self.view.ndim

    def __repr__(self) -> str:
        return "..."

    @property
    def T(self) -> "Blank":
        """With its axes in reverse."""
        return Blank(*self.shape[::-1])


Array = np.ndarray | Blank


def blank(shape: Sequence[int]) -> Array:
    """An array of which only the shape is known; small ones can be put together with others."""
    return np.full(shape, math.nan) if math.prod(shape_of(shape)) <= MOST_CELLS else Blank(*shape)


ORDERING = ("arg", "sort", "unique", "any", "all", "count", "max", "min", "int", "round", "Counter", "set", "median")


def has_holes(value: Any) -> bool:
    """Whether there is a number in it that nobody knows."""
    if isinstance(value, list | tuple):
        return len(value) < MOST_ITEMS and any(map(has_holes, value))
    known = not isinstance(value, float | np.ndarray | np.floating) or not np.any(np.isnan(value))
    return isinstance(value, Blank) or not known


def _round(value: Any, digits: int = 0) -> Any:
    if abs(digits) > 20:
        raise Unknown
    return round(value, digits) if digits else round(value)


def _softmax(scores: Any, axis: int = -1) -> np.ndarray:
    if isinstance(scores, np.ndarray) and scores.shape == () and np.isnan(scores):
        raise Trouble("softmax needs all the scores; of one score it is always 1", "always 1")
    return np.moveaxis(softmax_of_rows(np.moveaxis(np.asarray(scores, float), axis, -1)), -1, axis)


def matmul(left: Any, right: Any) -> Any:
    left, right = (one if isinstance(one, Blank) else _array(one) for one in (left, right))
    if not left.ndim or not right.ndim:
        return left * right
    if left.shape[-1] != right.shape[-2:][0]:
        raise Mismatch(left.shape, right.shape)
    if isinstance(left, Blank) or isinstance(right, Blank) or left.size * right.size > MOST_PRODUCTS:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        return blank((*batch, *left.shape[-2:-1], *right.shape[1:][-1:]))
    return left @ right


def _array(value: Any, **_: Any) -> np.ndarray:
    found = np.array(value)
    if found.dtype.kind not in "biuf" or found.size > MOST_CELLS:
        raise Unknown
    return found


def _einsum(subscripts: str, *arrays: Any) -> np.ndarray:
    inputs = subscripts.replace(" ", "").partition("->")[0].split(",")
    axes = {letter: size for letters, array in zip(inputs, arrays, strict=True)
            for letter, size in zip(letters, np.shape(array), strict=True)}  # fmt: skip
    check_sizes(*axes.values())
    return np.einsum(subscripts, *arrays)


def formatted(text: str, *given: Any) -> str:
    """`"{:.2f}".format(x)`, where no width is large and nothing is looked up inside."""
    if re.search(r"\d{3}|\{[^}:]*[.\[]|\{[^}]*\{", text):
        raise Unknown
    return text.format(*given)


def _fraction(above: Any = 0, below: int = 1) -> Fraction:
    if not all(isinstance(part, int | Fraction) for part in (above, below)):
        raise Unknown  # a text may stand for a number of any length
    return Fraction(above, below)


def _product(*sources: Iterable[Any], repeat: int = 1) -> list[Any]:
    found = [list(source) for source in sources]
    if not isinstance(repeat, int) or not 0 <= repeat < 20 or math.prod(map(len, found)) ** repeat > MOST_ITEMS:
        raise Unknown
    return list(itertools.product(*found, repeat=repeat))


def _within(function: Callable[..., Any], made: Callable[..., Any]) -> Callable[..., Any]:
    """A function, unless what it makes is too large: `made` tells its sizes."""

    def bounded(*given: Any, **named: Any) -> Any:
        check_sizes(*made(*given))
        return function(*given, **named)

    return bounded


def _repeated(value: Any, times: Any, *_: Any) -> tuple[int, ...]:
    return (np.size(value), *np.atleast_1d(times).tolist())


def _counted(start: float, stop: float | None = None, step: float = 1) -> tuple[int]:
    return (math.ceil(max(0, ((start if stop is None else stop) - (0 if stop is None else start)) / step)),)


def _drawn(*given: Any, size: Any = None, **_: Any) -> Array:
    """An array of random numbers, of which only the shape is known; without a size, nothing is."""
    if size is None and not (given and isinstance(given[-1], tuple)):
        raise Unknown
    return blank(shape_of(given[-1] if size is None else size))


def _filled(value: float) -> Callable[..., Array]:
    def made(*shape: Any, size: Any = None) -> Array:
        found = shape_of(*shape, size=size)
        return np.full(found, value) if math.prod(found) <= MOST_CELLS else blank(found)

    return made


RANDOM: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("rand", "randn", "random", "standard_normal"), _filled(math.nan)),
    **dict.fromkeys(("normal", "uniform", "randint", "integers"), _drawn),
    **dict.fromkeys(("seed", "manual_seed"), lambda *_: None), "default_rng": lambda *_: Generator(),
}  # fmt: skip
ARRAYS: dict[str, Callable[..., Any]] = {  # of numpy and torch, by their last names
    **{name: getattr(np, name) for name in data.NUMPY_FUNCTIONS}, **RANDOM,
    **dict.fromkeys(("dot", "matmul", "mm", "bmm"), matmul), **dict.fromkeys(("array", "asarray", "tensor"), _array),
    "norm": np.linalg.norm, "det": np.linalg.det, "inv": np.linalg.inv, "cat": np.concatenate,
    "einsum": _einsum, "softmax": _softmax,
    "zeros": _filled(0.0), "ones": _filled(1.0), "empty": _filled(math.nan),
    "full": _within(np.full, lambda shape, *_: shape_of(shape)),
    "arange": _within(np.arange, _counted), "linspace": _within(np.linspace, lambda start, stop, count=50: (count,)),
    "eye": _within(np.eye, lambda n: (n, n)), "diag": _within(np.diag, lambda x: (np.size(x), np.size(x))),
    "outer": _within(np.outer, lambda a, b: (np.size(a), np.size(b))),
    "triu_indices": _within(np.triu_indices, lambda n, *_: (n, n)),
    "tril_indices": _within(np.tril_indices, lambda n, *_: (n, n)),
    **dict.fromkeys(("repeat", "repeat_interleave"), _within(np.repeat, _repeated)),
    "tile": _within(np.tile, _repeated), "chunk": _within(np.array_split, lambda x, count, *_: (count,)),
    "relu": lambda x: np.maximum(x, 0), "sigmoid": lambda x: 1 / (1 + np.exp(-np.asarray(x))),
    "silu": lambda x: x / (1 + np.exp(-np.asarray(x))), "set_printoptions": lambda **_: None,
}  # fmt: skip
CONSTANTS = {name: getattr(math, name) for name in ("pi", "e", "inf", "nan")}
PLAIN: dict[str, Any] = {
    **{name: getattr(module, name) for module, names in (
        (builtins, data.PLAIN_FUNCTIONS), (math, data.MATH_FUNCTIONS), (statistics, data.STATISTICS_FUNCTIONS),
    ) for name in names},
    "range": _within(range, lambda *ends: (len(range(*ends)),)), "round": _round, "Fraction": _fraction,
    **{name: _within(getattr(math, name), lambda n, *_: (n, n)) for name in ("factorial", "comb", "perm")},
    "date": datetime.date, "timedelta": datetime.timedelta, "datetime": datetime.datetime,
    "Counter": collections.Counter, "defaultdict": collections.defaultdict, "reduce": functools.reduce,
    "accumulate": itertools.accumulate, "pairwise": itertools.pairwise, "chain": itertools.chain, "product": _product,
    "combinations": _within(itertools.combinations, lambda items, size: (math.comb(len(items), size), size)),
    "permutations": _within(itertools.permutations, lambda items, size: (math.perm(len(items), size), size)),
    "pi": math.pi, **{name: ARRAYS[name] for name in data.AS_NAMED & ARRAYS.keys()},
}  # fmt: skip
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.MatMult: matmul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
DATED = frozenset({"days", "seconds", "year", "month", "day", "hour", "minute"})
SHAPED = frozenset({"shape", "size", "ndim", "T", "mT"})
ATTRIBUTES: dict[type, frozenset[str]] = {
    np.ndarray: SHAPED, Blank: SHAPED, datetime.date: DATED, datetime.timedelta: DATED, dict: frozenset({"get"}),
}  # fmt: skip
METHODS: dict[type, frozenset[str]] = {
    str: data.TEXT_METHODS, list: data.LIST_METHODS, tuple: data.LIST_METHODS & {"index", "count"},
    dict: data.DICT_METHODS, set: data.SET_METHODS, np.ndarray: data.ARRAY_METHODS,
    datetime.date: frozenset({"weekday", "isoformat"}), datetime.timedelta: frozenset({"total_seconds"}),
}  # fmt: skip
MOVING = ("reshape", "view", "transpose", "swapaxes", "permute", "t", "unsqueeze")
TENSOR: dict[str, Callable[..., Any]] = {  # methods of tensors that arrays do not have, or have otherwise
    "view": lambda x, *shape: np.reshape(x, *shape if len(shape) == 1 else (shape,)),
    "transpose": lambda x, *axes: np.swapaxes(x, *axes) if len(axes) == 2 else np.transpose(x, axes or None),
    "permute": lambda x, *axes: np.transpose(x, axes), "unsqueeze": np.expand_dims,
    "flatten": lambda x, start=0: np.reshape(x, (*x.shape[:start], -1)),
    "size": lambda x, *axis: x.shape[axis[0]] if axis else x.shape, "max": lambda x: x.max(), "min": lambda x: x.min(),
    "numel": lambda x: x.size, "softmax": _softmax, "matmul": matmul, "t": np.transpose, "norm": np.linalg.norm,
    "triu": np.triu, "tril": np.tril, "bool": lambda x: np.asarray(x, bool), "int": lambda x: np.asarray(x, int),
    "masked_fill": lambda x, mask, value: np.where(mask, value, x),
    "split": lambda x, size, axis=0: ARRAYS["chunk"](x, x.shape[axis] // size, axis),
    **dict.fromkeys(("detach", "numpy", "cpu", "clone", "float", "contiguous", "double"), lambda x: x),
    **{name: ARRAYS[name] for name in (
        "exp", "log", "sqrt", "abs", "tanh", "relu", "sigmoid", "chunk", "repeat_interleave",
    )},
}  # fmt: skip
UNSURE = ("std", "var")  # torch divides by one less
RENAMED = {"dim": "axis", "keepdim": "keepdims", "shape": "size"}
IGNORED = ("dtype", "requires_grad", "device")
LAZY = (
    zip, enumerate, map, filter, reversed, types.GeneratorType, itertools.accumulate, itertools.pairwise,
    itertools.chain, itertools.combinations, itertools.permutations,
)  # fmt: skip
STANDARD = frozenset({
    "collections", "dataclasses", "datetime", "fractions", "functools", "itertools", "math", "random", "statistics",
    "string", "time", "typing",
})  # fmt: skip
MODULES = STANDARD | data.MODULES


class Generator:
    """What `default_rng` makes."""


def function(module: str, name: str) -> Callable[..., Any]:
    """A function of a module, by its last name."""
    table = RANDOM if "random" in module else PLAIN if module.partition(".")[0] in STANDARD else ARRAYS
    if name not in table or (name in UNSURE and module.startswith("torch")):
        raise Unknown
    return table[name]


def method(value: Any, name: str, torch: bool) -> Callable[..., Any]:
    """A method of a value that computes."""
    if isinstance(value, Generator):
        return function("random", name)
    if isinstance(value, Blank) and name in MOVING:
        move = method(value.view, name, torch)
        return lambda *given: Blank(*move(*given).shape)
    value = np.asarray(value) if isinstance(value, np.generic) else value
    is_array = isinstance(value, Array)
    allowed = getattr(value, "OPEN", None) or next((METHODS[kind] for kind in METHODS if isinstance(value, kind)), ())
    if name.startswith(ORDERING) and has_holes(value):
        raise Unknown
    if is_array and name in TENSOR and (torch or name not in allowed):
        return functools.partial(TENSOR[name], value)
    if isinstance(value, str) and name == "format":
        return functools.partial(formatted, value)
    if name not in allowed or (is_array and torch and name in UNSURE):
        raise Unknown
    return getattr(value, name)


def attribute(value: Any, name: str, on_paper: bool) -> Any:
    """What a value is asked for by its name: its shape, its days."""
    if name in getattr(value, "named", ()):
        return value.named[name]  # a layer's weight
    if isinstance(value, list) and name == "T":
        raise Trouble("a Python list has no .T; make it an array first", "a list has no .T")
    if name not in next((ATTRIBUTES[kind] for kind in ATTRIBUTES if isinstance(value, kind)), ()):
        raise Unknown
    if isinstance(value, Array) and (name == "mT" or (name == "T" and on_paper and value.ndim > 2)):
        return method(value, "swapaxes", torch=False)(-1, -2)
    return getattr(value, name)
