"""Pages as lines: bytes to text; Markdown, HTML and notebooks to lines that know what kind of block they stand in."""

import codecs
import json
import re
import stat
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from regard.audit import data

MOST_BYTES = 64 * 2**20  # a page is read whole; something larger is no page
LONGEST_LINE = 5_000  # characters; a longer line is data, not a worked example
QUOTES = re.compile(r"'{3}|\"{3}")  # of a docstring
BYTE_ORDER_MARKS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    *((mark, "utf-32") for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    *((mark, "utf-16") for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
]
PYTHON = ("python", "py", "python3", "pycon", "ipython", "ipython3")
MOST_JOINED_LINES = 40


def decode(raw: bytes) -> str:
    """Text from bytes, whatever they are: one kind of line end, and no invisible signs that would split a number.

    >>> decode(b"\\xff\\xfe1\\x00"), decode(b"1\\xff2\\x003")
    ('1', '1\\ufffd2 3')
    """
    encoding = next((name for mark, name in BYTE_ORDER_MARKS if raw.startswith(mark)), "utf-8")
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):  # every other byte of a page without a mark is zero
        zeros, others = raw[first:1000:2], raw[1 - first : 1000 : 2]
        if encoding == "utf-8" and len(zeros) >= 4 and zeros.count(0) * 10 > 7 * len(zeros) and 0 not in others:
            encoding = name
    text = raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\x00") <= max(2, len(text) // 10):
        text = text.replace("\x00", " ")  # a stray one; a page full of them is no text
    return text.replace("\u200b", "").replace("\ufeff", "").replace("\u00a0", " ").replace("\u202f", " ")


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


def has_text(text: str) -> bool:
    """Whether there is anything to read.

    >>> has_text("2 + 2 = 4"), has_text("\\x01\\ufffd\\ufffd4"), has_text(" \\n")
    (True, False, False)
    """
    return not is_broken(text) and any(sign.isalnum() for sign in text[:100_000])


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
    text = data.WIDE.sub(" " * 100, text)
    if suffix in (".html", ".htm") or start.startswith(("<!doctype html", "<html")):
        return _Html(1, 1).lines(text)
    if suffix == ".py":
        return [Line(number, raw, 1, "python") for number, raw in enumerate(text.split("\n"), 1)]
    return list(_joined(_of_markdown(data.TEX_COMMENT.sub("", text) if suffix == ".tex" else text)))


@cache
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])  # the shape of the page; what lines say is read elsewhere
    parser.block.ruler.disable(["reference"])
    return parser


def _of_markdown(text: str) -> Iterator[Line]:
    """Blocks by CommonMark; prompts, `$$` and front matter besides."""
    blocks: dict[int, Token] = {}
    headings: dict[int, int] = {}
    for token in _markdown().parse(text) if data.STRUCTURE.search(text) else ():
        first, last = token.map or (0, 0)
        if token.type in ("fence", "html_block"):
            blocks[first] = token
        elif token.type == "heading_open":
            headings |= dict.fromkeys(range(first, last), int(token.tag[1]))
    raws = text.split("\n")
    matter = data.FRONT_MATTER.match(text)
    until = matter[0].count("\n") + 1 if matter else 0  # the line that was read last
    block, kind = 0, ""
    tabular, tabulars = False, "\\begin{tabular" in text
    for at, raw in enumerate(raws):
        if at < until:
            continue
        if tabulars:
            tabular = tabular and "\\end{tabular" not in raw
            raw = _row(raw) if tabular else raw
            if "\\begin{tabular" in raw:
                tabular, raw = True, raw.replace("|", "")  # its columns are no row
        token = blocks.get(at)
        if token is not None and (token.type == "fence" or not kind):
            inner = _of_fence(token, block) if token.type == "fence" else _Html(at + 1, block + 1).lines(token.content)
            block = max([block + (token.type == "fence"), *(line.block for line in inner)])
            kind, until = "", (token.map or (0, 0))[1]
            yield from inner
            continue
        if kind == "pycon" and not raw.strip():
            kind = ""
        closes = kind == "math" and bool(data.MATH_CLOSES.search(raw) or not raw.strip())
        if not kind:
            opens = data.MATH_OPENS.match(raw) and raw.count("$$") < 2
            kind = "pycon" if data.SESSION.match(raw) else "math" if opens else ""
            block += bool(kind)
        raw = raw.replace("$$", " ") if kind == "math" else raw
        yield Line(at + 1, raw, block, kind) if kind else Line(at + 1, raw, heading=headings.get(at, 0))
        kind = "" if closes else kind


