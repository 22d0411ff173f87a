"""`regard near WORD`: the words that stand nearest to it in a model's table of word vectors."""

from typing import Annotated

import typer

from regard.cli.options import Json, Model, Plain


def command(
    word: Annotated[str, typer.Argument(help="A word of the model's vocabulary.", metavar="WORD")],
    model: Model = None,
    top: Annotated[int, typer.Option(help="How many words to show.", min=1, max=1000)] = 10,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """List the nearest words by the cosine of their vectors, before any sentence has moved them."""
    from regard.cli.output import ink_for, write, write_json
    from regard.lens.near import neighbours
    from regard.models.catalogue import find_model
    from regard.views.near import near_lines

    table, found = find_model(model or "english").table(word)
    nearest = neighbours(table, found, top)
    if json:
        write_json({"model": table.info["model"], **nearest.data()})
    else:
        write(near_lines(nearest, ink_for(None, plain)), plain)
