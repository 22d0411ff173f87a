"""Pages that scripts write from the lessons are what those scripts write today."""

import importlib.util
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from regard.cli.main import run
from regard.lessons import LESSONS, lesson
from regard.lessons.documents import DOCUMENTS
from regard.training.presets import values_of

ROOT = Path(__file__).parents[2]
COMMANDS = sorted({c for document in DOCUMENTS.values() for s in document.sections for c in s.commands})


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("name", ["documents_table", "glossary_page"])
def test_the_page_is_what_the_script_writes(name):
    made = script(name)
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), f"run python scripts/{name}.py"


def test_every_section_has_a_row_and_no_cell_is_empty():
    page = (ROOT / "docs/documents.md").read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == sum(len(document.sections) for document in DOCUMENTS.values())
    assert all(len(row) == 5 and all(cell.strip(" –") for cell in row) for row in rows)


def test_every_failure_of_the_lessons_is_in_the_table():
    page = (ROOT / "docs/documents.md").read_text(encoding="utf-8")
    for name in LESSONS:
        for claim in lesson(name).check():
            if claim.is_failure:
                document = DOCUMENTS[claim.document]
                section = document.section_at(claim.line)
                row = next(
                    line for line in page.splitlines() if line.startswith(f"| {section.line} | {section.title} |")
                )
                assert re.search(rf"\b{claim.line}\b", row.rpartition(" | ")[2])


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_said_to_answer_a_section_works(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a figure is drawn where you are
    words = shlex.split(command)[1:]
    if words[0] == "train":
        assert values_of([value for option, value in pairwise(words) if option == "--set"]) or "--task" in words
    else:
        assert run(words) == 0 and "".join(capsys.readouterr()).strip()
