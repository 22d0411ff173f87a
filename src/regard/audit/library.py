"""The functions that code on a page may call: those of plain Python, math, statistics, NumPy and torch that compute.

Each is bounded in what it makes; what would be larger is `Unknown`.
"""

import builtins
import collections
import datetime
import functools
import itertools
import math
import re
import statistics
import types
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.evaluate import softmax as softmax_of_rows
from regard.audit.shapes import Trouble, product

MOST_ITEMS = 20_000  # of a list or a text
MOST_CELLS = 250_000  # of an array
MOST_PRODUCTS = 2_000_000_000  # numbers multiplied in one product of matrices


class Unknown(Exception):
    """A value that cannot be told from the page."""


class Mismatch(Exception):
    """Two arrays that cannot be multiplied, by their shapes."""


class Blank:
    """An array of which only the shape is known, of any size: a view of one number, so that it takes no memory."""

    def __init__(self, *shape: int) -> None:
        if not all(isinstance(size, int) and size >= 0 for size in shape):
            raise Unknown
        self.view = np.broadcast_to(math.nan, shape)
        self.shape, self.size, self.ndim = shape, self.view.size, self.view.ndim

    def __repr__(self) -> str:
        return "..."

    @property
    def T(self) -> "Blank":
        """With its axes in reverse."""
        return Blank(*self.shape[::-1])


def blank(shape: Sequence[int]) -> np.ndarray | Blank:
    """An array of which only the shape is known; small ones can be put together with others."""
    return np.full(shape, math.nan) if math.prod(shape) <= MOST_CELLS else Blank(*shape)


def shape_of(*shape: Any, size: Any = None) -> tuple[int, ...]:
    """A shape given as one tuple or as several numbers."""
    shape = shape if size is None else (size,)
    found = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    if not all(isinstance(n, int) and n >= 0 for n in found):
        raise Unknown
    return found


def sizes(*shape: Any) -> tuple[int, ...]:
    """A shape that is small enough to be made."""
    found = shape_of(*shape)
    if math.prod(found) > MOST_CELLS:
        raise Unknown
    return found


def size_of(value: Any) -> int:
    return value.size if isinstance(value, np.ndarray) else len(value) if hasattr(value, "__len__") else 1


ORDERING = ("arg", "sort", "unique", "any", "all", "count", "max", "min", "int", "round", "Counter", "set", "median")


def has_holes(values: Sequence[Any]) -> bool:
    """Whether there is a number among them that nobody knows."""
    for value in values:
        if isinstance(value, Blank) or (
            isinstance(value, float | np.ndarray | np.floating) and np.any(np.isnan(value))
        ):
            return True
        if isinstance(value, list | tuple) and len(value) < MOST_ITEMS and has_holes(value):
            return True
    return False


