"""`regard figure TEXT`: one picture of a run, for a paper or a slide."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order


def command(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    what: Annotated[
        str, typer.Option(help="weights, row, heads, vectors, logits, lens (candidates per layer), flow or blame.")
    ] = "weights",
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write: .svg, .pdf or .png.")] = Path(
        "regard.svg"
    ),
    next: Annotated[str | None, typer.Option(help="The word that should follow (or is hidden).")] = None,
    model: Annotated[
        str | None, typer.Option(help="A model's name, or a folder; as for explain, if nothing is said.")
    ] = None,
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    layer: Annotated[int | None, typer.Option(help="From 0; the one that moves the prediction most.", min=0)] = None,
    head: Annotated[int | None, typer.Option(help="From 0; the one that moves the prediction most.", min=0)] = None,
    reads: Annotated[str | None, typer.Option(help="The word whose row is drawn; the one that predicts.")] = None,
) -> None:
    """Draw one figure of a run as SVG, PDF or PNG, with worded axes and printed limits."""
    from regard.cli.run import trace_for
    from regard.views.figure import figure, save

    drawn = figure(
        trace_for(text, next, model, mask, query, in_order(context, edit, move, hide)), what, layer, head, reads
    )
    for note in save(drawn, out):
        typer.echo(note)
    typer.echo(f"{out}: {what}, {out.stat().st_size:,} bytes")
