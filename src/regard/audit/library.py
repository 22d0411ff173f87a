"""The functions that code on a page may use, and what they may cost; what is random or too large is all NaN."""

import builtins
import collections
import itertools
import math
import re
import statistics
from collections.abc import Sequence
from functools import partial, reduce
from operator import attrgetter
from typing import Any

import numpy as np

from regard.audit import data

MOST_CELLS, MOST_MADE = 250_000, 4_000_000  # of an array, a list, a text; that one call may make, or multiply
WIDE = re.compile(r"\d{3}|%.?\*|\{[^}:]*[.\[]|\{[^}]*\{")  # of a format: a large width, or one looked up
NOTHING = object()  # the value of a name that was lost


class Unknown(Exception):
    """A value that cannot be told from the page."""


class Mismatch(Exception):
    """What does not fit, two shapes mostly: `(4, 8) @ (4, 8): why`, or what NumPy says of it."""


class Module(str):
    """A module that code may name; also what `default_rng` makes, which has the functions of one."""


def cells(value: Any, *, kept: bool = False) -> int:
    """How many numbers, letters or items a value holds, unless they are too many; of what is kept, shapes are one."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        sized = one.size if isinstance(one, np.ndarray) else len(one) if hasattr(one, "__len__") else 1
        sized = 1 if kept and isinstance(one, np.ndarray) and sized > MOST_CELLS else sized
        count += one.bit_length() // 8 if isinstance(one, int) else sized
        if count > MOST_CELLS:
            raise Unknown
        left += [*one.values()] if isinstance(one, dict) else one if isinstance(one, list | tuple | set) else []
    return count


def check_call(name: str, given: Sequence[Any]) -> None:
    """A call makes at most as much as all that it is given multiplied, for some functions with the numbers as well."""
    made = math.prod(max(1, cells(one)) for one in given)
    if name in data.GROWING | data.SQUARED:
        flat = [number for one in given for number in (one if isinstance(one, list | tuple) else [one])]
        made *= math.prod(max(abs(n), 1 / abs(n)) for n in flat if isinstance(n, int | float) and n)
    if made ** (2 if name in data.SQUARED else 1) > MOST_MADE:
        raise Unknown


def has_holes(value: Any) -> bool:
    """Whether there is a number in it that nobody knows."""
    if isinstance(value, list | tuple):
        return any(map(has_holes, value))
    numbers = value if isinstance(value, float | np.ndarray | np.floating) else 0
    return np.size(numbers) > MOST_CELLS or bool(np.any(np.isnan(numbers)))


def filled(value: float, *given: Any, size: Any = None) -> np.ndarray:
    """An array of one number, its shape given as a tuple or as several sizes; of a large one only the shape is kept."""
    shape = size if size is not None else given[0] if len(given) == 1 else given
    view = np.broadcast_to(value, shape)
    return np.broadcast_to(math.nan, shape) if view.size > MOST_CELLS else view.copy()


hollow = partial(filled, math.nan)


def matmul(left: Any, right: Any) -> Any:
    """A product of matrices; of large ones its shape."""
    left, right = np.asarray(left), np.asarray(right)
    if not left.ndim or not right.ndim:
        return left * right
    columns, rows = left.shape[-1], right.shape[-2:][0]
    if columns != rows:
        hint = "; the right one needs .T" if right.ndim == 2 and right.shape[-1] == columns else ""
        raise Mismatch(f"{left.shape} @ {right.shape}: {columns} and {rows} do not fit{hint}")
    if left.size * right.size > MOST_MADE:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        return hollow((*batch, *left.shape[-2:-1], *right.shape[1:][-1:]))
    return left @ right


def formatted(text: str, *given: Any) -> str:
    """`"{:.2f}".format(x)`, where no width is large and nothing is looked up inside."""
    if WIDE.search(text):
        raise Unknown
    return text.format(*given)


def by_name(names: frozenset[str], source: Any) -> dict[str, Any]:
    """What a module has under some names; `cat=concatenate` is called otherwise here."""
    pairs = [(name.partition("=")[0], name.rpartition("=")[2]) for name in names]
    return {ours: attrgetter(own)(source) for ours, own in pairs}


def _softmax(scores: Any, axis: int = -1) -> np.ndarray:
    if np.shape(scores) == () and np.isnan(scores):
        raise Mismatch("always 1: softmax needs all the scores; of one score it is always 1")
    exps = np.exp(scores - np.max(scores, axis, keepdims=True))
    return exps / exps.sum(axis, keepdims=True)


RANDOM: dict[str, Any] = {
    **dict.fromkeys(("rand", "randn", "random", "standard_normal"), hollow), "default_rng": lambda *_: Module("random"),
    **dict.fromkeys(("seed", "manual_seed", "set_printoptions"), lambda *_, **__: None),
    **dict.fromkeys(("normal", "uniform", "randint", "integers"), lambda *given, size=None: hollow(size or given[2])),
}  # fmt: skip
ARRAYS: dict[str, Any] = {  # functions of numpy and torch, and methods of arrays
    **by_name(data.NUMPY_FUNCTIONS, np), **RANDOM, **dict.fromkeys(("dot", "matmul", "mm", "bmm"), matmul),
    "zeros": partial(filled, 0.0), "ones": partial(filled, 1.0), "empty": hollow,
    "einsum": lambda text, *arrays: check_call("", arrays) or np.einsum(text, *arrays),
    "cov": lambda rows, *more, **named: check_call("eye", np.shape(rows)) or np.cov(rows, *more, **named),
    "full": lambda shape, value: filled(value, shape), "relu": lambda x: np.maximum(x, 0), "softmax": _softmax,
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.asarray(x))), "masked_fill": lambda x, mask, y: np.where(mask, y, x),
}  # fmt: skip
METHODS: dict[str, Any] = {  # that are no such functions
    **dict.fromkeys(("view", "reshape"), lambda x, *shape: np.reshape(x, shape[0] if len(shape) == 1 else shape)),
    "permute": lambda x, *axes: np.transpose(x, axes), "t": np.transpose, "swapaxes": np.swapaxes, "numel": np.size,
    "transpose": lambda x, *axes: np.swapaxes(x, *axes) if len(axes) == 2 else np.transpose(x, axes or None),
    "flatten": lambda x, start=0: np.reshape(x, (*x.shape[:start], -1)),
    "size": lambda x, *axis: x.shape[axis[0]] if axis else x.shape,
    **dict.fromkeys(("detach", "numpy", "cpu", "clone", "float", "contiguous", "double"), lambda x: x),
}  # fmt: skip
FOR_LARGE = {matmul, ARRAYS["einsum"], np.reshape, np.transpose, np.expand_dims, *METHODS.values()}  # by shape alone
SPREADING = {np.max, np.min, np.median, np.round}  # what nobody knows in, nobody knows out
KEEPING = {ARRAYS[name] for name in data.KEEPING}  # they make no more than they are given
PLAIN: dict[str, Any] = {
    **by_name(data.STATISTICS_FUNCTIONS, statistics), **by_name(data.ITERATING_FUNCTIONS, itertools),
    **by_name(data.MATH_FUNCTIONS, math), **by_name(data.PLAIN_FUNCTIONS, builtins),
    "round": lambda value, digits=None: round(value, digits and max(-20, min(20, digits))), "reduce": reduce,
    "Counter": collections.Counter, "defaultdict": collections.defaultdict,
    **{name: ARRAYS[name] for name in data.AS_NAMED & ARRAYS.keys()},
}  # fmt: skip
UNSURE = ("std", "var", "split", "max", "min", "repeat")  # torch divides by one less, gives places too, repeats all


def imported(module: str | None, name: str) -> Any:
    """What `import name` or `from module import name` gives; also what stands behind `module.name`."""
    path = f"{module}.{name}" if module else name
    root = path.partition(".")[0]
    if root in data.MODULES | data.STANDARD and (not module or name in data.MODULES or path in data.NESTED):
        return Module(path)
    table = RANDOM if "random" in path else PLAIN if root in data.STANDARD else ARRAYS if root in data.MODULES else {}
    return NOTHING if root == "torch" and name in UNSURE else table.get(name, NOTHING)


def attribute(value: Any, name: str, *, torch: bool, on_paper: bool) -> Any:
    """What a value is asked for by a name: its shape, or a method with the value as its first argument."""
    if isinstance(value, Module):
        return imported(value, name)
    if isinstance(value, np.ndarray | np.generic):
        value = np.asarray(value)
        if name == "mT" or (name == "T" and on_paper and value.ndim > 2):
            return np.swapaxes(value, -1, -2)
        if name in ("shape", "ndim", "T") or (name == "size" and not torch):
            return getattr(value, name)
        if name in ARRAYS | METHODS and not (torch and name in UNSURE):
            return partial((ARRAYS | METHODS)[name], value)
    if name == "T" and isinstance(value, list):
        raise Mismatch("a list has no .T: make it an array first")
    if not any(f"{kind.__name__}.{name}" in data.METHODS for kind in type(value).__mro__):
        raise Unknown
    return partial(formatted if name == "format" else getattr(type(value), name), value)
