"""The options that make a run again say all that was done, or nothing."""

import pytest

import regard
from regard.lessons import LESSONS, lesson
from regard.session.command_line import options_of
from regard.session.single_run import SingleRun, state_of
from regard.session.state import State


@pytest.fixture
def fox():
    return regard.explain("The quick brown fox", next="jumps")


def test_an_untouched_run_needs_no_options(fox):
    assert options_of(fox) == []


def test_changes_stand_in_their_order(fox):
    trace = fox.move("weights[fox,fox]", 0.2).hide("The").edit("weights[fox,brown]", 1 / 3)
    assert options_of(trace) == [
        "--move", "layer0.weights[0,3,3]=0.2", "--hide", "0", "--edit", "layer0.weights[0,3,2]=0.3333333333333333",
    ]  # fmt: skip


def test_what_no_command_can_say_is_not_said(fox):
    assert options_of(fox.update()) is None
    assert options_of(fox.update().edit("weights[fox,fox]", 0.2)) is None
    assert options_of(fox.pin("query", 2)) is None


def test_nor_what_was_done_in_a_notebook(fox):
    def seen(**changed):
        return SingleRun(fox).of(State(**{**state_of(fox), **changed})).trace

    assert options_of(seen()) == []
    assert options_of(seen(mask="both")) == ["--mask", "both"]
    assert options_of(seen(scaling="none")) is None
    edit = {"kind": "edit", "cell": "weights[fox,fox]", "value": 0.2}
    assert options_of(seen(changes=[edit])) == ["--edit", "layer0.weights[0,3,3]=0.2"]
    assert options_of(seen(changes=[{"kind": "update"}])) is None
    assert options_of(seen(changes=[{"kind": "update"}, edit])) is None


def test_a_text_may_begin_like_an_option():
    trace = regard.explain("- the dog", model="untrained", next="-")
    assert [option for option in options_of(trace) if "=" in option] == ["--text=- the dog", "--next=-"]


@pytest.mark.parametrize("name", LESSONS)
def test_of_a_lesson_only_what_is_a_run_of_a_model(name):
    trace = lesson(name).make()
    options = options_of(trace) if "model" in trace.info else None
    if options is None:
        return
    given = dict(zip(options[::2], options[1::2]))
    again = regard.explain(
        given.get("--text", trace.info["own"]["text"]),
        given.get("--next", None if "--text" in given else trace.info["own"]["next"]),
        given.get("--model", "fox"),
        given.get("--mask"),
        given.get("--query"),
    )
    assert (again.array("weights") == trace.array("weights")).all()
