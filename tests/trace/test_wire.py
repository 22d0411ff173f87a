"""Traces as JSON: strict, exact and small; what is read back is checked like a file."""

import json
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from regard.ops import Given, Map
from regard.toys.shipped import shipped
from regard.trace import Labels, Step, Trace
from regard.trace.strict_json import MOST_TEXT
from regard.trace.wire import from_json, to_json


def the_fox() -> Trace:
    return shipped("fox").run("The quick brown fox", next="jumps")


def assert_same(again: Trace, trace: Trace) -> None:
    assert [(n, s.op.data(), s.value.dtype, s.value.tobytes()) for n, s in again.steps.items()] == [
        (n, s.op.data(), s.value.dtype, s.value.tobytes()) for n, s in trace.steps.items()
    ]
    assert to_json(again) == to_json(trace)


def strict(text: str) -> Any:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_fox_is_small() -> None:
    assert len(to_json(the_fox()).encode()) < 15_000
    assert len(to_json(the_fox().backward()).encode()) < 22_000


def test_the_shape_of_the_whole() -> None:
    data = strict(to_json(the_fox().edit("weights[fox,The]", 0.25)))
    assert set(data) == {"version", "info", "labels", "of", "edits", "steps", "forward", "learned"}
    assert data["edits"] == [{"kind": "edit", "step": "layer0.weights", "at": [0, 3, 0], "number": 0.25}]
    weights = next(s for s in data["steps"] if s["name"] == "layer0.weights")
    assert weights == {
        "name": "layer0.weights",
        "op": {"kind": "replace", "letters": "HQK", "at": [0, 3, 0], "number": 0.25},
        "inputs": ["layer0.weights.original"],
        "axes": "HQK",
        "shape": [1, 4, 4],
        "value": weights["value"],
    }
    assert data["forward"] == len(data["steps"]) and data["learned"] == 0


def test_every_number_is_there_and_exact() -> None:
    trace = the_fox().backward()
    for step, data in zip(trace.steps.values(), strict(to_json(trace))["steps"]):
        odd = {int(i): float(kind) for i, kind in data.get("nonfinite", {}).items()}
        cells = [odd[i] if cell is None else cell for i, cell in enumerate(data["value"])]
        assert np.array_equal(np.array(cells, data.get("dtype", "float64")).reshape(data["shape"]), step.value)
    masked = next(s for s in strict(to_json(trace))["steps"] if s["name"] == "layer0.masked")
    assert masked["nonfinite"] == dict.fromkeys(("1", "2", "3", "6", "7", "11"), "-inf")
    assert masked["value"][1] is None


def test_round_trips() -> None:
    trace = the_fox()
    pinned = trace.pin("masked", np.where(np.eye(4, dtype=bool), 1.0, -np.inf)[None])
    for one in (
        trace,
        trace.backward(),
        trace.update(),
        trace.update().undo(),
        trace.move("weights[fox,fox]", 0.1).backward().edit("q.grad[fox,0]", 2.0),
        pinned.backward(),
        Trace((Step("x", Given([math.nan, math.inf, -math.inf, -0.0, 0.1 + 0.2], "N")), Step("y", Given([True], "P")))),
        Trace((Step("x", Given(np.zeros(2), "T")),), Labels({"T": ("</script>", "\ud800\x00")}), {"title": "ü"}),
    ):
        assert_same(from_json(to_json(one)), one)
    again = from_json(to_json(pinned))
    assert again.edits[0].array is not None and again.edits[0].array[0, 0, 1] == -np.inf


def test_computed_numbers_are_computed_again() -> None:
    """Their numbers are not trusted, only that they are there."""
    data = strict(to_json(the_fox()))
    weights = next(s for s in data["steps"] if s["name"] == "layer0.weights")
    weights["value"] = [0.125] * 16
    assert_same(from_json(json.dumps(data)), the_fox())


def test_what_a_browser_writes_is_read() -> None:
    """JavaScript writes 1.0 as 1."""
    data = strict(to_json(the_fox().backward()))

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items()}
        if isinstance(value, list):
            return [plain(v) for v in value]
        return int(value) if isinstance(value, float) and value.is_integer() else value

    again = from_json(json.dumps(plain(data)))
    for name, step in the_fox().backward().steps.items():
        assert again.array(name).tobytes() == step.value.tobytes()


def step_of(data: Any, name: str) -> Any:
    return next(s for s in data["steps"] if s["name"] == name)


