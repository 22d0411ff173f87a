"""Pages as a command reads them: each once, its text and its bytes, or what is wrong with it."""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Page:
    """A page by the name it was given: what is judged, and the bytes it was read from."""

    name: str
    text: str
    raw: bytes


def page_named(name: str) -> Page:
    """A file, or standard input for `-`."""
    from regard.text.decoding import MOST_BYTES, decode, read_page

    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("there is no standard input to read a page from; name a file instead of -")
        raw = sys.stdin.buffer.read(MOST_BYTES + 1)
        sys.stdin = io.TextIOWrapper(io.BytesIO(raw))  # whoever reads it next has all of it
        text = read_page(Path(name))
    else:
        text = read_page(Path(name))
        raw = Path(name).read_bytes()
        if decode(raw) != text:
            raise ValueError(f"{name} was changed while it was read; try again when nobody writes it")
    check_notebook(name, text)
    return Page(name, text, raw)


def check_notebook(name: str, text: str) -> None:
    """A notebook that cannot be read is told: it is not one in which nothing is wrong."""
    from regard.audit.pages import lines_of

    may_be_one = Path(name).suffix.lower() == ".ipynb" or text.lstrip().startswith("{")
    if not may_be_one or lines_of(text, name):
        return
    try:
        for cell in json.loads(text)["cells"]:
            _ = cell["cell_type"], cell["source"], [output.get("text") for output in cell.get("outputs", [])]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        at = f" (line {error.lineno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"{name} cannot be read: expected a notebook, which is JSON with cells{at}") from None
