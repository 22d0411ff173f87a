"""`regard similar TEXT TEXT…`: how alike texts are to a model, by the cosine of one vector for each."""

from typing import Annotated

import typer

from regard.cli.options import File, Json, Last, Model, Plain


def command(
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Two or more texts, each in quotes; - reads one per line.", metavar="TEXT..."),
    ] = None,
    file: File = None,
    model: Model = None,
    last: Last = None,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Compare texts: the mean of what the tokens of each end as, brought to length 1, and the cosine of every two."""
    from regard.cli.output import ink_for, write, write_json
    from regard.cli.text import lines_from
    from regard.sentences import similar
    from regard.views.similar import similar_lines

    found = similar(lines_from(texts or [], file), model or "english", last)
    if json:
        write_json(found.data())
        return
    write(similar_lines(found, ink_for(None, plain)), plain)
