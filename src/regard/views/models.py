"""Which models there are: a line for each, and how any other is opened."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from regard.views.columns import Column, table
from regard.views.ink import BAD, QUIET, STAGE, Ink
from regard.views.layout import wrapped

LONGEST = 44  # characters of a sentence; the rest is cut
FOLDERS = (
    "--model FOLDER looks inside a run of regard train, wherever it lies, or a Hugging Face folder: config.json, "
    "tokenizer.json and *.safetensors, such as `hf download gpt2 --local-dir gpt2` saves. regard downloads nothing."
)

OWN_TOY = "regard toy new writes a commented file of your own; --model FILE.toml looks inside it."


def lines_of(built_in: Sequence[Mapping[str, Any]], runs: Sequence[Mapping[str, Any]], ink: Ink) -> list[Text]:
    """Name, size, what it is and its sentence: of what comes with regard, and of what was trained here."""
    good = [run for run in runs if run["problem"] is None]
    lines = [Text("built in", style=STAGE), *_table(built_in, ink)]
    if good:
        lines += [Text("runs", style=STAGE), *_table(good, ink)]
    for run in runs:
        if run["problem"] is not None:
            told = f"{run['name']} cannot be opened: {run['problem']}"
            lines += wrapped(told, 2, ink, BAD)
    return [*lines, Text("any other", style=STAGE), *wrapped(FOLDERS, 2, ink), *wrapped(OWN_TOY, 2, ink)]


def toy_lines(toys: Sequence[Mapping[str, Any]], ink: Ink) -> list[Text]:
    return [*_table(toys, ink), *wrapped(OWN_TOY, 2, ink)]


def _table(models: Sequence[Mapping[str, Any]], ink: Ink) -> list[Text]:
    columns = [
        Column("name", [m["name"] for m in models], left=True),
        Column("parameters", [f"{m['parameters']:,}" for m in models]),
        Column("layers × heads", [f"{m['layers']} × {m['heads']}" for m in models], drop=1),
        Column("predicts", [m["predicts"] for m in models], left=True, drop=3),
        Column("from", [m["origin"] for m in models], left=True, drop=2),
        Column("its sentence", [_cut(m["sentence"]) for m in models], left=True, style=QUIET, drop=4),
    ]
    return table(columns, ink, 2)


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}…"
