"""`regard export TEXT`: a run as one HTML file that opens anywhere, without a network."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("regard.html"),
    next: Annotated[str | None, typer.Option(help="The word that should follow: gives loss, blame and update.")] = None,
    model: Annotated[
        str | None, typer.Option(help="A model's name, or a folder; as for explain, if nothing is said.")
    ] = None,
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
) -> None:
    """Write a run into one file. A toy's is exact and live: click, edit and train in it, offline."""
    from pydantic import ValidationError

    from regard.cli.output import say
    from regard.models.catalogue import MODELS, find_model, usual_model
    from regard.server.export import export
    from regard.server.problem import Problem
    from regard.server.shelf import Shelf, public_name
    from regard.server.state import State
    from regard.server.traces import Traces

    if out.is_dir():
        raise ValueError(f"{out} is a folder; give the name of a file, such as {out / 'regard.html'}")
    model = model or usual_model(text, next)
    opened = () if model in MODELS else (model,)
    if opened:
        find_model(model)  # what is wrong with it is said here
    asked = {"model": public_name(model), "text": text, "next": next, "mask": mask, "query": query}
    try:
        page = export(lambda: None, Traces(Shelf(opened=opened)), State(**asked))
    except Problem as problem:
        raise ValueError(problem.message) from None
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    out.write_bytes(page)
    say(f"{out}: {len(page):,} bytes; open it in any browser, no network needed")
