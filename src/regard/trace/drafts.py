"""Steps from outside before their numbers are read: bounded, and rehearsed on arrays of one cell."""

import math
from collections.abc import Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regard.ops import Contract, Operation, Pick, Replace, Scatter, Split, operation_from_data
from regard.ops.spec import parse, sizes_of
from regard.trace.fields import check_operation, fields, is_inside, list_of, reference, step_name

MOST_STEPS = 10_000
MOST_CELLS = 2**26  # of all steps together: half a gigabyte, if every one of them is looked at
MOST_WORK = 2**36  # products that must be added up to compute them
KINDS_OF_NUMBER = ("float64", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


@dataclass
class Bounds:
    """What a trace may demand of the machine before anybody has looked at it."""

    any_size: bool
    cells: int = 0
    work: int = 0

    def add(self, op: Operation | None, inputs: Sequence[tuple[int, ...]], shape: tuple[int, ...]) -> None:
        self.cells += math.prod(shape)
        added_up = isinstance(op, Contract)
        self.work += math.prod(sizes_of(op.spec, inputs).values()) if added_up else math.prod(shape) * len(inputs)
        if not self.any_size and (self.cells > MOST_CELLS or self.work > MOST_WORK):
            raise ValueError(
                f"the steps have more than {MOST_CELLS:,} cells, or need more than {MOST_WORK:,} products; "
                "if you made the file yourself, load it with any_size=True"
            )


@dataclass(frozen=True)
class Draft:
    """A step before its numbers are read: enough to see that everything fits."""

    name: str
    data: Mapping[str, Any]
    op: Operation | None  # None: a given value
    inputs: tuple[int, ...]
    shape: tuple[int, ...]
    cell: np.ndarray  # of the step's type and axes, one cell in all


def drafts_of(
    steps: Sequence[Any], sketches: Mapping[str, np.ndarray], bounds: Bounds, named: Container[str]
) -> list[Draft]:
    if not 1 <= len(steps) <= MOST_STEPS:
        raise ValueError(f"a trace has from 1 to {MOST_STEPS:,} steps, got {len(steps):,}")
    drafts: list[Draft] = []
    places: dict[str | int, int] = {}
    for place, step in enumerate(steps):
        came = fields(step, f"step {place}", ("name", "op", "inputs"))
        name = step_name(came["name"])
        if name in places:
            raise ValueError(f"two steps are called {name!r}; names must differ")
        try:
            inputs = tuple(places[reference(i)] for i in list_of(came["inputs"], "inputs"))
        except KeyError as error:
            raise ValueError(f"the step {name} reads {error}, which is not a step before it") from None
        with of_step(name):
            draft = _draft(name, came["op"], inputs, drafts, sketches.get(f"step{place}"))
        if f"step{place}" not in named:  # what is named is on this machine already
            bounds.add(draft.op, [drafts[i].shape for i in inputs], draft.shape)
        drafts.append(draft)
        places[name] = places[place] = place
    return drafts


@contextmanager
def of_step(name: str) -> Generator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"the step {name}: {error}") from None
    except Exception:  # a letter that no input has, a formula of three inputs given two: there are many ways to fail
        raise ValueError(f"the step {name}: its operation does not fit its inputs") from None


def _draft(name: str, data: Any, inputs: tuple[int, ...], before: list[Draft], sketch: np.ndarray | None) -> Draft:
    check_operation(data)
    if data["kind"] == "given":
        if inputs:
            raise ValueError("a given value reads no other step")
        if sketch is None:
            raise ValueError("its numbers are missing")
        if sketch.dtype.name not in KINDS_OF_NUMBER:
            raise ValueError(f"unknown type of number {sketch.dtype}")
        if sketch.size == 0:
            raise ValueError(f"it has no cells; its shape is {sketch.shape}")
        cell = np.zeros((1,) * sketch.ndim, sketch.dtype)
        operation_from_data({**data, "array": cell})  # axes and role
        return Draft(name, data, None, (), sketch.shape, cell)
    op = operation_from_data(data)
    read = [before[i] for i in inputs]
    if isinstance(op, Pick | Scatter) and not (
        len(read) == 2 and read[1].op is None and read[1].cell.dtype.kind in "iu"
    ):
        raise ValueError("the row numbers it picks by must be given, and whole")
    shape = op.shape([r.shape for r in read])
    if len(shape) != len(op.axes) or len(read) != _arity(op):
        raise ValueError(f"it expects {_arity(op)} inputs with the axes {op.axes}, got {len(read)}")
    if isinstance(op, Contract) and {letter for letter, _ in op.sizes} != set(op.axes) - set(
        op.spec.partition("->")[0]
    ):
        raise ValueError("sizes must name the axes that only the result has, and all of them")
    if isinstance(op, Replace) and not is_inside(op.at, shape):
        raise ValueError(f"the cell {list(op.at)} is not inside the shape {list(shape)}")
    return Draft(name, data, op, inputs, shape, _rehearsed(op, [r.cell for r in read]))


def _arity(op: Operation) -> int:
    return 1 if isinstance(op, Replace) else len(parse(getattr(op, "spec", ""))[0])


def _rehearsed(op: Operation, cells: Sequence[np.ndarray]) -> np.ndarray:
    """The operation on arrays of one cell each: what could not be computed later fails here, at no cost."""
    if isinstance(op, Contract | Split):
        op = replace(op, sizes=tuple((letter, 1) for letter, _ in op.sizes))
    elif isinstance(op, Scatter):
        op = replace(op, rows=1)
    elif isinstance(op, Replace):
        op = replace(op, at=(0,) * len(op.at))
    with np.errstate(all="ignore"):
        result = np.asarray(op.forward(*cells))
    if result.shape != (1,) * len(op.axes) or result.dtype.name not in KINDS_OF_NUMBER:
        raise ValueError("its operation does not fit its inputs")
    return result
