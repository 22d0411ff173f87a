"""`regard heads TEXT`: what each head is called, or which heads let one word read another, by weight."""

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
    top: Annotated[
        int | None,
        typer.Option(help="How many heads to show.  [default: 12, and all that have names]", min=1, max=1000),
    ] = None,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Name the heads that have a habit; with --from or --to, rank them by how much one word reads another."""
    from regard.cli.output import ink_for, write, write_json
    from regard.cli.run import random_run, trace_for
    from regard.cli.text import text_from
    from regard.lens.naming import named_heads
    from regard.views.heads import heads_lines, names_lines

    changes = in_order(context, edit, move, hide)
    trace = trace_for(text_from(text, file), None, model, mask, reader, changes, last, as_written=True)
    if reader is None and read is None:
        runs = [("the text", trace)]
        twice = None if changes else random_run(trace, mask)
        heads = named_heads(*([("random words, twice", twice)] if twice is not None else []), *runs)
        if json:
            write_json({"heads": [head.data() for head in heads]})
        else:
            write(names_lines(heads, ink_for(None, plain), top), plain)
        return
    found = trace.heads(reader, read)
    if json:
        write_json(found.data())
    else:
        write(heads_lines(found, ink_for(None, plain), top or 12), plain)
