"""What an audit found, line by line, and what it left alone."""

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from regard.audit.finding import Audit, Finding
from regard.audit.verdict import Verdict
from regard.views.ink import BAD, GOOD, QUIET, STAGE, Ink


def lines_of(audits: Sequence[Audit], every: bool, ink: Ink) -> list[Text]:
    """The failing claims (or every claim) of each page, and the counts."""
    lines: list[Text] = []
    for audit in audits:
        shown = audit.findings if every else [f for f in audit.findings if _is_notable(f)]
        for finding in shown:
            lines += _finding(finding, ink)
        lines.append(_counts(audit))
    if len(audits) > 1:
        total = sum(len(a.findings) for a in audits)
        lines.append(Text(f"{len(audits)} pages, {total} claims, {failing(audits)}", style=STAGE))
    return lines


def as_json(audit: Audit) -> dict[str, object]:
    """Everything, for programs."""
    names = ("line", "what", "claimed", "computed", "verdict", "note")
    findings = [{name: getattr(finding, name) for name in names} for finding in audit.findings]
    skipped = [{"line": line, "reason": reason} for line, reason in audit.skipped]
    return {"file": audit.file, "findings": findings, "skipped": skipped, "kinds": kinds_of(audit)}


def kinds_of(audit: Audit) -> dict[str, int]:
    """How many failures of each kind: a wrong number, code that cannot run, and so on."""
    counted = Counter(finding.verdict for finding in audit.failures)
    return {"wrong number" if v is Verdict.wrong else v.value: counted[v] for v in Verdict if v.fails}


def failing(audits: Sequence[Audit]) -> str:
    """How many fail, by kind."""
    kinds = sum((Counter(kinds_of(audit)) for audit in audits), Counter[str]())
    several = {"wrong number": "wrong numbers"}  # the others are no nouns
    told = [f"{count} {several.get(kind, kind) if count > 1 else kind}" for kind, count in kinds.items() if count]
    count = f"{sum(kinds.values())} failing"
    return f"{count} ({', '.join(told)})" if told else count


def _is_notable(finding: Finding) -> bool:
    return finding.verdict not in (Verdict.exact, Verdict.rounded)


def _finding(finding: Finding, ink: Ink) -> list[Text]:
    right, runs = not finding.verdict.fails, finding.verdict is not Verdict.cannot_run
    line = Text.assemble(
        (f"{finding.file}:{finding.line}: ", QUIET),
        (f"{ink.sign('right' if right else 'wrong')} {finding.verdict} ", GOOD if right else BAD),
        f" claimed {finding.claimed}, computed {finding.computed}" if runs else f" {finding.note}",
    )
    beside = f"    {finding.what}" + (f"   ({finding.note})" if finding.note and runs else "")
    return [line, Text(beside, style=QUIET)]


def _counts(audit: Audit) -> Text:
    counts = Counter(f.verdict for f in audit.findings)
    parts = [f"{counts[v]} {v}" for v in Verdict if counts[v]] or ["no worked examples found"]
    text = Text(f"{audit.file}: ", style=STAGE).append(", ".join(parts), style="not bold")
    if audit.skipped:
        counted = Counter(reason for _, reason in audit.skipped)
        reasons = "; ".join(f"{count} × {reason}" for reason, count in counted.most_common())
        text.append(f"; {len(audit.skipped)} left alone ({reasons})", style=f"not bold {QUIET}")
    return text
