"""A Change is data, and one function applies it: what it does is what the trace's own method does."""

import json

import numpy as np
import pytest
from pydantic import ValidationError

import regard
from regard.session import limits
from regard.session.changes import CHANGE, applied, change_from
from regard.session.shelf import Shelf
from regard.session.single_run import SingleRun, state_of
from regard.session.state import State
from regard.session.traces import Traces
from regard.trace import edits
from regard.trace.switches import silenced, switch_named

FOX = {"text": "The quick brown fox", "next": "jumps"}
ONE_OF_EACH = [
    ({"kind": "move", "cell": "weights[fox,fox]", "value": 0.25}, lambda t: t.move("weights[fox,fox]", 0.25)),
    ({"kind": "edit", "cell": "weights[fox,The]", "value": 0.5}, lambda t: t.edit("weights[fox,The]", 0.5)),
    ({"kind": "hide", "word": "quick"}, lambda t: t.hide("quick")),
    ({"kind": "pin", "step": "query", "value": [2.0]}, lambda t: t.pin("query", 2)),
    ({"kind": "switch", "name": "keys-are-values"}, lambda t: switch_named("keys-are-values").thrown(t)),
    ({"kind": "switch", "name": "d_k", "value": 64.0}, lambda t: switch_named("d_k").thrown(t, 64)),
    ({"kind": "update", "rate": 0.3, "times": 2}, lambda t: t.update(0.3).update(0.3)),
    ({"kind": "update", "learns": ["W_Q"]}, lambda t: t.update(0.1, ["W_Q"])),
]


@pytest.fixture
def fox():
    return regard.explain(FOX["text"], next=FOX["next"])


@pytest.mark.parametrize(
    "data, method", ONE_OF_EACH, ids=lambda given: given["kind"] if isinstance(given, dict) else ""
)
def test_a_change_does_what_the_method_does(fox, data, method):
    assert applied(fox, CHANGE.validate_json(json.dumps(data))).json() == method(fox).json()


def test_a_head_is_silenced():
    trace = regard.explain("On the mat a cat sat", next="purring", model="two-heads")
    change = CHANGE.validate_python({"kind": "silence", "layer": 0, "head": 1})
    assert applied(trace, change).json() == silenced(trace, 0, 1).json()


def test_every_kind_of_change_is_tried():
    tried = {data["kind"] for data, _ in ONE_OF_EACH} | {"silence"}  # for which fox has too few heads
    assert tried == set(CHANGE.json_schema()["discriminator"]["mapping"])


def test_a_notebook_and_a_server_come_to_the_same_numbers(fox):
    changes = [data for data, _ in ONE_OF_EACH]
    expected = fox
    for data in changes:
        expected = applied(expected, CHANGE.validate_python(data))
    of_a_server = Traces(Shelf()).of(State(**FOX, changes=changes)).trace
    of_a_notebook = SingleRun(fox).of(State(**{**state_of(fox), "changes": changes})).trace
    for found in (of_a_server, of_a_notebook):
        assert found.steps.keys() == expected.steps.keys()
        assert all(np.array_equal(found.array(n), expected.array(n), equal_nan=True) for n in expected.steps)


def test_a_hidden_word_is_a_mask_without_its_column(fox):
    """And the trace notes which word it was."""
    for position in range(4):
        visible = fox.array("visible").copy()
        visible[[row for row in range(4) if row != position or row == 3], position] = False
        hidden = applied(fox, change_from("hide", word=str(position)))
        assert np.array_equal(hidden.array("logits"), fox.pin("visible", visible).array("logits"))
        assert hidden.edits[-1].data() == {"kind": "hide", "step": "visible", "at": [position], "number": None}


def test_nobody_reads_a_hidden_word_but_itself():
    trace = regard.explain("The dog sat here now", model="untrained").hide("sat")
    for layer in ("layer0", "layer1"):
        weights = trace.array(f"{layer}.weights")[:, :, 2]
        assert np.all(weights[:, [0, 1, 3, 4]] == 0) and np.all(weights[:, 2] > 0)
        assert trace.array(f"{layer}.weights").sum(axis=-1) == pytest.approx(1)


def test_a_bound_has_one_owner():
    assert limits.LARGEST is edits.LARGEST
    for beyond in (1.0001e30, -1.0001e30):
        with pytest.raises(ValidationError):
            CHANGE.validate_python({"kind": "edit", "cell": "loss", "value": beyond})
        with pytest.raises(ValueError, match="at most 1e\\+30"):
            edits.checked_number(beyond)
    assert change_from("edit", cell="loss", value=1e30)


@pytest.mark.parametrize(
    "kind, fields, said",
    [
        ("hide", {"word": ""}, "hide expects a word"),
        ("hide", {"word": "fox", "value": 1.0}, "hide.value"),
        ("hide", {}, "hide expects a word"),
        ("jump", {"word": "fox"}, "'edit', 'move', 'pin', 'hide', 'update'"),
    ],
)
def test_what_is_no_change_is_said_in_one_line(kind, fields, said):
    with pytest.raises(ValueError, match=said) as refused:
        change_from(kind, **fields)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("number", [1e19, -1e30, 2.0**31, 0.5])
def test_a_pin_of_words_that_are_none_is_refused_in_words(number):
    fox = regard.explain("The quick brown fox", model="fox")
    with pytest.raises(ValueError, match="tokens expects whole numbers"):
        applied(fox, change_from("pin", step="tokens", value=[number, 0, 0, 0]))
