"""A lesson on screen: its numbers, what the document claims, and what to take home."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from rich.text import Text

from regard.audit.verdict import Verdict
from regard.lessons.claim import Checked
from regard.lessons.documents import DOCUMENTS
from regard.lessons.glossary import reading_for
from regard.lessons.lesson import Frames, Knob, Lesson
from regard.trace import Cell, Step, Trace, Values
from regard.trace.values import Line, Most
from regard.views.columns import padded
from regard.views.glossary import texts
from regard.views.heads import ranking
from regard.views.ink import BAD, GOOD, QUIET, STAGE, Ink, shown
from regard.views.layout import wrapped

MOST_CELLS = 100  # of a step that is shown whole; of a larger one, a corner
CORNER = {"rows": 10, "columns": 6, "tables": 2}
MOST_HEADS = 4  # of a model, in a ranking


def listing(lessons: Sequence[Lesson], ink: Ink) -> list[Text]:
    """Every lesson under the document it begins with: its idea, and how its documents' claims fare."""
    said = "The worked examples of the five documents, recomputed. Show one with: regard lesson NAME"
    lines = wrapped(said, 0, ink)
    document = None
    for lesson in lessons:
        if lesson.documents[0] != document:
            document = lesson.documents[0]
            lines += [Text(""), *wrapped(Text(DOCUMENTS[document].title, style=QUIET), 0, ink)]
        title = Text.assemble(padded(lesson.name, 14, STAGE), padded(lesson.title, 52))
        counts = _counts(lesson.check())
        if len(title) + len(counts) <= ink.width:
            lines.append(title.append_text(counts))
        else:
            title.rstrip()
            lines += [title, *wrapped(counts, 14, ink)]
        lines += wrapped(lesson.idea, 14, ink)
    return lines


def screen(lesson: Lesson, ink: Ink, every_claim: bool = False) -> list[Text]:
    trace = lesson.make()
    checked = lesson.check(trace)
    lines = [Text(lesson.title, style=STAGE), *wrapped(lesson.idea, 0, ink)]
    for name in lesson.shows:
        lines += [Text(""), *_values(trace, name, ink, lesson)]
    for model, found in lesson.rankings() if lesson.rankings else ():
        said = f"{model}: “{found.reader}” reads {found.read}, {MOST_HEADS} of {len(found.heads)} heads"
        lines += [Text(""), *wrapped(Text(said, STAGE), 0, ink), *ranking(found, ink, MOST_HEADS)]
    for frames in lesson.frames(trace) if lesson.frames else ():
        lines += [Text(""), *_frames(frames, ink)]
    shown = checked if every_claim else [c for c in checked if c.verdict not in (Verdict.exact, Verdict.rounded)]
    for number in lesson.documents:
        said = [claim for claim in checked if claim.document == number]
        lines += [Text(""), *wrapped(Text.assemble(("what it says", STAGE), f"   {_from(number)}   "), 0, ink)]
        lines += wrapped(_counts(said), 0, ink)
        for claim in shown:
            lines += _claim(claim, trace, ink) if claim in said else []
    hidden = len(checked) - len(shown)
    if hidden:
        said = "claim is right; show it" if hidden == 1 else "claims are right; show them"
        lines.append(Text(f"  … {hidden} {said} with --claims", style=QUIET))
    lines.append(Text(""))
    for remark in lesson.remarks(trace):
        lines += wrapped(remark, 0, ink)
    return lines + _to_read(lesson, ink)


def turned(lesson: Lesson, knob: Knob, value: int, ink: Ink) -> list[Text]:
    """The numbers of a lesson with its knob turned. What the document says is about another run."""
    trace = knob.make(value)
    lines = [Text.assemble((lesson.title, STAGE), f"   {knob.name} = {value}"), *wrapped(lesson.idea, 0, ink)]
    for name in lesson.shows:
        lines += [Text(""), *_values(trace, name, ink, lesson)]
    if knob.columns:
        lines += [Text(""), *_frames(Frames(knob.name, ((str(value), trace),), knob.columns), ink)]
    return lines


def cards(lesson: Lesson, ink: Ink) -> list[Text]:
    """Every question of a lesson with its answer, and the number by which each usual mistake is known."""
    lines = [Text(lesson.title, style=STAGE)]
    for number, card in enumerate(lesson.ask(), start=1):
        lines += [Text(""), Text.assemble((f"{number} {card.title}", STAGE), (f"   stage {card.stage}", QUIET))]
        lines += wrapped(Text(f"{card.document}, line {card.line}: {card.question}", style=QUIET), 2, ink)
        lines += [*wrapped(card.says, 2, ink), *wrapped(card.asks, 2, ink)]
        lines.append(Text.assemble(f"  {ink.sign('right')} ", (card.written(card.answer), GOOD)))
        width = max(len(card.written(m.value)) for m in card.mistakes)
        for mistake in card.mistakes:
            value = card.written(mistake.value).rjust(width)
            lines.append(Text.assemble(f"  {ink.sign('wrong')} ", (value, BAD), f"  {mistake.name}"))
        lines += wrapped(card.reveals, 2, ink)
    return lines + _to_read(lesson, ink)


