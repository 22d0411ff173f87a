"""A page that somebody brings, read alive: the answer is the page as written, and its claims."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from regard.session.bounded import Name, Strict
from regard.session.encode import encoded
from regard.session.traces import Traces

MOST = 50_000  # characters of a page: some twenty printed ones, a few seconds


class ReadQuestion(Strict):
    """A page of text; what its name ends with says how it is read: .md, .html, .tex, .txt."""

    name: Name
    text: Annotated[str, Field(min_length=1, max_length=MOST)]


def read(wanted: Callable[[], None], _: Traces, asked: ReadQuestion) -> bytes:
    """A page with every number that can be computed beside what is computed; nothing is marked that is not sure."""
    from regard.reading import read_text

    found = read_text(asked.text, asked.name)
    wanted()
    return encoded(found.data())
