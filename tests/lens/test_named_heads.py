"""Heads have names where a detector is sure: shares by definition, planted habits found, untrained heads left alone."""

import json
from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.lens.habits import is_sign
from regard.lens.naming import named_heads, random_words
from regard.models.catalogue import find_model
from regard.models.parameters import random_parameters
from regard.session.lenses import lens
from regard.session.questions import LensQuestion
from regard.session.shelf import Shelf
from regard.session.traces import Traces

TEXT = "the dog , the cat . the dog , a cat . the dog , the cat . a dog , the cat ."


@pytest.fixture(scope="module")
def english():
    return find_model("english")


@pytest.fixture(scope="module")
def trace(english):
    return english.read(tuple(english.tokenizer.words(TEXT)))


FOLLOWS = {
    "first": lambda q, k, w: k == 0 and q > 0,
    "previous": lambda q, k, w: k == q - 1,
    "two_back": lambda q, k, w: k == q - 2,
    "same": lambda q, k, w: k < q and w[k] == w[q],
    "induction": lambda q, k, w: 0 < k <= q and w[k - 1] == w[q],
    "punctuation": lambda q, k, w: 0 < k != q and w[k].strip("␣") in {",", "."},
}


@pytest.mark.parametrize("habit", FOLLOWS)
def test_a_share_is_the_average_over_the_words_that_could_follow_the_habit(habit, trace):
    words, weights = trace.labels.words["K"], trace.array("layer2.weights")
    shares, evenly = [[] for _ in weights], []
    for q in range(len(words)):
        keys = [k for k in range(q + 1) if FOLLOWS[habit](q, k, words)]
        if keys:
            evenly.append(len(keys) / (q + 1))
            for head, own in enumerate(shares):
                own.append(sum(weights[head, q, k] for k in keys))
    assert float(trace.array(f"reads.{habit}.evenly")) == pytest.approx(np.mean(evenly))
    np.testing.assert_allclose(trace.array(f"layer2.reads.{habit}"), [np.mean(own) for own in shares])


def test_broad_is_entropy_as_a_share_of_the_largest_there_can_be(trace):
    rows = trace.array("layer1.weights")[3]
    shares = [-(row[: q + 1] * np.log(row[: q + 1])).sum() / np.log(q + 1) for q, row in enumerate(rows) if q]
    assert trace.array("layer1.reads.broad")[3] == pytest.approx(np.mean(shares))


@pytest.mark.parametrize("habit", ["first", "previous", "two_back", "same", "induction"])
def test_a_planted_habit_is_found_and_a_weak_one_is_unsure(habit, english):
    words = random_words(english.reads)
    trace = english.read(words)
    weights = np.tril(np.ones((len(words), len(words))))
    planted = np.array([[FOLLOWS[habit](q, k, words) and k <= q for k in range(len(words))] for q in range(len(words))])
    even = weights / weights.sum(-1, keepdims=True)
    names = []
    for share in (0.6, 0.0):
        rows = np.where(planted.any(-1, keepdims=True), (1 - share) * even + share * planted, even)
        rows /= rows.sum(-1, keepdims=True)
        pinned = trace.array("layer0.weights").copy()
        pinned[:] = even
        pinned[1] = rows
        heads = named_heads(("here", trace.pin("layer0.weights", pinned)))
        names.append([head.best.habit if head.name else None for head in heads[:5]])
    assert names[0][1] == habit
    assert set(names[1]) <= {"broad"}  # there are heads with habits in other layers


@pytest.mark.parametrize("spread", [None, 0.02])
def test_untrained_heads_get_no_name(english, spread):
    """Three seeds; twenty by `python scripts/named_heads.py`."""
    words = random_words(english.reads)
    small = replace(english.settings, layers=3)
    for seed in range(3):
        model = replace(english, settings=small, parameters=random_parameters(small, seed, spread))
        heads = named_heads(("here", model.read(words)))
        assert [head.name for head in heads] == [None] * 15
        assert all(head.best is None or not head.best.sure for head in heads)


def test_the_english_model_has_known_heads(english):
    heads = {(head.layer, head.head): head for head in named_heads(("here", english.read(random_words(english.reads))))}
    assert heads[1, 3].name == heads[2, 4].name == "previous word"
    assert heads[4, 4].name == "induction" and heads[4, 4].findings[1].name == "first word"
    share = heads[4, 4].findings[0]
    assert share.share.value > 8 * share.evenly.value


def test_signs_of_punctuation():
    assert [is_sign(word) for word in (",", ".", "␣“", "[MASK]", "it's", "")] == [True, True, True, False, False, False]


def test_the_command_prints_names_with_score_and_baseline(capsys):
    assert run(["heads", "--model", "english"]) == 0
    out = capsys.readouterr().out
    assert "15 of 30 have a name" in out and "induction" in out and "unsure" in out and "baseline" in out
    assert run(["heads", "--model", "english", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["heads"]
    assert len(told) == 30 and told[24]["name"] == "induction"
    assert run(["heads", "The quick brown fox", "--model", "fox"]) == 0
    assert "no detector is sure" in capsys.readouterr().out


def test_the_session_answers_with_cells_of_the_run_they_are_of():
    traces = Traces(Shelf())
    question = LensQuestion(model="english", text="Once upon a time", kind="heads")
    told = json.loads(lens(lambda: None, traces, question))
    found = told["heads"][24]["findings"][0]
    there = regard.explain(found["where"], model="english")
    assert told["random"] == found["where"]
    assert there.cell(found["share"]["cell"]).value == pytest.approx(found["share"]["value"])


def test_the_session_compares_the_words_of_the_state():
    traces = Traces(Shelf())
    asked = {"model": "english", "text": "Once upon a time there was a little", "next": "girl"}
    told = json.loads(lens(lambda: None, traces, LensQuestion(**asked, compared=["boy", "rabbit"], kind="flow")))
    flow = regard.explain(asked["text"], "girl", "english").flow("boy", "rabbit")
    assert (told["first"], told["second"]) == ("boy", "rabbit")
    assert told["margin"] == pytest.approx(flow.margin.value)
    with pytest.raises(LookupError, match="zzz"):
        lens(lambda: None, traces, LensQuestion(**asked, compared=["zzz", "boy"], kind="flow"))
