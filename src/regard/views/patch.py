"""The right digits of an audit as a patch, or in the page itself: digits alone, and only where their place is sure."""

import difflib
import re

from regard.audit.finding import Audit, Finding, Place
from regard.audit.notation import SWAPPED
from regard.audit.verdict import NUMBER, Verdict


def right_digits(finding: Finding) -> str | None:
    """The computed number, printed as the page prints: 0.27 for a claimed 0.26; nothing if that many are not known."""
    points = SWAPPED if "," in finding.computed else {}  # for decimal commas
    claimed, computed = (text.rstrip("%").translate(points) for text in (finding.claimed, finding.computed))
    any_of = finding.what.startswith("sum([") and claimed in ("1", "1.0", "100")  # the weights may be wrong
    other_sign = computed.startswith("-") != claimed.startswith(("-", "−"))
    if any_of or other_sign or "e" in (claimed + computed).lower() or not NUMBER.fullmatch(computed):
        return None
    whole, _, decimals = claimed.lstrip("-−").partition(".")
    places = len(decimals) or (min(2, len(computed.partition(".")[2])) if float(computed) % 1 else 0)  # 7 / 2 = 3
    digits = f"{abs(float(computed)):{',' if ',' in whole else ''}.{places}f}"
    return (digits if whole else digits.removeprefix("0")).translate(points)


def edits(audit: Audit) -> dict[Place, str]:
    """The right digits for every wrong number whose place and digits are sure."""
    found = [(f.place, right_digits(f)) for f in audit.findings if f.verdict is Verdict.wrong]
    return {place: digits for place, digits in found if place is not None and digits is not None}


def fixed(text: str, audit: Audit) -> str:
    """The text with those digits; nothing else on a line is touched."""
    lines = text.split("\n")
    for (number, start, end), digits in sorted(edits(audit).items(), reverse=True):
        lines[number - 1] = lines[number - 1][:start] + digits + lines[number - 1][end:]
    return "\n".join(lines)


def patch(text: str, audit: Audit) -> str:
    """The same as a unified diff, ready for `git apply`; empty where nothing is sure."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", version) for version in (text, fixed(text, audit)))
    name = audit.file.lstrip("/")  # an absolute path, from the root on: `git apply` and `patch` refuse a//tmp
    name += "\t" * (" " in name)  # a tab ends a name with spaces, or `patch` takes the first word for all of it
    changes = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in changes)
