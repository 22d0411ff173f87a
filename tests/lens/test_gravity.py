"""Contextual gravity: pulls and the rest make the whole way, whatever the model, and the plane shows what it says."""

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lens.gravity import gravity
from regard.lens.streams import streams
from regard.models.catalogue import find_model
from regard.suggestions import NotFound

BANKS = ("He sat by the river bank", "He put the money in the bank", "The bank gave him a loan")


def test_pulls_of_the_fox_by_definition():
    """One layer without a residual: each word pulls from where fox stands to its own value, by its weight."""
    trace = regard.explain("The quick brown fox", model="fox")
    (seen,) = gravity([trace], "fox").sentences
    weights, words = trace.array("weights")[0, 3], trace.array("x")
    way = sum(weights[k] * words[k] for k in range(4)) - words[3]
    for k, pull in enumerate(seen.pulls):
        expected = weights[k] * (words[k] - words[3])
        assert np.allclose(pull.arrow, expected, atol=1e-15)
        assert abs(pull.size.value - np.sqrt(expected @ expected)) < 1e-15
        assert abs(pull.along.value - expected @ way / (way @ way)) < 1e-12
        assert np.allclose(pull.place, words[k])
    assert abs(seen.rest.size.value) < 1e-15
    assert np.allclose(seen.contextual, trace.array("context")[0, 3])
    assert abs(seen.way.value - np.sqrt(way @ way)) < 1e-15 and abs(seen.in_plane - 1) < 1e-12


def test_pulls_of_two_heads_by_definition():
    """With a residual: what a word sends through W_O, over both heads."""
    trace = regard.explain("On the mat a cat sat", model="two-heads")
    (seen,) = gravity([trace], "sat").sentences
    weights, values, W_O = (trace.array(f"layer0.{n}") for n in ("weights", "v", "W_O"))
    for k, pull in enumerate(seen.pulls):
        sent = sum(weights[h, 5, k] * values[h, k] @ W_O[h] for h in range(2))
        assert abs(pull.size.value - np.linalg.norm(sent)) < 1e-14
    assert seen.rest.size.value < 1e-14


@pytest.mark.parametrize("model, texts, word", [
    ("english", BANKS, "bank"),
    ("masked", ("He sat by the river [MASK]", "He put the [MASK] in the bank", "[MASK] was a loan"), "[MASK]"),
    ("untrained", ("The quick brown fox", "a fox was on the street", "fox and dog"), "fox"),
    ("two-heads", ("On the mat a cat sat", "the dog sat", "a cat sat"), "sat"),
    ("fox", ("The quick brown fox", "fox", "brown fox"), "fox"),
])  # fmt: skip
@pytest.mark.parametrize("layer", [None, 0])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_pulls_and_the_rest_make_the_whole_way(model, texts, word, layer, count):
    found = find_model(model)
    traces = [found.run(text) for text in texts[:count]]
    seen = gravity(traces, word, layer)
    for trace, sentence in zip(traces, seen.sentences):
        parts = [*sentence.pulls, sentence.rest]
        if sentence.way.value > 1e-12:
            assert abs(sum(p.along.value for p in parts) - 1) < 1e-9
        arrows = np.sum([p.arrow for p in parts], axis=0)
        assert np.allclose(
            np.add(sentence.static, arrows), sentence.contextual, atol=1e-9 * max(1.0, sentence.way.value)
        )
        place = sentence.position
        end = streams(trace)[-1 if layer is None else layer + 1][1].value[place]
        assert abs(sentence.way.value - np.linalg.norm(end - trace.array("x")[place])) < 1e-9
        shown = np.subtract(sentence.contextual, sentence.static)
        if sentence.way.value > 1e-12:
            assert abs(shown @ shown / sentence.way.value**2 - sentence.in_plane) < 1e-9
    whole = gravity(traces, word)
    for sentence, other in zip(seen.sentences, whole.sentences):  # one plane for all layers
        assert np.allclose(sentence.trail, other.trail) and np.allclose(sentence.static, other.static)
        assert np.allclose(sentence.contextual, sentence.trail[-1 if layer is None else layer])
    if count <= 2 and layer is None:  # two ways from one place always lie in a plane
        assert all(sentence.in_plane > 1 - 1e-9 for sentence in seen.sentences)
    assert len({sentence.static for sentence in seen.sentences}) == 1 or model == "fox"


def test_apple_is_pulled_towards_fruit_and_towards_technology():
    """Document 003: the same vector in both sentences, and each sentence's own word pulls most."""
    model = find_model("fruit-or-company")
    texts = ("I bought an apple and an orange", "Apple unveiled a new phone")
    fruit, company = gravity([model.run(text) for text in texts], "apple").sentences
    assert fruit.static == company.static == (0.5, 0.5), "Apple and apple are two words with one vector"
    assert fruit.contextual[0] > fruit.contextual[1] and company.contextual[1] > company.contextual[0]
    for sentence, word in ((fruit, "orange"), (company, "phone")):
        assert max(sentence.pulls, key=lambda pull: pull.along.value).word == word
    assert [model.run(text, query=query).predicted for text, query in zip(texts, ("apple", "Apple"))] == [
        "pie",
        "store",
    ]


def test_words_that_cannot_be_found_are_named():
    trace = regard.explain("the fox the dog", model="fox")
    assert gravity([trace], "the").sentences[0].position == 2, "the last of several"
    assert gravity([trace], "the@0").sentences[0].position == 0
    with pytest.raises(NotFound, match="cat"):
        gravity([trace], "cat")
    with pytest.raises(NotFound, match="no layer 1"):
        gravity([trace], "fox", 1)
    with pytest.raises(ValueError, match="got none"):
        gravity([], "fox")


def test_a_word_of_several_tokens_is_followed_at_its_last(capsys):
    """It is the one that has read the others; another capital is the same word."""
    english = find_model("english")
    one, several = (english.as_written(text) for text in ("I ate an apple", "Apple unveiled a phone"))
    assert [seen.position for seen in gravity([one, several], "apple").sentences] == [3, 1]
    assert gravity([several], "Unveiled").sentences[0].words[4] == "…iled"
    assert gravity([several], "0").sentences[0].position == 0
    with pytest.raises(NotFound, match=r"'phne' is not in 'Apple unveiled a phone'; did you mean phone\?"):
        gravity([several], "phne")
    assert run(["gravity", "Apple unveiled a phone", "--word", "apple"]) == 0
    assert '"…le" (token 2 of 2 in "Apple") in "Apple unveiled a phone"' in capsys.readouterr().out.replace("...", "…")
    assert run(["gravity", "Apple unveiled a phone", "--word", "apple", "--with", "phone"]) == 2
    assert "'phone' is several pieces to english" in capsys.readouterr().err
