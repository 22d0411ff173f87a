"""`regard check FILE…`: the worked examples of any page, recomputed."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import Json, Plain


def command(
    files: Annotated[list[Path], typer.Argument(help="Markdown or text pages.")],
    every: Annotated[bool, typer.Option("--all", help="Show the right ones too.")] = False,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Recompute the arithmetic of pages; exit code 1 if a number is wrong."""
    from regard.audit.page import audit_file
    from regard.cli.output import ink_for, write, write_json

    audits = [audit_file(path) for path in files]
    if json:
        from dataclasses import asdict

        write_json([asdict(finding) for audit in audits for finding in audit.findings])
    else:
        from regard.views.audit import lines_of

        write(lines_of(audits, every, ink_for(None, plain)), plain)
    if any(finding.verdict.fails for audit in audits for finding in audit.findings):
        raise typer.Exit(1)
