"""`regard open`: the page in the browser, on this machine only."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import RUNS, File, Layers, TextOption, layer_numbers, model_names


def command(
    model: Annotated[
        str | None,
        typer.Argument(
            help="A model's name, a toy's file, a folder, or a file of word vectors.  [default: fox]",
            autocompletion=model_names,
        ),
    ] = None,
    text: TextOption = None,
    file: File = None,
    layers: Layers = None,
    port: Annotated[
        int | None, typer.Option(help="The port.  [default: 4725, or any free one]", min=0, max=65535)
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    site: Annotated[
        str | None, typer.Option(help="Where a folder of regard site is online; share copies links to it.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Print a fresh address of the server that is already running.")
    ] = False,
) -> None:
    """See it, change it, train it, in the browser. Ends with Ctrl-C."""
    from regard.cli.output import outlive_the_reader, say
    from regard.cli.text import text_from
    from regard.server.opening import Long, address_again, serve
    from regard.session.limits import TEXT
    from regard.training.running import running_in

    if again:
        say(address_again(model, text_from(text, file), port))
        return
    if site is not None and not site.startswith(("https://", "http://")):
        raise ValueError(f"site expects an address such as https://name.github.io/regard/, got {site!r}")
    outlive_the_reader()  # a client that leaves must not end the server
    for trained in running_in(Path(RUNS)):  # by a trainer that has outlived its server, or by another command
        say(trained.told)
    given = text_from(text, file)
    if given is not None and len(given) > TEXT:
        given = Long(f"@{file.name if file else 'text'}", given, layer_numbers(layers))
    serve(model, given, port, Path(RUNS), browser=not no_browser, say=say, site=site)
    for trained in running_in(Path(RUNS)):
        say(f"{trained.told}; or leave it: it goes on by itself")
