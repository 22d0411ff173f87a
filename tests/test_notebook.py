"""The notebook's widget: what is selected and done on its page is Python's, and the other way round."""

import json
from typing import Any

import numpy as np
import pytest

import regard

anywidget = pytest.importorskip("anywidget")
from regard.models.catalogue import find_model  # noqa: E402
from regard.notebook import Shown, show  # noqa: E402


@pytest.fixture
def fox() -> Shown:
    return show(regard.explain("The quick brown fox", next="jumps", model="fox"))


@pytest.fixture(scope="module")
def english() -> Shown:
    return show(regard.explain("Once upon a time", next="there", model="english"))


def asked(widget: Shown, path: str, **question: Any) -> dict[str, Any]:
    """What the page would get for a question, through the widget's own handlers."""
    sent: list[Any] = []
    widget.send = lambda content, buffers=None: sent.append(content)
    message = {"id": 7, "path": path, "body": {**widget.state, **question}}
    widget._handle_custom_msg(message, [])
    assert len(sent) == 1 and sent[0]["id"] == 7
    return {"error": sent[0]["error"]} if "error" in sent[0] else json.loads(sent[0]["answer"])


def test_the_widget_holds_the_page_and_the_whole_toy(fox):
    assert isinstance(fox, anywidget.AnyWidget)
    synced = fox.get_state()
    assert "export" in synced["_esm"] and ".regard" in synced["_css"]
    assert json.loads(synced["trace_json"]) == json.loads(fox.trace.json())
    assert synced["state"] == {"model": "fox", "text": "The quick brown fox", "next": "jumps", "changes": []}
    assert len(synced["claims"]) > 100


def test_what_is_done_on_the_page_comes_back_as_a_trace(fox):
    changes = [
        {"kind": "edit", "cell": "x[fox,0]", "value": 0.5},
        {"kind": "move", "cell": "weights[fox,fox]", "value": 0.2},
        {"kind": "update", "rate": 0.1, "times": 3, "learns": ["W_V"]},
        {"kind": "pin", "step": "layer0.context", "value": [0.1] * 8},
    ]
    fox.set_state({"state": {**fox.state, "changes": changes}})  # as the page says it
    by_hand = regard.explain("The quick brown fox", next="jumps", model="fox")
    by_hand = by_hand.edit("x[fox,0]", 0.5).move("weights[fox,fox]", 0.2)
    for _ in range(3):
        by_hand = by_hand.update(0.1, ["W_V"])
    by_hand = by_hand.pin("layer0.context", np.full((1, 4, 2), 0.1))
    for name in ("weights", "probabilities", "W_V", "loss"):
        assert np.array_equal(fox.trace.array(name), by_hand.array(name)), name
    fox.state = {**fox.state, "changes": []}
    assert fox.trace.predicted == "fox"


def test_what_ifs_of_the_page_come_back_too(fox):
    fox.state = {**fox.state, "mask": "both", "scaling": "none", "changes": [{"kind": "update", "rate": 0.1}]}
    from dataclasses import replace

    model = find_model("fox")
    other = replace(model, settings=replace(model.settings, scaling="none"))
    expected = other.run("The quick brown fox", "jumps", "both")
    assert np.array_equal(fox.trace.array("probabilities"), expected.update(0.1).array("probabilities"))


def test_the_selection_is_read_and_set_by_words(fox):
    assert fox.selection == {"stage": None, "layer": None, "head": None, "query": "fox", "cell": None}
    assert fox.view == {"page": "opening"} and fox.compact, "one scene, some rows high"
    fox.selection = {"query": "brown", "cell": "weights[brown,The]", "stage": 5, "layer": 0, "head": 0}
    assert fox.view == {"row": 2, "cell": "weights[brown,The]", "stage": 5, "layer": 0, "head": 0, "page": "explorer"}
    fox.set_state({"view": {**fox.view, "row": 1, "cell": None, "tab": "code"}})  # somebody clicked
    assert fox.selection["query"] == "quick" and fox.selection["cell"] is None
    fox.selection = {"query": 3}
    assert fox.view["tab"] == "code" and fox.selection["query"] == "fox"
    for wrong, told in (
        ({"layer": 4}, "there are 1"),
        ({"head": 1}, "there are 1"),
        ({"query": "dog"}, "no query"),
        ({"cell": "wieghts[fox,fox]"}, "weights"),
        ({"stage": 13}, "1 to 12"),
        ({"row": 1}, "got row"),
    ):
        with pytest.raises(KeyError, match=told):
            fox.selection = wrong
    assert fox.selection["query"] == "fox"


