"""One page while it is read: its lines and tables, what it says around its claims, and what the rules write down."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from regard.audit import data
from regard.audit.finding import Audit, Finding, shorten, show, show_beside
from regard.audit.judge import Judged
from regard.audit.nodes import Node, Number, walk
from regard.audit.notation import SWAPPED
from regard.audit.pages import LONGEST_LINE, QUOTES, Line
from regard.audit.python import Changes, changes_of, pieces_of
from regard.audit.tables import Table, as_clock, is_clock, tables_of
from regard.audit.verdict import Verdict

UNMISTAKABLE = 5  # digits of a number that is the same one wherever it stands
NEAR = 12  # lines in which a rounded number is still the same one


class Page:
    """What every rule is given."""

    def __init__(self, name: str, lines: Sequence[Line]) -> None:
        self.name, self.lines = name, lines
        self.findings: list[Finding] = []
        self.skipped: list[tuple[int, str]] = []
        self.printed: dict[tuple[int, str], Finding] = {}  # what was found by running the page's own code
        self.rounded: dict[str, int] = {}  # numbers that were outcomes, printed rounded, and their last lines
        self.texts = {line.number: line.text for line in lines}
        found = tables_of(lines)
        self.in_tables = {number for table in found if table.separated for number in table.lines}
        # a program adds up what it prints: where it seems not to, its columns mean something else
        printed = {line.number for line in lines if line.language in ("output", "printed")}
        self.tables: list[Table] = [table for table in found if printed.isdisjoint(table.lines)]
        self.changes: dict[int, Changes] = changes_of(lines, list(pieces_of(lines)))
        for line in lines:
            if len(line.text) > LONGEST_LINE:
                self.leave(line.number, "a line too long to be a worked example")

    @cached_property
    def sizes(self) -> dict[str, Node]:
        """The whole numbers that the page gives a name, each once: d = 1024."""
        found: dict[str, set[str]] = {}
        for text in self.texts.values():
            for name, value in data.A_SIZE.findall(text[:LONGEST_LINE].replace("{,}", ",")) if "=" in text else ():
                found.setdefault(name, set()).add(value)
        return {name: Number(values.pop(), -1) for name, values in found.items() if len(values) == 1}

    @cached_property
    def prose(self) -> dict[int, str]:
        """What Python says in docstrings and comments, by its lines."""
        found: dict[int, str] = {}
        inside = session = False  # in a docstring, and there behind a prompt
        for line in self.lines:
            session = bool(line.text.strip()) and (session or line.text.lstrip().startswith(">>>"))
            quotes = len(QUOTES.findall(line.text)) if line.is_python else 0
            hashed = line.is_python and line.text.lstrip().startswith("#")
            if line.is_python and not session and (inside or quotes or hashed):
                found[line.number] = line.text.replace("#", " ", 1) if hashed else QUOTES.sub("   ", line.text)
            inside ^= quotes % 2 == 1
        return found

    def near(self, line: int, before: int = 1, after: int = 0) -> str:
        """The text around a line."""
        return " ".join(self.texts.get(number, "") for number in range(line - before, line + after + 1))

    def rounded_near(self, line: int, node: Node) -> set[str]:
        """The numbers of an expression that lines above give as rounded outcomes: it goes on with what was rounded."""
        numbers = [part.text for part in walk(node) if isinstance(part, Number)]
        return {text for text in numbers if 0 <= line - self.rounded.get(text, -NEAR - 1) <= NEAR}

    def leave(self, line: int, reason: str) -> None:
        """Count a claim that is not understood well enough to judge."""
        self.skipped.append((line, reason))

    def claim(self, line: int, what: str, claimed: str, computed: str, verdict: Verdict, note: str = "") -> None:
        """Write down one claim."""
        self.findings.append(Finding(self.name, line, shorten(what), claimed, computed, verdict, note))

    def judged(
        self,
        line: int,
        what: str,
        one: Judged,
        nth: int,
        node: Node | None,
        values: Mapping[str, object],
        note: str = "",
    ) -> None:
        """Write down one claim that was computed, so that it can be opened and set right."""
        if one.verdict in (Verdict.rounded, Verdict.truncated):
            self.rounded[one.claimed.strip("-%")] = line
        if (power := data.POWER_OF_TEN.fullmatch(one.claimed)) and power[0] not in self.texts.get(line, ""):
            note, by = f"times 10^{power[2]}", float(f"1e{power[2]}")
            one = one._replace(claimed=power[1], computed=show(float(one.computed) / by))
        said = (one.claimed, one.computed, one.verdict, note)
        self.findings.append(Finding(self.name, line, shorten(what), *said, nth, 0, node, values))

    def number(self, what: str, number: Number, value: float, given: Verdict, nth: int, node: Node | None) -> None:
        """Write down a printed number beside its value, both as it is printed: in percent, or as hours and minutes."""
        by, mark = (100, "%") if number.percent else (1, "")
        said, found = number.text + mark, show_beside(float(f"{value * by:.12g}"), number.text) + mark
        if is_clock(number):
            said, found = as_clock(number.value, number.unit), as_clock(value, number.unit)
            said = f"0{said}" if f"0{said}" in self.texts.get(number.line, "") else said
        self.judged(number.line, what, Judged(said, found, given, number), nth, node, {})

    def _without_what_follows(self) -> list[Finding]:
        """The findings, less those that only read a number which is found wrong itself: it is one slip, not two. What
        the page's own code prints is judged by that alone, whatever it looks like to another rule."""
        wrong = {(f.line, f.claimed.strip("-%")): _read_by(f) for f in self.findings if f.verdict.fails}
        long = [f for f in self.findings if f.claimed[:1] != "(" and len(f.claimed.strip("-0.")) > 4]
        right: dict[str, set[tuple[int, str]]] = {}
        for f in (f for f in long if not f.verdict.fails):
            right.setdefault(f.claimed, set()).add((f.line, f.what))
        known = {
            text: line for line, text in sorted(wrong, reverse=True) if sum(map(str.isdigit, text)) >= UNMISTAKABLE
        }
        # of a name that holds a list, by its value: the list is found wrong where it stands
        listed = [(line, float(text)) for line, text in wrong if re.fullmatch(r"\d*\.\d{2,}", text)]
        kept, told = list[Finding](), set[tuple[int, str, int]]()
        for finding in self.findings:
            # an equation that does not hold is wrong as it stands, whichever of its numbers is copied
            read = [text for _, text in _read_by(finding)]
            shown = bool(read) and all(text in finding.what for text in read)
            others = right.get(finding.claimed, set())  # of its own column it may be copied from the row above
            is_elsewhere = any(at != finding.line and what != finding.what for at, what in others)
            if finding.verdict.fails and is_elsewhere and not shown:
                self.leave(finding.line, "a result that is right elsewhere: what it is made of may be wrong")
                continue
            own = (finding.line, finding.claimed.strip("-%"))
            if finding.verdict.fails and self.printed.get(own, finding) is not finding:
                continue
            place = (finding.line, finding.claimed, finding.nth)
            if finding.verdict.fails and finding.nth >= 0 and place in told:
                continue  # found by its row and by its column
            told |= {place} if finding.verdict.fails else set()
            follows = finding.verdict.fails and any(
                known.get(place[1], finding.line) < finding.line
                or (place in wrong and place != own and own not in wrong[place])
                for place in _read_by(finding)
            )
            held = {item for value in finding.values.values() for item in np.asarray(value, float).flat}
            follows |= finding.verdict.fails and any(line < finding.line and value in held for line, value in listed)
            if follows:
                self.leave(finding.line, "made of a number that is wrong itself")
            else:
                kept.append(finding)
        return kept

    def close(self, *, commas: bool) -> Audit:
        """The audit, its findings sorted by line, each where the file has it; a page with decimal commas gets them."""
        ends = {line.number: line.end for line in self.lines if line.end}
        found = [replace(f, end=ends[f.line]) if f.line in ends else f for f in self._without_what_follows()]
        if commas:
            found = [
                replace(f, claimed=f.claimed.translate(SWAPPED), computed=f.computed.translate(SWAPPED)) for f in found
            ]
        skipped = self.skipped
        if any(line.place for line in self.lines):
            numbers, places = [line.number for line in self.lines], [line.place for line in self.lines]
            shared = Counter(line.place for line in self.lines if line.text.strip())

            def place(number: int) -> int:
                return places[max(0, bisect_right(numbers, number) - 1)]

            found = [
                replace(f, line=at, end=f.end and place(f.end), nth=-1 if shared[at] > 1 else f.nth)
                for f, at in ((f, place(f.line)) for f in found)
            ]
            skipped = [(place(line), reason) for line, reason in skipped]
        return Audit(self.name, tuple(sorted(found, key=lambda finding: finding.line)), tuple(sorted(skipped)))


def _read_by(finding: Finding) -> set[tuple[int, str]]:
    """The numbers that a finding was computed from, by their lines."""
    numbers = (part for part in walk(finding.node) if isinstance(part, Number)) if finding.node else ()
    return {(number.line, number.text) for number in numbers}
