"""The vocabulary and the reading list on screen."""

from collections.abc import Iterable

from rich import text as rich

from regard.lessons.glossary import Text, Word
from regard.views.ink import QUIET, STAGE, Ink
from regard.views.layout import beside, wrapped

NAME = 17


def words(found: Iterable[Word], ink: Ink) -> list[rich.Text]:
    """Each word with its sentence, what others call it, and where it lives."""
    lines: list[rich.Text] = []
    for word in found:
        lines += beside((f"{word.name:<{NAME - 1}} ", STAGE), word.says, ink)
        lines += wrapped(rich.Text(f"{word.where}; others say: {', '.join(word.others)}", style=QUIET), NAME, ink)
    return lines


def texts(found: Iterable[Text], ink: Ink) -> list[rich.Text]:
    """Each text with who wrote it, when, and why to read it."""
    lines: list[rich.Text] = []
    for text in found:
        lines += wrapped(rich.Text.assemble((text.name, STAGE), f"   {text.by}, {text.year}"), 0, ink)
        lines += wrapped(rich.Text(text.about, style=QUIET), 2, ink)
    return lines
