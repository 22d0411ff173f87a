"""`regard flow TEXT`: where a prediction comes from, word by word and head by head, with nothing left over."""

from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order


def command(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='The text to read, such as "Once upon a time there was a little".')],
    next: Annotated[
        str | None, typer.Option(help="The word to explain.  [default: the most probable next word]")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The word to compare it with.  [default: its strongest rival]")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="english, masked, fox, two-heads, …, or a folder: a run's or Hugging Face's.")
    ] = None,
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts.  [default: the last]")] = None,
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
    plain: Annotated[bool, typer.Option("--plain", help="No colour, only simple signs.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same numbers as JSON.")] = False,
) -> None:
    """Split a prediction into what each word and each head's reading carried to it."""
    from regard.cli.output import ink_for, write
    from regard.cli.run import trace_for
    from regard.views.flow import check_lines, flow_data, flow_lines, looks_lines

    trace = trace_for(text, next, model, mask, query, in_order(context, edit, move, hide))
    ink = ink_for(None, plain)
    if looks is not None:
        write(looks_lines(trace.looks(looks), trace, ink, top), plain)
        return
    flow = trace.flow(None, against)
    if json:
        import json as text_format

        typer.echo(text_format.dumps(flow_data(flow, top), ensure_ascii=False))
        return
    write([*flow_lines(flow, ink, top), *(check_lines(flow, check, ink) if check else [])], plain)
