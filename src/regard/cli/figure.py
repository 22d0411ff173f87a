"""`regard figure TEXT`: one picture of a run, for a paper or a slide."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import File, Head, Last, Layer, Mask, Model, Next, Query, Text


def command(
    context: typer.Context,
    text: Text = None,
    file: File = None,
    last: Last = None,
    what: Annotated[
        str,
        typer.Option(help="weights, row, heads, vectors, planes, gravity, logits, lens (each layer's), flow or blame."),
    ] = "weights",
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write: .svg, .pdf or .png.")] = Path(
        "regard.svg"
    ),
    next: Next = None,
    model: Model = None,
    mask: Mask = None,
    query: Query = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    layer: Layer = None,
    head: Head = None,
    reads: Annotated[
        str | None, typer.Option(help="The word whose row is drawn.  [default: the one that predicts]")
    ] = None,
) -> None:
    """Draw one figure of a run as SVG, PDF or PNG, with worded axes and printed limits."""
    from regard.cli.output import say
    from regard.cli.run import trace_for
    from regard.cli.text import text_or_own
    from regard.views.figure import figure, save

    changes = in_order(context, edit, move, hide)
    trace = trace_for(text_or_own(text, file, model), next, model, mask, query, changes, last)
    drawn = figure(trace, what, layer, head, reads)
    for note in save(drawn, out):
        say(note)
    say(f"{out}: {what}, {out.stat().st_size:,} bytes")
