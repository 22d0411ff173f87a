"""The right digits, proposed as a patch: as many as the page printed, and nothing else on the line is touched."""

import difflib
import math
import re
from collections.abc import Sequence
from dataclasses import replace

from regard.audit.finding import Audit, Finding, occurrences
from regard.audit.notation import SWAPPED
from regard.audit.verdict import Verdict


def place_of(finding: Finding, lines: Sequence[str]) -> tuple[int, int, int] | None:
    """Line, start and end of the number a finding speaks of; nothing where the line leaves it open."""
    digits = finding.claimed.rstrip("%").lstrip("-−")
    if finding.nth < 0 or not re.search(r"\d", digits):
        return None
    numbers = range(finding.line, min(max(finding.end, finding.line), len(lines)) + 1)
    places = [(number, *span) for number in numbers for span in occurrences(lines[number - 1], digits)]
    return places[finding.nth] if finding.nth < len(places) else None


def located(finding: Finding, lines: Sequence[str]) -> Finding:
    """The finding on the line where its number stands, also where several lines were read as one."""
    if finding.end <= finding.line or (place := place_of(finding, lines)) is None:
        return finding
    number, start, end = place
    before = occurrences(lines[number - 1][:start], lines[number - 1][start:end])
    return replace(finding, line=number, end=0, nth=len(before))


def right_digits(finding: Finding) -> str | None:
    """The computed number, printed as the page prints: 0.27 for a claimed 0.26; nothing if that many are not known.

    >>> right_digits(Finding("fox.md", 158, "softmax", "0.26", "0.269152", Verdict.wrong))
    '0.27'
    """
    claimed, computed = finding.claimed.rstrip("%"), finding.computed.rstrip("%")
    if finding.what.startswith("sum([") and claimed in ("1", "1.0", "100"):
        return None  # of weights that do not sum to 1, any may be wrong
    if commas := "," in computed:  # for decimals
        claimed, computed = claimed.translate(SWAPPED), computed.translate(SWAPPED)
    try:
        value = float(computed)
    except ValueError:
        return None
    if not math.isfinite(value) or "e" in claimed.lower() or (value < 0) != claimed.startswith(("-", "−")):
        return None
    whole, _, decimals = claimed.lstrip("-−").partition(".")
    places = len(decimals)
    if not places and value % 1 and abs(value) < 1e6:
        places = min(2, len(computed.partition(".")[2]))  # 7 / 2 = 3 needs a point
    digits = f"{abs(value):{',' if ',' in whole else ''}.{places}f}"
    digits = digits if whole else digits.removeprefix("0")
    return digits.translate(SWAPPED) if commas else digits


def edits(text: str, audit: Audit) -> dict[tuple[int, int, int], str]:
    """The right digits for every wrong number whose place and digits are sure, by line, start and end."""
    lines = text.split("\n")
    wrong = [finding for finding in audit.failures if finding.verdict is Verdict.wrong]
    found = [(place_of(finding, lines), right_digits(finding)) for finding in wrong]
    return {place: digits for place, digits in found if place is not None and digits is not None}


def fixed(text: str, audit: Audit) -> str:
    """The text with those digits."""
    lines = text.split("\n")
    for (number, start, end), digits in sorted(edits(text, audit).items(), reverse=True):
        lines[number - 1] = lines[number - 1][:start] + digits + lines[number - 1][end:]
    return "\n".join(lines)


def patch(text: str, audit: Audit) -> str:
    """The same as a unified diff, ready for `git apply`; empty where nothing is sure."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", version) for version in (text, fixed(text, audit)))
    name = audit.file.lstrip("/")  # an absolute path, from the root on: `git apply` and `patch` refuse a//tmp
    name += "\t" * (" " in name)  # a tab ends a name with spaces, or `patch` takes the first word for all of it
    changes = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in changes)
