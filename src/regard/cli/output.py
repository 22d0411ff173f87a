"""Where the command line writes: the width, the colours, the signs."""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from regard.views.ink import Ink

DRAWN_FOR = 120


def ink_for(digits: int | None, plain: bool) -> "Ink":
    from regard.views.ink import Ink

    return Ink(width_here(), digits, plain)


def width_here() -> int:
    """The terminal's width; what is piped is written as drawn, unless COLUMNS says otherwise."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and 0 < len(wanted) < 6 and int(wanted) > 0:
        return max(40, int(wanted))
    if sys.stdout.isatty():
        return max(40, min(os.get_terminal_size().columns, 160))
    return DRAWN_FOR


def write(lines: Iterable["Text"], plain: bool) -> None:
    from rich.console import Console

    from regard.views.ink import PLAINLY

    console = Console(width=width_here(), color_system=None if plain else "auto", highlight=False, emoji=False)
    for line in lines:
        console.print(line.plain.translate(PLAINLY) if plain else line, soft_wrap=True, markup=False)
