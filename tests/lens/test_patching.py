"""Parts of one run in another: beside pins made by hand, and beside transformers running the same model."""

import pytest

import regard
from regard.cli.main import run
from regard.lens.patching import with_part

GIRL, BOY = (f"Once upon a time there was a little {who}" for who in ("girl", "boy"))
WORDS = ("She", "He")


@pytest.fixture(scope="module")
def runs():
    return [regard.explain(text, model="english") for text in (GIRL, BOY)]


def test_a_part_that_is_put_in_is_a_pin(runs):
    girl, boy = runs
    found = boy.patch(girl, words=WORDS)
    context = boy.array("layer4.context").copy()
    context[0] = girl.array("layer4.context")[0]
    logits = boy.pin("layer4.context", context)
    assert found.values.shape == (6, 5)
    assert found.values[4, 0] == pytest.approx(logits["logits[She]"] - logits["logits[He]"], abs=1e-12)
    best = found.top(1)[0]
    assert best.effect == pytest.approx((best.value - found.own) / (found.other - found.own))


def test_every_number_of_such_a_run_opens(runs):
    changed = with_part(runs[1], runs[0], "head", 4, 0)
    assert "layer4.context replaced" in changed.edits[0].said(changed.labels)
    assert str(changed.why("logits[She]")).startswith("logits[She] = ")


def test_all_of_the_last_vectors_carry_all_of_the_difference(runs):
    girl, boy = runs
    found = boy.patch(girl, by="word", words=WORDS)
    assert found.values[-1, -1] == pytest.approx(found.other, abs=1e-9)  # the word that predicts, after the last layer
    assert found.effects[0, 0] == 0  # Once is read before girl or boy
    assert found.names[-1] == "boy"


def test_the_same_as_transformers_finds(runs, tmp_path):
    girl, boy = runs
    there = tmp_path / "english"
    assert run(["convert", "english", str(there)]) == 0
    from regard.watching.loading import loaded

    model, tokenizer = loaded(there)
    watched = regard.patch(model, GIRL, BOY, tokenizer, words=WORDS)
    glass = boy.patch(girl, words=WORDS)
    assert watched.values == pytest.approx(glass.values, abs=1e-4)
    assert (watched.own, watched.other) == pytest.approx((glass.own, glass.other), abs=1e-4)


def test_runs_that_do_not_fit_are_refused(runs):
    with pytest.raises(ValueError, match=r"the texts have 9 and 3 tokens; .*both need as many"):
        runs[0].patch(regard.explain("Once upon a", model="english"))
    with pytest.raises(ValueError, match="by expects"):
        runs[0].patch(runs[1], by="neuron")
    with pytest.raises(ValueError, match="no layer 9, head 0"):
        with_part(runs[0], runs[1], "head", 9)


def test_the_command(capsys):
    assert run(["patch", GIRL, BOY, "--model", "english", "--word", "She", "--against", "He", "--top", "2"]) == 0
    said = capsys.readouterr().out
    assert "She rather than He" in said and "layer 4 head 0" in said and "the first 2 of 30" in said
    assert run(["patch", GIRL, BOY, "--word", "She"]) == 2
