"""Where things stand on the screen: stage names on the left, wrapped lines, two blocks side by side."""

import shlex
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from regard.views.ink import STAGE, Ink
from regard.views.plainly import PLAINLY

INDENT = 12
UNBROKEN = "\u00a0"  # a space as wide as any, at which no line is broken


def stage(name: str, said: str | Text, ink: Ink) -> list[Text]:
    """A stage's name, and what is said beside it, wrapped where the screen ends."""
    return beside((f"{name:<{INDENT}}", STAGE), said, ink)


def beside(margin: tuple[str, str], said: str | Text, ink: Ink) -> list[Text]:
    """What stands in the margin, with its style, and what is said beside it."""
    indent = cell_len(margin[0])
    first, *rest = wrapped(said, indent, ink)
    return [Text.assemble(margin, first[indent:]), *rest]


def command_lines(name: str, words: Sequence[str], ink: Ink) -> list[Text]:
    """A command to be copied into a shell: quoted for it, and broken only before an option, as a shell goes on. None
    where it could not be copied: the screen would show another sign for one of its own."""
    if not all(word.isprintable() and (word.isascii() or not ink.plain) for word in words):
        return []
    lines = [""]
    for option, value in zip(words, [*words[1:], ""]):
        is_first = not lines[-1]
        before = "" if is_first else " "
        word = shlex.quote(option)
        together = f"{word} {shlex.quote(value)}" if option.startswith("--") and value else word
        if is_first or not option.startswith("--") or INDENT + cell_len(f"{lines[-1]} {together}") + 2 <= ink.width:
            lines[-1] += before + word
        else:
            lines[-1] += " \\"
            lines.append(word)
    margins = [f"{name:<{INDENT}}", *[" " * INDENT] * (len(lines) - 1)]
    return [Text.assemble((margin, STAGE), line) for margin, line in zip(margins, lines)]


def wrapped(said: str | Text, indent: int, ink: Ink, style: str = "") -> list[Text]:
    """Lines of at most the screen's width, broken at spaces; runs of spaces that separate things are kept."""
    lines: list[Text] = []
    current = Text("")
    for word in _words(Text.assemble(said), ink.width - indent, ink):
        if current.plain.strip() and indent + _wide(current, ink) + 1 + _wide(word, ink) > ink.width:
            lines.append(current)
            current = word
        else:
            current = Text.assemble(current, " ", word) if current else word
    return [_indented(line, indent, style) for line in [*lines, current]]


def _indented(line: Text, indent: int, style: str) -> Text:
    line.rstrip()
    line.plain = line.plain.replace(UNBROKEN, " ")
    return Text.assemble(" " * indent, line, style=style)


def _wide(said: Text, ink: Ink) -> int:
    """How many columns it takes as it will be written: √ is one, what stands for it in plain signs is five."""
    return cell_len(said.plain.translate(PLAINLY) if ink.plain else said.plain)


def _words(said: Text, room: int, ink: Ink) -> list[Text]:
    """What may not be broken: words, and phrases that were declared unbroken, as long as they fit a line."""
    found: list[Text] = []
    for word in said.split(" ", allow_blank=True):
        found += [word] if _wide(word, ink) <= room else word.split(UNBROKEN, allow_blank=True)
    return found


def unbroken(said: str | Text) -> Text:
    """A phrase that must stay on one line."""
    phrase = Text.assemble(said)
    phrase.plain = phrase.plain.replace(" ", UNBROKEN)
    return phrase


def shortened(word: str, most: int = 40) -> str:
    """A word of a file of others may be as long as a page.

    >>> shortened("king"), shortened("a" * 99, 4)
    ('king', 'aaa…')
    """
    return word if len(word) <= most else f"{word[: most - 1]}…"


def joined(parts: Iterable[str | Text], between: str) -> Text:
    return Text(between).join(Text.assemble(part) for part in parts)


def side_by_side(left: list[Text], right: list[Text], width: int) -> list[Text]:
    lines = []
    for number in range(max(len(left), len(right))):
        a = left[number].copy() if number < len(left) else Text("")
        a.pad_right(max(2, width - cell_len(a.plain)))
        lines.append(a.append_text(right[number]) if number < len(right) else a)
    return [Text(" ").append_text(line) for line in lines]
