"""The neighbours of a word, or of a sum of words, on screen, the nearest first."""

from collections.abc import Sequence

from rich.text import Text

from regard.vectors.neighbours import Neighbours
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import command_lines, shortened, wrapped


def near_lines(found: Neighbours, ink: Ink, opens: str | Sequence[str]) -> list[Text]:
    """`opens` says how a number is opened, or is the command that opens the first."""
    title = Text.assemble(("NEAR", STAGE), f'   "{found.word}" in {found.trace.info["title"]}')
    notes = [line for note in found.trace.info["notes"] for line in wrapped(note, 2, ink, QUIET)]
    if not found.words:
        return [title, Text("  it is the only word", style=QUIET)]
    columns = [
        Column("word", [shortened(word) for word in found.words], left=True),
        Column("cosine", [ink.number(cell, 3) for cell in found.cosines]),
        Column("", [ink.bar(cell.value, 24) for cell in found.cosines], style=WEIGHT, left=True, least=24, drop=1),
    ]
    how = wrapped(opens, 2, ink, QUIET) if isinstance(opens, str) else command_lines("opens", opens, ink)
    return [title, *notes, *table(columns, ink, 2), *how]
