"""Where the command line writes: the width, the colours, the signs; and nothing from outside reaches it raw."""

import contextlib
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from regard.views.harmless import harmless, harmless_line
from regard.views.plainly import HANDLER, PLAINLY, can_write_signs

if TYPE_CHECKING:
    from rich.text import Text

    from regard.views.ink import Ink

DRAWN_FOR = 120


def prepare(stream: Any) -> None:
    """A stream that cannot write · or √ gets plain signs, and words in other letters are escaped: never a crash."""
    asked = os.environ.get("LC_ALL") in ("C", "POSIX") and not {"PYTHONIOENCODING", "PYTHONUTF8"} & set(os.environ)
    with contextlib.suppress(AttributeError, ValueError):
        # Python writes UTF-8 even where LC_ALL=C asks for ASCII
        stream.reconfigure(encoding="ascii" if asked else None, errors=HANDLER)


def ink_for(digits: int | None, plain: bool) -> "Ink":
    from regard.views.ink import Ink

    return Ink(width_here(), digits, plain or not _shows_signs())


def width_here() -> int:
    """The terminal's width; what is piped is written as drawn, unless COLUMNS says otherwise."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and 0 < len(wanted) < 6 and int(wanted) > 0:
        return max(40, int(wanted))
    if sys.stdout.isatty():
        return max(40, min(os.get_terminal_size().columns, 160))
    return DRAWN_FOR


def write(lines: Iterable["Text"], plain: bool) -> None:
    """What a view drew."""
    from rich.console import Console

    plainly = plain or not _shows_signs()
    console = Console(width=width_here(), color_system=None if plain else "auto", highlight=False, emoji=False)
    for line in map(harmless_line, lines):
        console.print(line.plain.translate(PLAINLY) if plainly else line, soft_wrap=True, markup=False)


def say(line: str, error: bool = False) -> None:
    """One line of our own, whatever names of others stand in it."""
    print(harmless(line), file=sys.stderr if error else sys.stdout, flush=True)  # typer.echo would write UTF-8


def stream(text: str) -> None:
    """Text as it comes, a part at a time: its lines end, and nothing else in it does anything."""
    sys.stdout.write("\n".join(map(harmless, text.split("\n"))))
    sys.stdout.flush()


def write_json(data: Any) -> None:
    from regard.views.json import strict

    print(strict(data, ascii=not _shows_signs()))  # noqa: T201


def _shows_signs() -> bool:
    return can_write_signs(getattr(sys.stdout, "encoding", None))
