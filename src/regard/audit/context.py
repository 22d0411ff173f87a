"""One page while it is read: its lines and tables, what it says around its claims, and what the rules write down."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regard.audit import data
from regard.audit.finding import Audit, Finding, occurrences, show
from regard.audit.judge import Judged, compare
from regard.audit.nodes import Node, Number, numbers_in
from regard.audit.notation import SWAPPED
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.tables import Table, tables_of
from regard.audit.verdict import Verdict

WIDEST = 70  # signs of an expression that are shown: a matrix must not fill the screen


class Page:
    """What every rule is given."""

    def __init__(self, name: str, lines: Sequence[Line]) -> None:
        self.name, self.lines = name, lines
        self.findings: list[Finding] = []
        too_long = [line.number for line in lines if len(line.text) > LONGEST_LINE]
        self.skipped = [(number, "a line too long to be a worked example") for number in too_long]
        self.vectors: dict[int, dict[str, np.ndarray]] = {}  # what a line gives a name, for code that leans on it
        self.printed: dict[tuple[int, str], Finding] = {}  # what was found by running the page's own code
        self.rounded: dict[str, int] = {}  # numbers that were outcomes, printed rounded, and their last lines
        self.texts = {line.number: line.text for line in lines if line.text}
        found = tables_of(lines)
        self.in_tables = {number for table in found if table.separated for number in table.lines}
        # a program adds up what it prints: where it seems not to, its columns mean something else
        printed = {line.number for line in lines if line.language in ("output", "printed")}
        self.tables: list[Table] = [table for table in found if printed.isdisjoint(table.lines)]

    def changed(self, line: int) -> set[str]:
        """The names that a line changes other than by an ordinary assignment, in code or in words."""
        text = re.sub(r"[`$]|\*\*", "", self.texts.get(line, "")[:LONGEST_LINE])
        return {name for names in data.CHANGES.findall(text) for name in names if name}

    def near(self, line: int, before: int = 1, after: int = 0) -> str:
        """The text around a line."""
        return " ".join(self.texts.get(number, "") for number in range(line - before, line + after + 1))

    def leave(self, line: int, reason: str) -> None:
        """Count a claim that is not understood well enough to judge."""
        self.skipped.append((line, reason))

    def judged(self, line: int, what: str, one: Judged, nth: int = -1) -> None:
        """Write down one claim."""
        if one.verdict in (Verdict.rounded, Verdict.truncated):
            self.rounded[one.claimed.strip("-%")] = line
        if (power := data.POWER_OF_TEN.fullmatch(one.claimed)) and power[0] not in self.texts.get(line, ""):
            computed = show(float(one.computed) / by if (by := float(f"1e{power[2]}")) else 0.0)
            one = one._replace(claimed=power[1], computed=computed, note=f"times 10^{power[2]}")
        self.findings.append(Finding(self.name, line, what, *one[:3], one.note, nth, one.node))

    def number(self, what: str, number: Number, value: float, given: Verdict, nth: int, node: Node | None) -> None:
        """Write down a printed number beside its value, both as it is printed: in percent maybe."""
        one = compare([(1, number)], np.asarray(value))[0]
        self.judged(number.line, what, one._replace(verdict=given, node=node), nth)

    def _without_what_follows(self) -> list[Finding]:
        """The findings, less those that only read a number which is found wrong itself: it is one slip, not two."""
        reads = ({(number.line, number.text) for number in numbers_in(finding.node)} for finding in self.findings)
        claims = [(f, (f.line, f.claimed.strip("-%")), read) for f, read in zip(self.findings, reads)]
        wrong = {own: read for finding, own, read in claims if finding.verdict.fails}
        suspects = {text: (line, text) for line, text in sorted(wrong, reverse=True) if data.UNMISTAKABLE.search(text)}
        right = ((own[0], read) for f, own, read in claims if not f.verdict.fails and own[0] in self.in_tables)
        used = Counter(place for line, read in right for place in read if place[0] == line)
        kept: dict[object, Finding] = {}
        for at, (finding, own, read) in enumerate(claims):
            told = {text for _, text in read}
            causes = (read & wrong.keys()) | {suspects[one] for one in suspects.keys() & told}
            if not finding.verdict.fails:
                kept[at] = finding
            elif used[own] > 1 and not all(text in finding.what for text in told):
                self.leave(finding.line, "a result that its row goes on with: what it is made of may be wrong")
            elif any(cause != own and own not in wrong.get(cause, ()) for cause in causes):
                self.leave(finding.line, "made of a number that is wrong itself")
            elif self.printed.get(own, finding) is finding:  # it tells what that prints, whatever it looks like
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
            said, computed = (text.translate(SWAPPED if commas else {}) for text in (finding.claimed, finding.computed))
            nth = finding.nth if not line.place or (shared[line.place] == 1 and not line.end) else -1
            at, what = line.place or finding.line, " ".join(finding.what.split())
            what = what[: WIDEST - 1] + "…" if what[WIDEST:] else what
            digits, near = said.rstrip("%").lstrip("-−"), enumerate(raws[at - 1 : max(at, line.end)], at)
            places = [(number, *span) for number, raw in near for span in occurrences(raw, digits)]
            place = places[nth] if 0 <= nth < len(places) else None
            at = place[0] if place else at
            found.append(replace(finding, line=at, what=what, claimed=said, computed=computed, place=place))
        skipped = [(lines[line].place or line, reason) for line, reason in self.skipped]
        return Audit(self.name, tuple(sorted(found, key=lambda finding: finding.line)), tuple(sorted(skipped)))
