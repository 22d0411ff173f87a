"""`regard check FILE…`: the worked examples of any page, recomputed."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Json, Plain

if TYPE_CHECKING:
    from regard.audit.finding import Audit


def command(
    files: Annotated[
        list[Path], typer.Argument(help="Markdown, text, HTML, LaTeX or notebook pages; - reads standard input.")
    ],
    every: Annotated[bool, typer.Option("--all", help="Show the right ones too.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Propose the right digits as a patch; change nothing.")] = False,
    write_it: Annotated[bool, typer.Option("--write", help="With --fix, write them into the files.")] = False,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Recompute the arithmetic of pages; exit code 1 if a number is wrong."""
    from regard.audit.page import audit
    from regard.audit.pages import read_page
    from regard.cli.output import ink_for, write, write_json
    from regard.views.audit import as_json, lines_of

    if write_it and not fix:
        raise ValueError("--write expects --fix: it writes what --fix proposes")
    texts = {str(path): read_page(path) for path in files}
    audits = [audit(text, name) for name, text in texts.items()]
    if fix:
        for found in audits:
            written = _as_written(found.file, texts[found.file])
            _propose(texts[found.file] if written is None else written, found)
            if write_it:
                _write(Path(found.file), written, found)
    elif json:
        write_json([as_json(found) for found in audits])
    else:
        write(lines_of(audits, every, ink_for(None, plain)), plain)
    if any(found.failures for found in audits):
        raise typer.Exit(1)


def _propose(text: str, found: "Audit") -> None:
    """The patch, and beside it how many failures it leaves: of a row that does not sum any number may be wrong."""
    from regard.cli.output import say, stream
    from regard.views.audit import failing
    from regard.views.patch import edits, patch

    stream(patch(text, replace(found, file=_from_here(found.file))))
    left = len(found.failures) - len(edits(found))
    if left:
        why = "the right digits, or their place, are not sure"
        say(f"{found.file}: nothing is proposed for {left} of {failing([found])}: {why}", error=True)


def _from_here(file: str) -> str:
    """The name that a patch gives to a file: below the folder where it is applied, also if the whole path was given."""
    if file == "-":
        return file
    path = Path(os.path.abspath(file))
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def _as_written(file: str, text: str) -> str | None:
    """The page with its own line ends and spaces, where each of its lines has the columns of the text that was read;
    nothing where it has not: a patch or a number would go to the wrong place."""
    if file == "-":
        return None
    try:
        written = Path(file).read_bytes().decode()
    except UnicodeDecodeError:
        return None
    lines = written.replace("\r\n", "\n")
    return written if len(lines) == len(text) and "\r" not in lines else None


def _write(path: Path, written: str | None, found: "Audit") -> None:
    from regard.cli.output import say
    from regard.replacing import replacing
    from regard.views.patch import edits, fixed

    if written is None:
        raise ValueError(f"{path} cannot be written: expected a file in plain UTF-8, without a byte order mark")
    with replacing(path) as file:
        file.write(fixed(written, found).encode())
    wrote, failing = len(edits(found)), len(found.failures)
    say(f"{path}: wrote {wrote} of {failing} right numbers" if failing else f"{path}: nothing to write", error=True)
