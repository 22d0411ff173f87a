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
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.evaluate import softmax as softmax_of_rows
from regard.audit.shapes import Trouble, product

MOST_ITEMS = 20_000  # of a list or a text
MOST_CELLS = 250_000  # of an array
MOST_WORK = 20_000_000  # cells made on a page


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

    def moved(self, name: str, *given: Any) -> "Blank":
        """What is left of it when its axes are moved."""
        move = np.swapaxes if len(given) == 2 and name == "transpose" else TENSOR.get(name) or getattr(np.ndarray, name)
        return Blank(*move(self.view, *given).shape)


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
        if isinstance(value, float | np.ndarray | np.floating) and np.any(np.isnan(value)):
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


def _diagonal(value: Any) -> np.ndarray:
    sizes(np.size(value), np.size(value))
    return np.diag(value)


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
    if isinstance(left, Blank) or isinstance(right, Blank) or left.size * right.size > 100 * MOST_WORK:
        return blank(product(left.shape, right.shape))
    return left @ right


def _outer(left: Any, right: Any) -> np.ndarray:
    sizes(np.size(left), np.size(right))
    return np.outer(left, right)


def _arange(*ends: float) -> np.ndarray:
    if not all(isinstance(end, int | float) and abs(end) <= MOST_ITEMS for end in ends):
        raise Unknown
    return np.arange(*ends)


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


def _linspace(start: float, stop: float, count: int = 50) -> np.ndarray:
    return np.linspace(start, stop, sizes(count)[0])


def formatted(text: str, *given: Any) -> str:
    """`"{:.2f}".format(x)`, where no width is large and nothing is looked up inside."""
    if re.search(r"\d{3}|\{[^}:]*[.\[]|\{[^}]*\{", text):
        raise Unknown
    return text.format(*given)


def _chunk(value: np.ndarray, count: int, axis: int = 0) -> list[np.ndarray]:
    return np.array_split(value, sizes(count)[0], axis=axis)


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(base, int | float) or abs(exponent) > 200 or abs(base) > 1e9:
        raise Unknown
    return base**exponent


def _fraction(above: Any = 0, below: int = 1) -> Fraction:
    if not all(isinstance(part, int | Fraction) for part in (above, below)):
        raise Unknown  # a text may stand for a number of any length
    return Fraction(above, below)


def _repeat(value: Any, times: Any, axis: int | None = None) -> np.ndarray:
    sizes(np.size(value), *([times] if isinstance(times, int) else times))
    return np.repeat(value, times, axis=axis)


def _tile(value: Any, times: Any) -> np.ndarray:
    sizes(np.size(value), *([times] if isinstance(times, int) else times))
    return np.tile(value, times)


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


def _indices(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda n, k=0: function(sizes(n, n)[0], k)


def _reduce(function: Callable[..., Any], items: Iterable[Any], *start: Any) -> Any:
    return functools.reduce(function, items, *start)


def _filled(value: float) -> Callable[..., np.ndarray]:
    def made(*shape: Any, size: Any = None) -> np.ndarray | Blank:
        found = shape_of(*shape, size=size)
        return np.full(found, value) if math.prod(found) <= MOST_CELLS else blank(found)

    return made


ARRAYS: dict[str, Callable[..., Any]] = {  # of numpy and torch, by their last names
    **{name: getattr(np, name) for name in data.NUMPY_FUNCTIONS},
    **dict.fromkeys(("dot", "matmul", "mm", "bmm"), matmul), **dict.fromkeys(("array", "asarray", "tensor"), _array),
    "norm": np.linalg.norm, "det": np.linalg.det, "inv": np.linalg.inv, "diag": _diagonal, "cat": np.concatenate,
    "einsum": _einsum, "linspace": _linspace, "cross_entropy": _cross_entropy, "chunk": _chunk,
    "outer": _outer, "arange": _arange, "softmax": _softmax, "zeros": _filled(0.0), "ones": _filled(1.0),
    "empty": _filled(math.nan), "eye": lambda n: np.eye(sizes(n, n)[0]),
    "full": lambda shape, value: np.full(sizes(shape), value), "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.asarray(x))), "silu": lambda x: x / (1 + np.exp(-np.asarray(x))),
    "repeat": _repeat, "repeat_interleave": _repeat, "tile": _tile,
    "triu_indices": _indices(np.triu_indices), "tril_indices": _indices(np.tril_indices),
}  # fmt: skip
CONSTANTS = {name: getattr(math, name) for name in ("pi", "e", "inf", "nan")}
PLAIN: dict[str, Callable[..., Any]] = {
    **{name: getattr(module, name) for module, names in (
        (builtins, data.PLAIN_FUNCTIONS), (math, data.MATH_FUNCTIONS), (statistics, data.STATISTICS_FUNCTIONS),
    ) for name in names},
    "range": _range, "round": _round, "pow": _power, "factorial": _whole(math.factorial), "comb": _whole(math.comb),
    "perm": _whole(math.perm), "Counter": collections.Counter,
    "date": datetime.date, "timedelta": datetime.timedelta, "datetime": datetime.datetime,
    "defaultdict": collections.defaultdict, "accumulate": lambda items: list(itertools.accumulate(items)),
    "Fraction": _fraction, "product": _product, "reduce": _reduce,
    "combinations": _chosen(itertools.combinations, math.comb),
    "permutations": _chosen(itertools.permutations, math.perm),
    "pairwise": lambda items: list(itertools.pairwise(items)),
    "chain": lambda *sources: [item for source in sources for item in source],
}  # fmt: skip
METHODS: dict[type, frozenset[str]] = {
    str: data.TEXT_METHODS, list: data.LIST_METHODS, tuple: data.LIST_METHODS & {"index", "count"},
    dict: data.DICT_METHODS, set: data.SET_METHODS, np.ndarray: data.ARRAY_METHODS,
}  # fmt: skip
TENSOR: dict[str, Callable[..., Any]] = {  # methods of tensors that arrays do not have
    "view": lambda x, *shape: np.reshape(x, *shape if len(shape) == 1 else (shape,)),
    "permute": lambda x, *axes: np.transpose(x, axes), "unsqueeze": np.expand_dims,
    "flatten": lambda x, start=0: np.reshape(x, (*x.shape[:start], -1)),
    "numel": np.size, "softmax": _softmax, "matmul": matmul, "t": np.transpose, "norm": np.linalg.norm,
    "repeat_interleave": _repeat, "triu": np.triu, "tril": np.tril, "bool": lambda x: np.asarray(x, bool),
    "masked_fill": lambda x, mask, value: np.where(mask, value, x), "int": lambda x: np.asarray(x, int),
    "chunk": _chunk, "split": lambda x, size, axis=0: _chunk(x, x.shape[axis] // size, axis),
    **dict.fromkeys(("detach", "numpy", "cpu", "clone", "float", "contiguous", "double"), lambda x: x),
    **{name: ARRAYS[name] for name in ("exp", "log", "sqrt", "abs", "tanh", "relu", "sigmoid")},
}  # fmt: skip
ATTRIBUTES = ("shape", "size", "ndim", "T", "mT")
RENAMED = {"dim": "axis", "keepdim": "keepdims"}
IGNORED = ("dtype", "requires_grad", "device")
