"""`regard toy`: models small enough to check by hand, as files that anybody can write."""

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import Json, Plain

app = typer.Typer(help="Toys: small models as files. Write one, or list those that come with regard.")


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")] = Path("mine.toml"),
) -> None:
    """Write a commented example of a toy, to be changed."""
    from shlex import quote

    from regard.cli.output import say
    from regard.toys.shipped import EXAMPLE
    from regard.toys.toy_file import toy_text

    text = EXAMPLE.read_text(encoding="utf-8")
    toy = toy_text(text, file.name)
    if file.suffix.lower() != ".toml":
        named = file.with_suffix(".toml") if file.name else file / "mine.toml"
        raise ValueError(f"a toy's file ends in .toml, got {str(file)!r}; call it {str(named)!r}")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text.replace("FILE", quote(str(file))))
    except FileExistsError:
        raise ValueError(f"{file} exists already; give another name") from None
    say(f"{file}: change any number, and look at it with")
    say(f'regard explain "{toy.sentence}" --next {toy.next} --model {quote(str(file))}')


@app.command("list")
def listed(plain: Plain = False, json: Json = False) -> None:
    """List the toys that come with regard."""
    from dataclasses import asdict

    from regard.cli.output import ink_for, write, write_json
    from regard.models.listing import built_in
    from regard.models.names import TOYS
    from regard.views.models import toy_lines

    toys = [asdict(model) for model in built_in() if model.name in TOYS]
    if json:
        write_json({"toys": toys})
    else:
        write(toy_lines(toys, ink_for(None, plain)), plain)
