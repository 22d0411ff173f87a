"""The claims against the documents themselves: each stands on its line, and no printed number is left out."""

import re
from collections import Counter
from pathlib import Path

import pytest

from regard.lessons import LESSONS, lesson
from regard.lessons.claim import Row, Statement
from regard.lessons.documents import DOCUMENTS

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
pytestmark = pytest.mark.skipif(not SEEDS.is_dir(), reason=f"the seed documents are not at {SEEDS}")

NUMBER = re.compile(r"\d+(?:\.\d+)?%?")
DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+|\d+%")
MARKUP = re.compile(r"""[*`$"'“”‘’]""")
# sentences that the lesson shortens: most of their words are on the line
PARAPHRASED = {("004", 29), ("004", 167), ("004", 172)}


def documents():
    return {path.name[:3]: path.read_text(encoding="utf-8").split("\n") for path in sorted(SEEDS.glob("*.txt"))}


def line_of(claim):
    return documents()[claim.document][claim.line - 1]


def plain(text):
    return " ".join(MARKUP.sub("", text).casefold().split())


def every_claim():
    return [pytest.param(c, id=f"{n}-{c.document}:{c.line}") for n in LESSONS for c in lesson(n).claims]


@pytest.mark.parametrize("claim", every_claim())
def test_what_a_claim_quotes_is_on_its_line(claim):
    line = line_of(claim)
    if isinstance(claim, Row):
        numbers = iter(NUMBER.findall(line))
        assert all(printed in numbers for printed in claim.printed), f"{claim.printed}, in this order, not in {line!r}"
    elif (claim.document, claim.line) in PARAPHRASED and isinstance(claim, Statement):
        words = plain(claim.printed).split()
        assert sum(w in plain(line) for w in words) >= len(words) / 2
    else:
        place = 0
        for part in plain(claim.printed).split("…"):
            place = plain(line).find(part.strip(), place)
            assert place >= 0, f"{part!r} is not in {line!r}"


@pytest.mark.parametrize("document", ["000", "001", "002", "003", "004"])
def test_every_printed_number_is_some_claim(document):
    claimed: dict[int, Counter[str]] = {}
    for name in LESSONS:
        rows: dict[int, Counter[str]] = {}
        for claim in lesson(name).claims:
            if claim.document == document:
                printed = claim.printed if isinstance(claim, Row) else DECIMAL.findall(claim.printed)
                rows.setdefault(claim.line, Counter()).update(printed)
        for line, counts in rows.items():  # one lesson must cover a number as often as it is printed
            claimed[line] = claimed.get(line, Counter()) | counts
    missing = {}
    for number, line in enumerate(documents()[document], start=1):
        left = Counter(DECIMAL.findall(line)) - claimed.get(number, Counter())
        if left:
            missing[number] = dict(left)
    assert missing == {}


def test_exceptions_are_still_needed():
    """A sentence quoted in full should leave the list above."""
    fox = {(c.document, c.line): c for c in lesson("fox").claims if isinstance(c, Statement)}
    assert all(plain(fox[place].printed) not in plain(line_of(fox[place])) for place in PARAPHRASED)


# sections whose heading the document does not have, or has in other words
OURS = {("000", 1), ("003", 3), ("004", 1), ("004", 174), ("004", 230), ("004", 347)}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=lambda document: document.number)
def test_sections_stand_where_the_document_has_them(document):
    lines = documents()[document.number]
    for section in document.sections:
        if (document.number, section.line) not in OURS:
            line = plain(lines[section.line - 1]).encode("ascii", "ignore")  # one document has broken characters
            assert all(word.encode("ascii", "ignore") in line for word in plain(section.title).split()), section


def test_no_heading_of_a_document_is_left_out():
    for number, lines in documents().items():
        known = {section.line for section in DOCUMENTS[number].sections}
        headings = {i for i, line in enumerate(lines, start=1) if re.match(r"## |### \S+ \*\*", line)}
        assert {line for line in headings if line not in known and line > 1} == set(), number
