"""`regard why CELL`: the arithmetic of one number, and of the numbers it came from."""

from enum import StrEnum
from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order


class Form(StrEnum):
    text = "text"
    latex = "latex"
    numpy = "numpy"


def command(
    context: typer.Context,
    cell: Annotated[str, typer.Argument(help="A cell such as 'weights[fox,fox]' or 'W_Q.grad[0,0]'.")],
    model: Annotated[
        str | None, typer.Option(help="english, masked, fox, two-heads, …, or a folder: a run's or Hugging Face's.")
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="The text to read; the model's own sentence, if nothing is said.")
    ] = None,
    next: Annotated[str | None, typer.Option(help="The word that should follow; gradients need it.")] = None,
    mask: Annotated[str | None, typer.Option(help="causal or both.")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts.")] = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    depth: Annotated[int, typer.Option(help="How many levels down to explain.", min=1, max=50)] = 1,
    form: Annotated[Form, typer.Option("--as", help="How to write it.")] = Form.text,
    digits: Annotated[int, typer.Option(help="Decimals.", min=1, max=15)] = 4,
    plain: Annotated[bool, typer.Option("--plain", help="No colour, only simple signs.")] = False,
) -> None:
    """Open one number to the arithmetic that made it."""
    from regard.cli.output import width_here, write
    from regard.cli.run import trace_for
    from regard.views.why import why_lines

    trace = trace_for(text, next, model, mask, query, in_order(context, edit, move, hide))
    write(why_lines(trace, cell, depth, form.value, digits, width_here()), plain)
