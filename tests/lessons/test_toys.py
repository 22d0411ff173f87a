"""The two toys made for lessons and for a first look: two heads set by hand, and a transformer that knows nothing."""

import numpy as np
import pytest

from regard.lens.blame import finite_differences
from regard.lens.explanation import explanation
from regard.toys.shipped import shipped


@pytest.mark.parametrize(
    "sentence, word",
    [
        ("On the mat a cat sat", "purring"),
        ("On the lake a cat sat", "fishing"),
        ("On the mat a dog sat", "snoring"),
        ("On the lake a dog sat", "swimming"),
    ],
)
def test_who_and_where_together_choose_the_word(sentence, word):
    assert shipped("two-heads").run(sentence).predicted == word


def test_neither_head_alone_can_choose():
    trace = shipped("two-heads").run("On the mat a cat sat")
    for head, level in ((0, {"purring", "snoring"}), (1, {"purring", "fishing"})):
        by_head = trace.array("by_head").copy()
        by_head[head] = 0
        shares = trace.pin("by_head", by_head).array("probabilities")
        best = {w for w, p in zip(trace.labels.words["V"], shares) if np.isclose(p, shares.max())}
        assert best == level


def test_each_head_adds_one_number_to_the_stream():
    trace = shipped("two-heads").run("On the mat a cat sat")
    by_head = trace.array("by_head")[:, 5]
    assert (by_head[0] != 0).tolist() == [True, False, False, False]
    assert (by_head[1] != 0).tolist() == [False, True, False, False]


def test_two_heads_read_new_words_and_learn():
    trace = shipped("two-heads").run("Near our river one zebra sat", next="drinking")
    assert trace.info["fresh"] == ["Near", "our", "river", "one", "zebra", "drinking"]
    assert float(trace.update(0.1).array("loss")) < float(trace.array("loss"))
    assert explanation(trace).target == "drinking"


def test_two_heads_gradients():
    assert finite_differences(shipped("two-heads").run("On the mat a cat sat", next="purring")).error < 1e-8


def test_untrained_is_what_it_says():
    model = shipped("untrained")
    settings = model.settings
    assert (settings.layers, settings.heads, settings.width, settings.mlp.hidden) == (2, 2, 8, 32)
    assert (settings.max_tokens, settings.biases, settings.tied, settings.norm_order) == (64, True, False, "before")
    assert (settings.mlp.curve, type(settings.norm).__name__) == ("gelu", "LayerNorm")
    assert type(settings.positions).__name__ == "LearnedPositions"
    assert model.reads == model.writes and len(set(model.reads)) == 24
    wanted = "The quick brown fox jumps over lazy dog cat sat on mat"
    assert set(wanted.split()) <= set(model.reads)
    assert model.lesson is None and "not trained" in model.notes[0]


def test_untrained_is_always_the_same():
    one, two = (shipped("untrained").run("The quick brown fox", next="jumps") for _ in range(2))
    assert one.array("probabilities").tolist() == two.array("probabilities").tolist()


def test_untrained_knows_nothing_yet():
    trace = shipped("untrained").run("The quick brown fox", next="jumps")
    assert trace.array("probabilities").max() < 0.5
    assert finite_differences(trace).error < 1e-6
    assert float(trace.update(0.1).array("loss")) < float(trace.array("loss"))


def test_untrained_reads_words_it_does_not_know():
    trace = shipped("untrained").run("The zebra sat on Wednesday", next="quietly")
    assert trace.info["fresh"] == ["zebra", "Wednesday", "quietly"]
    assert trace.labels.words["V"][-1] == "quietly" and trace.array("W_out").shape == (25, 8)
    assert trace.array("E").shape == (26, 8)


def test_untrained_reads_64_words_and_no_more():
    assert shipped("untrained").run(" ".join(["the"] * 64)).array("x").shape == (64, 8)
    with pytest.raises(ValueError, match="reads at most 64 tokens, got 65"):
        shipped("untrained").run(" ".join(["the"] * 65))
