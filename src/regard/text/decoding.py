"""A page of anybody as text: bytes of a file or of standard input, whatever their encoding."""

import re
import sys
from contextlib import nullcontext
from pathlib import Path

MOST_BYTES = 64 * 2**20  # a page is read whole; something larger is no page
INVISIBLE = str.maketrans({"\u200b": "", "\ufeff": "", "\u00a0": " ", "\u202f": " ", "\x00": "\ufffd"})
UNPRINTABLE = re.compile(r"[\ufffd\x00-\x08\x0b\x0d-\x1a\x1c-\x1f]")


def decode(raw: bytes) -> str:
    """Text from bytes, whatever they are: one kind of line end, and no invisible signs that would split a number."""
    even, odd = (raw[first:1000:2].count(0) for first in (0, 1))  # every other byte of UTF-16 is zero, mostly
    likely = "utf-8" if abs(even - odd) * 3 <= len(raw[:1000]) else "utf-16-be" if even > odd else "utf-16-le"
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else likely  # with its mark
    return raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n").translate(INVISIBLE)


def read_page(path: Path) -> str:
    """The text of a file, or of standard input for `-`, with a clear complaint where there is none to read."""
    if str(path) != "-" and path.exists() and not path.is_file():  # a pipe may wait for ever, a device never end
        raise ValueError(f"{path} is not a file; expected a page, or - for standard input")
    with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ValueError(f"{path} has more than {MOST_BYTES:,} bytes; a page may have at most that many")
    text = decode(raw)
    if is_broken(text):  # not a page without worked examples: whoever asked must learn that nothing was checked
        raise ValueError(f"{path} cannot be read as text; expected UTF-8 or UTF-16 (iconv -f ENCODING -t UTF-8)")
    return text


def is_broken(text: str) -> bool:
    """Whether these were bytes that are no text: they leave signs nobody can print."""
    return len(UNPRINTABLE.findall(text[:100_000])) * 10 > len(text[:100_000])
