"""Writing on without torch: the same words as by hand, drawn from the same probabilities."""

import numpy as np
import pytest

from regard.models.catalogue import find_model
from regard.models.writing import chosen, write_on


def test_the_most_probable_word_again_and_again():
    model = find_model("english")
    text, words = "Once upon a time", []
    for written in write_on(model, text, 5):
        trace = model.run(text)
        assert written.word == trace.predicted
        assert np.array_equal(written.trace.array("logits"), trace.array("logits"))
        words.append(written.word)
        text = model.tokenizer.joined(written.words)
    assert len(words) == 5


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
    with pytest.raises(ValueError, match="cannot write on"):
        next(write_on(find_model("masked"), "Once upon a time", 1))
