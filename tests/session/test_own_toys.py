"""A toy that comes with a state: a model like any other, and what is wrong with it by line and column."""

import json
import re

import pytest

from regard.session import answers
from regard.session.questions import ExplainQuestion, ToyQuestion
from regard.session.refusal import TooLarge
from regard.session.shelf import Shelf
from regard.session.traces import Traces
from regard.toys.toy_file import toy_text

MINE = """sentence = "the small cat"
target = "sat"
[words]
the = [0.1, 0.2]
small = [0.4, 0.1]
cat = [0.9, 0.6]
[next]
sat = [0.8, 0.3]
ran = [0.2, 0.9]
"""


@pytest.fixture
def traces() -> Traces:
    return Traces(Shelf())


def told(traces, text, name="mine.toml"):
    return json.loads(answers.toy(lambda: None, traces, ToyQuestion(model=name, toy=text)))


def test_a_toy_is_described_as_models_are(traces):
    found = told(traces, MINE)
    assert (found["name"], found["size"], found["sentence"], found["next"]) == (
        "mine.toml",
        "toy",
        "the small cat",
        "sat",
    )
    assert told(traces, "words.the = [1]\nwords.cat = [2]")["words"] == ["the", "cat"], "to begin with"


def test_its_run_is_the_one_that_the_library_makes(traces):
    asked = ExplainQuestion(model="mine.toml", toy=MINE, text="the small cat", next="sat", whole=True)
    found = json.loads(answers.explain(lambda: None, traces, asked))
    expected = toy_text(MINE, "mine.toml").run("the small cat", "sat")
    assert found["trace"]["steps"] == json.loads(expected.backward().json())["steps"]
    changed = asked.model_copy(update={"toy": MINE.replace("0.9, 0.6", "0.9, 0.7"), "whole": False})
    assert traces.of(changed).trace["loss"] != traces.of(asked).trace["loss"], "another text is another model"


def test_a_name_is_not_looked_up(traces):
    assert told(traces, MINE, "fox")["sentence"] == "the small cat"
    with pytest.raises(ValueError, match=r"^\.\./secret:1:1: this is not TOML"):
        told(traces, "=", "../secret")


@pytest.mark.parametrize(
    "text, said",
    [
        ("[words]\nfox = [0.8, 0.6]\ndog = [0.1]", "mine.toml:3:7: words.dog expects 2 numbers"),
        ("[words\nfox = 1", "mine.toml:1:7: this is not TOML"),
        ("wrods.a = [1]", "mine.toml:1:1: unknown key 'wrods'; did you mean words?"),
    ],
)
def test_what_is_wrong_is_said_by_line_and_column(traces, text, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        told(traces, text)


def test_large_ones_are_for_the_command_line(traces):
    with pytest.raises(TooLarge, match="regard open FILE"):
        told(traces, "words = ['a']\nrandom = { width = 64 }")