def _row(raw: str) -> str:
    """A row of a LaTeX table between bars, and a rule as one of Markdown."""
    if "&" not in raw:
        return "|---|" if data.TABULAR_RULE.fullmatch(raw) else raw
    text = data.SPANNED.sub(lambda found: found[2] + " &" * (int(found[1]) - 1), raw)
    text = data.TABULAR_NOISE.sub(lambda found: found[1] or "", text.replace("\\%", "%").replace("{,}", ","))
    return "| " + " | ".join(cell.strip() for cell in text.replace("|", "∣").split("&")) + " |"


def _of_fence(token: Token, block: int) -> list[Line]:
    """The lines of a fence; what a change takes away is claimed no longer."""
    language = (token.info.split() or [""])[0].lower().strip("{}.")
    raws = token.content.split("\n")[:-1]
    if language in ("diff", "patch"):
        raws = ["" if raw.startswith("-") else raw[1:] for raw in raws]
    return [Line(number, raw, block + 1, language) for number, raw in enumerate(raws, (token.map or (0, 0))[0] + 2)]


def _joined(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, with those that LaTeX reads as one joined: a matrix, or a row of mathematics up to its `\\\\`."""
    held: list[Line] = []
    depth = 0
    for line in [*lines, Line(0, "", -1)]:
        if held and (line.block != held[0].block or len(held) > MOST_JOINED_LINES):
            yield from held if depth else [_one(held)]  # a matrix that does not end: lines as they were
            held, depth = [], 0
        if "\\" in line.text:
            depth += sum(1 if found[1] == "begin" else -1 for found in data.PAGES_MATRIX.finditer(line.text))
        if line.language == "math" or held or depth > 0:
            held.append(line)
            if depth <= 0 and (line.language != "math" or line.text.rstrip().endswith("\\\\")):
                yield _one(held)
                held, depth = [], 0
        elif line.block >= 0:
            yield line


def _one(held: list[Line]) -> Line:
    """Several lines as one, that of the first with a number."""
    text = " ".join(line.text.strip() for line in held)
    first = next((line for line in held if re.search(r"\d", line.text)), held[0])
    return held[0] if len(held) == 1 else first._replace(text=text, end=held[-1].number)


class _Html(HTMLParser):
    """HTML as lines: tables as rows between bars, `<pre>` as code, a raised number as a power."""

    def __init__(self, first: int, block: int) -> None:
        super().__init__(convert_charrefs=True)
        self.first, self.block = first - 1, block
        self.found: list[Line] = []
        self.text, self.number, self.language = "", first, ""
        self.heading = self.skipping = self.pre = 0
        self.cells: list[str] | None = None
        self.span = 1  # columns that a cell takes up

    def lines(self, text: str) -> list[Line]:
        """The lines of a whole text."""
        self.feed(text)
        self.close()
        self.flush()
        return self.found

    @property
    def here(self) -> int:
        """The line being read."""
        return self.first + self.getpos()[0]

    def flush(self) -> None:
        """End a line, unless a row of a table goes on."""
        if self.cells is None:
            self.found += [Line(self.number, self.text, heading=self.heading)] if self.text.strip() else []
            self.text = ""
        self.number = self.here

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens."""
        if tag in data.SKIPPED:
            self.skipping += 1
        elif tag == "pre":
            self.flush()
            self.pre, self.block, self.language = 1, self.block + 1, ""
        elif tag == "tr":
            self.flush()
            self.cells, self.text = [], ""
        elif tag in ("td", "th"):
            span = dict(attrs).get("colspan") or ""
            self.text, self.span = "", int(span) if re.fullmatch("[1-9]|1[0-9]", span) else 1
        elif tag in ("sup", "sub"):
            self.text += "^(" if tag == "sup" else "_"
        elif tag == "a" and self.text.endswith("^("):
            self.text = self.text[:-2] + " ("  # a note below, not a power
        elif tag in data.BREAKS:
            self.flush()
            if self.cells is None and self.found and tag not in ("br", "li"):
                self.found.append(Line(self.here, ""))
            self.heading = int(tag[1]) if tag[1:].isdigit() else 0
        classes = " ".join(value or "" for key, value in attrs if key == "class")
        if self.pre and (found := data.CODE_CLASS.search(classes)):
            self.language = (found[1] or found[2]).lower()

    def handle_endtag(self, tag: str) -> None:
        """A tag closes."""
        if tag in data.SKIPPED:
            self.skipping = max(0, self.skipping - 1)
        elif tag == "pre":
            self.pre = 0
        elif tag == "sup":
            self.text += ")"
        elif tag in ("td", "th", "tr") and self.cells is not None:
            if tag != "tr":
                self.cells += [" ".join(self.text.split()).replace("|", "∣"), *[""] * (self.span - 1)]
                self.span = 1
            elif self.cells:
                self.found.append(Line(self.number, "| " + " | ".join(self.cells) + " |", end=self.here))
            self.text, self.cells = "", None if tag == "tr" else self.cells
        elif tag == "table":
            self.cells = None
            self.found.append(Line(self.here, ""))
        elif tag in data.BREAKS:
            self.flush()
            self.heading = 0

    def handle_data(self, data: str) -> None:
        """Text, line by line."""
        for at, part in enumerate(data.split("\n") if not self.skipping else ()):
            number, last = self.here + at, self.found[-1] if self.found else Line(0, "")
            if self.pre and last.number == number and last.block == self.block:
                self.found[-1] = last._replace(text=last.text + part)
            elif self.pre:
                self.found.append(Line(number, part, self.block, self.language))
            else:
                if at and self.cells is None:
                    self.flush()
                    self.number = number
                self.text += " " * (at > 0 and self.cells is not None) + part


def _of_notebook(text: str) -> list[Line]:
    """The cells of a notebook one below the other, outputs after their code; each line knows its place in the file."""
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    place = _Places(text)
    found: list[Line] = []
    number = block = 0
    for cell in _listed(cells, dict):
        source = _text(cell.get("source"))
        begin, places, end = place.at, place.of(source), place.at
        if cell.get("cell_type") == "markdown":
            inner = lines_of(source, "cell.md")
        elif cell.get("cell_type") == "code":
            inner = [Line(at, raw, 1, "python") for at, raw in enumerate(source.split("\n"), 1)]
            place.at = begin  # outputs stand before or after their code
            for output in _listed(cell.get("outputs"), dict)[:20]:
                language, printed = _printed(output)
                inner += [Line(at, raw, 1, language) for at, raw in enumerate(printed.split("\n"), len(places) + 1)]
                places += place.of(printed)
            place.at = max(end, place.at)
        else:
            continue
        found += [
            line._replace(number=line.number + number, block=line.block and line.block + block,
                          end=line.end and line.end + number, place=places[line.number - 1])
            for line in inner
        ]  # fmt: skip
        number += len(places) + 1
        found.append(Line(number, "", place=places[-1]))
        number += 3  # nothing goes on from cell to cell
        block = max((line.block for line in found), default=0)
    return found


def _printed(output: dict[str, Any]) -> tuple[str, str]:
    """What a cell printed, and whether as its last value or on the way."""
    kind, shown = output.get("output_type"), output.get("data")
    if kind == "error":
        return "printed", "Error"
    text = _text(output.get("text") or (shown.get("text/plain") if isinstance(shown, dict) else ""))
    return "printed" if kind == "stream" else "output", "\n".join(text.split("\n")[:200]).rstrip("\n")


def _listed(value: object, kind: type[Any]) -> list[Any]:
    """The items of a list that are of a kind; none where something else stands in its place."""
    return [item for item in value if isinstance(item, kind)] if isinstance(value, list) else []


def _text(source: object) -> str:
    return source if isinstance(source, str) else "".join(_listed(source, str))


class _Places:
    """Where the lines of cells stand in the file, found from top to bottom."""

    MOST_MISSES = 50  # each costs a walk through the file; one written otherwise than by json is not searched on

    def __init__(self, text: str) -> None:
        self.text, self.at, self.misses = text, 0, 0
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def of(self, source: str) -> list[int]:
        """The line of the file for each line of a source; the last one known where it is not found."""
        return [self._find(line) for line in source.split("\n")]

    def _find(self, line: str) -> int:
        for ascii in (False, True) if line.strip() and self.misses < self.MOST_MISSES else ():
            written = re.escape(json.dumps(line, ensure_ascii=ascii)[1:-1])
            if found := re.compile(rf'(?:"|\\n){written}(?=\\n|")').search(self.text, self.at):
                self.at = found.end()
                break
        else:
            self.misses += bool(line.strip())
        return bisect_right(self.starts, self.at)
