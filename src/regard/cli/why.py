"""`regard why CELL`: the arithmetic of one number, and of the numbers it came from."""

from enum import StrEnum
from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order
from regard.cli.options import AsWritten, File, Last, Mask, Model, Next, Plain, Query, TextOption


class Form(StrEnum):
    text = "text"
    latex = "latex"
    numpy = "numpy"


def command(
    context: typer.Context,
    cell: Annotated[str, typer.Argument(help="A cell such as 'weights[fox,fox]' or 'W_Q.grad[0,0]'.")],
    model: Model = None,
    text: TextOption = None,
    file: File = None,
    last: Last = None,
    next: Next = None,
    mask: Mask = None,
    query: Query = None,
    as_written: AsWritten = False,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            help="Another text to compare with, as regard similar does: similar[0,1]. Repeatable.",
            metavar="TEXT",
        ),
    ] = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    depth: Annotated[int, typer.Option(help="Levels to open, one below the other.", min=1, max=50)] = 1,
    form: Annotated[Form, typer.Option("--as", help="How to write it.")] = Form.text,
    digits: Annotated[int, typer.Option(help="Decimals of every number.", min=1, max=15)] = 4,
    plain: Plain = False,
) -> None:
    """Open one number to the arithmetic that made it."""
    from regard.cli.output import width_here, write
    from regard.cli.run import naming_the_model, table_of, trace_for
    from regard.cli.text import text_from
    from regard.views.why import why_lines

    changes = in_order(context, edit, move, hide)
    asked = text_from(text, file)
    vectors = None if model is None else table_of(model)
    if vectors is not None and (asked, next, mask, query, last) != (None,) * 5:
        raise ValueError(f"{model} is a file of word vectors, which reads no text; leave the text and its options out")
    if others:
        trace = _compared(asked, others, model, last, (next, mask, query, *changes))
    else:
        trace = vectors or trace_for(asked, next, model, mask, query, changes, last, as_written)
    with naming_the_model(trace, None if model else asked):
        lines = why_lines(trace, cell, depth, form.value, digits, width_here())
    write(lines, plain)


def _compared(text: str | None, others: list[str], model: str | None, last: int | None, rest: tuple[object, ...]):
    """The run of a text that is compared with others."""
    from regard.sentences import similar

    if text is None or any(rest):
        raise ValueError("--with compares texts as they are: give --text, --model and --last, and no other option")
    return similar([text, *others], model or "english", last).trace
