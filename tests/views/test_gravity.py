"""Gravity on screen: who pulled a word, each by a name of its own."""

import re

from regard.cli.main import run


def test_a_word_that_occurs_twice_is_told_with_its_place(capsys):
    assert run(["gravity", "I bought an apple and an orange", "--model", "fruit-or-company"]) == 0
    assert set(re.findall(r"^  (an\S*)", capsys.readouterr().out, re.MULTILINE)) == {"an@2", "an@5", "and"}


def test_one_more_word_is_one_word(capsys):
    assert run(["gravity", "I bought an apple and an orange on it", "--model", "english"]) == 0
    assert "… 1 more word pulled less" in capsys.readouterr().out


def test_what_a_share_is_of_is_said_below_the_shares(capsys):
    assert run(["gravity", "I bought an apple and an orange", "--model", "fruit-or-company"]) == 0
    told = capsys.readouterr().out
    assert "share of the movement" in told
    assert "the pulls and the rest add up to the whole movement; a share is how far a pull reaches along it" in told


def test_why_a_later_word_cannot_pull_is_said_where_it_is_so(capsys):
    said = "only looks back: what comes after apple cannot pull it; --model masked looks both ways"
    text = "I bought an apple and an orange"
    for model, word, is_so in (("english", "apple", True), ("english", "orange", False), ("masked", "apple", False)):
        assert run(["gravity", text, "--word", word, "--model", model]) == 0
        assert (said in capsys.readouterr().out) is is_so, (model, word)
