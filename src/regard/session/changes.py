"""What may be done to a run, as data, and the one function that does it.

A Change names its cell as a person would (`weights[fox,The]`); what it did is noted in the trace by step and position
(trace/edits.py).
"""

import math
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from regard.session import limits
from regard.session.bounded import Address, CellValue, Name, Rate, Strict
from regard.session.refusal import TooLarge
from regard.trace import Trace
from regard.trace.changes import KINDS


class Edit(Strict):
    """One number typed."""

    kind: Literal["edit"]
    cell: Address
    value: CellValue


class Move(Strict):
    """One share dragged; the others of its row rescale."""

    kind: Literal["move"]
    cell: Address
    value: CellValue


class Pin(Strict):
    """A whole step replaced, its numbers in one row."""

    kind: Literal["pin"]
    step: Name
    value: Annotated[list[CellValue], Field(min_length=1, max_length=limits.PINNED, fail_fast=True)]


class Hide(Strict):
    """One word that nobody may read, named as in an address; the other weights take its share."""

    kind: Literal["hide"]
    word: Name


class Update(Strict):
    """The model learns: W − rate · W.grad, a given number of times."""

    kind: Literal["update"]
    rate: Rate = 0.1
    learns: Annotated[list[Name], Field(max_length=200, fail_fast=True)] | None = None
    times: Annotated[int, Field(ge=1, le=limits.UPDATES)] = 1


class Switch(Strict):
    """One switch thrown, by its name (trace/switches.py), with its number if it takes one."""

    kind: Literal["switch"]
    name: Name
    value: CellValue | None = None


class Silence(Strict):
    """One head that adds nothing any more."""

    kind: Literal["silence"]
    layer: Annotated[int, Field(ge=0, le=1000)]
    head: Annotated[int, Field(ge=0, le=1000)]


Change = Annotated[Edit | Move | Pin | Hide | Update | Switch | Silence, Field(discriminator="kind")]
EXAMPLES = {"word": "fox", "cell": "weights[fox,fox]"}
CHANGE: TypeAdapter[Change] = TypeAdapter(Change)


def change_from(kind: str, **fields: Any) -> Change:
    """A Change from its data; an error says in one line what does not fit.

    >>> change_from("hide", word="fox")
    Hide(kind='hide', word='fox')
    """
    try:
        return CHANGE.validate_python({"kind": kind, **fields})
    except ValidationError as error:
        raise ValueError(_told(kind, error)) from None


def _told(kind: str, error: ValidationError) -> str:
    """
    >>> change_from("hide", word="")
    Traceback (most recent call last):
    ValueError: hide expects a word, such as fox, got nothing
    """
    first = error.errors()[0]
    field = str(first["loc"][-1]) if first["loc"] else ""
    expects = f"{kind} expects a {field}, such as {EXAMPLES.get(field, 'weights')}"
    match first["type"]:
        case "string_too_short" | "missing":
            return f"{expects}, got nothing"
        case "string_too_long":
            most = first.get("ctx", {}).get("max_length")
            return f"{expects}, of at most {most} characters, got {len(first['input']):,}"
        case _:
            return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def applied(trace: Trace, change: Change) -> Trace:
    """The trace after one change: the only place where a Change becomes one, so the only one that has to bound it.

    What each kind does is said in trace/changes.py.

    >>> import regard
    >>> fox = regard.explain("The quick brown fox", model="fox")
    >>> applied(fox, Edit(kind="edit", cell="weights[fox,fox]", value=0.05)).predicted
    'jumps'
    """
    match change:
        case Edit() | Move():
            changed = KINDS[change.kind](trace, change.cell, change.value)
        case Pin():
            changed = KINDS[change.kind](trace, change.step, _array(trace, change))
        case Hide():
            changed = KINDS[change.kind](trace, change.word, None)
        case Switch():
            changed = KINDS[change.kind](trace, change.name, change.value)
        case Silence():
            changed = KINDS[change.kind](trace, "", (change.layer, change.head))
        case Update():
            changed = _updated(trace, change)
    check_cells(changed)
    return changed


def _updated(trace: Trace, change: Update) -> Trace:
    parameters = sum(math.prod(step.shape) for step in trace.parameters.values())
    if parameters > limits.LEARNING:
        raise TooLarge(
            f"a model of at most {limits.LEARNING:,} parameters is updated here, this one has {parameters:,}; "
            "train it with regard train"
        )
    for _ in range(change.times):
        trace = trace.update(change.rate, change.learns)
    return trace


def check_cells(trace: Trace) -> None:
    """Refuse a run that has grown too large, by its text or by what was done to it."""
    cells = cells_with_backward(trace)
    if cells > limits.RUN_CELLS:
        what = f"after {len(trace.edits)} changes this run has" if trace.edits else "this run has"
        do = "undo some, or pass a shorter text" if trace.edits else "pass a shorter text"
        raise TooLarge(f"{what} {cells:,} numbers, at most {limits.RUN_CELLS:,} are computed; {do}")


def cells_with_backward(trace: Trace) -> int:
    """How many numbers a run has, were all of them computed: those that are not given have a gradient, and some two.

    >>> import regard
    >>> cells_with_backward(regard.explain("The quick brown fox", model="fox"))
    254
    """
    given = sum(math.prod(step.shape) for step in trace.forward if not step.inputs)
    computed = sum(math.prod(step.shape) for step in trace.forward if step.inputs)
    return 2 * given + 3 * computed if "loss" in trace else given + computed


def _array(trace: Trace, change: Pin) -> np.ndarray:
    """The numbers of a pin in the shape and of the kind of the step that they replace."""
    step = trace.step(change.step)
    if len(change.value) != math.prod(step.shape):
        raise ValueError(f"{step.name} expects {math.prod(step.shape):,} numbers, got {len(change.value):,}")
    array: Any = np.array(change.value, dtype=np.float64).reshape(step.shape)
    if step.value.dtype == bool:
        return array != 0
    if step.value.dtype.kind in "iu" and np.array_equal(array, np.round(array)) and np.all(np.abs(array) < 2**31):
        return array.astype(np.int64)
    return array
