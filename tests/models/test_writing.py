"""Generation without torch: the words that Glass would choose, without a Glass for each of them."""

from dataclasses import replace

import numpy as np
import pytest

from regard.models import writing
from regard.models.catalogue import find_model
from regard.models.model import Model
from regard.models.tasks import TextClass
from regard.models.writing import chosen, runs_of, write_on
from regard.toys.shipped import shipped


@pytest.mark.parametrize("text", ["Once upon a time", "The king of France", "She opened the door and", "In 1914"])
def test_the_most_probable_word_again_and_again(text):
    model = find_model("english")
    written = list(write_on(model, text, 13))
    words = tuple(model.tokenizer.words(text))
    for one, run in zip(written, runs_of(written)):
        trace = model.read(words)
        assert one.word == trace.predicted
        assert np.allclose(one.probabilities, trace.array("probabilities"), rtol=1e-4, atol=1e-9)
        for recorded in (run, *([one.trace] if one is written[-1] else [])):
            assert np.allclose(recorded.array("logits"), trace.array("logits"), rtol=0, atol=1e-10)
            assert recorded.predicted == one.word and recorded.info["query"] == len(words) - 1
        words = (*words, one.word)
        assert one.words == words


def test_nothing_is_recorded_unless_somebody_looks(monkeypatch):
    def refused(*_arguments, **_named):
        raise AssertionError("recorded")

    monkeypatch.setattr(Model, "recorded", refused)
    assert len(list(write_on(find_model("english"), "Once upon a time", 5))) == 5


def test_a_word_costs_one_position(monkeypatch):
    read = []
    described = writing.transformer
    monkeypatch.setattr(
        writing, "transformer", lambda do, ids, *rest: read.append(len(ids)) or described(do, ids, *rest)
    )
    model = find_model("english")
    assert len(list(write_on(model, "Once upon a time", 5))) == 5
    assert read == [len(model.tokenizer.words("Once upon a time")), 1, 1, 1, 1]


def test_words_that_look_both_ways_are_read_anew():
    model = find_model("two-heads")
    written = list(write_on(model, "On the mat a cat sat", 3, mask="both"))
    for one, run in zip(written, runs_of(written)):
        trace = model.read(one.words[:-1], mask="both")
        assert np.allclose(one.probabilities, trace.array("probabilities"), rtol=1e-4)
        assert np.array_equal(run.array("logits"), trace.array("logits"))


def test_words_that_are_written_and_not_read_get_a_vector():
    """The toy writes "jumps", which it has never read; when it reads on, the word has the vector that explain gives."""
    model = shipped("fox")
    assert "jumps" not in model.reads
    ever = [one for seed in range(5) for one in write_on(model, "The strange fox", 5, temperature=5.0, seed=seed)]
    assert any("jumps" in one.words[:-1] for one in ever)
    for one in ever:
        assert np.allclose(one.probabilities, one.trace.array("probabilities"), rtol=1e-4)


def test_words_are_drawn_by_their_shares():
    logits, generator = np.log([0.5, 0.3, 0.15, 0.05]), np.random.default_rng(7)
    many = 20_000
    drawn = np.bincount([chosen(logits, 1.0, 0, generator) for _ in range(many)], minlength=4) / many
    assert np.abs(drawn - [0.5, 0.3, 0.15, 0.05]).max() < 0.015
    cold = np.bincount([chosen(logits, 0.5, 0, generator) for _ in range(many)], minlength=4) / many
    squares = np.array([0.5, 0.3, 0.15, 0.05]) ** 2
    assert np.abs(cold - squares / squares.sum()).max() < 0.015
    among = np.bincount([chosen(logits, 1.0, 2, generator) for _ in range(many)], minlength=4) / many
    assert np.abs(among - [0.625, 0.375, 0, 0]).max() < 0.015 and among[2:].sum() == 0
    assert chosen(logits, 1e-300, 0, generator) == 0


def test_a_full_text_ends_the_writing():
    model = find_model("fox")
    assert len(list(write_on(model, "fox " * 64, 5))) == 1
    assert len(list(write_on(model, "fox " * 63, 5))) == 2


def test_a_model_that_guesses_hidden_words_does_not_write_on():
    with pytest.raises(ValueError, match=r"masked guesses hidden words from both sides, .* cannot continue a text"):
        next(write_on(find_model("masked"), "Once upon a time", 1))
    classifies = replace(shipped("fox"), name="mood", task=TextClass("<end>", ("good", "bad")))
    with pytest.raises(ValueError, match="mood says which class a text belongs to, not what follows, so it cannot"):
        next(write_on(classifies, "Once upon a time", 1))
