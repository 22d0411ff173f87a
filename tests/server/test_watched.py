"""A folder that is not in glass opens as watched: every head as transformers computes it, and what cannot be done."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.cli.main import run
from regard.models.catalogue import find_model

from .conftest import ended, started

TEXT = "The animal didn't cross the street because it was too tired, and the animal was old"


def stretched(folder: Path) -> Path:
    """The English model with stretched positions, which transformers computes and glass does not."""
    assert run(["convert", "english", str(folder)]) == 0
    config = json.loads((folder / "config.json").read_text())
    turning = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 256}
    config["rope_parameters"] = {**config["rope_parameters"], **turning}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return stretched(tmp_path_factory.mktemp("watched") / "stretched")


@pytest.fixture(scope="module")
def server(folder):
    running = started(folder.parent, str(folder))
    yield running
    assert ended(running) == 0


@pytest.fixture(scope="module")
def theirs(folder):
    """What eager attention gives: (layers, heads, queries, keys), the next words, and the tokens."""
    import transformers

    model = transformers.LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    ids = transformers.AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt").input_ids
    with torch.no_grad():
        found = model(ids, output_attentions=True)
    return np.stack([layer[0].numpy() for layer in found.attentions]), found.logits[0, -1].softmax(-1), ids[0]


ASKED = {"model": "stretched", "text": TEXT}


def test_it_is_not_in_glass_and_the_terminal_says_so(folder, server):
    with pytest.raises(ValueError, match="cannot be used"):
        find_model(folder)
    assert any("rope_type" in line for line in server.said)
    assert any("it is watched while its own code runs" in line for line in server.said)


def test_the_listing_says_that_it_is_watched(server):
    (listed,) = (one for one in server.ask("GET", "/api/models").data if one["name"] == "stretched")
    assert listed["watched"] and listed["sentence"] and "problem" not in listed


def test_every_head_is_as_transformers_computes_it(server, theirs):
    weights, shares, ids = theirs
    answer = server.post("/api/explain", **ASKED, whole=True).data
    assert len(answer["outline"]["labels"]["Q"]) == len(ids)
    assert [step["shape"] for step in answer["outline"]["steps"]] == [list(layer.shape) for layer in weights]
    for one in answer["overview"]["by_head"]:
        last = weights[one["layer"], one["head"], -1]
        entropy = -sum(p * np.log(p) for p in last if p > 0)
        assert one["entropy"] == pytest.approx(entropy, abs=1e-4)
        assert one["first"] == pytest.approx(last[0], abs=1e-5)
    assert len(answer["overview"]["by_head"]) == weights.shape[0] * weights.shape[1]
    assert answer["explanation"]["candidates"][0]["probability"] == pytest.approx(float(shares.max()), abs=1e-4)


def test_how_right_it_is_stands_on_the_screen(server):
    watched = server.post("/api/explain", **ASKED).data["watched"]
    assert "6 layers compared with the model's own output: at most" in watched["parity"] and watched["worst"] < 1e-4
    assert watched["missed"] == {} and len(watched["cannot"]) == 2


def test_tiles_rows_and_single_weights(server, theirs):
    weights, _, _ = theirs
    tile = server.post("/api/tile", **ASKED, layer=2, head=1, rows=[3, 9], keys=[0, 5], height=6, width=5).data
    assert np.abs(np.reshape(tile["max"], (6, 5)) - weights[2, 1, 3:9, :5]).max() < 1e-5
    row = server.post("/api/values", **ASKED, step="layer4.weights", at=[3, 7, None]).data
    assert np.abs(np.array(row["value"]) - weights[4, 3, 7]).max() < 1e-5 and row["axes"] == "K"
    whole = server.post("/api/values", **ASKED, step="layer4.weights", at=[3, None, None]).data
    assert np.abs(np.reshape(whole["value"], whole["shape"]) - weights[4, 3]).max() < 1e-5
    why = server.post("/api/why", **ASKED, cell="layer4.weights[3,7,2]").data
    assert why["value"] == pytest.approx(weights[4, 3, 7, 2], abs=1e-5) and "does not open" in why["note"]


def test_heads_are_named_by_their_habits(server, theirs):
    weights, _, ids = theirs
    heads = server.post("/api/lens", **ASKED, kind="heads").data["heads"]
    named = {(one["layer"], one["head"]): one for one in heads}
    assert len(named) == weights.shape[0] * weights.shape[1]
    sure = [one for one in heads if one["name"] == "previous word"]
    assert sure
    for one in sure:
        shares = [weights[one["layer"], one["head"], i, i - 1] for i in range(1, len(ids))]
        (finding,) = (each for each in one["findings"] if each["habit"] == "previous")
        assert finding["share"]["value"] == pytest.approx(np.mean(shares), abs=1e-4)


@pytest.mark.parametrize(
    "path, asked, status, said",
    [
        ("explain", {"changes": [{"kind": "edit", "cell": "layer0.weights[0,0,0]", "value": 1.0}]}, 413, "not changed"),
        ("lens", {"kind": "flow"}, 404, "which a watched run does not keep"),
        ("export", {}, 404, "is watched while its own code runs"),
        ("generate", {}, 404, "is watched while its own code runs"),
        ("values", {"step": "layer0.q"}, 404, "there is no 'layer0.q'"),
        ("values", {"step": "layer0.weights", "at": [99, 0, None]}, 404, "no head 99"),
        ("values", {"step": "layer0.weights", "at": [0, 999, None]}, 422, "counted from 0, got 999"),
        ("why", {"cell": "loss"}, 404, "only weights are kept"),
        ("why", {"cell": "layer0.weights[0,999,0]"}, 404, "got 999"),
        ("tile", {"layer": 77, "head": 0}, 404, "no layer 77 was watched"),
        ("tile", {"layer": 0, "head": 0, "rows": [5, 500]}, 422, "rows go from 0"),
        ("explain", {"text": " "}, 422, "no words"),
    ],
)
def test_what_cannot_be_done_is_said(server, path, asked, status, said):
    answer = server.post(f"/api/{path}", **{**ASKED, **asked})
    assert answer.status == status, answer.data
    assert said in answer.data["error"]["message"]


def test_a_folder_in_glass_stays_in_glass_until_a_text_is_too_long_for_it(folder, monkeypatch):
    from regard.server.watching import watcher
    from regard.session.shelf import Shelf
    from regard.session.state import State
    from regard.session.traces import Traces

    glass = folder.parent / "glass"
    assert run(["convert", "english", str(glass)]) == 0
    traces = Traces(Shelf(opened=(str(glass),), watch=watcher))
    state = State(model="glass", text=TEXT)
    assert traces.watched(state, lambda: None) is None
    monkeypatch.setattr("regard.session.limits.LONG_WORK", 1e3)
    seen = traces.watched(state, lambda: None)
    assert seen is not None
    trace = find_model(glass).run(TEXT)
    for layer, weights in seen.weights.items():
        assert np.abs(weights.dense() - trace.array(f"layer{layer}.weights")).max() < 1e-5


def test_a_run_that_nobody_waits_for_stops(folder):
    from regard.server.watching import watcher

    class Left(Exception):
        pass

    asked = []

    def wanted() -> None:
        asked.append(None)
        if len(asked) > 20:
            raise Left

    reads = watcher(str(folder))
    with pytest.raises(Left):
        reads(TEXT, wanted)
    assert len(asked) == 21
    assert reads(TEXT, lambda: None).words


def test_what_transformers_cannot_run_is_told_without_its_place(tmp_path):
    from regard.server.watching import watcher
    from regard.suggestions import NotFound

    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/config.json").write_text('{"model_type": "llama"}')
    reads = watcher(str(tmp_path / "broken"))
    with pytest.raises(NotFound, match="transformers cannot run broken; in a terminal") as told:
        reads(TEXT, lambda: None)
    assert str(tmp_path) not in str(told.value)


def test_what_is_no_folder_of_theirs_is_not_watched(tmp_path):
    from regard.server.watching import watcher

    assert watcher(str(tmp_path)) is None and watcher("model.gguf") is None


def test_a_long_text_is_read_at_the_start_and_known_by_its_name(tmp_path):
    """In glass or not, it is watched; the name alone travels, and other texts are bounded as before."""
    from regard.server.opening import Long, _read
    from regard.session.shelf import Shelf
    from regard.session.state import State
    from regard.session.traces import Traces

    glass = tmp_path / "glass"
    assert run(["convert", "english", str(glass)]) == 0
    said: list[str] = []
    own = _read(None, str(glass), Long("@prompt.txt", f"{TEXT} " * 3, [1, 4]), said.append)
    traces = Traces(Shelf(opened=(str(glass),), watch=lambda _: own))
    seen = traces.watched(State(model="glass", text="@prompt.txt"), lambda: None)
    assert seen is not None and list(seen.weights) == [1, 4]
    trace = find_model(glass).run(f"{TEXT} " * 3)
    for layer in (1, 4):
        assert np.abs(seen.weights[layer].dense() - trace.array(f"layer{layer}.weights")).max() < 1e-5
    assert traces.watched(State(model="glass", text=TEXT), lambda: None) is None  # stays in glass
    with pytest.raises(ValueError, match="the text has 12 characters, and the page takes 20,000; a longer one can"):
        _read(None, "fox", Long("@text", "a long text ", None), said.append)


def test_the_page_opens_with_the_name_of_a_long_text(folder):
    prompt = folder.parent / "prompt.txt"
    prompt.write_text("beautiful " * 2001)
    running = started(folder.parent, str(folder), "--file", str(prompt), "--layers", "0")
    try:
        said = "".join(running.said)
        assert "are beyond the" in said and "tokens read, in" in said and "text=%40prompt.txt" in said
        asked = {"model": "stretched", "text": "@prompt.txt"}
        tile = running.post("/api/tile", **asked, layer=0, head=0, height=4, width=4)
        assert tile.status == 200 and tile.data["rows"][1] > 2000
        assert running.post("/api/tile", **asked, layer=1, head=0).status == 404  # not among those that were chosen
        assert running.post("/api/explain", **{**asked, "text": "beautiful " * 2001}).status == 413  # as ever
    finally:
        assert ended(running) == 0
