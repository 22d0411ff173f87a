"""`regard explain TEXT`: all twelve stages of one run, on one screen."""

from typing import Annotated

import typer


def command(
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    next: Annotated[
        str | None, typer.Option(help="The word that should follow (or is hidden): gives loss, blame, update.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="fox, three-words, two-heads, apple, untrained, english, or a folder: a run's, Hugging Face."
        ),
    ] = "fox",
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
    edit: Annotated[list[str] | None, typer.Option(help="Set a number first: 'weights[fox,fox]=0.2'.")] = None,
    move: Annotated[list[str] | None, typer.Option(help="Drag a share first; the others of its row rescale.")] = None,
    rate: Annotated[float | None, typer.Option(help="Rate of the update shown last; one that suits it.")] = None,
    digits: Annotated[int | None, typer.Option(help="Decimals of every number.", min=1, max=15)] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colour, only simple signs.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same numbers as JSON.")] = False,
) -> None:
    """Run a text through a model and show every step of it."""
    from regard.cli.output import ink_for, write
    from regard.cli.run import trace_for
    from regard.lens.explanation import explanation

    trace = trace_for(text, next, model, mask, query, edit, move)
    found = explanation(trace, rate)
    if json:
        from regard.views.json import strict

        typer.echo(strict(found.data()))
        return
    from regard.lessons.beside import claims_beside
    from regard.views.terminal import screen

    write(screen(found, ink_for(digits, plain), claims_beside(trace)), plain)