def test_a_deep_run_is_asked_for_piece_by_piece(english):
    assert english.trace_json == "" and len(str(english.get_state()["state"])) < 500
    trace = english.trace
    found = asked(english, "explain")
    assert found["explanation"]["predicted"] == trace.predicted and found["outline"]["info"]["model"] == "english"
    row = asked(english, "values", step="layer1.weights", at=[2, 3, None])
    assert row["value"] == trace.array("layer1.weights")[2, 3].tolist()
    why = asked(english, "why", cell="layer1.weights[2,3,0]")
    assert why["value"] == trace["layer1.weights[2,3,0]"] and why["text"] == trace.why("layer1.weights[2,3,0]").text()
    assert asked(english, "lens", kind="logit_lens")["layers"][-1]["candidates"][0]["word"] == trace.predicted
    assert len(asked(english, "generate", count=2)["tokens"]) == 2


def test_a_deep_run_is_changed_over_the_line(english):
    changes = [{"kind": "edit", "cell": "layer5.weights[0,3,0]", "value": 0.0}]
    found = asked(english, "explain", changes=changes)
    by_hand = english._runs.trace.edit("layer5.weights[0,3,0]", 0.0)
    best = found["explanation"]["candidates"][0]
    assert best["probability"] == float(by_hand.array("probabilities").max())
    english.state = {**english.state, "changes": changes}
    assert np.array_equal(english.trace.array("logits"), by_hand.array("logits"))
    english.state = {**english.state, "changes": []}


def test_wrong_questions_are_refused_in_a_sentence(english):
    for path, question, told in (
        ("values", {"step": "nothing"}, "no step"),
        ("values", {"step": "x", "at": [99, 0]}, "from 0"),
        ("values", {}, "required"),
        ("why", {"cell": "x"}, "not one number"),
        ("explain", {"text": "Another text"}, "shows one run"),
        ("explain", {"changes": [{"kind": "edit", "cell": "x[0,0]", "value": 1e300}]}, "less than"),
        ("open", {}, "open"),
    ):
        assert told in asked(english, path, **question)["error"], path
    for broken in (None, [], {"id": 1}, {"id": 1, "path": "values"}, {"id": 1, "path": [], "body": 3}):
        sent: list[Any] = []
        english.send = lambda content, buffers=None, sent=sent: sent.append(content)
        english._handle_custom_msg(broken, [])
        assert "error" in sent[0]


def test_a_trace_of_bare_arrays_can_be_shown():
    from regard.ops import Given
    from regard.trace import Step, Trace

    assert show(Trace((Step("x", Given([0.5, 1.0], "T")),))).state["text"]
    assert regard.show is show


def test_a_notebook_runs_it():
    """The widget in a kernel of its own, as a notebook starts it."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    code = [
        'import regard\nshown = regard.show(regard.explain("The quick brown fox", next="jumps", model="fox"))\nshown',
        "shown.state = {**shown.state, 'changes': [{'kind': 'update', 'rate': 0.1}]}\nprint(shown.trace.predicted)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in code])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute()
    first, second = (cell.outputs for cell in notebook.cells)
    held = first[0].data["application/vnd.jupyter.widget-view+json"]["model_id"]
    state = client.widget_state[held]
    assert state["_model_module"] == "anywidget" and state["state"]["changes"] == [{"kind": "update", "rate": 0.1}]
    assert json.loads(state["trace_json"])["info"]["text"] == "The quick brown fox"
    assert second[0].text == "jumps\n"
