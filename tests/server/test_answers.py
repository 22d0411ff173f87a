"""What the server answers is what the library computes, number by number."""

import json

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lens.explanation import explanation
from regard.lessons import LESSONS, lesson
from regard.models.catalogue import MODELS, find_model
from regard.session import limits
from regard.trace.wire import from_json

from .conftest import ended, started

FOX = {"model": "fox", "text": "The quick brown fox", "next": "jumps"}
ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}


@pytest.fixture(scope="module")
def long_server(tmp_path_factory):
    """A server that was opened with a model of many heads, untrained, which reads many words."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "text.txt").write_text("The quick brown fox jumps over the lazy dog . " * 400)
    sizes = ["updates=1", "width=80", "layers=12", "heads=20", "window=256", "batch=1", "evaluate_batches=1"]
    options = [part for size in sizes for part in ("--set", size)]
    assert run(["train", str(folder / "text.txt"), "--preset", "toy", "--out", str(folder / "long"), *options]) == 0
    server = started(folder, str(folder / "long"))
    yield server
    assert ended(server) == 0


@pytest.fixture(scope="module")
def fox() -> regard.Trace:
    return regard.explain("The quick brown fox", next="jumps")


def test_explain_is_the_trace_itself_and_its_explanation(server, fox):
    answer = server.post("/api/explain", **FOX)
    assert answer.status == 200
    assert answer.data["trace"] == json.loads(fox.json())
    assert from_json(json.dumps(answer.data["trace"])).predicted == "fox"
    shown = json.loads(json.dumps(explanation(fox).data()))
    assert answer.data["explanation"] == shown
    assert len(answer.data["claims"]) == len(lesson("fox").check())
    assert {c["verdict"] for c in answer.data["claims"] if c["fails"]} == {
        "wrong",
        "cannot run",
        "not so in this model",
    }


def test_changes_are_made_in_their_order(server, fox):
    changes = [
        {"kind": "edit", "cell": "weights[fox,fox]", "value": 0.2},
        {"kind": "update", "rate": 0.3, "learns": ["W_V", "W_out"], "times": 3},
        {"kind": "move", "cell": "probabilities[jumps]", "value": 0.9},
        {"kind": "pin", "step": "layer0.v", "value": [0.1 * n for n in range(8)]},
    ]
    trace = fox.edit("weights[fox,fox]", 0.2)
    for _ in range(3):
        trace = trace.update(0.3, ["W_V", "W_out"])
    trace = trace.move("probabilities[jumps]", 0.9).pin("layer0.v", 0.1 * np.arange(8).reshape(1, 4, 2))
    for count in (4, 2, 4, 1, 3):  # forwards and backwards through what was kept
        state = {**FOX, "changes": changes[:count]}
        expected = [fox.edit("weights[fox,fox]", 0.2), None, None, trace][count - 1]
        answer = server.post("/api/explain", **state)
        assert answer.status == 200, answer.data
        assert len(answer.data["trace"]["edits"]) == (1, 1, 2, 3)[count - 1]
        if expected is not None:
            assert answer.data["trace"]["steps"] == json.loads(expected.json())["steps"]


def test_updates_can_be_asked_for_one_by_one_or_together(server, fox):
    single = [{"kind": "update", "rate": 0.1}] * 5
    together = [{"kind": "update", "rate": 0.1, "times": 5}]
    answers = [server.post("/api/explain", **FOX, changes=changes).data for changes in (single, together)]
    assert answers[0]["trace"]["steps"] == answers[1]["trace"]["steps"]
    assert [m["update"] for m in answers[0]["timeline"]] == [0, 1, 2, 3, 4, 5]
    assert answers[0]["timeline"] == answers[1]["timeline"]
    assert [m["predicted"] for m in answers[0]["timeline"]][:2] == ["fox", "jumps"]
    losses, trace = [], fox
    for _ in range(6):
        losses.append(float(trace.array("loss")))
        trace = trace.update(0.1)
    assert [m["loss"] for m in answers[0]["timeline"]] == losses


def test_next_parameters_belong_to_the_trace_before_the_update(server, fox):
    changed = {**FOX, "changes": [{"kind": "update", "rate": 0.1}]}
    after = fox.update(0.1)
    answer = server.post("/api/why", **changed, cell="W_V.next[0,1]")
    assert answer.data["value"] == after["W_V[0,1]"]
    assert "0.1" in answer.data["text"]


@pytest.mark.parametrize("step", ["weights", "layer0.q", "visible", "masked", "W_Q.grad", "loss", "tokens"])
def test_values_are_those_of_the_step(server, fox, step):
    answer = server.post("/api/values", **FOX, step=step).data
    expected = fox.array(step)
    assert answer["shape"] == list(expected.shape)
    assert answer["axes"] == fox.step(step).axes
    kinds = {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}
    odd = {int(place): kinds[kind] for place, kind in answer.get("nonfinite", {}).items()}
    found = [odd[i] if value is None else value for i, value in enumerate(answer["value"])]
    assert found == expected.ravel().tolist()
    assert bool(odd) == (step == "masked")


def test_values_of_a_part(server, fox):
    answer = server.post("/api/values", **FOX, step="weights", at=[0, 3, None]).data
    assert answer["axes"] == "K" and answer["value"] == fox.array("weights")[0, 3].tolist()
    assert server.post("/api/values", **FOX, step="weights", at=[0, 3]).status == 422
    assert server.post("/api/values", **FOX, step="weights", at=[0, 4, None]).status == 422
    assert server.post("/api/values", **FOX, step="wieghts").status == 404


def test_why_opens_one_number_down_to_the_words(server, fox):
    answer = server.post("/api/why", **FOX, cell="weights[fox,fox]", depth=2).data
    assert answer["text"] == fox.why("weights[fox,fox]").text()
    assert answer["latex"] == fox.why("weights[fox,fox]").latex()
    assert [part["name"] for part in answer["parts"]] == ["exps[fox,fox]", "total[fox]"]
    assert len(answer["parts"][1]["parts"]) == 4 and answer["parts"][1]["parts"][0]["parts"] == []
    assert eval(answer["numpy"], {"np": np}) == answer["value"]


def test_long_sums_show_their_largest_terms_and_how_many_more(server):
    answer = server.post("/api/why", **ENGLISH, cell="logit_total", depth=1, terms=6).data
    assert answer["more"] == 8192 - 6 and len(answer["parts"]) == 6
    assert answer["numpy"] is None
    values = [abs(part["value"]) for part in answer["parts"]]
    trace = regard.explain(ENGLISH["text"], model="english")
    assert sorted(values) == np.sort(trace.array("logit_exps"))[-6:].tolist()


def test_a_large_trace_comes_as_an_outline(server):
    answer = server.post("/api/explain", **ENGLISH).data
    assert "trace" not in answer
    trace = regard.explain(ENGLISH["text"], next="girl", model="english")
    assert [s["name"] for s in answer["outline"]["steps"]] == list(trace.steps)
    for step in answer["outline"]["steps"]:
        assert step["inputs"] == [i.name for i in trace.steps[step["name"]].inputs]
    assert answer["explanation"]["predicted"] == trace.predicted == "girl"
    assert len(answer["explanation"]["candidates"]) == 50
    assert answer["explanation"]["candidates_hidden"] == 8192 - 50
    overview = answer["overview"]
    assert (overview["layers"], overview["heads"], len(overview["by_head"])) == (6, 5, 30)
    total = sum(h["contribution"] for h in overview["by_head"]) + sum(c["contribution"] for c in overview["others"])
    assert abs(total + overview["rest"] - overview["difference"]) < 1e-9
    for place in (0, 13, 29):
        head = overview["by_head"][place]
        weights = trace.array(f"layer{head['layer']}.weights")[head["head"]]
        row = weights[7]
        assert np.allclose(np.reshape(head["pattern"], (8, 8)), weights, atol=1e-4)
        assert abs(head["entropy"] + sum(p * np.log(p) for p in row)) < 1e-12
        assert abs(head["distance"] - sum(p * (7 - k) for k, p in enumerate(row))) < 1e-12
        assert head["first"] == row[0]


def test_a_tile_is_pooled_from_all_that_it_covers(server):
    text = "one two three four five six seven eight nine ten eleven twelve thirteen"
    asked = {"model": "untrained", "text": text, "layer": 1, "head": 1, "rows": [2, 13], "keys": [1, 8]}
    answer = server.post("/api/tile", **asked, height=3, width=2).data
    weights = regard.explain(text, model="untrained").array("layer1.weights")[1]
    down, across = (2, 5, 9, 13), (1, 4, 8)
    for i in range(3):
        for j in range(2):
            cells = [weights[r, k] for r in range(down[i], down[i + 1]) for k in range(across[j], across[j + 1])]
            assert abs(answer["mean"][2 * i + j] - sum(cells) / len(cells)) < 1e-15
            assert answer["max"][2 * i + j] == max(cells)
    whole = server.post("/api/tile", **{**asked, "rows": None, "keys": None}, height=64, width=64).data
    assert (whole["height"], whole["width"]) == (13, 13) and whole["mean"] == weights.ravel().tolist()
    assert server.post("/api/tile", **{**asked, "layer": 2}).status == 404
    assert server.post("/api/tile", **{**asked, "head": 2}).status == 404
    assert server.post("/api/tile", **{**asked, "rows": [5, 5]}).status == 422
    assert server.post("/api/tile", **{**asked, "keys": [0, 14]}).status == 422


def test_what_if_the_scores_were_scaled_otherwise(server):
    for scaling, factor in (("root", 2**-0.5), ("width", 0.5), ("none", 1.0)):
        values = [
            server.post("/api/values", **FOX, step=s, scaling=scaling).data["value"] for s in ("scores", "scaled")
        ]
        assert np.allclose(np.array(values[0]) * factor, values[1])
    assert server.post("/api/explain", **FOX, scaling="none").data["claims"] == []


def test_models_and_lessons_are_listed(server):
    models = {m["name"]: m for m in server.ask("GET", "/api/models").data}
    assert set(models) >= set(MODELS)
    assert models["english"]["size"] == "deep" and models["untrained"]["size"] == "toy"
    assert (
        models["english"]["vocabulary"] == 8192 == len(server.ask("GET", "/api/vocabulary?model=english").data["words"])
    )
    assert [found["name"] for found in server.ask("GET", "/api/lessons").data] == list(LESSONS)
    for name in LESSONS:
        answer = server.ask("GET", f"/api/lessons/{name}").data
        assert answer["trace"] == json.loads(lesson(name).make().json())
        assert len(answer["claims"]) == len(lesson(name).check())
    assert server.ask("GET", "/api/lessons/foxes").status == 404


def test_words_that_follow_each_with_its_candidates(server):
    answer = server.post("/api/generate", **{**ENGLISH, "next": None}, count=4, candidates=3).data
    text = ENGLISH["text"]
    for token in answer["tokens"]:
        trace = regard.explain(text, model="english")
        assert token["token"] == trace.predicted
        shares = np.sort(trace.array("probabilities"))[::-1]
        assert np.allclose([c["probability"] for c in token["candidates"]], shares[:3], atol=1e-12)
        text = token["text"]
    assert answer["text"] == text and answer["ended"] == "count"
    drawn = [
        server.post("/api/generate", **FOX, count=6, temperature=5.0, seed=seed).data["text"] for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    full = server.post("/api/generate", model="fox", text="fox " * 62, count=8).data
    assert full["ended"] == "full" and len(full["tokens"]) == 3


def test_a_model_that_guesses_hidden_words_is_explained_too(server):
    """It hides a word by itself, so there is a loss without a next word; it cannot continue a text."""
    answer = server.post("/api/explain", model="masked", text="Once upon a time there was a girl", query="time").data
    trace = regard.explain("Once upon a time there was a girl", model="masked", query="time")
    assert answer["outline"]["of"] == "loss" and answer["explanation"]["predicted"] == trace.predicted
    assert answer["explanation"]["learning"]["loss"] == float(trace.array("loss"))
    assert server.post("/api/generate", model="masked", text="Once upon").status == 422


def test_a_long_text_is_looked_at_without_a_matrix_of_all_its_weights(long_server):
    """Where all weights of all layers would be too many, tiles are computed from queries and keys."""
    words = " ".join(["The quick brown fox jumps over the lazy dog ."] * 18)
    state = {"model": "long", "text": words}
    answer = long_server.post("/api/explain", **state)
    assert answer.status == 200 and answer.data["long"] is True
    trace = find_model(str(long_server.folder / "long")).run(words)
    tokens = len(trace.info["tokens"])
    assert 12 * 20 * tokens**2 > limits.RUN_WEIGHTS
    found = answer.data["explanation"]
    assert found["predicted"] == trace.predicted
    assert abs(sum(r["weight"] for r in found["readings"]) + found["readings_hidden"]["weight"] - 1) < 1e-9
    weights = trace.array(f"{found['layer']}.weights")[found["head"], tokens - 1]
    assert all(abs(r["weight"] - weights[r["position"]]) < 1e-12 for r in found["readings"])
    assert not [s["name"] for s in answer.data["outline"]["steps"] if s["axes"].endswith("QK")]
    asked = {**state, "layer": 11, "head": 19, "rows": [60, 140], "keys": [10, 90], "height": 4, "width": 5}
    tile = long_server.post("/api/tile", **asked).data
    part = trace.array("layer11.weights")[19, 60:140, 10:90]
    assert np.allclose(tile["mean"], part.reshape(4, 20, 5, 16).mean(axis=(1, 3)).ravel(), atol=1e-14)
    assert np.allclose(tile["max"], part.reshape(4, 20, 5, 16).max(axis=(1, 3)).ravel(), atol=1e-14)
    changed = long_server.post("/api/explain", **state, changes=[{"kind": "edit", "cell": "x[0,0]", "value": 1}])
    assert changed.status == 413 and "not changed" in changed.data["error"]["message"]
    assert long_server.post("/api/values", **state, step="layer3.q", at=[0, 5, None]).status == 200
    assert long_server.post("/api/values", **state, step="layer3.weights").status == 404
    assert long_server.post("/api/lens", **state, kind="logit_lens").status == 200
    mattered = long_server.post("/api/lens", **state, kind="importance", layer=3, head=1)
    assert mattered.status == 413 and "pass a shorter one" in mattered.data["error"]["message"]


def test_a_run_can_be_taken_home(server):
    """With a built page one file, without one a sentence that says what to do; never too much."""
    changes = [{"kind": "edit", "cell": "weights[fox,fox]", "value": 0.2}]
    answer = server.post("/api/export", **FOX, changes=changes)
    if answer.status == 404:
        assert "has not been built" in answer.data["error"]["message"]
    else:
        assert answer.status == 200 and answer.headers["content-disposition"].startswith("attachment")
        assert b'"changes":[{"kind":"edit"' in answer.body
    large = server.post("/api/export", **ENGLISH)
    assert large.status == answer.status
    assert large.status == 404 or b'"recorded":{' in large.body


MARKUP = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</script><svg/onload=alert(1)>", '"><b>']


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_comes_back_as_data_only(server, markup):
    """In tokens, in names of models, steps, cells and lessons: JSON that no browser takes for a page."""
    asked = [
        server.post("/api/explain", text=f"The {markup} fox", next="jumps"),
        server.post("/api/explain", text="The fox", model=markup),
        server.post("/api/values", text="The fox", step=markup),
        server.post("/api/why", text="The fox", cell=f"weights[{json.dumps(markup)},0]"),
        server.post("/api/explain", text="The fox", query=markup),
        server.ask("GET", f"/api/lessons/{markup.replace(' ', '%20').replace('/', '%2F')}"),
        server.ask("GET", f"/{markup.replace(' ', '%20')}"),
    ]
    assert [a.status for a in asked[:2]] == [200, 404]
    for answer in asked:
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self';" in answer.headers["content-security-policy"]
        assert isinstance(answer.data, dict)
    assert "".join(asked[0].data["explanation"]["tokens"]) == f"The{markup}fox".replace(" ", "")
