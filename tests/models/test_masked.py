"""The masked-word model that comes with regard, and what models are asked."""

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.models.catalogue import find_model, usual_model
from regard.models.parameters import checked
from regard.models.shipped import WEIGHTS
from regard.models.tasks import MaskedWord, NextWord, TextClass
from regard.suggestions import NotFound


@pytest.fixture(scope="module")
def masked():
    return find_model("masked")


def test_it_is_whole_and_small_enough(masked):
    assert (WEIGHTS / "masked.safetensors").stat().st_size <= 15e6
    arrays = checked(masked.settings, masked.parameters)
    assert all(np.isfinite(array).all() for _, array in arrays.values())


@pytest.mark.parametrize(
    "text, word",
    [("Once upon a [MASK] there was a little girl", "time"), ("The cat [MASK] on the mat and slept", "sat")],
)
def test_it_guesses_hidden_words(masked, text, word):
    trace = masked.run(text)
    assert trace.predicted == word
    assert trace.info["tokens"][trace.info["query"]] == "[MASK]"


def test_it_reads_both_ways(masked):
    """What stands after the hidden word changes the guess; in the English model nothing after the query counts."""
    before, after = (masked.run(f"She put the [MASK] {end}").array("logits") for end in ("in the oven", "on her feet"))
    assert np.abs(before - after).max() > 1
    english = find_model("english")
    texts = ("She put the cake in the oven", "She put the cake on her feet")
    ours, theirs = (english.run(text, query="cake").array("logits") for text in texts)
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


def test_a_word_that_nobody_hid_is_hidden_and_asked_for(masked):
    trace = masked.run("The quick brown fox", query="brown")
    assert trace.info["tokens"] == ["The", "quick", "[MASK]", "fox"] and trace.info["next"] == "brown"
    assert any('"brown" was hidden' in note for note in trace.info["notes"])
    assert "loss" in trace.steps
    again = masked.run(trace.info["text"], next="brown")
    assert np.array_equal(trace.array("logits"), again.array("logits"))


def test_the_gradient_of_a_guess_is_that_of_its_loss(masked):
    trace = masked.run("The cat [MASK] on the mat", next="sat").backward()
    bias = trace.array("b_transform.grad")
    at = int(np.abs(bias).argmax())
    here = float(trace.array("b_transform")[at])
    losses = [float(trace.edit(f"b_transform[{at}]", here + h).array("loss")) for h in (-1e-5, 1e-5)]
    assert (losses[1] - losses[0]) / 2e-5 == pytest.approx(bias[at], rel=1e-5)


def test_what_is_asked():
    words = ["the", "cat", "[MASK]", "the"]
    masked = MaskedWord("[MASK]", around=("the",))
    assert masked.asked(words, None, None, str).position == 2
    assert masked.asked(words, "cat", None, str).words == ("the", "[MASK]", "[MASK]", "the")
    assert masked.asked(["the", "cat", "the"], None, None, str).position == 1  # what stands around a text is no word
    assert NextWord().asked(words, None, None, str).position == 3
    assert NextWord().asked(words, "the@0", None, str).position == 0
    classes = TextClass("<end>", ("no", "yes"))
    question = classes.asked(words, None, "yes", str)
    assert question.words[-1] == "<end>" and question.position == 4 and classes.written(question.words) == tuple(words)
    with pytest.raises(NotFound, match="did you mean yes"):
        classes.asked(words, None, "yess", str)
    with pytest.raises(ValueError, match="leave out the query"):
        classes.asked(words, "cat", None, str)


def test_a_word_of_several_pieces_is_taken_by_its_first_and_that_is_said():
    trace = regard.explain("The quick brown fox", next="jumps", model="english")
    assert trace.info["next"] == "j"
    assert any('"jumps" has several pieces here; the first, "j"' in note for note in trace.info["notes"])


@pytest.mark.parametrize(
    "word, told",
    [
        ("zebra", "the first only a space; give a word of one piece; some that look alike: era, "),
        ("jumps", "the first 'j'; give a word of one piece; some that look alike: jump, jumped, "),
        ("ghjkqwv", "the first 'g'; ask for a commoner word"),
    ],
)
def test_the_commands_say_which_words_a_model_knows_instead(word, told, capsys):
    told = f"{word!r} is several pieces to english, {told}"
    assert run(["explain", "The quick brown dog", "--next", word, "--json"]) == 0
    assert capsys.readouterr().err.startswith(f"note: {told}")
    assert run(["near", word]) == 2
    assert capsys.readouterr().err.startswith(f"regard: {told}")


def test_a_word_of_one_piece_gets_no_note(capsys):
    for model, word in (("english", " ran"), ("english", "␣"), ("fox", "zebra")):
        assert run(["explain", "The quick brown dog", "--next", word, "--model", model, "--json"]) == 0
        assert not capsys.readouterr().err


def test_the_model_that_is_taken_when_none_is_named():
    assert regard.explain("The quick brown fox").info["model"] == "english"
    assert regard.explain("The quick brown fox", next="jumps").info["model"] == "fox"
    assert regard.explain("The quick brown fox", next="jumped").info["model"] == "english"
    assert usual_model("The quick brown dog", "jumps") == "english"
