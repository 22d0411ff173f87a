"""Every number on the page is the Trace's number: all cells of the fox and of a two-layer random model."""

from urllib.parse import urlencode

import pytest

import regard
from regard.ops.notation import format_in_column

WALK = """() => [...document.querySelectorAll("[data-cell]")].map(
    ({ dataset, innerText }) => [dataset.cell, Number(dataset.value), innerText.trim()])"""
CASES = [
    ("The quick brown fox", "jumps", "fox", 0),
    ("a lazy fox and a lazy fox", "sleeps", "fox", 0),
    ("On the mat a cat sat", "purring", "two-heads", 0),
    ("The quick brown fox", "jumps", "untrained", 0),
    ("The quick brown fox", "jumps", "untrained", 1),
]


def shown(value: float, text: str) -> bool:
    """Whether a text is this number, to the digits that it has."""
    bare = text.split("\n")[0].replace("−", "-")
    if bare[:1] in "▲▼":
        bare = bare[1:]
        value = abs(value)
    bare = bare.split()[-1] if bare.split() else ""
    bare = f"0{bare}" if bare.startswith(".") else bare
    decimals = len(bare.partition("e")[0].partition(".")[2])
    return bare == format_in_column(value, decimals)


@pytest.mark.parametrize("text, following, model, layer", CASES)
def test_every_number_on_the_page_is_the_traces_number(text, following, model, layer, opened):
    trace = regard.explain(text, following, model)
    page = opened(urlencode({"model": model, "text": text, "next": following, "layer": layer, "backward": 1}))
    page.wait_for_selector("[data-cell=loss]")
    cells = page.evaluate(WALK)
    assert len(cells) > 150
    for key, value, text_shown in cells:
        expected = trace[key] if "[" in key else float(trace.array(key))
        assert value == expected, key
        if text_shown and text_shown != "0":
            assert shown(value, text_shown), (key, value, text_shown)
    drawn = {key.partition("[")[0] for key, *_ in cells}
    layer_steps = {f"layer{layer}.{step}" for step in ("q", "k", "v", "scores", "scaled", "weights", "context")}
    assert layer_steps | {"x"} <= drawn
