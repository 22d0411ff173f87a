"""Write docs/documents.md: every section and question of the five documents, and what answers it.

    python scripts/documents_table.py

Nothing in it is typed: sections come from lessons/documents.py, claims, verdicts and cards from the lessons.
"""

from collections import Counter
from pathlib import Path

from regard.audit.verdict import Verdict
from regard.lessons import LESSONS, lesson
from regard.lessons.claim import Checked
from regard.lessons.documents import DOCUMENTS, Document, Section

PAGE = Path(__file__).parents[1] / "docs" / "documents.md"
KINDS = {
    Verdict.wrong: "wrong number",
    Verdict.cannot_run: "cannot run",
    Verdict.not_so: "not so in this model",
    Verdict.overstated: "overstated",
}
INTRODUCTION = """\
# The documents, question by question

regard began with five short texts that explain attention by worked examples. Their numbers are recomputed in the
lessons, and this table says for each section and each question what answers it, how many numbers, lines of code and
sentences were checked, and what came of it. It is made by `scripts/documents_table.py` from the lessons themselves.

A claim is *right*; or it is a *wrong number*, code that *cannot run*, a sentence that is *not so in this model*, or one
that is *overstated*: it holds under a condition that it leaves out. These are four things, and are counted apart.
`regard lesson NAME --claims` shows each claim beside what is computed.
"""


def page() -> str:
    checked = {name: lesson(name).check() for name in LESSONS}
    parts = [INTRODUCTION, totals([claim for found in checked.values() for claim in found])]
    parts += [table(document, checked) for document in DOCUMENTS.values()]
    return "\n".join(parts)


def totals(claims: list[Checked]) -> str:
    """How all claims of all documents fare."""
    counts = Counter(claim.verdict for claim in claims)
    right = len(claims) - sum(counts[kind] for kind in KINDS)
    failing = ", ".join(f"{counts[kind]} {name}" for kind, name in KINDS.items())
    return f"Of {len(claims)} claims {right} are right; the others: {failing}.\n"


def table(document: Document, checked: dict[str, list[Checked]]) -> str:
    lines = [
        f"## {document.title}",
        "",
        "| line | section or question | what answers it | checked | verdict |",
        "|---|---|---|---|---|",
    ]
    for section in document.sections:
        here = {
            name: [c for c in found if c.document == document.number and c.line in document.lines_of(section)]
            for name, found in checked.items()
        }
        claims = [claim for found in here.values() for claim in found]
        cells = (str(section.line), section.title, answers(document, section, here), counted(claims), told(claims))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*lines, ""])


def answers(document: Document, section: Section, here: dict[str, list[Checked]]) -> str:
    """Lessons with their cards, commands, and what has to wait."""
    said: list[str] = []
    for name in LESSONS:
        cards = [card.title for card in lesson(name).cards if card.at[0] is document
                 and card.at[1] in document.lines_of(section)]  # fmt: skip
        if cards or here[name]:
            titles = f" (cards: {', '.join(f'*{title}*' for title in cards)})" if cards else ""
            said.append(f"`regard lesson {name}`{titles}")
    said += [f"`{command}`" for command in section.commands if not command.startswith("regard lesson ")
             or not any(f"`{command}`" in part for part in said)]  # fmt: skip
    if section.waits:
        said.append(f"waits: {section.waits}")
    if not said:
        raise ValueError(f"nothing answers {section.title!r} of {document.title}; add a lesson, a card or a command")
    return "; ".join(said)


def counted(claims: list[Checked]) -> str:
    kinds = Counter(claim.about if claim.about in ("code", "statement") else "number" for claim in claims)
    names = {"number": ("number", "numbers"), "code": ("line of code", "lines of code"),
             "statement": ("sentence", "sentences")}  # fmt: skip
    said = [f"{kinds[kind]} {one if kinds[kind] == 1 else many}" for kind, (one, many) in names.items() if kinds[kind]]
    return ", ".join(said) or "nothing to compute"


def told(claims: list[Checked]) -> str:
    """The failing claims by kind, each with its line; right where none fails."""
    said = []
    for kind, name in KINDS.items():
        found = Counter(f"{claim.line}{_numbers(claim)}" for claim in claims if claim.verdict is kind)
        if found:
            lines = [place + ", twice" * (times == 2) for place, times in found.items()]
            said.append(f"{name}: line{'s' if len(found) > 1 else ''} {', '.join(lines)}")
    return "; ".join(said) or ("right" if claims else "no claim")


def _numbers(claim: Checked) -> str:
    is_number = claim.about not in ("code", "statement")
    return f" (says {claim.claimed}, is {claim.computed})" if is_number else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
