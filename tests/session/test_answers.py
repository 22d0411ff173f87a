"""One question brings what a page needs: the trace of a small run, or the measurements of a large one, never both."""

import json

import pytest

import regard.session.answers as module
from regard.lens.explanation import Candidate
from regard.session.answers import explain
from regard.session.questions import ExplainQuestion
from regard.session.refusal import TooLarge
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
CHANGED = {
    "scaling": "none",
    "changes": [{"kind": "edit", "cell": "weights[fox,fox]", "value": 0.05}, {"kind": "hide", "word": "The"}],
}


def asked(traces: Traces, **question) -> dict:
    return json.loads(explain(lambda: None, traces, ExplainQuestion(**question)))


def test_a_small_run_comes_whole_and_unmeasured_with_what_is_to_be_done_to_it(monkeypatch):
    monkeypatch.setattr(module, "explanation", lambda *given, **named: pytest.fail("measured for nobody"))
    traces = Traces(Shelf())
    found = asked(traces, **FOX, **CHANGED, mask="both", whole=True)
    assert set(found) == {"state", "claims", "trace"}
    assert found["state"]["changes"] == CHANGED["changes"] and found["state"]["scaling"] == "none"
    own = traces.of(State(**FOX, mask="both")).trace
    assert found["trace"] == json.loads(own.json())


def test_a_document_s_own_run_has_its_claims():
    traces = Traces(Shelf())
    assert asked(traces, **FOX, whole=True)["claims"] == asked(traces, **FOX)["claims"] != []


def test_a_large_run_is_measured_as_it_was_changed(monkeypatch):
    monkeypatch.setattr(module.limits, "WHOLE_TRACE", 10)
    traces = Traces(Shelf())
    found = asked(traces, **FOX, **CHANGED, whole=True)
    assert found == asked(traces, **FOX, **CHANGED)
    assert "trace" not in found and len(found["outline"]["edits"]) == 2


def test_without_being_asked_for_the_whole_the_answer_is_that_of_the_first_edition():
    found = asked(Traces(Shelf()), **FOX)
    assert set(found) == {"state", "explanation", "claims", "timeline", "trace"}


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_of_many_words_the_most_probable_are_told_and_the_one_that_should_follow(monkeypatch, most):
    """Only these are made: a vocabulary is long, and each word's address takes its time."""
    whole = asked(Traces(Shelf()), **FOX)["explanation"]
    made = []
    monkeypatch.setattr(module.limits, "CANDIDATES", most)
    monkeypatch.setattr(Candidate, "data", lambda c, trace, data=Candidate.data: made.append(c) or data(c, trace))
    found = asked(Traces(Shelf()), **FOX)["explanation"]
    if most >= len(whole["candidates"]):
        assert found == whole
        return
    ranked = sorted(whole["candidates"], key=lambda c: -c["probability"])
    expected = ranked[:most] + [c for c in ranked[most:] if c["word"] == "jumps"]
    assert found["candidates"] == expected and len(made) == len(expected)
    assert found["candidates_hidden"] == len(ranked) - len(expected)
    after = sorted(whole["learning"]["next_probabilities"].items(), key=lambda pair: -pair[1])
    words = {c["word"] for c in expected} | {word for word, _ in after[:most]}
    assert list(found["learning"]["next_probabilities"].items()) == [pair for pair in after if pair[0] in words]


def test_what_is_too_large_is_an_error_of_the_domain():
    updates = [{"kind": "update", "times": 1000}] * 11
    with pytest.raises(TooLarge, match="at most 10,000 updates"):
        Traces(Shelf()).of(State(**FOX, changes=updates))
