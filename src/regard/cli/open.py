"""`regard open`: the page in the browser, on this machine only."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import RUNS, File, TextOption, model_names


def command(
    model: Annotated[
        str | None,
        typer.Argument(help="A model's name, a toy's file, or a folder.  [default: fox]", autocompletion=model_names),
    ] = None,
    text: TextOption = None,
    file: File = None,
    port: Annotated[
        int | None, typer.Option(help="The port.  [default: 4725, or any free one]", min=0, max=65535)
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """See it, change it, train it, in the browser. Ends with Ctrl-C."""
    from regard.cli.output import say
    from regard.cli.text import text_from
    from regard.server.opening import serve

    serve(model, text_from(text, file), port, Path(RUNS), browser=not no_browser, say=say)
