"""`regard generate TEXT`: the model writes on, and its words are shown as they come."""

from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import File, Last, Model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regard.models import model as models


def command(
    text: Annotated[
        str | None,
        typer.Argument(
            help='The text to go on from, such as "Once upon a time"; - reads standard input.', metavar="TEXT"
        ),
    ] = None,
    file: File = None,
    last: Last = None,
    count: Annotated[int, typer.Option("--count", "--words", help="Write at most N words.", min=1)] = 100,
    model: Model = None,
    temperature: Annotated[float, typer.Option(help="How words are drawn: 0 takes the most probable.", min=0)] = 0.0,
    top: Annotated[
        int, typer.Option("--top", "--top-k", help="Draw among the N most probable words; 0: among all.", min=0)
    ] = 0,
    mass: Annotated[
        float, typer.Option("--mass", "--top-p", help="Draw among the most probable words with this share.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Another seed draws other words.", min=0)] = 0,
) -> None:
    """Let a model write on, word by word, until it ends the text, the text is full or Ctrl-C is pressed."""
    from regard.cli.output import say, stream
    from regard.cli.text import needed_text
    from regard.models.catalogue import find_model
    from regard.models.cropping import TooLong, last_tokens
    from regard.models.writing import write_on
    from regard.views.growing import Growing

    text = needed_text(text, file)
    found = find_model(model or "english")
    text = text if last is None else last_tokens(found, text, last)
    shown, written = Growing(), 0
    words = found.tokenizer.words(text)
    try:
        for one in write_on(found, text, count, temperature, top, seed, mass=mass):
            if not written:
                stream(shown.more(_joined(found, words)))
            written, words = written + 1, one.words
            if one.word != found.end:
                stream(shown.more(_joined(found, words)))
    finally:
        if written:  # also when it was stopped: the line that was begun is ended
            stream(f"{shown.rest()}\n")
    if words[-1] != found.end and written < count:
        most = found.settings.max_tokens
        if not written:
            raise TooLong(found.name, len(words), most)
        say(f"regard: the text is full: {found.name} reads at most {most:,} tokens", error=True)


def _joined(model: "models.Model", words: "Sequence[str]") -> str:
    return model.tokenizer.joined(words).removeprefix(" ")  # some tokenizers put a space before a text
