"""A flow as it is drawn adds up, and is made of cells; a pair that is cut is cut in every head."""

import numpy as np
import pytest

import regard
from regard.lens.margin import compared
from regard.lens.picture import flow_picture

TEXT = "Once upon a time there was a little"
MODELS = {
    "fox": ("The quick brown fox", "jumps"),
    "two-heads": ("On the mat a cat sat", "purring"),
    "english": (TEXT, "girl"),
    "masked": ("The cat [MASK] on the mat", None),
}


@pytest.fixture(scope="module", params=MODELS)
def trace(request):
    text, following = MODELS[request.param]
    return regard.explain(text, following, request.param)


def test_every_height_adds_up_to_the_margin_less_what_enters_above(trace):
    picture = flow_picture(trace)
    words = np.array(picture["words"]["values"])
    told = [words.sum(), *(picture[name]["values"] for name in ("biases", "edits") if picture[name])]
    assert sum(told) == pytest.approx(picture["margin"], abs=1e-9)
    for below, layer, above in zip(picture["heights"], picture["layers"], picture["heights"][1:]):
        pairs = trace.array(layer["pairs"]["step"])
        out = pairs.sum(axis=0) + (layer["kept"]["values"] if layer["kept"] else 0.0)
        np.testing.assert_allclose(out, below["values"], atol=1e-9)
        if picture["biases"] is None:
            into = pairs.sum(axis=1) + (layer["kept"]["values"] if layer["kept"] else 0.0)
            np.testing.assert_allclose(into, above["values"], atol=1e-9)


def test_pairs_are_told_by_size_and_the_rest_is_a_cell(trace):
    for layer in flow_picture(trace, most=5)["layers"]:
        pairs, top = trace.array(layer["pairs"]["step"]), layer["pairs"]["top"]
        sizes = [abs(flow) for _, _, flow in top]
        assert sizes == sorted(np.abs(pairs[pairs != 0]), reverse=True)[:5]
        assert all(pairs[to, source] == flow for to, source, flow in top)
        assert layer["pairs"]["size"] == pytest.approx(np.abs(pairs).sum())
        left = pairs.sum() - sum(flow for _, _, flow in top)
        assert float(trace.array(f"{layer['name']}.flow.rest{len(top)}")) == pytest.approx(left, abs=1e-12)


def test_what_the_other_words_carry_is_a_cell():
    trace = regard.explain(TEXT, "girl", "english")
    words = trace.array("flow.words")
    largest = np.argsort(-np.abs(words), kind="stable")[:3]
    hidden = [i for i in range(len(words)) if i not in {*largest.tolist(), int(trace.array("query"))}]
    assert float(trace.array("flow.words.rest3")) == pytest.approx(words[hidden].sum())


def test_a_pair_is_cut_in_every_head_of_its_layer():
    trace = regard.explain(TEXT, "girl", "english")
    after, words = trace, trace.labels.words["V"]
    for head in range(trace.step("layer3.weights").shape[0]):
        after = after.edit(f"layer3.weights[{head},7,4]", 0.0)
    first, second = (after.array("logits")[words.index(word)] for word in compared(trace))
    assert float(trace.array("layer3.cut7_4")) == pytest.approx(first - second, abs=1e-12)
    lost = float(trace.array("margin")) - (first - second)
    assert float(trace.array("layer3.cut7_4.lost")) == pytest.approx(lost, abs=1e-12)
    assert float(trace.array("layer3.cut7_4.lost")) != pytest.approx(float(trace.array("layer3.cut2_7_4.lost")))
