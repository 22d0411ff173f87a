"""`regard export TEXT`: a run as one HTML file that opens anywhere, without a network."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    text: Annotated[str, typer.Argument(help='The text to read, such as "The quick brown fox".')],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("regard.html"),
    next: Annotated[str | None, typer.Option(help="The word that should follow: gives loss, blame and update.")] = None,
    model: Annotated[
        str, typer.Option(help="fox, three-words, two-heads, untrained, english, masked, or a folder.")
    ] = "fox",
    mask: Annotated[str | None, typer.Option(help="causal (words look back) or both (both ways).")] = None,
    query: Annotated[str | None, typer.Option(help="The word that predicts; the last one, if nothing is said.")] = None,
) -> None:
    """Write a run into one file that opens anywhere: a toy live, to be edited and trained, a deep model to read."""
    from regard.cli.run import trace_for
    from regard.lessons.beside import claims_of
    from regard.views.offline import is_live, offline_page

    trace = trace_for(text, next, model, mask, query)
    if out.is_dir():
        raise ValueError(f"{out} is a folder; give the name of a file, such as {out / 'regard.html'}")
    page = offline_page(trace, claims_of(trace))
    out.write_text(page, encoding="utf-8")
    holds = "all its numbers, live" if is_live(trace) else "what was measured, and its large arrays rounded to 8 bits"
    typer.echo(f"{out}: {len(page.encode()):,} bytes with {holds}; open it in any browser, no network needed")
