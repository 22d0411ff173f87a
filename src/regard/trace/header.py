"""A trace without its numbers, as JSON and files share it: written plainly, read with suspicion.

Operations are written by the names they are registered under, never as expressions; reading builds steps and runs
no code. What comes from outside is measured before it is believed: text, steps, axes, cells and work are bounded, every
step is rehearsed on arrays of one cell, and what does not fit is refused in one line.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from regard.ops import Given, Pick, Replace, Scatter, operation_from_data
from regard.ops.narrow import Numbers
from regard.ops.spec import parse
from regard.trace.drafts import Bounds, Draft, drafts_of, of_step
from regard.trace.edits import OF_A_WHOLE_STEP, Intervention
from regard.trace.fields import (
    check_field,
    check_operation,
    fields,
    is_list,
    is_object,
    list_of,
    step_name,
    whole,
)
from regard.trace.labels import Labels
from regard.trace.named import Source, named_data
from regard.trace.rerun import Rows
from regard.trace.step import Step
from regard.trace.trace import Trace

VERSION = 1
VERSION_OF_FILES = 2  # of those that name parameters or keep rows, which the first edition does not know
MOST_REPLAYED = 500_000  # edits of gradients times steps: such edits are made again whenever a trace is read
TOP = ("version", "info", "labels", "of", "edits", "steps", "learned")
EDIT = ("kind", "step", "at", "number")


def header_of(trace: Trace) -> dict[str, Any]:
    """What a trace is, without its numbers. The backward pass follows from `of`, and is not repeated."""
    place = {step: i for i, step in enumerate(trace.forward)}
    for step in trace.forward:
        for i in step.inputs:
            if i not in place:
                raise ValueError(f"{step.name} reads {i.name}, which is not among the forward steps of the trace")
    return {
        "version": VERSION,
        "info": dict(trace.info),
        "labels": trace.labels.words,
        "of": trace.of,
        "edits": [edit.data() for edit in trace.edits],
        "steps": [{"name": s.name, "op": s.op.data(), "inputs": [place[i] for i in s.inputs]} for s in trace.forward],
        "learned": [{"name": s.name, "op": s.op.data(), "inputs": [i.name for i in s.inputs]} for s in trace.learned],
    }


def file_header(trace: Trace) -> dict[str, Any]:
    """The header of a file, which need not hold every number of a parameter, and keeps rows to their last digit."""
    apart = {i: rows for i, rows in ((i, s.apart) for i, s in enumerate(trace.forward)) if rows is not None}
    more = {
        "named": named_data(trace.forward),
        "apart": {str(i): [r.letter, r.start, r.stop] for i, r in apart.items()},
    }
    plain = header_of(trace)
    return {**plain, "version": VERSION_OF_FILES, **more} if more["named"] or more["apart"] else plain


def trace_from(
    header: Any,
    sketches: Mapping[str, np.ndarray],
    read: Callable[[str], np.ndarray],
    any_size: bool = False,
    named: Mapping[str, tuple[Source, Numbers]] = MappingProxyType({}),
) -> Trace:
    """The trace of a header and its arrays, `step0` for the first step if it is given, `edit0` for a first pin.

    `sketches` have the shapes and types of the arrays; `read` fetches the numbers, once everything else has been
    found to fit. `any_size` lifts the bounds on cells and work, and nothing else. `named` are the arrays that the
    header names, found already.
    """
    check_version(header)
    top = fields(header, "a trace", (*TOP, "named", "apart") if header["version"] == VERSION_OF_FILES else TOP)
    sketches = {**sketches, **{name: _sketch(numbers) for name, (_, numbers) in named.items()}}
    bounds = Bounds(any_size)
    labels, edits = _labels(top["labels"]), list_of(top["edits"], "edits")
    if not is_object(top["info"]):
        raise ValueError("info is not an object")
    drafts = drafts_of(list_of(top["steps"], "steps"), sketches, bounds, named)
    apart = _apart(top.get("apart", {}), drafts, sketches)
    _check_arrays(drafts, edits, apart, sketches)
    forward = _steps(drafts, read, named)
    for name, (place, rows) in apart.items():
        forward[place].recall(rows, read(name))
    trace = Trace(forward, labels, top["info"], tuple(_edit(i, e, read) for i, e in enumerate(edits)))
    trace = _with_gradients(trace, top["of"], bounds)
    trace = replace(trace, learned=tuple(_learned(data, trace.steps) for data in list_of(top["learned"], "learned")))
    _check_edits(trace)
    _check_labels(trace)
    return trace


def _sketch(numbers: Numbers) -> np.ndarray:
    return np.broadcast_to(np.zeros((), numbers.dtype), numbers.shape)


def _apart(data: Any, drafts: Sequence[Draft], sketches: Mapping[str, np.ndarray]) -> dict[str, tuple[int, Rows]]:
    """Which rows of which steps are kept as they were computed, by the names of their arrays."""
    result: dict[str, tuple[int, Rows]] = {}
    for key, entry in fields(data, "apart", (), tuple(map(str, range(len(drafts))))).items():
        draft, name = drafts[int(key)], f"rows{key}"
        with of_step(draft.name):
            letter, start, stop = list_of(entry, "rows")
            if draft.op is None or not isinstance(letter, str) or len(letter) != 1 or letter not in draft.op.axes:
                raise ValueError("rows must be along an axis of a computed step")
            size = draft.shape[draft.op.axes.index(letter)]
            if not whole(start, "the first row") < whole(stop, "the last row") <= size or name not in sketches:
                raise ValueError(f"expected some of the {size} rows, got {start} to {stop}")
            rows = Rows(letter, start, stop)
            wanted = np.broadcast_to(0.0, draft.shape)[rows.within(draft.op.axes)]
            if sketches[name].shape != wanted.shape or sketches[name].dtype != draft.cell.dtype:
                raise ValueError(f"its rows expect the shape {wanted.shape}, got {sketches[name].shape}")
            result[name] = int(key), rows
    return result


def _steps(
    drafts: Sequence[Draft], read: Callable[[str], np.ndarray], named: Mapping[str, tuple[Source, Numbers]]
) -> tuple[Step, ...]:
    steps: list[Step] = []
    for place, draft in enumerate(drafts):
        source, numbers = named.get(f"step{place}", (None, None))
        given = {"array": numbers, "source": source} if source else {}
        op = draft.op or operation_from_data({**draft.data, **(given or {"array": read(f"step{place}")})})
        steps.append(Step(draft.name, op, tuple(steps[i] for i in draft.inputs)))
        if steps[-1].shape != draft.shape:
            raise ValueError(f"the step {draft.name} was announced with shape {draft.shape}, got {steps[-1].shape}")
        if isinstance(op, Pick | Scatter):
            _check_rows(steps[-1], op)
    return tuple(steps)


def _check_rows(step: Step, op: Pick | Scatter) -> None:
    source, ids = step.inputs
    if isinstance(op, Pick):
        rows = source.shape[parse(op.spec)[0][0].index(op.picked)]
    else:
        rows = op.rows
    low, high = int(ids.value.min()), int(ids.value.max())
    if low < 0 or high >= rows:
        raise ValueError(f"the step {step.name} asks for the rows {low} to {high} of {rows}")


def _with_gradients(trace: Trace, of: Any, bounds: Bounds) -> Trace:
    names = {s.name: s for s in trace.forward}
    if of is None:
        return trace
    if not isinstance(of, str) or of not in names or names[of].shape != ():
        raise ValueError("the gradient is not of a step that is one number")
    replayed = sum(e.step not in names for e in trace.edits)
    if replayed * (len(trace.forward) + sum(len(s.inputs) for s in trace.forward)) > MOST_REPLAYED:
        raise ValueError(f"{replayed:,} edits of gradients are too many for {len(names):,} steps")
    trace = replace(trace, of=of)
    for step in trace.gradients:
        bounds.add(step.op, [i.shape for i in step.inputs], step.shape)
    return trace


def _learned(data: Any, steps: Mapping[str, Step]) -> Step:
    came = fields(data, "a next parameter", ("name", "op", "inputs"))
    name = step_name(came["name"])
    with of_step(name):
        check_operation(came["op"])
        old = name.removesuffix(".next")
        if came["op"].get("formula") != "update" or came["inputs"] != [old, f"{old}.grad"] or name == old:
            raise ValueError("a next parameter is an update of a parameter by its gradient")
        step = Step(name, operation_from_data(came["op"]), (steps[old], steps[f"{old}.grad"]))
        _ = step.shape
    return step


# edits and labels


def _edit(place: int, data: Any, read: Callable[[str], np.ndarray]) -> Intervention:
    came = fields(data, "an edit", EDIT)
    kind, at, number = came["kind"], came["at"], came["number"]
    if kind not in ("edit", "move", *OF_A_WHOLE_STEP):
        raise ValueError(f"unknown edit {kind!r:.60}; expected one of edit, move, {', '.join(OF_A_WHOLE_STEP)}")
    check_field("at", at)
    if kind in OF_A_WHOLE_STEP:
        if number is not None or len(at) != (kind == "hide"):
            raise ValueError("a pin replaces a whole step, not one number; a hidden word has one position")
        return Intervention(kind, step_name(came["step"]), tuple(at), None, read(f"edit{place}"))
    check_field("number", number)
    return Intervention(kind, step_name(came["step"]), tuple(at), number)


def _check_edits(trace: Trace) -> None:
    """The last edit of a step is what the step is; hidden words are words of the text."""
    words = trace.labels.words.get("K")
    for edit in trace.edits:
        if edit.kind == "hide" and words is not None and edit.at[0] >= len(words):
            raise ValueError(f"the hidden word {edit.at[0]} does not exist; there are {len(words)}, from 0")
    for edit in {e.step: e for e in trace.edits}.values():
        step = trace.steps.get(edit.step)
        if step is None:  # a gradient whose path a later edit has cut
            continue
        op = step.op
        if edit.array is not None:
            same = isinstance(op, Given) and np.array_equal(
                op.array, edit.array, equal_nan=edit.array.dtype.kind == "f"
            )
        else:
            same = isinstance(op, Replace) and (op.at, op.number) == (edit.at, edit.number)
        if not same:
            raise ValueError(f"the step {edit.step} is not what its last edit made of it")


def _labels(data: Any) -> Labels:
    if not is_object(data) or not all(map(is_list, data.values())):
        raise ValueError("labels are not lists of words")
    for letter, words in data.items():
        if not re.fullmatch("[A-Za-z]", letter) or not all(isinstance(w, str) for w in words):
            raise ValueError(f"the labels {letter!r} are not words along one axis")
    return Labels(data)


def _check_labels(trace: Trace) -> None:
    words = trace.labels.words
    for step in trace.steps.values():
        for letter, size in zip(step.axes, step.shape):
            if letter in words and len(words[letter]) != size:
                raise ValueError(f"the axis {letter} of {step.name} has {size} cells and {len(words[letter])} words")


def _check_arrays(
    drafts: Sequence[Draft], edits: Sequence[Any], apart: Iterable[str], sketches: Mapping[str, np.ndarray]
) -> None:
    """No array is missing, and none is left over."""
    wanted = {f"step{i}" for i, d in enumerate(drafts) if d.op is None}
    wanted |= {f"edit{i}" for i, e in enumerate(edits) if is_object(e) and e.get("kind") in OF_A_WHOLE_STEP}
    wanted |= set(apart)
    if wanted != set(sketches):
        raise ValueError(f"arrays are missing or left over: {', '.join(sorted(wanted ^ set(sketches))[:5])}")


# fields


def check_version(data: Any) -> None:
    if not is_object(data) or type(data.get("version")) is not int:
        raise ValueError("it does not say which version of the format it has")
    if data["version"] not in (VERSION, VERSION_OF_FILES):
        raise ValueError(
            f"it is of version {data['version']}, this regard reads version {VERSION_OF_FILES}; get a newer regard"
        )
