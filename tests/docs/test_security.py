"""docs/security.md: every promise has tests that exist, and its table is what the script writes."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("security_table", ROOT / "scripts/security_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path])
        patch.setitem(sys.modules, "security_table", module)  # dataclasses look their module up there
        spec.loader.exec_module(module)
        yield module


def test_the_table_is_what_was_recorded(script):
    assert len(script.PROMISES) == 29
    assert script.missing() == []
    assert script.PAGE.read_text(encoding="utf-8") == script.written(), "run `python scripts/security_table.py`"


def test_every_figure_is_of_a_run_in_which_nothing_failed(script):
    found = script.recorded()["tests"]
    assert set(found) >= set(script.tests())
    for name, measured in found.items():
        assert 0 < measured["passed"] == measured["cases"], name


def test_a_figure_reads_as_a_sentence(script):
    one = script.promise("x", "y", "a.py::test_b")
    kept = {"cases": 1200, "passed": 1200, "date": "2026-01-01"}
    figures = {"requests": 2800, "websockets": 1, "megabytes": 0.0195}
    said = script.figure(one, {"tests": {"a.py::test_b": {**kept, "figures": figures}}, "benchmarks": {}})
    assert said == "1,200 of 1,200 passed; at most 0.0195 MB; 2,800 requests; 1 WebSocket route (2026-01-01)"


def test_a_test_that_is_gone_is_noticed(script, monkeypatch):
    gone = script.promise("x", "y", "server/test_gate.py::test_gone", "nowhere.py::test_x")
    monkeypatch.setattr(script, "PROMISES", (*script.PROMISES, gone))
    assert script.missing() == ["server/test_gate.py::test_gone", "nowhere.py::test_x"]
    assert "| 30 | x | y | not recorded |" in script.table()
