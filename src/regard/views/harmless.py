"""Text from outside, such that a terminal only shows it: what would steer the terminal is written as signs.

A text, a token, a file's name or a model's title may hold escape sequences that recolour the screen, write the
clipboard (OSC 52), go back over what was printed (CR, BS), or turn the reading direction round. Everything that the
command line prints goes through here.

>>> print(harmless("fox\\x1b]52;c;aGk=\\x07 a\\u202eb"))
fox\\x1b]52;c;aGk=\\x07 a\\u202eb
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

# C0, DEL and C1; marks of direction; invisible signs, but for the joiners that emoji and Persian are written with;
# ends of lines and paragraphs; halves of characters, which no encoding can write; tags
STEERS = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """One line of text, with what would steer a terminal written as Python writes it: \\x1b, \\u202e, \\n."""
    return STEERS.sub(lambda found: _escaped(found.group()), text)


def harmless_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines.

    >>> harmless_lines("Traceback:\\n\\x1b[31m")
    'Traceback:\\n\\\\x1b[31m'
    """
    return "\n".join(map(harmless, text.split("\n")))


def harmless_line(line: "Text") -> "Text":
    """The same for a line with its colours."""
    if not STEERS.search(line.plain):
        return line
    shown, done = line.blank_copy(), 0
    for found in STEERS.finditer(line.plain):
        shown.append_text(line[done : found.start()])
        shown.append(_escaped(found.group()))
        done = found.end()
    return shown.append_text(line[done:])


def harmless_json(document: str) -> str:
    """JSON in which the same signs are escaped as JSON does it, so that it means what it meant.

    >>> harmless_json('{"a": "\\u202e"}')
    '{"a": "\\\\u202e"}'
    """
    return STEERS.sub(lambda found: "".join(map(_unit, _units(found.group()))), document)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _units(character: str) -> list[int]:
    """UTF-16, which JSON counts in."""
    raw = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(raw[i : i + 2]) for i in range(0, len(raw), 2)]


def _unit(number: int) -> str:
    return f"\\u{number:04x}"
