"""`regard generate TEXT`: the model writes on, and its words are shown as they come."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regard.models.model import Model


def command(
    text: Annotated[str, typer.Argument(help='The text to go on from, such as "Once upon a time".')],
    count: Annotated[int, typer.Option("--count", "--words", help="Write at most so many words.", min=1)] = 100,
    model: Annotated[str, typer.Option(help="english, fox, …, or a folder: a run's or Hugging Face's.")] = "english",
    temperature: Annotated[float, typer.Option(help="How words are drawn: 0 takes the most probable.", min=0)] = 0.0,
    top: Annotated[
        int, typer.Option("--top", "--top-k", help="Draw among so many of the most probable; 0: among all.", min=0)
    ] = 0,
    mass: Annotated[
        float, typer.Option("--mass", "--top-p", help="Draw among the most probable that have this share.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Another seed draws other words.", min=0)] = 0,
) -> None:
    """Let a model write on, word by word, until it ends the text, the text is full or Ctrl-C is pressed."""
    from regard.models.catalogue import find_model
    from regard.models.writing import write_on
    from regard.views.growing import Growing

    found = find_model(model)
    shown, written = Growing(), 0
    words = found.tokenizer.words(text)
    try:
        for one in write_on(found, text, count, temperature, top, seed, mass=mass):
            if not written:
                _show(shown.more(_joined(found, words)))
            written, words = written + 1, one.words
            if one.word != found.end:
                _show(shown.more(_joined(found, words)))
    finally:
        if written:  # also when it was stopped: the line that was begun is ended
            _show(f"{shown.rest()}\n")
    if words[-1] != found.end and written < count:
        full = f"the text is full: {found.name} reads at most {found.settings.max_tokens:,} words"
        if not written:
            raise ValueError(f"{full}, and this has {len(words):,}; pass a shorter text")
        typer.echo(f"regard: {full}", err=True)


def _joined(model: "Model", words: "Sequence[str]") -> str:
    return model.tokenizer.joined(words).removeprefix(" ")  # some tokenizers put a space before a text


def _show(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
