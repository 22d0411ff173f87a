"""What an audit hands back: a `Finding` per claim it could judge, and why it left others."""

import re
from dataclasses import dataclass, field

from regard.audit.nodes import Node
from regard.audit.verdict import UNMARKED, Verdict

Place = tuple[int, int, int]  # line, start and end


@dataclass(frozen=True)
class Finding:
    """One claim of a page beside what it should be.

    >>> str(Finding("fox.md", 158, "softmax", "0.26", "0.269152", Verdict.wrong))
    'fox.md:158: softmax: claimed 0.26, computed 0.269152: wrong'
    """

    file: str
    line: int
    what: str  # the expression, row, column or code line the claim belongs to
    claimed: str
    computed: str
    verdict: Verdict
    note: str = ""
    nth: int = -1  # which of the equal numbers on its lines it is; -1 where nobody counted
    node: Node | None = field(default=None, repr=False, compare=False)  # the expression, to be opened
    place: Place | None = None  # of its number, where that is sure

    def __str__(self) -> str:
        said = f"claimed {self.claimed}, computed {self.computed}: {self.verdict.value}"
        return f"{self.file}:{self.line}: {self.what}: {said}" + (f" ({self.note})" if self.note else "")


@dataclass(frozen=True)
class Audit:
    """Everything one page claims, in the order of its lines."""

    file: str
    findings: tuple[Finding, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()  # lines that looked like worked examples and were left alone, and why

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The claims that are wrong or cannot run."""
        return tuple(finding for finding in self.findings if finding.verdict.fails)


def show(value: float) -> str:
    """A computed number with the digits that matter to a reader: 0.6045, 589824, 0.666667."""
    digits = 15 if value % 1 == 0 and abs(value) < 1e15 else 6 if 1e-4 <= abs(value) < 1e6 else 7
    return f"{value + 0.0:.{digits}g}"  # no -0


def show_beside(value: float, claimed: str) -> str:
    """A computed number with digits enough to tell it from the claimed one: 1.3120102 beside 1.312010."""
    stated, value = float(claimed.translate(UNMARKED)), value if value % 1 == 0 else float(f"{value:.12g}")
    longer = (f"{value:.{digits}g}" for digits in range(7, 16) if value != stated)
    return next((text for text in (show(value), *longer) if float(text) != stated), show(value))


def occurrences(text: str, number: str) -> list[tuple[int, int]]:
    """Where a number stands in a text, whole: 0.5 is not in 10.53."""
    return [found.span() for found in re.finditer(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", text)]
