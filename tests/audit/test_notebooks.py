"""Notebooks: results are judged however the file is laid out, and a broken one is no traceback."""

import json
from typing import Any

import pytest

from regard.audit.page import audit

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["Weights\n", "\n", "0.5 * 0.66 = 0.34\n"]},
    {
        "cell_type": "code",
        "source": "x = 3 * 4\nx",
        "outputs": [{"output_type": "execute_result", "data": {"text/plain": ["13"]}}],
    },
    {
        "cell_type": "code",
        "source": ["print(2*3)"],
        "outputs": [{"output_type": "stream", "text": ["7\n"]}],
    },
]
BROKEN: list[Any] = [
    5,
    [5, None],
    [{"cell_type": "code", "source": "1 + 1", "outputs": 5}],
    [{"cell_type": "code", "source": 5, "outputs": {"a": 1}}],
    [{"cell_type": "code", "source": [1, "2"], "outputs": [3, {"text": 5, "data": [1]}, {"data": {"text/plain": 5}}]}],
    [{"cell_type": "markdown"}, {"cell_type": ["code"]}],
]


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("sort", [False, True])
def test_results_are_judged_in_every_layout(indent: int | None, sort: bool) -> None:
    text = json.dumps({"cells": CELLS}, indent=indent, sort_keys=sort)
    failures = audit(text, "page.ipynb").failures
    assert [(f.claimed, f.computed) for f in failures] == [("0.34", "0.33"), ("13", "12"), ("7", "6")]
    assert all(f.claimed in text.split("\n")[f.line - 1] for f in failures)


@pytest.mark.parametrize("cells", BROKEN)
def test_a_broken_notebook_has_no_claims(cells: Any) -> None:
    assert audit(json.dumps({"cells": cells}), "page.ipynb").findings == ()


def test_lines_written_otherwise_than_by_json_cost_little() -> None:
    source = "\\u0031 = 2\\n" * 20_000  # none of these is found in the file
    cells = f'[{{"cell_type": "code", "source": "{source}"}}]'
    assert audit(f'{{"cells": {cells}}}', "page.ipynb").file == "page.ipynb"
