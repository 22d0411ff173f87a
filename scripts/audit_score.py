"""How good `regard check` is, on the pages of tests/audit/pages: `python scripts/audit_score.py [FOLDER]`.

Prints the false alarms (there must be none), the share of the planted wrong numbers that are found (at least 90 %), and
whether at least half of the pages were committed after the last change of src/regard/audit, so that the audit has not
been fitted to them. The exit code is 1 if any of the three does not hold. Pages that were looked at while the audit was
written lie in tests/audit/seen; they count for nothing here, but must stay right. Sets come whole, good or bad.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from regard.audit.finding import Finding
from regard.audit.page import audit_file

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "tests" / "audit" / "pages"
NUMBER = re.compile(r"-?[\d.,]*\d")
LEAST_FOUND = 0.9
LEAST_PAGES = 60


Wrong = set[tuple[int, str]]


class Score(NamedTuple):
    """One page: what was planted in it, what was found of that, what was called wrong and is right."""

    page: Path
    planted: Wrong
    found: Wrong
    alarms: list[str]


def planted(pages: Path = PAGES) -> Iterator[tuple[Path, Wrong]]:
    """Every page, and the wrong numbers in it: the line, and what is claimed there."""
    for table in sorted(pages.glob("*/wrong.toml")):
        for name, wrong in tomllib.loads(table.read_text("utf-8")).items():
            yield table.parent / name, {(line, _plain(claimed)) for line, claimed in wrong}


def scored(page: Path, wrong: Wrong) -> Score:
    """A page, read once."""
    failing = {(f.line, _as_planted(f, wrong), str(f)) for f in audit_file(page).failures}
    found = {(line, claimed) for line, claimed, _ in failing} & wrong
    alarms = [said for line, claimed, said in failing if (line, claimed) not in wrong]
    return Score(page, wrong, found, alarms)


def scores(pages: Path = PAGES) -> Iterator[Score]:
    return (scored(page, wrong) for page, wrong in planted(pages))


def _plain(claimed: str) -> str:
    """A number as a finding prints it: LaTeX's commas and thin spaces, its minus, with or without a percent sign."""
    return claimed.replace("−", "-").replace("{,}", ",").replace("\\,", "").rstrip("% ")


def _as_planted(finding: Finding, planted: Wrong) -> str:
    """A line of code that cannot run is planted as that line. In a row that does not sum any number may be wrong,
    in an equation that does not hold any that it is written with, and of 1:52:31 any part."""
    is_row, written = (
        finding.what.startswith("row "),
        set(NUMBER.findall(f"{finding.what} {finding.claimed}".replace("−", "-"))),
    )
    written.add(_plain(finding.claimed).lstrip("-"))  # HTML may write its minus as a word
    for line, claimed in planted:
        if line == finding.line and (is_row or claimed in written or finding.claimed in NUMBER.findall(claimed)):
            return claimed
    return finding.what if finding.claimed == "runs" else _plain(finding.claimed)


def blind(pages: Sequence[Path]) -> set[Path]:
    """The pages that were committed after the last change of the audit."""
    changed, ours = _committed("-1", "--", "src/regard/audit"), [page for page in pages if page.is_relative_to(ROOT)]
    return {page for page in ours if _committed("--diff-filter=A", "--", str(page.relative_to(ROOT))) > changed}


def _committed(*arguments: str) -> int:
    """When the newest commit that git finds was made; 0 where there is none."""
    command = ["git", "log", "--format=%ct", *arguments]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return int(told[0]) if told else 0


def main() -> int:
    """Print the three figures."""
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else PAGES
    judged = list(scores(folder))
    alarms = [f"  {alarm}" for score in judged for alarm in score.alarms]
    missed = [
        f"  {score.page.relative_to(folder)}:{line}: {claimed}"
        for score in judged
        for line, claimed in sorted(score.planted - score.found)
    ]
    planted = sum(len(score.planted) for score in judged)
    if not planted:
        sys.exit(f"{folder} holds no wrong numbers; expected folders of pages, each with a wrong.toml that lists them")
    share = 1 - len(missed) / planted
    print(f"{len(judged)} pages, {planted} wrong numbers planted")
    print("\n".join([f"false alarms: {len(alarms)}", *alarms]))
    print("\n".join([f"found: {planted - len(missed)} of {planted} ({share:.1%}); missed:", *missed]))
    after = blind([score.page for score in judged])
    unseen = [score for score in judged if score.page in after]
    found, there = sum(len(score.found) for score in unseen), sum(len(score.planted) for score in unseen)
    print(f"committed after the last change of src/regard/audit: {len(after)} of {len(judged)} pages")
    print(f"found in those: {found} of {there}" + (f" ({found / there:.1%})" if there else ""))
    return int(bool(alarms) or share < LEAST_FOUND or len(after) * 2 < len(judged) or len(judged) < LEAST_PAGES)


if __name__ == "__main__":
    sys.exit(main())