BAD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a later version": (lambda d: d.update(version=9), "version 9"),
    "an unknown field": (lambda d: d.update(script="x"), "unknown"),
    "more steps announced": (lambda d: d.update(forward=99), "announced"),
    "fewer forward steps": (lambda d: d.update(forward=d["forward"] - 1), "not of a step|come|make"),
    "a number of steps below nothing": (lambda d: d.update(forward=-1), "whole number"),
    "steps announced as text": (lambda d: d.update(forward="3"), "whole number"),
    "more learned": (lambda d: d.update(learned=1), "an update of"),
    "a backward step missing": (lambda d: d["steps"].pop(), "these operations make"),
    "a backward step of another name": (lambda d: d["steps"][-1].update(name="zzz"), "its name must be"),
    "a backward step of another operation": (lambda d: d["steps"][-1]["op"].update(spec="->"), "its op must be"),
    "axes that differ": (lambda d: step_of(d, "E").update(axes="VC"), "its axes must be"),
    "inputs by number": (lambda d: step_of(d, "x").update(inputs=[0, 6]), "its inputs must be"),
    "an unknown input": (lambda d: step_of(d, "x").update(inputs=["E", "tokenz"]), "not a step before it"),
    "no numbers": (lambda d: step_of(d, "layer0.scores").pop("value"), "missing"),
    "too few numbers": (lambda d: step_of(d, "layer0.scores")["value"].pop(), "needs 16"),
    "too few given numbers": (lambda d: step_of(d, "E")["value"].pop(), "needs 8"),
    "nested numbers": (lambda d: step_of(d, "E").update(value=[[1.0]] * 8), "not of the type float64"),
    "numbers of text": (lambda d: step_of(d, "E").update(value=["1"] * 8), "not of the type float64"),
    "numbers of truth": (lambda d: step_of(d, "E").update(value=[True] * 8), "not of the type float64"),
    "fractions for whole numbers": (lambda d: step_of(d, "tokens").update(value=[0.0] * 4), "not of the type int64"),
    "beyond whole numbers": (lambda d: step_of(d, "tokens").update(value=[10**30] * 4), "cannot be read"),
    "numbers beyond floats": (lambda d: step_of(d, "E").update(value=[10**400] * 8), "cannot be read"),
    "an unknown type": (lambda d: step_of(d, "E").update(dtype="object"), "unknown type of number"),
    "another type": (lambda d: step_of(d, "E").update(dtype="int64"), "not of the type int64"),
    "null without a kind": (lambda d: step_of(d, "E")["value"].__setitem__(0, None), "differ"),
    "a kind without null": (lambda d: step_of(d, "E").update(nonfinite={"0": "inf"}), "differ"),
    "an unknown kind": (lambda d: step_of(d, "layer0.masked").update(nonfinite={"1": "x"}), "nonfinite names"),
    "kinds in a list": (lambda d: step_of(d, "layer0.masked").update(nonfinite=["-inf"]), "nonfinite names"),
    "a shape of text": (lambda d: step_of(d, "E").update(shape="42"), "list"),
    "a negative shape": (lambda d: step_of(d, "E").update(shape=[-4, -2]), "whole number"),
    "another shape": (lambda d: step_of(d, "E").update(shape=[2, 4]), "cannot be read"),
    "a shape of nine": (lambda d: step_of(d, "E").update(shape=[1] * 8 + [8]), "needs"),
    "an unknown operation": (lambda d: step_of(d, "x").update(op={"kind": "eval"}), "unknown operation"),
    "a pin without numbers": (
        lambda d: d["edits"].append({"kind": "pin", "step": "E", "at": [], "number": None}), "list"),
    "numbers beside an edit": (lambda d: d.update(edits=[{"kind": "edit", "step": "E", "at": [0, 0], "number": 0.1,
                                                           "value": [1.0]}]), "last edit"),
    "a gradient of a table": (lambda d: d.update(of="E"), "not of a step"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_data_is_refused(case: str) -> None:
    change, match = BAD[case]
    data = strict(to_json(the_fox().backward()))
    change(data)
    begun = time.process_time()
    with pytest.raises(ValueError, match=match) as caught:
        from_json(json.dumps(data))
    assert time.process_time() - begun < 2
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", "NaN", '{"version": NaN}', '{"version": 1, "version": 1}', "[" * 100_000,
     "{" * 1_000_000, " " * (MOST_TEXT + 1), "9" * 100_000, b"{}", None],
)  # fmt: skip
def test_text_that_is_no_trace_is_refused(text: Any) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match="the text cannot be read as a trace") as caught:
        from_json(text)
    assert time.process_time() - begun < 2
    assert "\n" not in str(caught.value)


def test_info_that_json_cannot_hold_is_refused() -> None:
    x = Step("x", Given([1.0], "T"))
    with pytest.raises(ValueError, match="info holds what JSON cannot"):
        to_json(Trace((x,), info={"a": object()}))
    with pytest.raises(ValueError, match="JSON"):
        to_json(Trace((x,), info={"a": math.inf}))


def test_a_deep_model_has_shapes_and_comes_back() -> None:
    """Longer than Python's stack."""
    steps = [Step("x", Given(1.0, ""))]
    for i in range(3000):
        steps.append(Step(f"y{i}", Map("negative", "->"), (steps[-1],)))
    assert Step("last", Map("same", "->"), (steps[-1],)).shape == ()
    fresh = Step("fresh", Map("negative", "->"), (Step("f", Map("negative", "->"), (steps[-1],)),))
    for _ in range(3000):
        fresh = Step("fresh", Map("negative", "->"), (fresh,))
    assert fresh.shape == () and float(fresh.value) == 1.0
    trace = Trace(tuple(steps)).backward("y2999")
    assert float(from_json(to_json(trace)).array("x.grad")) == 1.0


def test_many_words_are_labelled_quickly() -> None:
    begun = time.process_time()
    labels = Labels({"V": tuple(f"word{i % 90_000}" for i in range(100_000))})
    assert time.process_time() - begun < 2
    assert labels.word("V", 5) == "word5@5" and labels.word("V", 50_000) == "word50000"
