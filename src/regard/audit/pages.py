"""Pages as lines: bytes to text; Markdown, HTML and notebooks to lines that know what kind of block they stand in."""

import codecs
import html
import json
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from regard.audit import data
from regard.audit.notation import replaced

MOST_BYTES = 64 * 2**20  # a page is read whole; something larger is no page
LONGEST_LINE = 5_000  # characters; a longer line is data, not a worked example
QUOTES = re.compile(r"'{3}|\"{3}")  # of a docstring
INVISIBLE = str.maketrans({"\u200b": "", "\ufeff": "", "\u00a0": " ", "\u202f": " "})
PYTHON = ("python", "py", "python3", "pycon", "ipython", "ipython3")
MOST_OUTPUTS, MOST_PRINTED = 20, 200  # of a cell, and lines of each


def decode(raw: bytes) -> str:
    """Text from bytes, whatever they are: one kind of line end, and no invisible signs that would split a number.

    >>> decode(b"\\xff\\xfe1\\x00"), decode(b"1\\xff2\\x003")
    ('1', '1\\ufffd2 3')
    """
    zeros = [raw[first:1000:2].count(0) for first in (0, 1)]  # every other byte of UTF-16 is zero, mostly
    if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        encoding = "utf-16"
    elif abs(zeros[0] - zeros[1]) * 3 > len(raw[:1000]):
        encoding = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    else:
        encoding = "utf-8-sig"  # with or without a mark
    text = raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n").translate(INVISIBLE)
    stray = text.count("\x00") <= max(2, len(text) // 10)  # a page full of them is no text
    return text.replace("\x00", " ") if stray else text


def read_page(path: Path) -> str:
    """The text of a file, or of standard input for `-`, with a clear complaint where there is none to read."""
    if str(path) != "-" and not stat.S_ISREG(path.stat().st_mode):  # a pipe may wait for ever, a device never end
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
    """Whether these were bytes that are no text: they leave signs nobody can print.

    >>> is_broken("2 + 2 = 4"), is_broken("\\x01\\ufffd\\ufffd4"), is_broken("")
    (False, True, False)
    """
    sample = text[:100_000]
    broken = sum(sign == "\ufffd" or (sign < " " and sign not in "\n\t\x0c\x1b") for sign in sample)
    return broken * 10 > len(sample)


class Line(NamedTuple):
    """One line of a page: where it stands and what kind of block it is in."""

    number: int
    text: str
    block: int = 0  # the number of its fenced or $$ block; 0 is prose
    language: str = ""  # of the fence, lower case; "math" for $$ … $$, "output" for what a notebook printed
    heading: int = 0  # the level of the heading it is
    end: int = 0  # the last line, where several were joined
    place: int = 0  # the line of the file, where lines are counted otherwise: in a notebook

    @property
    def is_code(self) -> bool:
        """Whether the line is inside a fence (or a mathematics block): no bullets, no emphasis."""
        return self.block > 0

    @property
    def is_python(self) -> bool:
        """Whether the page says this is Python, so that Python's own rules apply."""
        return self.language in PYTHON


def lines_of(text: str, name: str = "page") -> list[Line]:
    """The lines of a page of any kind, by its name or by how it begins.

    >>> [(line.number, line.language) for line in lines_of("a\\n```py\\nb\\n```\\nc")]
    [(1, ''), (3, 'py'), (5, '')]
    """
    suffix, start = Path(name).suffix.lower(), text.lstrip()[:200].lower()
    if suffix == ".ipynb" or (start.startswith("{") and '"cells"' in text[:2000]):
        return _of_notebook(text)
    text = data.APOSTROPHES.sub(",", data.WIDE.sub(" " * 100, text))
    if suffix in (".html", ".htm") or start.startswith(("<!doctype html", "<html")):
        return _of_html(text)
    if suffix == ".py":
        return [Line(number, raw, 1, "python") for number, raw in enumerate(text.split("\n"), 1)]
    text = data.TEX_COMMENT.sub("", text) if suffix == ".tex" else text
    return list(_of_markdown(data.TABULAR.sub(lambda found: replaced(found[0], "tabular"), text)))


@cache
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])  # the shape of the page; what lines say is read elsewhere
    parser.block.ruler.disable(["reference"])
    return parser


def _of_markdown(text: str) -> Iterator[Line]:
    """Prose, and between it what CommonMark, a prompt, LaTeX or front matter set apart."""
    raws = text.split("\n")
    apart: list[tuple[int, int, list[Line]]] = []  # from one line up to another, counted from 0, and how they are read
    headings: dict[int, int] = {}
    for token in _markdown().parse(text) if data.STRUCTURE.search(text) else ():
        first, end = token.map or (0, 0)
        if token.type == "fence":
            apart.append((first, end, _block(token.content, first + 2, token.info.lower())))
        elif token.type == "html_block":
            apart.append((first, end, _of_html(token.content, first + 1)))
        elif token.type == "heading_open":
            headings |= dict.fromkeys(range(first, end), int(token.tag[1]))
    first = seen = 0
    for found in data.SET_APART.finditer(text):
        first, seen = first + text.count("\n", seen, found.start()), found.start()
        lines = _block(found[0].replace("$$", " ") + "\n", first + 1, found.lastgroup or "")
        apart.append((first, first + found[0].count("\n") + 1, lines))
    at = block = 0
    for first, end, lines in [*sorted(apart), (len(raws), 0, [])]:
        if first >= at:  # else it is inside of another
            yield from (Line(to + 1, raws[to], heading=headings.get(to, 0)) for to in range(at, first))
            yield from (line._replace(block=line.block and line.block + block) for line in lines)
            at, block = end, block + max((line.block for line in lines), default=0)


