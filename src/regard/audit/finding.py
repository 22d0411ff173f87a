"""What an audit hands back: one `Finding` per claim it could judge, and every line it left alone with the reason."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from regard.audit.nodes import Node
from regard.audit.verdict import Verdict


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
    end: int = 0  # the last of its lines, where it stands on several
    node: Node | None = field(default=None, repr=False, compare=False)  # the expression, to be opened
    values: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)

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
    def reasons(self) -> Counter[str]:
        """Why claims were left alone, and how many."""
        return Counter(reason for _, reason in self.skipped)

    @property
    def left_alone(self) -> int:
        """How many claims looked like worked examples but were not understood well enough to judge."""
        return len(self.skipped)

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The claims that are wrong or cannot run."""
        return tuple(finding for finding in self.findings if finding.verdict.fails)

    @property
    def kinds(self) -> dict[str, int]:
        """How many failures of each kind: a wrong number, code that cannot run, and so on."""
        counted = Counter(finding.verdict for finding in self.failures)
        return {"wrong number" if v is Verdict.wrong else v.value: counted[v] for v in Verdict if v.fails}

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        names = ("line", "what", "claimed", "computed", "verdict", "note")
        findings = [{name: getattr(finding, name) for name in names} for finding in self.findings]
        skipped = [{"line": line, "reason": reason} for line, reason in self.skipped]
        return {"file": self.file, "findings": findings, "skipped": skipped, "kinds": self.kinds}


def shorten(text: str, width: int = 70) -> str:
    """Text cut to a width, so that a matrix does not fill the screen."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def show(value: float) -> str:
    """A computed number with the digits that matter to a reader: 0.6045, 589824, 0.666667."""
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.6g}" if 1e-4 <= abs(value) < 1e6 else f"{value:.7g}"


def show_beside(value: float, claimed: str) -> str:
    """A computed number with digits enough to tell it from the claimed one: 1.3120102 beside 1.312010."""
    stated = float(claimed.replace("−", "-").replace(",", "").replace("_", ""))
    longer = (f"{value:.{digits}g}" for digits in range(7, 18) if value != stated)
    return next((text for text in (show(value), *longer) if float(text) != stated), show(value))


def occurrences(text: str, number: str) -> list[tuple[int, int]]:
    """Where a number stands in a text, whole: 0.5 is not in 10.53."""
    return [found.span() for found in re.finditer(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", text)]
