"""What an installed regard says about itself, and what its scripts say about the machine."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import regard

ROOT = Path(__file__).parents[1]


def test_the_package_says_that_it_is_typed():
    assert (Path(regard.__file__).parent / "py.typed").is_file()


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == regard.__version__
    assert f"\n## {regard.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.fixture
def missing_packages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("missing_packages", ROOT / "scripts" / "missing_packages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_bare_machine_is_told_all_that_the_tests_need(missing_packages, monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setattr("sysconfig.get_python_version", lambda: "3.11")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(missing_packages, "has_library", lambda name: False)
    assert missing_packages.missing() == ["chromium", "libatomic1", "g++", "python3.11-dev"]


def test_a_machine_that_has_everything_is_told_nothing(missing_packages, monkeypatch, tmp_path):
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name in ("google-chrome", "g++") else None)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(missing_packages, "has_library", lambda name: True)
    assert missing_packages.missing() == []


def test_a_library_is_looked_for_where_programs_find_it(missing_packages):
    assert not missing_packages.has_library("libnobodyhasthis.so.7")


@pytest.mark.parametrize("name", ["show", "figure", "explanation", "weights_of"])
@pytest.mark.parametrize("given", [3, "The fox", None])
def test_what_is_no_trace_is_told_with_how_to_get_one(name, given):
    if name == "show":
        pytest.importorskip("anywidget")
    with pytest.raises(ValueError, match=rf"expected a trace, got a {type(given).__name__}; regard\.explain"):
        getattr(regard, name)(given)
