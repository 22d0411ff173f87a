"""A run on one screen: the twelve stages with their numbers, as drawn for the page and the notebook too."""

import io
from collections.abc import Mapping

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from regard.lens.contributions import Component
from regard.lens.explanation import Explanation, explanation
from regard.lens.findings import Finding, Told
from regard.lessons.claim import Checked
from regard.session.command_line import options_of
from regard.trace import Cell, Trace
from regard.views.forward import embed_and_project, heads, mix, predict, score_to_weight, shown_readings
from regard.views.harmless import harmless_line
from regard.views.ink import BAD, QUIET, STAGE, Ink, shown
from regard.views.layout import command_lines, joined, stage, unbroken, wrapped
from regard.views.learning import learn

MOST_EDITS = 3


def render(trace: Trace, ink: Ink | None = None) -> str:
    """A trace as plain characters: the twelve stages where it predicts, else its steps."""
    ink = ink or Ink(plain=False)
    console = Console(width=ink.width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        for line in map(harmless_line, lines_of(trace, ink)):
            console.print(line, soft_wrap=True)
    return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def render_html(trace: Trace, ink: Ink | None = None) -> str:
    """A trace for a notebook: the same screen, coloured, as text that nothing in it can escape from."""
    console = Console(
        record=True, width=(ink or Ink()).width, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for line in map(harmless_line, lines_of(trace, ink or Ink())):
        console.print(line, soft_wrap=True)
    frame = "<pre style=\"font-family:Menlo,'DejaVu Sans Mono',monospace;line-height:1.25\">{code}</pre>"
    return console.export_html(inline_styles=True, code_format=frame)


def lines_of(trace: Trace, ink: Ink) -> list[Text]:
    if "probabilities" in trace.steps and "query" in trace.steps:
        return screen(explanation(trace), ink)
    return step_list(trace)


def step_list(trace: Trace) -> list[Text]:
    """A trace that predicts nothing: its steps, and the numbers of the small ones."""
    lines = [Text(f"{len(trace.forward)} steps", style=STAGE)]
    for step in trace.forward:
        shape = " × ".join(map(str, step.shape)) or "one number"
        lines.append(Text(f"  {step.name:24s} {step.axes:5s} {shape}"))
    for name in ("weights", "context"):
        if name in trace and np.size(trace.array(name)) <= 200:
            lines += [Text(""), *(Text(line) for line in str(trace[name]).split("\n"))]
    return lines


def screen(e: Explanation, ink: Ink, claims: Mapping[str, Checked] | None = None) -> list[Text]:
    """All twelve stages of one run."""
    readings = shown_readings(e)
    parts: list[list[Text]] = [
        header(e, ink),
        embed_and_project(e, ink, readings),
        score_to_weight(e, ink, readings),
        [*mix(e, ink), *heads(e, ink), *predict(e, ink, claims or {}), *learn(e, ink)],
        closing(e, ink),
    ]
    lines: list[Text] = []
    for part in parts:
        lines += [Text(""), *part] if lines and part else part
    return lines


def header(e: Explanation, ink: Ink) -> list[Text]:
    info, trace = e.trace.info, e.trace
    layers = len({s.name.partition(".")[0] for s in trace.forward if s.name.startswith("layer")})
    heads, width = trace.step(f"{e.layer}.weights").shape[0], trace.step("read").shape[-1]
    last = "last word " if e.query == len(e.readings) - 1 else ""
    sizes = f"width {width}  heads {heads}  vocabulary {len(e.vocabulary)}"
    sizes = f"layers {layers}  {sizes}" if layers > 1 else sizes
    name, query = ("model   ", QUIET), Text.assemble(("query = ", QUIET), f'{last}"{e.query_word}"')
    described = Text.assemble((str(info.get("title", "")), "bold"), f"   {sizes}  {info.get('mask', '')}   ")
    lines = [Text.assemble(name, described, query)]
    if cell_len(lines[0].plain) > ink.width:
        first, *more = wrapped(Text.assemble(described, unbroken(query)), 8, ink)
        lines = [Text.assemble(name, first[8:]), *more]
    for note in info.get("notes", ()):
        lines += wrapped(note, 8, ink, QUIET)
    if info.get("fresh"):
        named, more = ", ".join(f'"{w}"' for w in info["fresh"][:3]), len(info["fresh"]) - 3
        words = f"{named} and {more} more" if more > 0 else named
        said = f"not known to this toy, so each has a made-up vector (SHA-256 of the word): {words}"
        lines += wrapped(said, 8, ink)
    if trace.edits:
        said = f"{_edits(trace)}: results are yours, not the model's"
        lines += wrapped(said, 8, ink, BAD)
    if layers > 1 or heads > 1:
        most = f"moves logit({e.contributions.first}) − logit({e.contributions.second}) most"
        leads = (e.layer, e.component.head) == (e.leading.layer, e.leading.head)
        said = (
            f"{_place(e.component)}, the head that {most}"
            if leads
            else f"{_place(e.component)}; {_place(e.leading)} {most}"
        )
        lines += wrapped(f"shown: {said}", 8, ink, QUIET)
    return lines


def _place(head: Component) -> str:
    return f"{head.layer.replace('layer', 'layer ')} head {head.head}"


def _edits(trace: Trace) -> str:
    """Every edit by its cell: what it is now, and what it was."""
    told = []
    for edit in trace.edits[-MOST_EDITS:]:
        step = trace.steps.get(edit.step)
        if edit.kind == "hide":
            told.append(f'"{trace.labels.shown("K", edit.at[0])}" hidden from all')
        elif edit.kind == "pin" or step is None:
            told.append(f"{edit.step} {'replaced' if edit.kind == 'pin' else 'cut off'}")
        else:
            verb = "dragged to" if edit.kind == "move" else "set to"
            told.append(f"{trace.name_of(Cell(step, edit.at))} {verb} {edit.number:g}")
    more = len(trace.edits) - len(told)
    count = f"{len(trace.edits)} edit{'s' if len(trace.edits) > 1 else ''}"
    return f"{count} ({'; '.join(told)}{f'; {more} earlier' if more else ''})"


def closing(e: Explanation, ink: Ink) -> list[Text]:
    found = joined((unbroken(_finding(finding, ink)) for finding in e.findings), "      ")
    lines = stage(" findings", found, ink) if found else []
    command = why_command(e)
    return [*lines, *(command_lines(" next", command, ink) if command else [])]


def _finding(finding: Finding, ink: Ink) -> Text:
    parts = (shown(part.cell, str(part)) if isinstance(part, Told) else part for part in finding.parts)
    return Text.assemble(f"{ink.sign('bullet')} ", *parts)


def why_command(e: Explanation) -> list[str]:
    """The command that opens the largest weight of this very run; none where no command can say what was done."""
    options = options_of(e.trace)
    if options is None:
        return []
    at = (e.component.head, e.query, _top(e))
    cell = e.trace.cell(f"{e.layer}.weights[{','.join(map(str, at))}]")
    named = e.trace.name_of(cell)
    return ["regard", "why", named if named.isascii() else f"{cell.step.name}[{','.join(map(str, at))}]", *options]


def _top(e: Explanation) -> int:
    return max(e.readings, key=lambda r: r.weight.value).position
