"""Tables of word vectors as they are answered: in slices, within bounds, every number a cell of what comes along."""

import json

import numpy as np
import pytest
from pydantic import ValidationError

from regard.session import limits
from regard.session.answering import QUESTIONS
from regard.session.shelf import Shelf
from regard.session.traces import Traces
from regard.suggestions import NotFound
from regard.trace.wire import from_json
from regard.vectors.plane import Principal, places
from regard.vectors.wordvectors import WordVectors


def asked(traces, path, **question):
    kind, answer = QUESTIONS[path]
    return json.loads(answer(lambda: None, traces, kind(**question)))


@pytest.fixture(scope="module")
def vectors():
    table = np.random.default_rng(2).normal(size=(211, 5)).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(211)], table)


@pytest.fixture
def traces(vectors, tmp_path):
    vectors.save(tmp_path / "some.vectors")
    (tmp_path / "runs" / "mine" / "checkpoints" / "00000001").mkdir(parents=True)  # as training leaves it
    vectors.subset(["w1", "w2", "w3"]).save(tmp_path / "runs" / "mine" / "vectors.vectors")
    return Traces(Shelf(tmp_path / "runs", [str(tmp_path / "some.vectors")]))


def test_files_runs_and_models_have_tables(traces):
    names = traces.tables.names()
    assert (
        len(names) == len(set(names)) and names[:2] == ["some.vectors", "runs/mine"] and {"english", "fox"} < set(names)
    )
    about = asked(traces, "table", model="some.vectors")
    assert (about["words"], about["width"], about["drawn"], about["examples"]) == (211, 5, 211, ["w0"])
    assert asked(traces, "table", model="runs/mine")["words"] == 3
    assert asked(traces, "table", model="english")["examples"][0] == "king - man + woman"
    assert asked(traces, "table", model="fox")["examples"] == ["The"]


def test_slices_of_points_are_the_whole_map(traces, vectors, monkeypatch):
    monkeypatch.setattr(limits, "POINTS", 200)
    parts = [asked(traces, "points", model="some.vectors", first=first, count=70) for first in (0, 70, 140, 210)]
    assert [len(part["words"]) for part in parts] == [70, 70, 60, 0] and {part["of"] for part in parts} == {200}
    assert [word for part in parts for word in part["words"]] == [f"w{i}" for i in range(200)]
    expected = places(vectors, Principal.of(vectors, 200), range(200))
    found = [place for part in parts for place in part["places"]]
    np.testing.assert_allclose(found, expected.ravel(), atol=5.1e-5)


def test_numbers_of_an_answer_are_cells_of_the_trace_that_comes_along(traces, vectors):
    sums = ["w7 - w3", "w5 - w3"]
    found = asked(traces, "near", model="some.vectors", asked="w5 - w3 + w7", along=sums, most=4)
    trace = from_json(json.dumps(found["trace"]))
    nearest = vectors.near("w5 - w3 + w7", 4)
    assert [one["word"] for one in found["near"]] == list(nearest.words)
    assert [one["cosine"]["value"] for one in found["near"]] == pytest.approx([c.value for c in nearest.cosines])
    told = [one[name] for one in found["near"] + found["terms"] for name in ("across", "up", "cosine") if name in one]
    for one in [*told, found["told"]]:
        assert trace.cell(one["cell"]).value == pytest.approx(one["value"], rel=1e-12)
    assert [one["row"] for one in found["terms"]] == [5, 3, 7]
    assert [one["factor"] for one in found["terms"]] == [1, -1, 1]


@pytest.mark.parametrize(
    "question",
    [
        {"first": -1},
        {"count": 0},
        {"count": limits.POINTS_AT_ONCE + 1},
        {"first": 2**40},
        {"along": ["w1"]},
        {"along": ["w1", "w2", "w3"]},
        {"along": ["w" * 301, "w1"]},
        {"first": True},
        {"nothing": 1},
    ],
)
def test_points_out_of_bounds_are_refused(question):
    with pytest.raises(ValidationError):
        QUESTIONS["points"][0](model="some.vectors", **question)


@pytest.mark.parametrize("most", [0, limits.NEIGHBOURS + 1])
def test_neighbours_out_of_bounds_are_refused(most):
    with pytest.raises(ValidationError):
        QUESTIONS["near"][0](model="some.vectors", asked="w1", most=most)


@pytest.mark.parametrize("name", ["/etc/passwd", "../some.vectors", "some", "runs/nobody", "some.vectors/"])
def test_a_name_is_never_a_path(traces, name):
    with pytest.raises(NotFound, match="no word vectors"):
        asked(traces, "table", model=name)


def test_what_is_missing_or_broken_is_told_without_a_path(traces, tmp_path):
    with pytest.raises(NotFound, match="no vector for 'king'"):
        asked(traces, "near", model="some.vectors", asked="king - w1")
    with pytest.raises(ValueError, match="sign without a word"):
        asked(traces, "near", model="some.vectors", asked="w1 - ")
    (tmp_path / "some.vectors").write_bytes(b"not vectors at all")
    with pytest.raises(NotFound, match=r"some\.vectors cannot be opened") as told:
        asked(traces, "near", model="some.vectors", asked="w1")
    assert str(tmp_path) not in str(told.value)


def test_a_file_that_was_written_again_is_read_again(traces, vectors, tmp_path):
    assert asked(traces, "table", model="some.vectors")["words"] == 211
    vectors.subset(["w1", "w2"]).save(tmp_path / "some.vectors")
    assert asked(traces, "table", model="some.vectors")["words"] == 2


def test_vectors_as_wide_as_they_come_are_answered_in_bounds(tmp_path):
    WordVectors([f"w{i}" for i in range(60)], np.eye(60, 9_000)).save(tmp_path / "wide.vectors")
    traces = Traces(Shelf(None, [str(tmp_path / "wide.vectors")]))
    with pytest.raises(ValueError, match="at most"):
        asked(traces, "near", model="wide.vectors", asked="w1", most=50)
