"""The text of a command: its argument, standard input (`-`), or a file (`--file`)."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regard.cli.output import say
from regard.suggestions import command

MOST = 1_000_000  # bytes of a text: far more than any model reads


def text_from(given: str | None, file: Path | None) -> str | None:
    """What stands in the argument, in the file, or on standard input; None where nothing was given."""
    if given is not None and file is not None:
        raise ValueError(f"give the text or {command('--file', str(file))}, not both")
    if file is not None:
        with file.open("rb") as stream:
            return _decoded(stream, str(file))
    if given == "-":
        if sys.stdin is None:
            raise ValueError("there is no standard input to read the text from; use --file FILE")
        if sys.stdin.isatty():
            say("Type the text, then Ctrl-D:", error=True)
        return _decoded(sys.stdin.buffer, "standard input")
    if given is not None and _names_a_file(given):
        say(f"note: {given!r} is read as a text; {command('--file', given)} reads the file of that name", error=True)
    return given


def needed_text(given: str | None, file: Path | None) -> str:
    """The same, for a command that cannot do without."""
    text = text_from(given, file)
    if text is None:
        raise ValueError("Missing argument 'TEXT': write a text in quotes, - for standard input, or --file FILE")
    return text


def text_or_own(given: str | None, file: Path | None, model: str | None) -> str | None:
    """The same; None where a model is named, which may have a sentence of its own."""
    return needed_text(given, file) if model is None else text_from(given, file)


def lines_from(given: Sequence[str], file: Path | None) -> list[str]:
    """Several texts: the arguments, or the lines of a file or of standard input, without the empty ones."""
    if given and file is not None:
        raise ValueError(f"give the texts or {command('--file', str(file))}, not both")
    if file is None and list(given) != ["-"]:
        return list(given)
    return [line for line in (text_from(None if file else "-", file) or "").splitlines() if line.strip()]


def _decoded(stream: Any, name: str) -> str:
    """The text of a stream, without the line ends behind it, which belong to the file and not to the sentence."""
    data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(
            f"{name} has more than {MOST:,} bytes, and no more are read; cut it first: tail -c 20000 FILE | regard ..."
        )
    try:
        return data.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not UTF-8: byte {data[error.start]:#04x} at position {error.start:,}; "
            "convert it first, with: iconv -f ENCODING -t UTF-8"
        ) from None


def _names_a_file(given: str) -> bool:
    """Whether somebody may have meant a file: a text of one line that is the name of one."""
    try:
        return len(given) < 4096 and "\0" not in given and Path(given).is_file()
    except OSError:  # names too long for this machine
        return False
