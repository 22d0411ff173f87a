"""`regard heads TEXT`: which heads let one word read another, by weight."""

from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import File, Json, Last, Mask, Model, Plain, Text


def command(
    context: typer.Context,
    text: Text = None,
    file: File = None,
    last: Last = None,
    model: Model = None,
    reader: Annotated[
        str | None, typer.Option("--from", help="The word that reads.  [default: the last]", metavar="WORD")
    ] = None,
    read: Annotated[
        str | None,
        typer.Option(
            "--to", help="The word that is read.  [default: the one that each head reads most]", metavar="WORD"
        ),
    ] = None,
    mask: Mask = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    top: Annotated[int, typer.Option(help="How many heads to show.", min=1, max=1000)] = 12,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Rank the heads by how much of one word's reading goes to another, beside what an average word gets."""
    from regard.cli.output import ink_for, write, write_json
    from regard.cli.run import trace_for
    from regard.cli.text import text_from
    from regard.views.heads import heads_lines

    changes = in_order(context, edit, move, hide)
    trace = trace_for(text_from(text, file), None, model, mask, reader, changes, last, as_written=True)
    found = trace.heads(reader, read)
    if json:
        write_json(found.data())
    else:
        write(heads_lines(found, ink_for(None, plain), top), plain)
