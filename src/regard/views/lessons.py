"""A lesson on screen: its numbers, what the document claims, and what to take home."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from rich.text import Text

from regard.audit.verdict import Verdict
from regard.lessons.claim import Checked
from regard.lessons.lesson import Lesson
from regard.trace import Cell, Step, Trace, Values
from regard.trace.address import described
from regard.trace.values import Line
from regard.views.columns import padded
from regard.views.ink import BAD, GOOD, QUIET, STAGE, Ink, shown
from regard.views.layout import wrapped

MOST_CELLS = 100


def listing(lessons: Sequence[Lesson], ink: Ink) -> list[Text]:
    """Every lesson in two lines: its idea, and how its documents' claims fare."""
    lines = [Text("The worked examples of the five documents, recomputed. Show one with: regard lesson NAME"), Text("")]
    for lesson in lessons:
        checked = lesson.check()
        title = Text.assemble(padded(lesson.name, 14, STAGE), padded(lesson.title, 52))
        title.append_text(_counts(checked))
        lines += [title, *wrapped(lesson.idea, 14, ink)]
    return lines


def screen(lesson: Lesson, ink: Ink, every_claim: bool = False) -> list[Text]:
    trace = lesson.make()
    checked = lesson.check(trace)
    documents = ", ".join(lesson.documents)
    lines = [
        Text.assemble((lesson.title, STAGE), (f"   (seed document {documents})", QUIET)),
        *wrapped(lesson.idea, 0, ink),
    ]
    for name in lesson.shows:
        lines += [Text(""), *_values(trace, name)]
    lines += [Text(""), Text.assemble(("what the document says", STAGE), "   ").append_text(_counts(checked))]
    shown = checked if every_claim else [c for c in checked if c.verdict not in (Verdict.exact, Verdict.rounded)]
    for claim in shown:
        lines += _claim(claim, trace, ink)
    hidden = len(checked) - len(shown)
    if hidden:
        lines.append(Text(f"  … {hidden} claims are right; show them with --claims", style=QUIET))
    lines.append(Text(""))
    for remark in lesson.remarks(trace):
        lines += wrapped(remark, 0, ink)
    return lines


def cards(lesson: Lesson, ink: Ink) -> list[Text]:
    """Every question of a lesson with its answer, and the number by which each usual mistake is known."""
    asked = lesson.ask()
    if not asked:
        return [Text(f"The lesson {lesson.name} has no cards.")]
    lines = [Text(lesson.title, style=STAGE)]
    for number, card in enumerate(asked, start=1):
        lines += [Text(""), Text.assemble((f"{number} {card.title}", STAGE), (f"   stage {card.stage}", QUIET))]
        lines += [*wrapped(card.says, 2, ink), *wrapped(card.asks, 2, ink)]
        lines.append(Text.assemble(f"  {ink.sign('right')} ", (card.written(card.answer), GOOD)))
        width = max(len(card.written(m.value)) for m in card.mistakes)
        for mistake in card.mistakes:
            value = card.written(mistake.value).rjust(width)
            lines.append(Text.assemble(f"  {ink.sign('wrong')} ", (value, BAD), f"  {mistake.name}"))
        lines += wrapped(card.reveals, 2, ink)
    return lines


def _values(trace: Trace, name: str) -> list[Text]:
    """The numbers of one step, or how many there are."""
    step = trace.step(name)
    if np.size(step.value) > MOST_CELLS:
        return [Text(f"{step.name}  {described(step)}")]
    return [_with_cells(line, step) for line in Values(step, trace.labels).lines()]


def _with_cells(line: Line, step: Step) -> Text:
    text, end = Text(), 0
    for begin, stop, at in line.numbers:
        text.append(line.text[end:begin])
        text.append_text(shown(Cell(step, at), line.text[begin:stop]))
        end = stop
    return text.append(line.text[end:])


def _claim(claim: Checked, trace: Trace, ink: Ink) -> list[Text]:
    right = not claim.is_failure
    sign = ink.sign("right") if right else ink.sign("wrong")
    line = Text.assemble("  ", padded(f"{claim.place}", 9, QUIET), (f"{sign} ", GOOD if right else BAD))
    about = "" if claim.about in ("code", "statement") else f"{claim.about}: "
    line.append(f"{about}says {claim.claimed}")
    computed = Text(claim.computed) if not claim.cell else shown(trace.cell(claim.cell), claim.computed)
    line.append_text(Text.assemble(f"   {ink.sign('to')} ", computed, style="bold"))
    line.append(f"   {claim.verdict}", style=GOOD if right else BAD)
    lines = [line] if len(line.plain) <= ink.width else wrapped(line[2:], 2, ink)
    return [*lines, *(wrapped(claim.note, 13, ink) if claim.note else [])]


def _counts(checked: Sequence[Checked]) -> Text:
    counts = Counter(claim.verdict for claim in checked)
    text = Text(f"{len(checked)} claims: ", style=QUIET)
    for verdict in Verdict:
        if counts[verdict]:
            text.append(f"{counts[verdict]} {verdict}  ", style=BAD if verdict.fails else QUIET)
    return text
