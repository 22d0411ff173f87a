"""`regard check FILE…`: the worked examples of any page, recomputed."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Json, Plain

if TYPE_CHECKING:
    from regard.audit.finding import Audit
    from regard.cli.pages import Page


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
    """Recompute the arithmetic of pages; exit code 1 if a number is wrong, 2 if a page cannot be read or written."""
    from regard.audit.page import audit
    from regard.cli.output import complain, ink_for, write, write_exactly, write_json
    from regard.cli.pages import page_named
    from regard.views.audit import as_json, lines_of

    if write_it and not fix:
        raise ValueError("--write expects --fix: it writes what --fix proposes")
    problems: list[OSError | ValueError] = []
    pages: list[Page] = []
    for name in dict.fromkeys(map(str, files)):  # a page named twice is one page
        try:
            pages.append(page_named(name))
        except (OSError, ValueError) as error:  # the others are judged all the same
            problems.append(error)
    audits = [audit(page.text, page.name) for page in pages]
    if json and pages:
        patches = [{"patch": _patch(page, found)} if fix else {} for page, found in zip(pages, audits)]
        write_json([as_json(found) | patch for found, patch in zip(audits, patches)])
    elif fix:
        for page, found in zip(pages, audits):
            write_exactly(_patch(page, found))
    elif pages:
        write(lines_of(audits, every, ink_for(None, plain)), plain)
    for page, found in zip(pages, audits) if fix else ():
        try:
            if write_it:
                _write(page, found)
            _tell_what_is_left(page, found)
        except (OSError, ValueError) as error:
            problems.append(error)
    for problem in problems:
        complain(problem)
    if problems or any(found.failures for found in audits):
        raise typer.Exit(2 if problems else 1)


def _patch(page: "Page", found: "Audit") -> str:
    """The patch of a page; nothing where none can fit it."""
    from regard.views.patch import as_written, patch

    return "" if _why_not(page) else patch(as_written(page.raw), replace(found, file=_from_here(found.file)))


def _why_not(page: "Page") -> str | None:
    """Why no patch can fit a page."""
    from regard.views.patch import NoPatch, as_written

    try:
        as_written(page.raw)
    except NoPatch as reason:
        return str(reason)


def _tell_what_is_left(page: "Page", found: "Audit") -> None:
    """How many failures a patch leaves, and why: of a row that does not sum any number may be wrong."""
    from regard.cli.output import say
    from regard.views.audit import failing
    from regard.views.patch import edits

    reason = _why_not(page)
    left = len(found.failures) - (0 if reason else len(edits(found)))
    why = reason or "the right digits, or their place, are not sure"
    if left:
        say(f"{found.file}: nothing is proposed for {left} of {failing([found])}: {why}", error=True)


def _from_here(file: str) -> str:
    """The name that a patch gives to a file: below the folder where it is applied, also if the whole path was given."""
    if file == "-":
        return file
    path = Path(os.path.abspath(file))
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def _write(page: "Page", found: "Audit") -> None:
    from regard.cli.output import say
    from regard.cli.pages import STANDARD_INPUT
    from regard.replacing import replacing
    from regard.views.patch import as_written, edits, fixed

    wrote, failing = len(edits(found)), len(found.failures)
    if wrote:
        if page.name == STANDARD_INPUT:
            raise ValueError("standard input cannot be written; name a file, or leave --write out and take the patch")
        if reason := _why_not(page):
            raise ValueError(f"{page.name} cannot be written: {reason}")
        with replacing(page.name) as file:
            file.write(fixed(as_written(page.raw), found).encode())
    told = f"wrote {wrote} of {failing} right numbers" if failing else "nothing to write"
    say(f"{page.name}: {told}", error=True)
