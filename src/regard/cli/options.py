"""Options that several commands take, in the same words everywhere."""

import os
from pathlib import Path
from typing import Annotated

import typer

RUNS = "runs"  # where regard train keeps what it trained


def model_names(incomplete: str) -> list[str]:
    """For the shell to complete: the models that come with regard, and the runs that lie here."""
    from regard.models.names import MODELS

    runs = sorted(entry.path for entry in os.scandir(RUNS) if entry.is_dir()) if os.path.isdir(RUNS) else []
    toys = sorted(entry.name for entry in os.scandir() if entry.name.endswith(".toml") and entry.is_file())
    return [name for name in (*MODELS, *runs, *toys) if name.startswith(incomplete) and name.isprintable()]


def named_model(given: str | None) -> str | None:
    """A model as it was named; an empty name, as of a variable that is not set, is not the usual model."""
    if given is not None and not given.strip():
        raise ValueError(f"--model expects a name such as english, a file or a folder, got {given!r}; or leave it out")
    return given


Text = Annotated[
    str | None,
    typer.Argument(help='The text to read, such as "The quick brown fox"; - reads standard input.', metavar="TEXT"),
]
TextOption = Annotated[
    str | None,
    typer.Option("--text", help="The text to read; - reads standard input.  [default: the model's own sentence]"),
]
Layers = Annotated[
    str | None, typer.Option(help="Watch only these layers, such as 17,18.  [default: all]", metavar="NUMBERS")
]
File = Annotated[Path | None, typer.Option("--file", help="Read the text from this file (UTF-8).", metavar="FILE")]
Last = Annotated[int | None, typer.Option("--last", help="Read only the last N tokens.", metavar="N", min=1)]
Next = Annotated[
    str | None, typer.Option("--next", help="The word that should follow, or is hidden: adds loss, blame and update.")
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="A built-in model (regard models lists them), a toy's file (regard toy new writes one), or the folder of "
        "a run or of a Hugging Face model, or a GGUF file.  "
        "[default: english, or the toy fox for its own sentence and next word]",
        autocompletion=model_names,
        callback=named_model,
    ),
]
Mask = Annotated[
    str | None, typer.Option("--mask", help="causal (words look back) or both (both ways).  [default: the model's own]")
]
Query = Annotated[str | None, typer.Option("--query", help="The word that predicts.  [default: the last]")]
AsWritten = Annotated[bool, typer.Option("--as-written", help="Hide no word, in a model that guesses hidden words.")]
Layer = Annotated[
    int | None,
    typer.Option("--layer", help="Show this layer, from 0.  [default: the one that moves the prediction most]", min=0),
]
Head = Annotated[
    int | None,
    typer.Option("--head", help="Show this head, from 0.  [default: the one that moves the prediction most]", min=0),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colour, only simple signs.")]
Json = Annotated[bool, typer.Option("--json", help="Print the same as JSON.")]


def layer_numbers(written: str | None) -> list[int] | None:
    """
    >>> layer_numbers("17,18")
    [17, 18]
    """
    if written is None:
        return None
    parts = [part.strip() for part in written.split(",")]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise ValueError(f"--layers expects numbers such as 17,18, got {written!r}")
    return [int(part) for part in parts]
