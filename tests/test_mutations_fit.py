"""The breakages of benchmarks/mutations.py still fit the code, and the tests they run still exist."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def mutations(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")  # as when it is run
    spec = importlib.util.spec_from_file_location("mutations", ROOT / "benchmarks/mutations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutations"] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def test_each_breakage_fits_in_exactly_one_place_and_its_tests_exist(mutations):
    assert len(mutations.MUTATIONS) >= 25
    mutations.check_that_each_can_be_applied()
    named = {path for broken in mutations.MUTATIONS for path in broken.tests}
    assert all((ROOT / "tests" / path).exists() for path in (*mutations.TESTS, *named))
