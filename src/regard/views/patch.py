"""The right digits of an audit as a patch, or in the page itself: digits alone, and only where their place is sure."""

import difflib
import os
import re

from regard.audit.finding import Audit, Finding, Place
from regard.audit.notation import SWAPPED
from regard.audit.verdict import NUMBER, Verdict
from regard.text.decoding import INVISIBLE
from regard.views.harmless import STEERS

DROPPED = {chr(sign) for sign, instead in INVISIBLE.items() if not instead}  # between the page and what is judged of it
ESCAPES = dict(zip(b'\a\b\t\n\v\f\r"\\', (f"\\{sign}" for sign in 'abtnvfr"\\')))  # as git writes these bytes


class NoPatch(ValueError):
    """Why no patch of a page can fit it."""


def as_written(raw: bytes) -> str:
    """The text of a page with its own line ends and spaces; refused where its lines are not those that are judged.

    >>> as_written(b"2 * 3 = 7\\r\\n")
    '2 * 3 = 7\\r\\n'
    >>> as_written("é".encode("latin-1"))
    Traceback (most recent call last):
    regard.views.patch.NoPatch: it is not UTF-8: byte 0xe9 in line 1; convert it first: iconv -f ENCODING -t UTF-8
    """
    convert = "convert it first: iconv -f ENCODING -t UTF-8"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NoPatch(f"it is UTF-16, and a patch is UTF-8; {convert}")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise NoPatch(f"it is not UTF-8: byte {raw[error.start]:#04x} in line {line}; {convert}") from None
    if "\0" in text:
        raise NoPatch(f"it has bytes that are zero, as UTF-16 has; {convert}")
    if "\r" in text.replace("\r\n", "\n"):
        raise NoPatch(
            "some of its lines end in a carriage return alone, which ends no line of a patch; end them in \\n"
        )
    return text


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
    """The text, as it is written, with those digits; nothing else on a line is touched."""
    lines = text.split("\n")
    for (number, start, end), digits in sorted(edits(audit).items(), reverse=True):
        line = lines[number - 1]
        judged = [place for place, sign in enumerate(line) if sign not in DROPPED]  # columns are counted in these
        lines[number - 1] = line[: judged[start]] + digits + line[judged[end - 1] + 1 :]
    return "\n".join(lines)


def patch(text: str, audit: Audit) -> str:
    """The same as a unified diff, ready for `git apply`; empty where nothing is sure."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", version) for version in (text, fixed(text, audit)))
    name = audit.file.lstrip("/")  # an absolute path, from the root on: `git apply` and `patch` refuse a//tmp
    changes = difflib.unified_diff(before, after, quoted(f"a/{name}"), quoted(f"b/{name}"))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in changes)


def quoted(name: str) -> str:
    """The name of a file as git writes it in a patch: in quotes and escaped where it could not be read otherwise.

    >>> quoted("a/page.md"), quoted("a/my page.md"), quoted('a/tab\\there, "é".md')
    ('a/page.md', 'a/my page.md\\t', '"a/tab\\\\there, \\\\"\\\\303\\\\251\\\\".md"')
    """
    if not STEERS.search(name) and not set('"\\') & set(name):
        return name + "\t" * (" " in name)  # a tab ends it, or `patch` takes the first word for all of it
    signs = (ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in os.fsencode(name))
    return f'"{"".join(signs)}"'
