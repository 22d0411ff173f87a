"""A watched model on screen: its heads by a habit, who lets one word read another, or what one head reads."""

from collections.abc import Sequence

from rich.text import Text

from regard.attending.weights import Weights
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import wrapped
from regard.watching.heads import MEASURED, Habits, Reads


def habits_lines(rows: Sequence[Habits], ink: Ink, most: int, habit: str) -> list[Text]:
    """Every habit of the first heads, and what reading evenly would give."""
    shown = rows[:most]
    columns = [Column("head", [_head(row) for row in shown], left=True)]
    for place, name in enumerate(MEASURED, 1):  # on a narrow screen, what is sorted by stays
        columns.append(Column(name, [f"{getattr(row, name):.3f}" for row in shown], drop=0 if name == habit else place))
    even = [f"{getattr(row.evenly, habit):.3f}" if row.evenly else "" for row in shown]
    columns.append(Column(f"{habit}, evenly", even, style=QUIET))
    title = Text.assemble(("HEADS", STAGE), f"   by {habit}", (_counted(rows, most), QUIET))
    nothing = (
        "no word occurs twice here, so same and induction are 0; try a text that repeats itself, or --sort previous"
    )
    notes = [] if any(row.same or row.induction for row in rows) else wrapped(nothing, 2, ink, QUIET)
    return [title, *table(columns, ink, 2), *notes]


def readings_lines(rows: Sequence[Reads], ink: Ink, most: int, reader: str, read: str) -> list[Text]:
    shown = rows[:most]
    columns = [
        Column("head", [_head(row) for row in shown], left=True),
        Column("weight", [f"{row.weight:.3f}" for row in shown], style=WEIGHT),
        Column("", [ink.bar(row.weight, 24) for row in shown], style=WEIGHT, left=True, least=24, drop=1),
        Column("an average word", [f"{row.average:.3f}" for row in shown]),
    ]
    title = Text.assemble(("HEADS", STAGE), f'   "{reader}" reads "{read}"', (_counted(rows, most), QUIET))
    return [title, *table(columns, ink, 2)]


def head_lines(weights: Weights, words: Sequence[str], layer: int, head: int, ink: Ink, most: int) -> list[Text]:
    """For each word, those that it reads most."""
    top = weights.top(min(most, weights.shape[-1]))
    reads = [
        "   ".join(f"{words[key]} {weight:.3f}" for key, weight in zip(keys, row) if key >= 0)
        for keys, row in zip(top.keys.tolist(), top.weights.tolist())
    ]
    columns = [Column("word", list(words), left=True), Column("reads most", reads, style=WEIGHT, left=True)]
    return [Text.assemble(("HEAD", STAGE), f"   layer {layer} head {head}"), *table(columns, ink, 2)]


def _head(row: Habits | Reads) -> str:
    return f"layer {row.layer} head {row.head}"


def _counted(rows: Sequence[object], most: int) -> str:
    return f"   the first {most} of {len(rows)} heads" if len(rows) > most else ""
