"""`regard read FILE`: a page as written, in which every number that can be computed opens; one offline file."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    file: Annotated[Path, typer.Argument(help="A Markdown, text, HTML, LaTeX or notebook page.")],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="The file to write: .html or .htm.  [default: the page's name, .read.html]"),
    ] = None,
) -> None:
    """Write a page alive: hover a number for its verdict, click it for its arithmetic."""
    from regard.cli.output import say
    from regard.cli.page_file import check_page_file
    from regard.cli.pages import check_notebook
    from regard.reading import read
    from regard.replacing import replacing

    out = out or Path(f"{file.name}.read.html")
    check_page_file(out, "page.html", file)
    reading = read(file)
    check_notebook(str(file), reading.text)
    page = reading.html().encode()
    with replacing(out) as written:
        written.write(page)
    failing = len(reading.audit.failures)
    counted = f"{len(reading.claims)} claim{'s' * (len(reading.claims) != 1)}"
    say(f"{out}: {counted}, {failing} failing; {len(page):,} bytes; open it in any browser")
