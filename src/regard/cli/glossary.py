"""`regard glossary`: every word of the vocabulary, what others call it, and where it lives."""

from typing import Annotated

import typer

from regard.cli.options import Json, Plain


def command(
    word: Annotated[str | None, typer.Argument(help="A word, ours or another's (d_k); without it, all.")] = None,
    reading: Annotated[bool, typer.Option("--reading", help="What to read, by name and year.")] = False,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Explain a word, or list the whole vocabulary."""
    from dataclasses import asdict

    from regard.cli.output import ink_for, write, write_json
    from regard.lessons import glossary as words
    from regard.views import glossary as view

    if reading and word is not None:
        raise ValueError("--reading lists what to read; leave the word out")
    found = words.reading() if reading else words.glossary() if word is None else words.meanings(word)
    if json:
        write_json([asdict(entry) for entry in found])
        return
    ink = ink_for(None, plain)
    write(view.texts(words.reading(), ink) if reading else view.words(found, ink), plain)  # pyright: ignore[reportArgumentType]
