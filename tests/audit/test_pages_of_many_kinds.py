"""The pages of tests/audit/pages and seen, with wrong numbers planted in many layouts: no right number is called wrong,
and what was found once is found again. `scripts/audit_score.py` prints the figures."""

import runpy
import tomllib
from pathlib import Path

import pytest

SCORE = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "audit_score.py"))
PAGES = list(SCORE["planted"]())
SEEN = list(SCORE["planted"](SCORE["PAGES"].with_name("seen")))


def left_alone(page: Path) -> set[tuple[int, str]]:
    """What the audit does not find in a page, rather than guess."""
    table = page.with_name("left_alone.toml")
    told = tomllib.loads(table.read_text("utf-8")) if table.exists() else {}
    return {(line, claimed) for line, claimed in told.get(page.name, [])}


@pytest.mark.parametrize(("page", "wrong"), SEEN, ids=[f"{page.parent.name}/{page.name}" for page, _ in SEEN])
def test_no_false_alarm_and_what_was_found_once_is_found_again(page, wrong) -> None:
    score = SCORE["scored"](page, wrong)
    assert score.alarms == []
    assert score.found == wrong - left_alone(page)


def test_nine_of_ten_wrong_numbers_are_found_and_no_other() -> None:
    scores = [SCORE["scored"](page, wrong) for page, wrong in PAGES]
    assert [alarm for score in scores for alarm in score.alarms] == []
    found = sum(len(score.found) for score in scores)
    assert found >= SCORE["LEAST_FOUND"] * sum(len(wrong) for _, wrong in PAGES)


def test_there_are_pages_of_every_kind() -> None:
    assert len(PAGES) >= SCORE["LEAST_PAGES"]
    assert {page.suffix for page, _ in PAGES} >= {".md", ".txt", ".tex", ".html", ".ipynb"}