def _block(text: str, number: int, kind: str) -> list[Line]:
    """The lines of a block; what LaTeX reads as one is joined: a matrix, or mathematics up to its `\\\\`."""
    language = (kind.split() or [""])[0].strip("{}.")
    if language in ("diff", "patch"):  # what a change takes away is claimed no longer
        text = re.sub(r"(?m)^-.*|^[+ ]", "", text)
    text = data.MATRIX.sub(lambda found: found[0].replace("\n", "\r"), text)
    lines: list[Line] = []
    for row in re.split(r"(?<=\\\\)[^\S\n]*\n" if language in ("math", "matrix") else "\n", text.removesuffix("\n")):
        digit = re.search(r"\d", row)  # a row is that of its first number
        ahead, length = (len(re.findall(r"[\r\n]", part)) for part in (row[: digit.start()] if digit else "", row))
        joined = " ".join(row.split()) if length else row
        lines.append(Line(number + ahead, joined, 1, language, end=length and number + length))
        number += length + 1
    return (
        []
        if kind == "matter"
        else lines
        if kind != "matrix"
        else [line._replace(block=0, language="") for line in lines]
    )


def _of_html(text: str, first: int = 1) -> list[Line]:
    """HTML as lines: tables as rows between bars, `<pre>` as code, a raised number as a power."""
    text = data.HTML_SKIPPED.sub(lambda found: "\n" * found[0].count("\n"), text)
    text = data.HTML_TAG.sub(lambda found: " ".join(found[0].split("\n")) + "\n" * found[0].count("\n"), text)
    found: list[Line] = []
    number, block, heading = first, 0, 0
    for piece in data.HTML_PIECE.split(text):
        last = number + piece.count("\n")
        if piece.startswith("<pre"):
            language, block = data.CODE_CLASS.search(piece), block + 1
            name = (language[1] or language[2]).lower() if language else ""
            found += [Line(at, raw, block, name) for at, raw in enumerate(_bare(piece).split("\n"), number)]
        elif piece.startswith("<tr"):
            found.append(Line(number, _cells(piece), end=last))
        else:
            for at, raw in enumerate(piece.split("\n"), number):
                for tag, part in zip(["", *data.HTML_BREAK.findall(raw)], data.HTML_BREAK.sub("\0", raw).split("\0")):
                    heading = (int(tag[1]) if re.fullmatch(r"h\d", tag) else 0) if tag else heading
                    apart = found and tag not in ("", "br", "li", "/li")
                    found += [Line(at, "")] if apart else []
                    found += [Line(at, bare, heading=heading)] if (bare := _bare(part)).strip() else []
        number = last
    return found


def _cells(row: str) -> str:
    """A row of a table between bars; a cell that spans several columns leaves the others empty."""
    cells: list[str] = []
    for cell in data.HTML_CELL.findall(row):
        span = re.search(r'colspan=["\x27]?([1-9]|1\d)\b', cell[0])
        cells += [" ".join(_bare(cell[1]).split()).replace("|", "∣"), *[""] * (int(span[1]) - 1 if span else 0)]
    return "| " + " | ".join(cells) + " |" if cells else ""


def _bare(text: str) -> str:
    """A text without its tags."""
    return html.unescape(data.HTML_TAG.sub("", replaced(text, "html")))


STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')


def _of_notebook(text: str) -> list[Line]:
    """The cells of a notebook one below the other, outputs after their code; each line knows its place in the file:
    every string is marked with it before the file is read."""
    marked = "\n".join(STRING.sub(rf'"{at} \g<1>"', raw) for at, raw in enumerate(text.split("\n"), 1))
    try:
        cells = json.loads(marked, object_pairs_hook=lambda pairs: {key.partition(" ")[2]: item for key, item in pairs})
        cells = _items(cells["cells"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    found: list[Line] = []
    number = block = 0
    for cell in cells:
        source, kind = _written(cell.get("source")), _written(cell.get("cell_type"))[0][1]
        if kind == "markdown":
            inner = lines_of("\n".join(raw for _, raw in source), "cell.md")
        elif kind == "code":
            inner = [Line(at, raw, 1, "python") for at, (_, raw) in enumerate(source, 1)]
            for output in _items(cell.get("outputs"))[:MOST_OUTPUTS]:
                language, printed = _printed(output)
                inner += [Line(at, raw, 1, language) for at, (_, raw) in enumerate(printed, len(source) + 1)]
                source += printed
        else:
            continue
        found += [
            line._replace(number=line.number + number, block=line.block and line.block + block,
                          end=line.end and line.end + number, place=source[line.number - 1][0])
            for line in inner
        ]  # fmt: skip
        number += len(source) + 1
        found.append(Line(number, "", place=source[-1][0]))
        number += 3  # nothing goes on from cell to cell
        block += max((line.block for line in inner), default=0)
    return found


def _printed(output: dict[str, Any]) -> tuple[str, list[tuple[int, str]]]:
    """What a cell printed, and whether as its last value or on the way."""
    kind, shown = _written(output.get("output_type"))[0][1], output.get("data")
    if kind == "error":
        return "printed", [(1, "Error")]
    text = output.get("text") or (shown.get("text/plain") if isinstance(shown, dict) else None)
    return "printed" if kind == "stream" else "output", _written(text)[:MOST_PRINTED]


def _items(value: object) -> list[dict[str, Any]]:
    """The items of a list; none where something else stands in its place."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _written(source: object) -> list[tuple[int, str]]:
    """The lines of a string, or of several, that are marked with their place; at least one."""
    pieces = [
        piece.partition(" ") for piece in (source if isinstance(source, list) else [source]) if isinstance(piece, str)
    ]
    return [(int(at), raw) for at, _, text in pieces for raw in text.removesuffix("\n").split("\n")] or [(1, "")]
