"""Who reads whom: heads ranked by weight, beside what an average word gets and what other words give."""

import json

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.suggestions import NotFound
from regard.views.heads import heads_lines
from regard.views.ink import Ink

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = TIRED.replace("tired", "wide")


@pytest.fixture(scope="module")
def english():
    return regard.explain(TIRED, model="english", as_written=True)


def test_heads_are_ranked_by_weight_and_the_best_is_the_known_one(english):
    found = english.heads("it", "animal")
    words = list(english.labels.words["K"])
    weights = {
        (each.layer, each.head): english.array(f"layer{each.layer}.weights")[
            each.head, words.index("it"), words.index("animal")
        ]
        for each in found.heads
    }
    assert [each.weight.value for each in found.heads] == sorted(weights.values(), reverse=True)
    best = found.heads[0]
    assert (best.layer, best.head) == (2, 2) and best.weight.value == pytest.approx(0.581, abs=5e-4)
    assert len(found.heads) == sum(
        s.shape[0] for s in english.forward if s.name.endswith(".weights") and s.name.startswith("layer")
    )


def test_the_baselines_by_definition(english):
    """One number at a time, from the weights alone."""
    words = list(english.labels.words["K"])
    query, key = words.index("it"), words.index("animal")
    for each in english.heads("it", "animal").heads[:5]:
        weights = english.array(f"layer{each.layer}.weights")[each.head]
        seen = [k for k in range(len(words)) if k <= query]
        assert each.average.value == pytest.approx(sum(weights[query, k] for k in seen) / len(seen))
        others = [q for q in range(len(words)) if q != query and q >= key]
        assert each.others.value == pytest.approx(sum(weights[q, key] for q in others) / len(others))
        assert "=" in english.why(english.name_of(each.others)).text(4)


def test_a_word_nobody_else_sees_has_no_other_readers():
    found = regard.explain("The quick brown fox", model="fox").heads("fox", "fox")
    assert found.heads[0].others is None and found.data()["heads"][0]["others"] is None


def test_without_a_word_each_head_shows_what_it_reads_most():
    found = regard.explain("On the mat a cat sat", model="two-heads").heads()
    assert found.reader == "sat" and [each.word for each in found.heads] == ["cat", "mat"]


def test_in_toys_that_begin_at_weights_too():
    trace = regard.explain("The cat that I saw yesterday sat on the mat", model="matrix")
    assert trace.heads("sat", "cat").heads[0].weight.value == pytest.approx(0.60)


def test_nothing_is_hidden_in_the_masked_model_unless_it_is_written():
    trace = regard.explain(TIRED, model="masked", as_written=True)
    assert "[MASK]" not in trace.info["tokens"] and "loss" not in trace.steps
    assert "[MASK]" in regard.explain(TIRED, model="masked").info["tokens"]
    hidden = regard.explain(TIRED.replace("it", "[MASK]"), model="masked", as_written=True)
    assert "[MASK]" in hidden.info["tokens"]
    assert trace.heads("it", "animal").heads[0].weight.value > 3 * trace.heads("it", "animal").heads[0].average.value
    with pytest.raises(ValueError, match="leave next out"):
        regard.explain(TIRED, model="masked", next="tired", as_written=True)


def test_a_model_that_looks_back_cannot_tell_tired_from_wide_at_it(english):
    """Bit for bit: whatever follows, every number of "it" and of the words before it is the same."""
    wide = regard.explain(WIDE, model="english", as_written=True)
    it = list(english.labels.words["T"]).index("it")
    compared = 0
    for step in english.forward:
        if "Q" in step.axes or "T" in step.axes:
            other = wide.step(step.name)
            axis = next(step.axes.index(letter) for letter in "QT" if letter in step.axes)
            if "K" in step.axes[axis + 1 :]:  # what it cannot see is 0 or hidden in both
                continue
            same = np.take(step.value, range(it + 1), axis), np.take(other.value, range(it + 1), axis)
            np.testing.assert_array_equal(*same, err_msg=step.name)
            compared += 1
    assert compared > 50
    for layer in range(6):
        rows = (t.array(f"layer{layer}.weights")[:, it] for t in (english, wide))
        np.testing.assert_array_equal(*rows)


def test_a_model_that_looks_both_ways_can():
    tired, wide = (regard.explain(text, model="masked", as_written=True) for text in (TIRED, WIDE))
    it = list(tired.labels.words["T"]).index("it")
    assert np.array_equal(tired.array("layer0.q")[:, it], wide.array("layer0.q")[:, it])
    gaps = [np.abs(tired.array(f"layer{n}.weights") - wide.array(f"layer{n}.weights"))[:, it].max() for n in range(6)]
    assert all(gap > 1e-4 for gap in gaps)


def test_the_command(capsys):
    assert run(["heads", TIRED, "--model", "masked", "--from", "it", "--to", "animal", "--top", "3"]) == 0
    out = capsys.readouterr().out
    assert '"it" reads "animal"' in out and "an average word" in out and out.count("layer") >= 3
    assert run(["heads", TIRED, "--model", "masked", "--from", "it", "--to", "animal", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first = told["heads"][0]
    cell = ["why", first["others"]["cell"], "--model", "masked", "--as-written", "--text", TIRED, "--digits", "6"]
    assert run(cell) == 0
    assert f"{first['others']['value']:.4f}"[:5] in capsys.readouterr().out
    assert run(["heads", TIRED, "--model", "masked", "--from", "dog"]) == 2
    assert "dog" in capsys.readouterr().err


def test_words_that_are_not_there():
    trace = regard.explain("The quick brown fox", model="fox")
    with pytest.raises(NotFound, match="cat"):
        trace.heads("cat")


def test_what_is_hidden_is_told_as_hidden() -> None:
    trace = regard.explain("Once upon a time", model="english")
    said = "\n".join(line.plain for line in heads_lines(trace.heads("Once", "upon"), Ink(), 2))
    assert 'every weight is 0: "upon" is hidden from "Once"' in said
    said = "\n".join(line.plain for line in heads_lines(trace.heads("upon", "Once"), Ink(), 2))
    assert "hidden" not in said
