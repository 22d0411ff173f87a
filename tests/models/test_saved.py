"""A saved run comes back to the last digit, holds no parameters that its model has, and says so if that is not here."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.models import catalogue, english
from regard.models.catalogue import find_model
from regard.trace import Trace
from regard.trace.files import load as load_without_models

FIRST_EDITION = Path(__file__).parents[1] / "trace/data/first_edition.npz"
LONG = "Once upon a time there was a little girl who had a red hat and a small dog that liked to run in the garden"


def check_same(one: Trace, other: Trace) -> None:
    assert list(one.steps) == list(other.steps)
    for name, step in one.steps.items():
        assert np.array_equal(step.value, other.steps[name].value, equal_nan=step.value.dtype.kind == "f"), name


@pytest.fixture(scope="module")
def run() -> Trace:
    trace = regard.explain(LONG, next="with")
    _ = [step.value for step in trace.forward]
    return trace


def test_a_file_of_the_first_edition_opens():
    trace = regard.load(FIRST_EDITION)
    assert trace.predicted == "jumps"
    assert float(trace.array("loss")) == pytest.approx(1.362203319952416, abs=1e-15)
    assert trace.undo().array("weights").shape == trace.array("weights").shape


def test_a_run_of_the_usual_model_is_saved_without_its_parameters_and_opens(run, tmp_path):
    run.save(tmp_path / "run.npz")
    assert (tmp_path / "run.npz").stat().st_size < 2_000_000
    again = regard.load(tmp_path / "run.npz")
    check_same(run, again)
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "run.npz").read_bytes()


@pytest.mark.parametrize("looks_first", [True, False])
def test_an_edited_run_comes_back_to_the_last_digit(run, tmp_path, looks_first):
    edited = run.edit("layer1.weights[2,20,3]", 0.7).edit("layer3.weights[0,12,5]", 0.4).edit("layer0.q[1,22,7]", 0.3)
    if looks_first:
        _ = [step.value for step in edited.forward]
    edited.save(tmp_path / "run.npz")
    again = regard.load(tmp_path / "run.npz")
    assert any(step.apart is not None for step in edited.forward)  # else nothing was tried
    check_same(edited, again)
    again.save(tmp_path / "again.npz")
    check_same(edited, regard.load(tmp_path / "again.npz"))


def test_what_was_learned_is_saved_with_its_numbers(run, tmp_path):
    learned = run.update(0.1, learns=["W_Q"])
    learned.save(tmp_path / "run.npz")
    again = regard.load(tmp_path / "run.npz")
    assert np.array_equal(again.array("layer2.W_Q"), learned.array("layer2.W_Q"))
    assert np.array_equal(again.array("loss"), learned.array("loss"))


def test_another_model_of_the_same_name_is_refused(run, tmp_path, monkeypatch):
    run.save(tmp_path / "run.npz")
    other = english.english()
    array = np.array(other.parameters["layer3.W_up"])
    array[2, 5] += 1e-9
    other.parameters["layer3.W_up"] = array  # pyright: ignore[reportIndexIssue]
    monkeypatch.setattr(catalogue, "find_model", lambda name: other)
    with pytest.raises(ValueError, match=r"'layer3\.W_up' of the model found here is different; open it with"):
        regard.load(tmp_path / "run.npz")


def test_a_model_that_is_not_here_is_named_with_what_to_do(run, tmp_path):
    def nobody(name: str):
        raise KeyError(name)

    run.save(tmp_path / "run.npz")
    with pytest.raises(
        ValueError, match=r"a run of 'english', which is not here .* say where it is: load\(path, model="
    ):
        load_without_models(tmp_path / "run.npz", models=nobody)
    with pytest.raises(ValueError, match=r"whose parameters are not in the file; open it with regard.load"):
        load_without_models(tmp_path / "run.npz")


def test_rows_that_contradict_the_arithmetic_are_refused(run, tmp_path):
    edited = run.edit("layer1.weights[2,20,3]", 0.7)
    edited.save(tmp_path / "run.npz")
    arrays = dict(np.load(tmp_path / "run.npz"))
    name = next(name for name in arrays if name.startswith("rows"))
    arrays[name] = arrays[name] + 0.5
    np.savez(tmp_path / "false.npz", **arrays)
    step = list(edited.steps.values())[int(name.removeprefix("rows"))]
    with pytest.raises(ValueError, match="are not what its operation gives; the file was changed"):
        _ = regard.load(tmp_path / "false.npz").array(step.name)


def test_a_toy_is_saved_whole_and_as_the_first_edition_reads_it(tmp_path):
    find_model("fox").run("The quick brown fox", "jumps").save(tmp_path / "fox.npz")
    with zipfile.ZipFile(tmp_path / "fox.npz") as archive:
        assert "step0.npy" in archive.namelist()
    header = json.loads(np.load(tmp_path / "fox.npz")["header"].tobytes())
    assert header["version"] == 1
    assert "named" not in header


def test_json_of_a_large_run_is_refused_with_what_to_do(run):
    with pytest.raises(ValueError, match="keep it with save, which names the parameters of known models"):
        run.json()
