"""Pages as lines: Markdown, HTML and notebooks, as lines that know what kind of block they stand in."""

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from regard.audit import data
from regard.audit.notation import replaced

LONGEST_LINE = 5_000  # characters; a longer line is data, not a worked example
QUOTES = re.compile(r"'{3}|\"{3}")  # of a docstring
PYTHON = ("python", "py", "python3", "pycon", "ipython", "ipython3")
MOST_OUTPUTS, MOST_PRINTED = 20, 200  # of a cell, and lines of each
CELLS = {"markdown": "cell.md", "code": "cell.py"}  # of a notebook, and what a page like that is called
MARKDOWN = MarkdownIt("commonmark").disable(["reference", "inline", "text_join"])  # the shape of a page alone


class Line(NamedTuple):
    """One line of a page: where it stands and what kind of block it is in."""

    number: int
    text: str
    block: int = 0  # the line where its block of code or mathematics begins; 0 in prose, with its bullets and emphasis
    language: str = ""  # of the fence, lower case; "math" for $$ … $$, "output" for what a notebook printed
    heading: int = 0  # the level of the heading it is
    end: int = 0  # the last line, where several were joined
    place: int = 0  # the line of the file, where lines are counted otherwise: in a notebook


def lines_of(text: str, name: str = "page", number: int = 1) -> list[Line]:
    """The lines of a page of any kind, by its name or by how it begins, from a number on."""
    suffix, start = Path(name).suffix.lower(), text.lstrip()[:200].lower()
    if suffix == ".ipynb" or (suffix in ("", ".json") and start.startswith("{") and '"cells"' in text[:2000]):
        with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return list(_of_notebook(text))
        return []  # it is none
    text = data.APOSTROPHES.sub(",", data.WIDE.sub(" " * 100, text))
    if suffix in (".html", ".htm") or start.startswith(("<!doctype html", "<html")):
        return _of_html(text, number)
    if suffix == ".py":
        return _block(text, number, "python")
    text = data.TEX_COMMENT.sub("", text) if suffix == ".tex" else text
    return list(_of_markdown(data.TABULAR.sub(lambda found: replaced(found[0], "tabular"), text), number))


def _of_markdown(text: str, number: int) -> Iterator[Line]:
    """Prose, and between it what CommonMark, a prompt, LaTeX or front matter set apart."""
    raws = text.split("\n")
    apart: list[tuple[int, int, list[Line]]] = []  # from one line up to another, counted from 0, and how they are read
    headings: dict[int, int] = {}
    for token in MARKDOWN.parse(text) if data.STRUCTURE.search(text) else ():
        first, end = token.map or (0, 0)
        if token.type == "fence":
            apart.append((first, end, _block(token.content, number + first + 1, token.info.lower())))
        elif token.type == "html_block":
            apart.append((first, end, _of_html(token.content, number + first)))
        elif token.type == "heading_open":
            headings |= dict.fromkeys(range(first, end), int(token.tag[1]))
    first = seen = at = 0
    for found in data.SET_APART.finditer(text):
        first, seen = first + text.count("\n", seen, found.start()), found.start()
        lines = [] if found["matter"] else _block(found[0].replace("$$", " "), number + first, found.lastgroup or "")
        apart.append((first, first + found[0].count("\n") + 1, lines))
    for first, end, lines in [*sorted(apart), (len(raws), 0, [])]:
        if first >= at:  # else it is inside of another
            yield from (Line(number + to, raws[to], heading=headings.get(to, 0)) for to in range(at, first))
            yield from lines
            at = end


