"""`regard export TEXT`: a run as one HTML file that opens anywhere, without a network."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("regard.html"),
    next: Annotated[str | None, typer.Option(help="The word that should follow: gives loss, blame and update.")] = None,
    model: Annotated[
        str, typer.Option(help="fox, three-words, two-heads, apple, untrained, or a small model's folder.")
    ] = "fox",
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
) -> None:
    """Write a run with all its numbers into one file, live: click, edit and train in it, offline."""
    from regard.cli.run import trace_for
    from regard.lessons.beside import claims_of
    from regard.views.offline import MOST_CELLS, cells_of, offline_page

    trace = trace_for(text, next, model, mask, query)
    if cells_of(trace) > MOST_CELLS:
        raise ValueError(
            f"this run has {cells_of(trace):,} numbers, a file holds at most {MOST_CELLS:,}; "
            "choose a smaller model or a shorter text"
        )
    if out.is_dir():
        raise ValueError(f"{out} is a folder; give the name of a file, such as {out / 'regard.html'}")
    page = offline_page(trace, claims_of(trace))
    out.write_text(page, encoding="utf-8")
    typer.echo(f"{out}: {len(page.encode()):,} bytes; open it in any browser, no network needed")
