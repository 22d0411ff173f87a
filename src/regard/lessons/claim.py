"""What a document says, beside what is computed: numbers, code and sentences, each with its line and a verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regard.audit.verdict import Verdict, row_verdicts
from regard.trace import Trace

Computation = Callable[[Trace], Sequence[float]]


@dataclass(frozen=True)
class Checked:
    """One claim with its verdict, ready to be shown."""

    document: str
    line: int
    about: str
    claimed: str
    computed: str
    verdict: Verdict
    stage: int
    cell: str | None = None
    note: str = ""

    @property
    def place(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def is_failure(self) -> bool:
        return self.verdict.fails


@dataclass(frozen=True)
class Row:
    """Numbers printed in one row of a document. Truncation is judged by the whole row."""

    document: str
    line: int
    about: str
    printed: tuple[str, ...]
    compute: Computation
    stage: int
    cells: tuple[str, ...] = ()  # where each number lives in the trace, if it does
    note: str = ""

    def check(self, trace: Trace) -> list[Checked]:
        computed = [float(v) for v in self.compute(trace)]
        if len(computed) != len(self.printed):
            raise ValueError(
                f"{self.document}:{self.line} prints {len(self.printed)} numbers, but computing gives {len(computed)}"
            )
        percent = [text.endswith("%") for text in self.printed]
        bare = [text.removesuffix("%").strip() for text in self.printed]
        verdicts = row_verdicts(bare, [100 * v if p else v for v, p in zip(computed, percent)])
        cells = self.cells or (None,) * len(computed)
        return [
            Checked(
                self.document, self.line, self.about, text, f"{100 * v:.6g}%" if p else f"{v:.6g}", verdict, self.stage,
                cell, self.note,
            )
            for text, v, p, verdict, cell in zip(self.printed, computed, percent, verdicts, cells)
        ]  # fmt: skip


@dataclass(frozen=True)
class Code:
    """A line of code, run as it is written."""

    document: str
    line: int
    printed: str
    run: Callable[[Trace], Any]
    stage: int
    note: str = ""

    def check(self, trace: Trace) -> list[Checked]:
        try:
            self.run(trace)
        except Exception as error:
            reason = str(error).partition(", with gufunc")[0]
            said, verdict = f"{type(error).__name__}: {reason}", Verdict.cannot_run
        else:
            said, verdict = "runs", Verdict.exact
        return [Checked(self.document, self.line, "code", self.printed, said, verdict, self.stage, None, self.note)]


@dataclass(frozen=True)
class Statement:
    """A testable sentence: it holds in the trace, or it does not; `evidence` says what was found.

    `fails_as` is the kind of failure where it does not hold: not so in this model, overstated, or a wrong number.
    """

    document: str
    line: int
    printed: str
    holds: Callable[[Trace], bool]
    evidence: Callable[[Trace], str]
    stage: int
    note: str = ""
    fails_as: Verdict = Verdict.not_so

    def check(self, trace: Trace) -> list[Checked]:
        verdict = Verdict.exact if self.holds(trace) else self.fails_as
        found = self.evidence(trace)
        return [
            Checked(self.document, self.line, "statement", self.printed, found, verdict, self.stage, None, self.note)
        ]


Claim = Row | Code | Statement


def cells(document: str, line: int, about: str, stage: int, said: Mapping[str, str], note: str = "") -> Row:
    """A row whose numbers are cells of the trace: address → printed text.

    >>> cells("004", 158, "probabilities", 9, {"probabilities[fox]": "0.29"}).printed
    ('0.29',)
    """
    names = tuple(said)
    return Row(document, line, about, tuple(said.values()), lambda trace: [trace[n] for n in names], stage, names, note)
