"""Where the command line writes: the width, the colours, the signs; and nothing from outside reaches it raw."""

import contextlib
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from regard.views.harmless import harmless, harmless_line, harmless_lines
from regard.views.plainly import HANDLER, PLAINLY, can_write_signs

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from regard.views.ink import Ink

DRAWN_FOR = 120
CLOSED_PIPE = 13  # SIGPIPE, which not every system has


class NobodyReads(Exception):
    """Whoever read what we print has seen enough and left (| head). No OSError: typer has its own idea of those."""


class Guarded:
    """Standard error, on which every line is harmless, whoever writes it: tracebacks, warnings and logs too."""

    def __init__(self, stream: Any):
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(harmless_lines(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def _while_somebody_reads() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise NobodyReads from None


def silence() -> None:
    """Nothing more can be written to standard output, nor when Python closes it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_with_the_reader() -> None:
    """As Unix programs do: when nobody reads any more, this process ends, without a word and with code 141."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def outlive_the_reader() -> None:
    """For a command that has something to save, or others to answer: it learns of it as `NobodyReads`."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


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
    plainly = plain or not _shows_signs()
    console = console_for(color=not plain)
    for line in map(harmless_line, lines):
        console.print(line.plain.translate(PLAINLY) if plainly else line, soft_wrap=True, markup=False)


def console_for(color: bool, quiet: bool = False) -> "Console":
    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            raise NobodyReads

    return Ours(width=width_here(), color_system="auto" if color else None, highlight=False, emoji=False, quiet=quiet)


def say(line: str, error: bool = False) -> None:
    """One line of our own, whatever names of others stand in it."""
    with _while_somebody_reads():  # typer.echo would write UTF-8
        print(harmless(line), file=sys.stderr if error else sys.stdout, flush=True)


def stream(text: str) -> None:
    """Text as it comes, a part at a time: its lines end, its tabs stay, and nothing else in it does anything."""
    kept = re.split(r"(\t|\r?\n)", text)
    with _while_somebody_reads():
        sys.stdout.write("".join(part if part in ("\t", "\n", "\r\n") else harmless(part) for part in kept))
        sys.stdout.flush()


def write_exactly(text: str) -> None:
    """Text for a program: every sign as it is, whatever this machine's encoding; only a terminal is spared some."""
    if sys.stdout.isatty():
        stream(text)
        return
    with _while_somebody_reads():
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()


def complain(error: OSError | ValueError | str) -> None:
    """What is wrong, in one line."""
    where = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
    message = where + (error.strerror or str(error) if isinstance(error, OSError) else str(error))
    say(f"regard: {' '.join(message.split())}", error=True)


def write_json(data: Any) -> None:
    from regard.views.json import strict

    with _while_somebody_reads():
        print(strict(data, ascii=not _shows_signs()))  # noqa: T201


def _shows_signs() -> bool:
    return can_write_signs(getattr(sys.stdout, "encoding", None))
