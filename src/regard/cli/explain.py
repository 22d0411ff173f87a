"""`regard explain TEXT`: all twelve stages of one run, on one screen."""

from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import AsWritten, File, Head, Json, Last, Layer, Mask, Model, Next, Plain, Query, Text


def command(
    context: typer.Context,
    text: Text = None,
    file: File = None,
    last: Last = None,
    next: Next = None,
    model: Model = None,
    mask: Mask = None,
    query: Query = None,
    as_written: AsWritten = False,
    layer: Layer = None,
    head: Head = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    generate: Annotated[int, typer.Option(help="Let the model write N words, and explain the last.", min=0)] = 0,
    temperature: Annotated[float, typer.Option(help="How words are drawn: 0 takes the most probable.", min=0)] = 0.0,
    top: Annotated[
        int, typer.Option("--top", "--top-k", help="Draw among the N most probable words; 0: among all.", min=0)
    ] = 0,
    mass: Annotated[
        float, typer.Option("--mass", "--top-p", help="Draw among the most probable words with this share.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Another seed draws other words.", min=0)] = 0,
    rate: Annotated[
        float | None, typer.Option(help="Rate of the update shown last.  [default: one that suits the gradient]")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare gradients with finite differences, also in a large model: slow.")
    ] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="Say what the documents behind an example claim, beside its numbers.")
    ] = False,
    digits: Annotated[int | None, typer.Option(help="Decimals of every number.", min=1, max=15)] = None,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Run a text through a model and show every step of it."""
    from regard.cli.output import ink_for, write, write_json
    from regard.cli.run import trace_for
    from regard.cli.text import text_or_own
    from regard.lens.explanation import explanation

    text = text_or_own(text, file, model)
    predictions, before = [], ""
    if generate:
        from regard.cli.run import written_for

        if next is not None or query is not None or edit or move or hide:
            raise ValueError(
                "--generate chooses the words itself; leave --next, --query, --edit, --move and --hide out"
            )
        before, predictions, trace = written_for(text, model, mask, generate, temperature, top, mass, seed, last)
    else:
        trace = trace_for(text, next, model, mask, query, in_order(context, edit, move, hide), last, as_written)
    found = explanation(trace, rate, check or None, layer=layer, head=head)
    if json:
        written = {"written": [g.data() for g in predictions]} if predictions else {}
        write_json({**written, **found.data()})
        return
    from regard.lessons.claims_of_run import claims_beside
    from regard.views.terminal import screen

    ink = ink_for(digits, plain)
    above = []
    if predictions:
        from regard.views.written import written_lines

        above = written_lines(before, predictions, ink)
    write([*above, *screen(found, ink, claims_beside(trace) if sources else None)], plain)
