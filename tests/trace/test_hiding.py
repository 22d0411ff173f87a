"""A hidden word: nobody reads it, the file remembers which it was, and it can be undone."""

import json
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.trace.wire import from_json


@pytest.fixture
def trace() -> regard.Trace:
    return regard.explain("The dog sat here now", next="cat", model="untrained")


def by_definition(visible: np.ndarray, word: int, query: int) -> np.ndarray:
    may = visible.copy()
    for q, k in np.ndindex(*visible.shape):
        if k == word and (q != word or q == query):
            may[q, k] = False
    return may


def test_what_may_be_looked_at(trace):
    for word in range(5):
        found = trace.hide(word).array("visible")
        assert np.array_equal(found, by_definition(trace.array("visible"), word, query=4))


def test_undo_and_reset_show_it_again(trace):
    hidden = trace.hide("sat").edit("layer0.scores[0,now,dog]", 2.0)
    assert hidden.undo().undo() is trace
    learned = trace.hide("sat").update(0.1)  # keeps no ancestors to go back to
    assert np.array_equal(learned.reset().array("visible"), trace.array("visible"))


def test_two_words_can_be_hidden(trace):
    both = trace.hide("sat").hide("dog").array("layer1.weights")
    assert np.all(both[:, 4, [1, 2]] == 0) and both[:, 4].sum(axis=-1) == pytest.approx(1)


def test_files_and_json_keep_it(trace, tmp_path: Path):
    hidden = trace.move("layer0.weights[0,now,dog]", 0.5).hide("sat").backward()
    hidden.save(tmp_path / "trace.npz")
    for again in (regard.load(tmp_path / "trace.npz"), from_json(hidden.json())):
        assert again.json() == hidden.json()
        assert [edit.data() for edit in again.edits] == [edit.data() for edit in hidden.edits]
        assert np.array_equal(again.undo().array("visible"), trace.array("visible"))


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"at": []}, "one position"),
        ({"at": [0, 1]}, "one position"),
        ({"at": [5]}, "there are 5"),
        ({"at": [-1]}, "at"),
    ],
)
def test_a_file_that_hides_no_word_is_refused(trace, wrong, said):
    data = json.loads(trace.hide("sat").hide("dog").json())
    data["edits"][0] |= wrong
    with pytest.raises(ValueError, match=said):
        from_json(json.dumps(data))


def test_a_run_without_a_mask_says_so(trace):
    with pytest.raises(KeyError, match="visible"):
        regard.Trace(trace.forward[:1]).hide(0)
