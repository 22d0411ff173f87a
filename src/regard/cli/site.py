"""`regard site FOLDER`: the page as files for any web host, with the models inside."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="The folder to write; one that was written before is replaced.")],
) -> None:
    """Write the page as a folder for any web host: nothing to install, no server; English runs in the browser."""
    from regard.cli.output import say
    from regard.replacing import replacing_folder
    from regard.suggestions import command as command_for
    from regard.views.site import site_files

    written = 0
    with replacing_folder(folder, "index.html") as place:
        for name, content in site_files():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            written += len(content)
    say(f"{folder}: {written:,} bytes; put it on any web host, or look at it here:")
    say(f"  {command_for('python', '-m', 'http.server', '-d', str(folder))}")