def _block(text: str, number: int, kind: str) -> list[Line]:
    """The lines of a block; what LaTeX reads as one is joined: a matrix, or mathematics up to its `\\\\`."""
    first, language = number, (kind.split() or [""])[0].strip("{}.")
    if language in ("diff", "patch"):  # what a change takes away is claimed no longer
        text = re.sub(r"(?m)^-.*|^[+ ]", "", text)
    text = data.MATRIX.sub(lambda found: found[0].replace("\n", "\r"), text)
    lines: list[Line] = []
    for row in re.split(r"(?<=\\\\)[^\S\n]*\n" if language in ("math", "matrix") else "\n", text.removesuffix("\n")):
        digit = re.search(r"\d", row)  # a row is that of its first number
        ahead, length = (len(re.findall(r"[\r\n]", part)) for part in (row[: digit.start()] if digit else "", row))
        joined = " ".join(row.split()) if length else row
        lines.append(Line(number + ahead, joined, first, language, end=length and number + length))
        number += length + 1
    return lines if kind != "matrix" else [line._replace(block=0, language="") for line in lines]


def _of_html(text: str, number: int) -> list[Line]:
    """HTML as lines: tables as rows between bars, `<pre>` as code, a raised number as a power."""
    text = data.HTML_SKIPPED.sub(lambda found: "\n" * found[0].count("\n"), text)
    text = data.HTML_TAG.sub(lambda found: found[0].replace("\n", " ") + "\n" * found[0].count("\n"), text)
    found, heading = list[Line](), 0
    for piece in data.HTML_PIECE.split(text):
        last = number + piece.count("\n")
        if piece.startswith("<pre"):
            language = data.CODE_CLASS.search(piece)
            found += _block(_bare(piece), number, language[1].lower() if language else "")
        elif piece.startswith("<tr"):  # a cell that spans several columns leaves the others empty
            cells = [(span, _bare(cell).replace("|", "∣").split()) for span, cell in data.HTML_CELL.findall(piece)]
            row = "".join(f"| {' '.join(words)} " + "| " * (int(span or 1) - 1) for span, words in cells)
            found.append(Line(number, row and f"{row}|", end=last))
        else:
            parts = iter(["", *data.HTML_BREAK.split(piece)])
            for tag, part in zip(parts, parts):  # no tag where only the line ends
                number += tag is None
                heading = heading if not tag else int(tag[1]) if tag[0] in "hH" else 0
                found += [Line(number, "")] if found and tag not in (None, "", "br", "li", "/li") else []
                found += [Line(number, bare, heading=heading)] if (bare := _bare(part)).strip() else []
        number = last
    return found


def _bare(text: str) -> str:
    """A text without its tags."""
    return html.unescape(data.HTML_TAG.sub("", replaced(text, "html")))


def _of_notebook(text: str) -> Iterator[Line]:
    """The cells of a notebook, outputs after their code; strings are marked with their lines before it is read."""
    marked = "\n".join(data.JSON_STRING.sub(rf'"{at} \g<1>"', raw) for at, raw in enumerate(text.split("\n"), 1))
    read = json.loads(marked, object_pairs_hook=lambda pairs: {key.partition(" ")[2]: item for key, item in pairs})
    number = 1
    for cell in read["cells"]:
        source = _written(cell["source"])
        name = CELLS.get(cell["cell_type"].partition(" ")[2])
        lines = lines_of("\n".join(raw for _, raw in source), name, number) if name and source else []
        for output in cell.get("outputs", [])[:MOST_OUTPUTS]:
            value = output.get("data", {}).get("text/plain")  # of the last line; the others are printed on the way
            printed = _written(value or output.get("text") or output.get("ename") or [])[:MOST_PRINTED]
            language, first = "output" if value else "printed", number + len(source)
            lines += [Line(at, raw, number, language) for at, (_, raw) in enumerate(printed, first)]
            source += printed
        yield from (line._replace(place=source[line.number - number][0]) for line in lines)
        number += len(source) + 4  # nothing goes on from cell to cell


def _written(source: str | list[str]) -> list[tuple[int, str]]:
    """The lines of a string, or of several, each with the place that it is marked with."""
    pieces = [piece.partition(" ") for piece in ([source] if isinstance(source, str) else source)]
    return [(int(at), raw) for at, _, text in pieces for raw in text.removesuffix("\n").split("\n")]
