"""Reading a page: bytes to text, text to lines that know whether they are prose, code or mathematics."""

import codecs
import re
import stat
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 64 * 2**20  # a page is read whole; something larger is no page
LONGEST_LINE = 5_000  # characters; a longer line is data, not a worked example

BYTE_ORDER_MARKS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]

FENCE = re.compile(r"^\s{0,12}(?:>\s?)?(`{3,}|~{3,})\s*([\w+#.-]*)")
SESSION = ">>> "  # Python's prompt outside a fence begins a block that ends with an empty line
WIDE = re.compile(r"[^\S\n]{100,}")  # no page aligns anything that far, and patterns slow down on it
UNDERLINE = re.compile(r"\s{0,3}(?:={3,}|-{3,})\s*")
HEADING = re.compile(r"^\s{0,3}#{1,6}\s")


def decode(raw: bytes) -> str:
    """Text from bytes, whatever they are: a page in a broken encoding still has numbers to check.

    >>> decode(b"\\xff\\xfe1\\x00"), decode(b"1\\xff2\\x003")
    ('1', '1\\ufffd2 3')
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _plain(raw.decode(encoding, errors="replace"))
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):  # every other byte of a page without a mark is zero
        zeros, others = raw[first:1000:2], raw[1 - first : 1000 : 2]
        if len(zeros) >= 4 and zeros.count(0) * 10 > 7 * len(zeros) and 0 not in others:
            return _plain(raw.decode(encoding, errors="replace"))
    return _plain(raw.decode("utf-8", errors="replace"))


def _plain(text: str) -> str:
    """One kind of line end, and no invisible characters that would split a number or glue two."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\x00") <= max(2, len(text) // 10):
        text = text.replace("\x00", " ")  # a stray one; a page full of them is no text
    return text.replace("\u200b", "").replace("\ufeff", "").replace("\u00a0", " ").replace("\u202f", " ")


def read_page(path: Path) -> str:
    """The text of a file, with a clear complaint where there is none to read."""
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe may wait for ever, a device never end
        raise ValueError(f"{path} is not a file")
    with path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ValueError(f"{path} has more than {MOST_BYTES:,} bytes; a page may have at most that many")
    return decode(raw)


def has_text(text: str) -> bool:
    """Whether there is anything to read: bytes that are no text leave signs nobody can print.

    >>> has_text("2 + 2 = 4"), has_text("\\x01\\ufffd\\ufffd4"), has_text(" \\n")
    (True, False, False)
    """
    sample = text[:100_000]
    broken = sum(sign == "\ufffd" or (sign < " " and sign not in "\n\t\x0c\x1b") for sign in sample)
    return broken * 10 <= len(sample) and any(sign.isalnum() for sign in sample)


@dataclass(frozen=True)
class Line:
    """One line of a page: where it stands and what kind of block it is in."""

    number: int
    text: str
    block: int = 0  # the number of its fenced or $$ block; 0 is prose
    language: str = ""  # of the fence, lower case; "math" for $$ … $$
    heading: bool = False

    @property
    def is_code(self) -> bool:
        """Whether the line is inside a fence (or a mathematics block): no bullets, no emphasis."""
        return self.block > 0

    @property
    def is_python(self) -> bool:
        """Whether the page says this is Python, so that Python's own rules apply."""
        return self.language in ("python", "py", "python3", "pycon", "ipython", "ipython3")


def lines_of(text: str) -> list[Line]:
    """The lines of a page, each with its block; the fence lines themselves are left out.

    >>> [(line.number, line.language) for line in lines_of("a\\n```py\\nb\\n```\\nc")]
    [(1, ''), (3, 'py'), (5, '')]
    """
    lines: list[Line] = []
    text = WIDE.sub(" " * 100, text)
    fence, language, block = "", "", 0
    for number, raw in enumerate(text.split("\n"), 1):
        if fence == SESSION and (not raw.strip() or FENCE.match(raw)):
            fence, language = "", ""
        elif not fence and raw.lstrip().startswith(SESSION):
            fence, language, block = SESSION, "pycon", block + 1
        found = FENCE.match(raw)
        if found and not fence:
            fence, language, block = found[1], found[2].lower(), block + 1
        elif fence == "$$" and raw.strip().endswith("$$"):
            lines.append(Line(number, raw.replace("$$", " "), block, language))
            fence, language = "", ""
        elif found and fence and found[1].startswith(fence) and not found[2]:
            fence, language = "", ""
        elif not fence and _opens_mathematics(raw):
            fence, language, block = "$$", "math", block + 1
            lines.append(Line(number, raw.replace("$$", " "), block, language))
        else:
            prose = not fence
            if language in ("diff", "patch"):
                raw = "" if raw.startswith("-") else raw[1:]  # what a change takes away is claimed no longer
            heading = prose and bool(HEADING.match(raw) or (UNDERLINE.fullmatch(raw) and _is_title(lines, number)))
            lines.append(Line(number, raw, 0 if prose else block, language, heading))
    return lines


def _is_title(lines: list[Line], number: int) -> bool:
    """Whether the line above an underline is text, so that the two are a heading."""
    above = lines[-1] if lines else None
    return above is not None and above.number == number - 1 and not above.is_code and bool(above.text.strip("|- \t"))


def _opens_mathematics(raw: str) -> bool:
    """Whether a `$$` on this line is not closed on the same line."""
    return raw.count("$$") == 1 and raw.strip().startswith("$$")
