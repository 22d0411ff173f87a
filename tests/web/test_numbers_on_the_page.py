"""Every number on the page is the Trace's number: all cells of the fox and of two random layers, also changed."""

import json
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

import regard
from regard.ops.notation import format_in_column
from regard.trace import Trace

WALK = """() => [...document.querySelectorAll("[data-cell]")].map(
    ({ dataset, innerText }) => [dataset.cell, Number(dataset.value), innerText.trim()])"""
STEPS = ("q", "k", "v", "scores", "scaled", "weights")  # drawn whole, of the layer and head on screen
CASES = [
    ("The quick brown fox", "jumps", "fox", 0, 0),
    ("a lazy fox and a lazy fox", "sleeps", "fox", 0, 0),
    ("On the mat a cat sat", "purring", "two-heads", 0, 1),
    ("The quick brown fox", "jumps", "untrained", 0, 1),
    ("The quick brown fox", "jumps", "untrained", 1, 0),
]
SHARE = "layer0.weights[0,3,3]"
UPDATE = {"kind": "update", "rate": 0.1, "times": 3}
CHANGES: dict[str, tuple[list[dict], Callable[[Trace], Trace]]] = {
    "edited": ([{"kind": "edit", "cell": SHARE, "value": 0.05}], lambda trace: trace.edit(SHARE, 0.05)),
    "moved": ([{"kind": "move", "cell": SHARE, "value": 0.2}], lambda trace: trace.move(SHARE, 0.2)),
    "learned": ([UPDATE], lambda trace: trace.update(0.1).update(0.1).update(0.1)),
    "learned, then edited": (
        [UPDATE, {"kind": "edit", "cell": "x[1,0]", "value": -1.25}],
        lambda trace: trace.update(0.1).update(0.1).update(0.1).edit("x[1,0]", -1.25),
    ),
}


def shown(value: float, text: str) -> bool:
    """Whether a text is this number, rounded to the digits that it has."""
    bare = text.split("\n")[0].replace("−", "-")
    if bare[:1] in "▲▼":
        bare = bare[1:]
        value = abs(value)
    bare = bare.split()[-1] if bare.split() else ""
    bare = f"0{bare}" if bare.startswith(".") else bare
    decimals = len(bare.partition("e")[0].partition(".")[2])
    return bare == format_in_column(value, decimals)


def walked(page, trace: Trace, layer: int, head: int, exactly: bool) -> set[str]:
    """Compare every number in the DOM; the cells that were found."""
    cells = page.evaluate(WALK)
    for key, value, text in cells:
        expected = float(trace[key] if "[" in key else trace.array(key))
        # what a change makes new is computed in the page, in another order of additions
        assert value == expected if exactly else value == pytest.approx(expected, rel=1e-12, abs=1e-13), key
        if text and text != "0":
            assert shown(value, text), (key, value, text)
    found = {key for key, *_ in cells}
    for name in STEPS:
        step = trace.step(f"layer{layer}.{name}")
        _, rows, columns = step.shape
        lead = head if step.shape[0] > 1 else 0
        missing = {f"{step.name}[{lead},{r},{c}]" for r in range(rows) for c in range(columns)} - found
        assert not missing, missing
    assert {f"x[{r},{c}]" for r in range(trace.step("x").shape[0]) for c in range(trace.step("x").shape[1])} <= found
    return found


def state_of(text: str, following: str, model: str, layer: int, head: int, changes: list[dict]) -> str:
    said = {"model": model, "text": text, "next": following, "layer": layer, "head": head, "backward": 1}
    return urlencode({**said, **({"changes": json.dumps(changes)} if changes else {})})


@pytest.mark.parametrize("text, following, model, layer, head", CASES)
def test_every_number_on_the_page_is_the_traces_number(text, following, model, layer, head, opened):
    trace = regard.explain(text, following, model)
    page = opened(state_of(text, following, model, layer, head, []))
    page.wait_for_selector("[data-cell=loss]")
    found = walked(page, trace, layer, head, exactly=True)
    assert f"layer{layer}.weights.grad[{head},3,3]" in found
    without = page.get_by_role("checkbox", name="show under every number")
    without.uncheck()
    page.locator(f'[data-cell="layer{layer}.weights.grad[{head},3,3]"]').wait_for(state="detached")
    walked(page, trace, layer, head, exactly=True)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("model, layer, head", [("fox", 0, 0), ("untrained", 0, 0), ("untrained", 1, 1)])
def test_changed_numbers_are_those_of_the_changed_trace(name, model, layer, head, opened):
    changes, changed = CHANGES[name]
    trace = changed(regard.explain("The quick brown fox", "jumps", model))
    trace = trace if trace.of is not None else trace.backward()
    page = opened(state_of("The quick brown fox", "jumps", model, layer, head, changes))
    page.wait_for_selector("[data-cell=loss]")
    walked(page, trace, layer, head, exactly=False)
