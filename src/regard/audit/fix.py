"""The right digits, proposed as a patch: as many as the page printed, and nothing else on the line is touched."""

import difflib
import re
from dataclasses import replace

from regard.audit.finding import Audit, Finding, occurrences
from regard.audit.verdict import Verdict


def place_of(finding: Finding, lines: list[str]) -> tuple[int, int, int] | None:
    """Line, start and end of the number a finding speaks of; nothing where the line leaves it open."""
    digits = finding.claimed.rstrip("%").lstrip("-−")
    if finding.nth < 0 or not re.search(r"\d", digits):
        return None
    places = [
        (number, *span)
        for number in range(finding.line, min(max(finding.end, finding.line), len(lines)) + 1)
        for span in occurrences(lines[number - 1], digits)
    ]
    return places[finding.nth] if finding.nth < len(places) else None


def located(audit: Audit, lines: list[str]) -> Audit:
    """The audit, each finding on the line where its number stands, also where several lines were read as one."""
    found: list[Finding] = []
    for finding in audit.findings:
        place = place_of(finding, lines) if finding.end > finding.line else None
        if place is not None:
            before = occurrences(lines[place[0] - 1][: place[1]], lines[place[0] - 1][place[1] : place[2]])
            finding = replace(finding, line=place[0], end=0, nth=len(before))
        found.append(finding)
    return replace(audit, findings=tuple(sorted(found, key=lambda finding: finding.line)))


def right_digits(finding: Finding) -> str | None:
    """The computed number, printed as the page prints: 0.27 for a claimed 0.26; nothing if that many are not known.

    >>> right_digits(Finding("fox.md", 158, "softmax", "0.26", "0.269152", Verdict.wrong))
    '0.27'
    """
    claimed = finding.claimed.rstrip("%")
    if ":" in claimed:
        return finding.computed  # 9:20
    try:
        comma = "," in finding.computed  # a page with decimal commas
        value = float(finding.computed.rstrip("%").replace(",", "."))
    except ValueError:
        return None
    mantissa, _, exponent = (claimed.replace(".", "").replace(",", ".") if comma else claimed).lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if exponent or (value < 0) != claimed.startswith(("-", "−")):
        return None
    if value != int(value) and not decimals and abs(value) < 1e6:
        decimals = min(2, len(finding.computed.partition(".")[2]))  # 7 / 2 = 3 needs a point
    digits = f"{abs(value):,.{decimals}f}" if "," in claimed and not comma else f"{abs(value):.{decimals}f}"
    digits = digits.removeprefix("0") if mantissa.lstrip("-−").startswith(".") else digits
    return digits.replace(".", ",") if comma else digits


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
