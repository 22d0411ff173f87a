"""Doctests of docstrings as blocks of code on the site: Markdown alone would take >>> for a quotation in a quotation.

mkdocs.yml names it as an extension of Griffe, which reads the sources for mkdocstrings.
"""

import doctest
from typing import Any

from griffe import Extension, Object


def fenced(text: str) -> str:
    """The text with each run of examples, and what they print, inside a fence."""
    parts: list[str] = []
    examples = ""
    for part in doctest.DocTestParser().parse(text):
        if isinstance(part, doctest.Example):
            shown = part.source.rstrip("\n").replace("\n", "\n... ")
            examples += f">>> {shown}\n{part.want}"
        elif part.strip() or not examples:
            parts += [f"```pycon\n{examples}```\n" * bool(examples), part]
            examples = ""
    parts.append(f"```pycon\n{examples}```\n" * bool(examples))
    return "".join(parts)


class DoctestsAsCode(Extension):
    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        if obj.docstring and ">>>" in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
