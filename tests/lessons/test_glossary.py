"""The glossary knows every word of the vocabulary; the reading list names only lessons there are."""

import re
from pathlib import Path

import pytest

from regard.cli.main import run
from regard.lessons import LESSONS
from regard.lessons.glossary import STAGES, glossary, reading, word

ROOT = Path(__file__).parents[2]


def vocabulary() -> set[str]:
    """The words of ARCHITECTURE's table of names."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text[text.index("| idea | we say | letter |") :].split("\n\n")[0]
    rows = [line.split("|")[2] for line in table.splitlines()[2:]]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_word_of_the_vocabulary_is_explained():
    assert len(vocabulary()) > 25
    assert vocabulary() - {entry.name for entry in glossary()} == set()


@pytest.mark.parametrize("entry", glossary(), ids=lambda entry: entry.name)
def test_a_word_has_one_sentence_other_names_and_a_place(entry):
    assert entry.says.endswith(".") and ". " not in entry.says and len(entry.says) <= 140
    assert entry.others and (entry.stage is None) == bool(entry.lives)
    assert entry.stage is None or 1 <= entry.stage <= len(STAGES)
    assert word(entry.name) is entry
    assert all(word(other).name for other in entry.others)


def test_names_differ_and_stages_are_those_of_the_screen():
    names = [entry.name for entry in glossary()]
    assert len(set(names)) == len(names)
    assert {entry.stage for entry in glossary()} >= set(range(1, 13))
    screen = (ROOT / "src/regard/views/forward.py").read_text(encoding="utf-8")
    screen += (ROOT / "src/regard/views/learning.py").read_text(encoding="utf-8")
    assert all(stage.upper().removesuffix("S") in screen for stage in STAGES)


def test_the_command_finds_a_word_by_anybodys_name(capsys):
    assert run(["glossary", "d_k"]) == 0 and "head_width" in capsys.readouterr().out
    assert run(["glossary", "Attention Scores"]) == 0 and capsys.readouterr().out.startswith("scores")
    for asked, name in {
        "attention": "attention",
        "self-attention": "attention",
        "logit": "logits",
        "MLP": "mlp",
    }.items():
        assert run(["glossary", asked]) == 0 and capsys.readouterr().out.startswith(f"{name} ")
    assert run(["glossary", "qury"]) == 2 and "did you mean query?" in capsys.readouterr().err
    assert run(["glossary", "query", "--reading"]) == 2
    capsys.readouterr()
    assert run(["glossary"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{entry.name} " in printed for entry in glossary())


def test_what_to_read_is_cited_by_name_and_year_and_belongs_to_lessons(capsys):
    assert all(1950 < text.year < 2030 and text.by and set(text.lessons) <= set(LESSONS) for text in reading())
    assert run(["glossary", "--reading"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert all(f"{text.name} {text.by}, {text.year}" in printed for text in reading())
    assert {name for text in reading() for name in text.lessons} == set(LESSONS), "a lesson without"
