"""The commands, in the order of `regard --help`. The file of a command has its name and is imported when asked for: all
of them take as long to import as NumPy."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "explain": "Run a text through a model and show every step of it.",
    "generate": "Let a model write on, word by word.",
    "why": "Open one number to the arithmetic that made it.",
    "flow": "Split a prediction into what each word carried to it.",
    "heads": "Name the heads that have a habit.",
    "watch": "Watch a model of others run.",
    "patch": "Read one text with each head's output of another.",
    "gravity": "Show where a word stands, and what pulled it there.",
    "near": "List the nearest words by the cosine of their vectors.",
    "similar": "Compare texts by the cosine of their vectors.",
    "lesson": "List the lessons, or show one.",
    "glossary": "Explain a word, or list the whole vocabulary.",
    "check": "Recompute the arithmetic of pages.",
    "read": "Write a page alive: each number opens.",
    "open": "See it, change it, train it, in the browser.",
    "export": "Write a run into one file.",
    "site": "Write the page as a folder for any web host.",
    "figure": "Draw one figure of a run as SVG, PDF or PNG.",
    "train": "Train a model on your own text.",
    "film": "Show which heads formed while a model learned.",
    "convert": "Save a model in the Hugging Face layout.",
    "models": "List the models there are, and how to open others.",
    "doctor": "Say what works here, and why the rest does not.",
    "vectors": "Train word vectors, ask them, measure, draw, convert.",
    "toy": "Write a toy, a small model as a file, or list toys.",
}


class Commands(TyperGroup):
    """The group of all commands, none of them imported yet."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = OnDemand()  # pyright: ignore[reportAttributeAccessIssue] (looked up, never written)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


class OnDemand(Mapping[str, Any]):
    """A command, read from its file when it is looked up."""

    def __init__(self) -> None:
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = _command(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _command(name: str) -> Any:
    from regard.cli.changes import InOrder

    file = import_module(f"regard.cli.{name}")
    holder = typer.Typer(rich_markup_mode=None)
    if hasattr(file, "app"):  # it has commands of its own
        holder.add_typer(file.app, name=name)
    else:
        holder.command(name, cls=InOrder)(file.command)
    return typer.main.get_group(holder).commands[name]
