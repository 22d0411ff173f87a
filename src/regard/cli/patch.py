"""`regard patch CLEAN CORRUPTED`: which heads carry the difference between two texts."""

from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Json, Model, Plain

if TYPE_CHECKING:
    from regard.trace.patched import Patched


def command(
    clean: Annotated[str, typer.Argument(help="The text that the parts are taken from.", metavar="CLEAN")],
    corrupted: Annotated[str, typer.Argument(help="The text that they are put into.", metavar="CORRUPTED")],
    model: Model = None,
    by: Annotated[str, typer.Option(help="head, layer or word.", metavar="PART")] = "head",
    word: Annotated[
        str | None, typer.Option(help="The next word that is asked about.  [default: what CLEAN leads to]")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The word that it is compared with.  [default: what CORRUPTED leads to]")
    ] = None,
    top: Annotated[int, typer.Option(help="How many parts to show.", min=1, max=1000)] = 12,
    plain: Plain = False,
    json: Json = False,
) -> None:
    """Read one text with each head's output of another, one at a time, and rank the heads by what they carry over."""
    from regard.cli.output import ink_for, write, write_json
    from regard.views.patched import patched_lines

    if (word is None) != (against is None):
        raise ValueError("--word and --against go together")
    words = None if word is None or against is None else (word, against)
    found = _patched(clean, corrupted, model, by, words)
    if json:
        parts = [{"name": found.name(part), "value": part.value, "effect": part.effect} for part in found]
        write_json({"words": found.words, "own": found.own, "other": found.other, "by": by, "parts": parts})
    else:
        write(patched_lines(found, ink_for(None, plain), top), plain)


def _patched(clean: str, corrupted: str, model: str | None, by: str, words: tuple[str, str] | None) -> "Patched":
    """In glass where the model's layout is known; other folders are run by transformers."""
    from regard.models.catalogue import find_model, usual_model
    from regard.watching.loading import is_folder

    try:
        found = find_model(model or usual_model(clean, None))
    except ValueError:
        if model is None or not is_folder(model):
            raise
    else:
        runs = [found.run(text, None) for text in (corrupted, clean)]
        return runs[0].patch(runs[1], by, words)
    from regard.watching.loading import loaded
    from regard.watching.patching import patch

    network, tokenizer = loaded(model)
    return patch(network, clean, corrupted, tokenizer, by, words)
