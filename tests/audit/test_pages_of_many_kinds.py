"""Pages with wrong numbers planted in many layouts: in tests/audit/seen no right number is called wrong, and what
was found once is found again. `scripts/audit_score.py` says what is found on those of tests/audit/pages, of which the
audit knows nothing."""

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


def made_of_it(page: Path) -> set[str]:
    """Where a wrong number is not found, what is made of it may not fit, and is called wrong instead."""
    table = page.with_name("made_of_it.toml")
    return set(tomllib.loads(table.read_text("utf-8")).get(page.name, []) if table.exists() else [])


@pytest.mark.parametrize(("page", "wrong"), SEEN, ids=[f"{page.parent.name}/{page.name}" for page, _ in SEEN])
def test_no_false_alarm_and_what_was_found_once_is_found_again(page, wrong) -> None:
    score = SCORE["scored"](page, wrong)
    assert {alarm.removeprefix(str(page)) for alarm in score.alarms} == made_of_it(page)
    assert score.found == wrong - left_alone(page)


def test_the_guide_says_what_is_found_on_pages_that_were_not_seen() -> None:
    scores = [SCORE["scored"](page, wrong) for page, wrong in PAGES]
    found, planted = (sum(len(getattr(score, name)) for score in scores) for name in ("found", "planted"))
    alarms = sum(len(score.alarms) for score in scores)
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "check.md").read_text("utf-8")
    assert f"{found} of {planted} on {len(scores)} pages, with {alarms} other numbers called wrong" in guide


def test_there_are_pages_of_every_kind() -> None:
    assert len(PAGES) >= SCORE["LEAST_PAGES"]
    assert {page.suffix for page, _ in PAGES} >= {".md", ".txt", ".tex", ".html", ".ipynb"}