def columns(shapes: Sequence[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    """The sizes of several shapes axis by axis, from the last."""
    return itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1)


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
        return blank(product(left.shape, right.shape))
    return left @ right


def _range(*ends: int) -> range:
    found = range(*ends)
    if len(found) > MOST_ITEMS:
        raise Unknown
    return found


def _array(value: Any, **_: Any) -> np.ndarray:
    found = np.array(value)
    if found.dtype.kind not in "biuf" or found.size > MOST_CELLS:
        raise Unknown
    return found


def _whole(function: Callable[..., int]) -> Callable[..., int]:
    def bounded(*numbers: int) -> int:
        if any(not isinstance(n, int) or abs(n) > 200 for n in numbers):
            raise Unknown
        return function(*numbers)

    return bounded


def _einsum(subscripts: str, *arrays: Any) -> np.ndarray:
    inputs = subscripts.replace(" ", "").partition("->")[0].split(",")
    axes = {letter: size for letters, array in zip(inputs, arrays, strict=True)
            for letter, size in zip(letters, np.shape(array), strict=True)}  # fmt: skip
    sizes(*axes.values())
    return np.einsum(subscripts, *arrays)


def _cross_entropy(scores: Any, targets: Any) -> Any:
    rows = np.atleast_2d(np.log(_softmax(scores)))
    return -np.mean(rows[np.arange(len(rows)), np.atleast_1d(np.asarray(targets))])


def formatted(text: str, *given: Any) -> str:
    """`"{:.2f}".format(x)`, where no width is large and nothing is looked up inside."""
    if re.search(r"\d{3}|\{[^}:]*[.\[]|\{[^}]*\{", text):
        raise Unknown
    return text.format(*given)


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(base, int | float) or abs(exponent) > 200 or abs(base) > 1e9:
        raise Unknown
    return base**exponent


def _fraction(above: Any = 0, below: int = 1) -> Fraction:
    if not all(isinstance(part, int | Fraction) for part in (above, below)):
        raise Unknown  # a text may stand for a number of any length
    return Fraction(above, below)


def _chosen(function: Callable[..., Iterable[Any]], count: Callable[[int, int], int]) -> Callable[..., list[Any]]:
    """Every choice of some items, unless there are too many."""

    def bounded(items: Iterable[Any], size: int) -> list[Any]:
        found = list(items)
        if not isinstance(size, int) or not 0 <= size <= len(found) <= 200 or count(len(found), size) > MOST_ITEMS:
            raise Unknown
        return list(function(found, size))

    return bounded


def _product(*sources: Iterable[Any], repeat: int = 1) -> list[Any]:
    found = [list(source) for source in sources]
    if not isinstance(repeat, int) or not 0 <= repeat < 20 or math.prod(map(len, found)) ** repeat > MOST_ITEMS:
        raise Unknown
    return list(itertools.product(*found, repeat=repeat))


def _within(function: Callable[..., Any], made: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numpy, unless what it makes is too large: `made` tells its sizes."""

    def bounded(*given: Any, **named: Any) -> Any:
        sizes(*made(*given))
        return function(*given, **named)

    return bounded


def _repeated(value: Any, times: Any, *_: Any) -> tuple[int, ...]:
    return (np.size(value), *np.atleast_1d(times).tolist())


def _counted(start: float, stop: float | None = None, step: float = 1) -> tuple[int]:
    return (math.ceil(max(0, ((start if stop is None else stop) - (0 if stop is None else start)) / step)),)


def _drawn(*given: Any, size: Any = None, **_: Any) -> np.ndarray | Blank:
    """An array of random numbers, of which only the shape is known; without a size, nothing is."""
    if size is None and not (given and isinstance(given[-1], tuple)):
        raise Unknown
    return blank(shape_of(given[-1] if size is None else size))


def _filled(value: float) -> Callable[..., np.ndarray]:
    def made(*shape: Any, size: Any = None) -> np.ndarray | Blank:
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
    "einsum": _einsum, "cross_entropy": _cross_entropy, "softmax": _softmax,
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
    "range": _range, "round": _round, "pow": _power, "factorial": _whole(math.factorial), "comb": _whole(math.comb),
    "perm": _whole(math.perm), "Counter": collections.Counter,
    "date": datetime.date, "timedelta": datetime.timedelta, "datetime": datetime.datetime,
    "defaultdict": collections.defaultdict, "accumulate": lambda items: list(itertools.accumulate(items)),
    "Fraction": _fraction, "product": _product, "reduce": functools.reduce,
    "combinations": _chosen(itertools.combinations, math.comb),
    "permutations": _chosen(itertools.permutations, math.perm),
    "pi": math.pi, **{name: ARRAYS[name] for name in data.AS_NAMED & ARRAYS.keys()},
    "pairwise": lambda items: list(itertools.pairwise(items)),
    "chain": lambda *sources: [item for source in sources for item in source],
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
LAZY = (zip, enumerate, map, filter, reversed, types.GeneratorType)
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
    is_array = isinstance(value, np.ndarray | Blank)
    allowed = getattr(value, "OPEN", None) or next((METHODS[kind] for kind in METHODS if isinstance(value, kind)), ())
    if name.startswith(ORDERING) and has_holes([value]):
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
    if name == "mT" or (name == "T" and on_paper and value.ndim > 2):
        return method(value, "swapaxes", torch=False)(-1, -2)
    return getattr(value, name)
