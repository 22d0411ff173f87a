"""On a narrow terminal, lines end where it does: what is longer is wrapped or left out by name, not cut in a word."""

import pytest
from rich.cells import cell_len

from regard.cli.main import run
from regard.views.ink import Ink
from regard.views.layout import wrapped
from regard.views.plainly import PLAINLY
from regard.views.watched import habits_lines
from regard.watching.heads import Habits

STORY = "Once upon a time there was a little"
ASKED = {
    "explain": ["explain", STORY],
    "flow": ["flow", STORY],
    "film": ["film"],
    "lessons": ["lesson"],
    "models": ["models"],
    "doctor": ["doctor"],
    "settings": ["train", "--settings"],
    "glossary": ["glossary"],
    "reading": ["glossary", "--reading"],
    "gravity": ["gravity", "Apple ate", "--word", "apple", "--with", "fruit"],
}


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("case", ASKED)
def test_no_line_is_wider_than_the_screen(case, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(ASKED[case]) == 0
    printed = capsys.readouterr().out
    before = printed.split("\n next ")[0]  # a command is to be copied whole
    assert [line for line in before.splitlines() if cell_len(line) > columns] == []


def test_of_what_is_checked_the_flow_stays(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["flow", STORY, "--check", "1"]) == 0
    check = capsys.readouterr().out.split("CHECK")[1]
    assert max(map(cell_len, check.splitlines())) <= 80
    assert "lost when cut     flow" in check and "width: attention rollout, integrated gradients" in check


def test_the_counts_of_a_lesson_with_many_claims_are_wrapped(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["lesson", "fox"]) == 0
    counts = [line for line in capsys.readouterr().out.splitlines() if " claims: " in line]
    assert counts and all(cell_len(line) <= 60 for line in counts)


def test_signs_are_measured_as_they_are_written():
    """√ is one column wide, and five where a terminal has no such sign."""
    said = "√2 · √3 → √6, " * 9
    for line in wrapped(said, 2, Ink(60, plain=True)):
        assert cell_len(line.plain.translate(PLAINLY)) <= 60


@pytest.mark.parametrize("habit", ["induction", "entropy"])
def test_of_the_habits_of_heads_the_one_sorted_by_stays(habit):
    rows = [Habits(0, head, 1.0, 2.0, 0.25, 0.5, 0.0, 0.125, None) for head in range(3)]
    title, header, *lines = [line.plain for line in habits_lines(rows, Ink(60), 3, habit)]
    assert habit in header and f"{habit}, evenly" in header
    assert max(map(cell_len, [title, header, *lines])) <= 60
    assert "not shown at this width: " in " ".join(lines)


def test_a_command_to_be_copied_has_a_line_of_its_own(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("regard.views.site.site_files", lambda: [("index.html", b"")])
    monkeypatch.chdir(tmp_path)
    assert run(["site", "a folder"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  python -m http.server -d 'a folder'"
