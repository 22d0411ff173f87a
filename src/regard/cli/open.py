"""`regard open`: the page in the browser, on this machine only."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    model: Annotated[
        str | None, typer.Argument(help="A model's name, or a run's folder; fox, if nothing is said.")
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="The text to read; the model's own sentence, if nothing is said.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="The port; 4725 or any free one, if nothing is said.", min=0, max=65535)
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """See it, change it, train it, in the browser. Ends with Ctrl-C."""
    from regard.cli.output import say
    from regard.server.opening import serve

    serve(model, text, port, Path("runs"), browser=not no_browser, say=say)
