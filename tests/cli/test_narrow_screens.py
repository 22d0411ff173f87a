"""On a narrow terminal, lines end where it does: what is longer is wrapped or left out by name, not cut in a word."""

import pytest
from rich.cells import cell_len

from regard.cli.main import run

STORY = "Once upon a time there was a little"
ASKED = {
    "explain": ["explain", STORY],
    "flow": ["flow", STORY],
    "film": ["film"],
    "lessons": ["lesson"],
    "models": ["models"],
    "doctor": ["doctor"],
}


@pytest.mark.parametrize("columns", [60, 120])
@pytest.mark.parametrize("case", ASKED)
def test_no_line_is_wider_than_the_screen(case, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(ASKED[case]) == 0
    printed = capsys.readouterr().out
    before = printed.split("\n next ")[0]  # a command is to be copied whole
    assert [line for line in before.splitlines() if cell_len(line) > columns] == []


def test_the_counts_of_a_lesson_with_many_claims_are_wrapped(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["lesson", "fox"]) == 0
    counts = [line for line in capsys.readouterr().out.splitlines() if " claims: " in line]
    assert counts and all(cell_len(line) <= 60 for line in counts)
