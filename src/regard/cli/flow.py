"""`regard flow TEXT`: where a prediction comes from, word by word and head by head, with nothing left over."""

from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import File, Json, Last, Mask, Model, Plain, Query, Text


def command(
    context: typer.Context,
    text: Text = None,
    file: File = None,
    last: Last = None,
    next: Annotated[
        str | None, typer.Option(help="The word to explain.  [default: the most probable next word]")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The word to compare it with.  [default: its strongest rival]")
    ] = None,
    model: Model = None,
    mask: Mask = None,
    query: Query = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    top: Annotated[int, typer.Option(help="How many of the strongest readings to show.", min=1, max=200)] = 12,
    check: Annotated[
        int, typer.Option(help="Cut the N strongest readings one by one, and see what really happens.", min=0, max=200)
    ] = 0,
    looks: Annotated[
        str | None, typer.Option(help="Why a word looks there: the pairs of a score such as 'layer3.scores[1,it,dog]'.")
    ] = None,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Split a prediction into what each word and each head's reading carried to it."""
    from regard.cli.output import ink_for, write, write_json
    from regard.cli.run import trace_for
    from regard.cli.text import text_or_own
    from regard.views.flow import check_lines, flow_data, flow_lines, looks_lines

    changes = in_order(context, edit, move, hide)
    trace = trace_for(text_or_own(text, file, model), next, model, mask, query, changes, last)
    ink = ink_for(None, plain)
    if looks is not None:
        write(looks_lines(trace.looks(looks), trace, ink, top), plain)
        return
    flow = trace.flow(None, against)
    if json:
        write_json(flow_data(flow, top))
        return
    write([*flow_lines(flow, ink, top), *(check_lines(flow, check, ink) if check else [])], plain)
