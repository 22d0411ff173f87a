"""A trace as strict JSON, every number included: what a page is sent."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from regard.trace.drafts import KINDS_OF_NUMBER
from regard.trace.edits import OF_A_WHOLE_STEP, Intervention
from regard.trace.fields import (
    MOST_AXES,
    fields,
    is_object,
    list_of,
    whole,
)
from regard.trace.header import EDIT, TOP, check_version, header_of, trace_from
from regard.trace.step import Step
from regard.trace.strict_json import MOST_TEXT, compact, plain_data, reading
from regard.trace.trace import Trace

NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def to_json(trace: Trace) -> str:
    """The whole trace as strict JSON: each step with its operation, its inputs and its numbers, exactly.

    Numbers are in one flat list per step; a cell that is not finite is null, with its kind in `nonfinite`.
    `steps` holds `forward` forward steps, then the backward pass, then the `learned` next parameters.

    >>> from regard.ops import Given
    >>> trace = Trace((Step("x", Given([0.5, -math.inf], "T")),))
    >>> json.loads(to_json(trace))["steps"][0]["value"], json.loads(to_json(trace))["steps"][0]["nonfinite"]
    ([0.5, None], {'1': '-inf'})
    """
    cells = sum(math.prod(step.shape) for step in trace.steps.values())
    if 2 * cells > MOST_TEXT:  # a digit and a comma at least
        raise ValueError(
            f"this run has {cells:,} numbers, and JSON is read up to {MOST_TEXT:,} characters; "
            "keep it with save, which names the parameters of known models, or take single steps with array"
        )
    return compact(
        {
            **header_of(trace),
            "edits": [{**edit.data(), **_pinned(edit)} for edit in trace.edits],
            "forward": len(trace.forward),
            "learned": len(trace.learned),
            "steps": [{**_description(step), **_numbers(step.value)} for step in trace.steps.values()],
        }
    )


def from_json(text: str) -> Trace:
    """The trace that `to_json` wrote. Given numbers are read; all others are recomputed when asked for."""
    with reading("the text"):
        data = plain_data(text)
        check_version(data)
        top = fields(data, "a trace", (*TOP, "forward"))
        steps = [fields(s, "a step", STEP, ("dtype", "nonfinite")) for s in list_of(top["steps"], "steps")]
        forward, learned = (whole(top[name], f"the number of {name} steps") for name in ("forward", "learned"))
        if forward + learned > len(steps):
            raise ValueError(f"{forward + learned} steps were announced, got {len(steps)}")
        came = [_array(s) for s in steps]
        arrays = {f"step{i}": a for i, a in enumerate(came[:forward]) if _is_given(steps[i])}
        edits = [fields(e, "an edit", EDIT, NUMBERS) for e in list_of(top["edits"], "edits")]
        arrays |= {f"edit{i}": _array(e) for i, e in enumerate(edits) if e["kind"] in OF_A_WHOLE_STEP}
        header = {name: top[name] for name in TOP} | {
            "edits": [{name: e[name] for name in EDIT} for e in edits],
            "steps": [{name: s[name] for name in ("name", "op", "inputs")} for s in steps[:forward]],
            "learned": [{name: s[name] for name in ("name", "op", "inputs")} for s in steps[len(steps) - learned :]],
        }
        trace = trace_from(header, arrays, arrays.__getitem__)
        _check_same(trace, steps)
    return trace


STEP = ("name", "op", "inputs", "axes", "shape", "value")
NUMBERS = ("shape", "value", "dtype", "nonfinite")


def _description(step: Step) -> dict[str, Any]:
    return {"name": step.name, "op": step.op.data(), "inputs": [i.name for i in step.inputs], "axes": step.axes}


def _numbers(array: np.ndarray) -> dict[str, Any]:
    """An array as a flat list; float64 goes without saying, any other type is named."""
    flat = array.ravel()
    odd = np.flatnonzero(~np.isfinite(flat))
    cells: list[Any] = flat.tolist()
    for place in odd.tolist():
        cells[place] = None
    result: dict[str, Any] = {"shape": list(array.shape), "value": cells}
    if array.dtype != np.float64:
        result["dtype"] = array.dtype.name
    if odd.size:
        result["nonfinite"] = {str(place): str(float(flat[place])) for place in odd.tolist()}
    return result


def _pinned(edit: Intervention) -> dict[str, Any]:
    return {} if edit.array is None else _numbers(edit.array)


def _array(data: Mapping[str, Any]) -> np.ndarray:
    """The array that `_numbers` wrote."""
    name = data.get("name", data.get("step"))
    shape = tuple(whole(n, "a size") for n in list_of(data.get("shape"), "the shape"))
    cells = list_of(data.get("value"), f"the value of {name}")
    dtype = data.get("dtype", "float64")
    if dtype not in KINDS_OF_NUMBER:
        raise ValueError(f"{name} has the unknown type of number {dtype!r:.60}")
    if len(shape) > MOST_AXES or math.prod(shape) != len(cells):
        raise ValueError(f"{name} has {len(cells)} cells, but its shape {list(shape)} needs {math.prod(shape)}")
    odd = data.get("nonfinite", {})
    if not is_object(odd) or any(kind not in NOT_FINITE for kind in odd.values()):
        raise ValueError(f"{name}: nonfinite names the cells that are {', '.join(NOT_FINITE)}")
    if {str(place) for place, cell in enumerate(cells) if cell is None} != set(odd):
        raise ValueError(f"{name}: the cells that are null and those in nonfinite differ")
    known = {"float64": (float, int), "bool": (bool,)}.get(dtype, (int,))
    if any(type(cell) not in known for cell in cells if cell is not None):
        raise ValueError(f"{name} has cells that are not of the type {dtype}")
    if dtype == "float64":
        cells = [NOT_FINITE[odd[str(i)]] if cell is None else float(cell) for i, cell in enumerate(cells)]
        if sum(map(math.isfinite, cells)) + len(odd) != len(cells):
            raise ValueError(f"{name} has numbers larger than any float64")
    return np.array(cells, dtype=dtype).reshape(shape)


def _is_given(step: Mapping[str, Any]) -> bool:
    return is_object(step["op"]) and step["op"].get("kind") == "given"


def _check_same(trace: Trace, came: Sequence[Mapping[str, Any]]) -> None:
    """The other steps of the file must be what the given numbers lead to, in the same order."""
    made = list(trace.steps.values())
    if len(made) != len(came):
        raise ValueError(f"these operations make {len(made)} steps, got {len(came)}")
    for step, data in zip(made, came):
        expected = json.loads(compact({**_description(step), "shape": step.shape}))
        for name, value in expected.items():
            if data[name] != value:
                raise ValueError(f"the step {step.name}: its {name} must be {value}")