def _to_read(lesson: Lesson, ink: Ink) -> list[Text]:
    """What a lesson ends with: where to read on."""
    further = reading_for(lesson.name)
    return [Text(""), Text("to read", style=STAGE), *texts(further, ink)] if further else []


def _values(trace: Trace, name: str, ink: Ink, lesson: Lesson) -> list[Text]:
    """The numbers of one step, or those of the word that the lesson is about; of very many, where they begin."""
    step, row = trace.step(name), lesson.row
    sizes = dict(zip(step.axes, step.shape, strict=True))
    chosen = {a: trace.labels.position(a, n, row) for a, n in sizes.items() if row and a in "QT"}
    single = {a: 0 for a, n in sizes.items() if chosen and a in "HG" and n == 1}  # the only head needs no row
    at = tuple({**chosen, **single}.get(a) for a in step.axes)
    values = Values(step, trace.labels, at)
    most = Most(width=ink.width, digits=lesson.digits, **(CORNER if np.size(values.value) > MOST_CELLS else {}))
    heading, *table = (_with_cells(line, step) for line in values.lines(most))
    if values.axes != step.axes:
        heading.append(f"   of {row}")
    return [*wrapped(heading, 0, ink), *table]


def _with_cells(line: Line, step: Step) -> Text:
    text, end = Text(), 0
    for begin, stop, at in line.numbers:
        text.append(line.text[end:begin])
        text.append_text(shown(Cell(step, at), line.text[begin:stop]))
        end = stop
    return text.append(line.text[end:])


def _frames(frames: Frames, ink: Ink) -> list[Text]:
    """Runs as rows, what is read in them as columns; as many tables as the width needs."""
    rows = frames.rows()
    label = max(len(name) for name, _ in rows)
    said = frames.title + (f" ({frames.says})" if frames.says else "")
    lines = wrapped(Text(said, style=STAGE), 0, ink)
    cells = [[format(v, c.form) for v, c in zip(numbers, frames.columns)] for _, numbers in rows]
    wide = [max(len(c.name), *(len(row[i]) for row in cells)) + 2 for i, c in enumerate(frames.columns)]
    first = 0
    while first < len(wide):
        last, used = first, label + 2
        while last < len(wide) and (last == first or used + wide[last] <= ink.width):
            used += wide[last]
            last += 1
        chosen = range(first, last)
        lines.append(Text(" " * (label + 2) + "".join(frames.columns[i].name.rjust(wide[i]) for i in chosen), QUIET))
        lines += [
            Text(f"  {name.rjust(label)}" + "".join(row[i].rjust(wide[i]) for i in chosen))
            for (name, _), row in zip(rows, cells)
        ]
        first = last
    return lines


def _from(number: str) -> str:
    return DOCUMENTS[number].title


def _claim(claim: Checked, trace: Trace, ink: Ink) -> list[Text]:
    right = not claim.is_failure
    sign = ink.sign("right") if right else ink.sign("wrong")
    line = Text.assemble("  ", padded(f"line {claim.line}", 9, QUIET), (f"{sign} ", GOOD if right else BAD))
    about = "" if claim.about in ("code", "statement") else f"{claim.about}: "
    line.append(f"{about}says {claim.claimed}")
    computed = Text(claim.computed) if not claim.cell else shown(trace.cell(claim.cell), claim.computed)
    line.append_text(Text.assemble(f"   {ink.sign('to')} ", computed, style="bold"))
    line.append(f"   {claim.verdict}", style=GOOD if right else BAD)
    lines = [line] if len(line.plain) <= ink.width else wrapped(line[2:], 2, ink)
    return [*lines, *(wrapped(claim.note, 13, ink) if claim.note else [])]


def _counts(checked: Sequence[Checked]) -> Text:
    counts = Counter(claim.verdict for claim in checked)
    text = Text(f"{len(checked)} claim{'s' * (len(checked) != 1)}: ", style=QUIET)
    for verdict in Verdict:
        if counts[verdict]:
            text.append(f"{counts[verdict]} {verdict}  ", style=BAD if verdict.fails else QUIET)
    return text
