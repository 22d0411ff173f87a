"""`regard explain TEXT`: all twelve stages of one run, on one screen."""

from typing import Annotated

import typer

from regard.cli.changes import EditOption, HideOption, MoveOption, in_order


def command(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    next: Annotated[
        str | None, typer.Option(help="The word that should follow (or is hidden): gives loss, blame, update.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="english, masked, fox, two-heads, …, or a folder: a run's or Hugging Face's.")
    ] = None,
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
    edit: EditOption = None,
    move: MoveOption = None,
    hide: HideOption = None,
    generate: Annotated[
        int, typer.Option(help="Let the model write so many words on, and explain the last.", min=0)
    ] = 0,
    temperature: Annotated[float, typer.Option(help="How words are drawn: 0 takes the most probable.", min=0)] = 0.0,
    top: Annotated[
        int, typer.Option("--top", "--top-k", help="Draw among so many of the most probable; 0: among all.", min=0)
    ] = 0,
    mass: Annotated[
        float, typer.Option("--mass", "--top-p", help="Draw among the most probable that have this share.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Another seed draws other words.", min=0)] = 0,
    rate: Annotated[float | None, typer.Option(help="Rate of the update shown last; one that suits it.")] = None,
    digits: Annotated[int | None, typer.Option(help="Decimals of every number.", min=1, max=15)] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colour, only simple signs.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same numbers as JSON.")] = False,
) -> None:
    """Run a text through a model and show every step of it."""
    from regard.cli.output import ink_for, write
    from regard.cli.run import trace_for
    from regard.lens.explanation import explanation

    predictions, before = [], ""
    if generate:
        from regard.cli.run import written_for

        if next is not None or query is not None or edit or move or hide:
            raise ValueError(
                "--generate chooses the words itself; leave --next, --query, --edit, --move and --hide out"
            )
        before, predictions, trace = written_for(text, model, mask, generate, temperature, top, mass, seed)
    else:
        trace = trace_for(text, next, model, mask, query, in_order(context, edit, move, hide))
    found = explanation(trace, rate)
    if json:
        from dataclasses import asdict

        from regard.views.json import strict

        written = {"written": [asdict(g) for g in predictions]} if predictions else {}
        typer.echo(strict({**written, **found.data()}))
        return
    from regard.lessons.claims_of_run import claims_beside
    from regard.views.terminal import screen

    ink = ink_for(digits, plain)
    above = []
    if predictions:
        from regard.views.written import written_lines

        above = written_lines(before, predictions, ink)
    write([*above, *screen(found, ink, claims_beside(trace))], plain)
