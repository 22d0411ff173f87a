"""One page while it is read: its lines and tables, what it says around its claims, and what the rules write down."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from regard.audit import data
from regard.audit.finding import Audit, Finding, shorten, show, show_beside
from regard.audit.fix import located
from regard.audit.judge import Judged
from regard.audit.nodes import Node, Number, walk
from regard.audit.notation import SWAPPED
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.python import Changes, changes_of
from regard.audit.tables import Table, tables_of
from regard.audit.verdict import Verdict

UNMISTAKABLE = 5  # digits of a number that is the same one wherever it stands
A_RESULT = re.compile(r"\d*\.\d{2,}")
CHAINED = re.compile(r"=[^=,;]+=\s*(\d*\.\d{2,})")  # o = a v = 2.1864
NEAR = 12  # lines in which a rounded number is still the same one
Values = Mapping[str, object]


class Page:
    """What every rule is given."""

    def __init__(self, name: str, lines: Sequence[Line]) -> None:
        self.name, self.lines = name, lines
        self.findings: list[Finding] = []
        self.skipped: list[tuple[int, str]] = []
        self.vectors: dict[int, dict[str, np.ndarray]] = {}  # what a line gives a name, for code that leans on it
        self.printed: dict[tuple[int, str], Finding] = {}  # what was found by running the page's own code
        self.rounded: dict[str, int] = {}  # numbers that were outcomes, printed rounded, and their last lines
        self.texts = {line.number: line.text for line in lines if line.text}
        found = tables_of(lines)
        self.in_tables = {number for table in found if table.separated for number in table.lines}
        # a program adds up what it prints: where it seems not to, its columns mean something else
        printed = {line.number for line in lines if line.language in ("output", "printed")}
        self.tables: list[Table] = [table for table in found if printed.isdisjoint(table.lines)]
        self.prose = {line.number for line in lines if line.is_python and line.text.lstrip().startswith("#")}
        self.changes: dict[int, Changes] = changes_of(lines)
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
        self, line: int, what: str, one: Judged, nth: int, node: Node | None, values: Values, note: str = ""
    ) -> None:
        """Write down one claim that was computed, so that it can be opened and set right."""
        if one.verdict in (Verdict.rounded, Verdict.truncated):
            self.rounded[one.claimed.strip("-%")] = line
        if (power := data.POWER_OF_TEN.fullmatch(one.claimed)) and power[0] not in self.texts.get(line, ""):
            note, by = f"times 10^{power[2]}", float(f"1e{power[2]}")
            one = one._replace(claimed=power[1], computed=show(float(one.computed) / by if by else 0.0))
        said = (one.claimed, one.computed, one.verdict, note)
        self.findings.append(Finding(self.name, line, shorten(what), *said, nth, 0, node, values))

    def number(self, what: str, number: Number, value: float, given: Verdict, nth: int, node: Node | None) -> None:
        """Write down a printed number beside its value, both as it is printed: in percent maybe."""
        by, mark = (100, "%") if number.percent else (1, "")
        said, found = number.text + mark, show_beside(float(f"{value * by:.12g}"), number.text) + mark
        self.judged(number.line, what, Judged(said, found, given, number), nth, node, {})

    def _without_what_follows(self) -> list[Finding]:
        """The findings, less those that only read a number which is found wrong itself: it is one slip, not two. What
        the page's own code prints is judged by that alone, whatever it looks like to another rule."""
        wrong = {_own(f): _read_by(f) for f in self.findings if f.verdict.fails}
        suspects: dict[str | float, tuple[int, str]] = {}  # by what is the same number wherever it stands
        for line, _ in self.skipped:  # a name may hold what comes of something that was not understood
            suspects |= {float(text): (line, text) for text in CHAINED.findall(self.texts.get(line, ""))}
        for place in sorted(wrong, reverse=True):
            suspects |= {place[1]: place} if sum(map(str.isdigit, place[1])) >= UNMISTAKABLE else {}
            suspects |= {float(place[1]): place} if A_RESULT.fullmatch(place[1]) else {}
        right = (f for f in self.findings if not f.verdict.fails and f.line in self.in_tables)
        used = Counter(place for f in right for place in _read_by(f) if place[0] == f.line)
        kept: dict[object, Finding] = {}
        for at, finding in enumerate(self.findings):
            own, read = _own(finding), _read_by(finding)
            told = {text for _, text in read}
            causes = (read & wrong.keys()) | {suspects[one] for one in suspects.keys() & (told | _held(finding))}
            if not finding.verdict.fails:
                kept[at] = finding
            elif used[own] > 1 and not all(text in finding.what for text in told):
                self.leave(finding.line, "a result that its row goes on with: what it is made of may be wrong")
            elif any(cause != own and own not in wrong.get(cause, ()) for cause in causes):
                self.leave(finding.line, "made of a number that is wrong itself")
            elif self.printed.get(own, finding) is finding:
                kept.setdefault((own, finding.nth) if finding.nth >= 0 else at, finding)  # by its row and by its column
        return list(kept.values())

    def close(self, text: str, *, commas: bool) -> Audit:
        """The audit by its lines, each finding where the file has it; a page with decimal commas gets them."""
        raws, written = text.split("\n"), [line for line in self.lines if line.text.strip()]
        lines = {number: line for line in written for number in range(line.number, max(line.end, line.number) + 1)}
        shared = Counter(line.place for line in written)
        found: list[Finding] = []
        for finding in self._without_what_follows():
            line = lines[finding.line]
            if commas:
                said, computed = (text.translate(SWAPPED) for text in (finding.claimed, finding.computed))
                finding = replace(finding, claimed=said, computed=computed)
            if line.place:
                sure = shared[line.place] == 1 and not line.end
                finding = replace(finding, line=line.place, nth=finding.nth if sure else -1)
            found.append(located(replace(finding, end=0 if line.place else line.end), raws))
        skipped = [(lines[line].place or line, reason) for line, reason in self.skipped]
        return Audit(self.name, tuple(sorted(found, key=lambda finding: finding.line)), tuple(sorted(skipped)))


def _own(finding: Finding) -> tuple[int, str]:
    return finding.line, finding.claimed.strip("-%")


def _read_by(finding: Finding) -> set[tuple[int, str]]:
    """The numbers that a finding was computed from, by their lines."""
    numbers = (part for part in walk(finding.node) if isinstance(part, Number)) if finding.node else ()
    return {(number.line, number.text) for number in numbers}


def _held(finding: Finding) -> set[float]:
    """The numbers that its names stand for."""
    return {float(item) for value in finding.values.values() for item in np.asarray(value, float).flat}
