"""`regard near WORD`: the words that stand nearest to it in the table of a model, or in a file of word vectors."""

from typing import Annotated

import typer

from regard.cli.options import Json, Plain, named_model

Of = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="A built-in model, a toy's file, the folder of a run or of a Hugging Face model, a GGUF file, or a file "
        "of word vectors.  [default: english]",
        callback=named_model,
    ),
]


def command(
    word: Annotated[str, typer.Argument(help='A word, or a sum such as "king - man + woman".', metavar="WORD")],
    model: Of = None,
    top: Annotated[int, typer.Option(help="How many words to show.", min=1, max=1000)] = 10,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """List the nearest words by the cosine of their vectors, before any sentence has moved them."""
    from regard.cli.output import ink_for, write, write_json
    from regard.vectors.finding import find_vectors
    from regard.views.near import near_lines

    vectors = find_vectors(model or "english")
    nearest = vectors.near(word, top)
    if json:
        write_json({"model": vectors.name, **nearest.data()})
        return
    opens = "regard vectors near … --why WORD opens each of these"
    if nearest.cosines and not (first := nearest.trace.address_of(nearest.cosines[0])).startswith("near."):
        opens = ["regard", "why", first, "--model", model or "english"]  # a sum with factors has no such name
    write(near_lines(nearest, ink_for(None, plain), opens), plain)
