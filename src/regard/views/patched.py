"""Parts of one run put into another, on screen: those that matter most first."""

from rich.text import Text

from regard.trace.patched import Patched
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import wrapped


def patched_lines(found: Patched, ink: Ink, most: int) -> list[Text]:
    """Part, the margin with it, the share of the difference that it makes."""
    first, second = found.words
    shown = found.top(most)
    columns = [
        Column("put in", [found.name(part) for part in shown], left=True),
        Column(f"{first} − {second}", [f"{part.value:+.4f}" for part in shown]),
        Column("of the difference", [f"{part.effect:+.1%}" for part in shown], style=WEIGHT),
        Column("", [ink.bar(min(1.0, abs(part.effect)), 24) for part in shown], style=WEIGHT, left=True, drop=1),
    ]
    counted = f"   the first {most} of {found.values.size}" if found.values.size > most else ""
    title = Text.assemble(("PATCHED", STAGE), f"   {first} rather than {second}", (counted, QUIET))
    told = f"{found.own:+.4f} as it was, {found.other:+.4f} in the other text: a difference of {found.difference:+.4f}"
    notes = wrapped("each by itself; what parts carry together need not be the sum of what they carry", 2, ink, QUIET)
    return [title, *wrapped(told, 2, ink), *table(columns, ink, 2), *notes]
