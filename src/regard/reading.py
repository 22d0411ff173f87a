"""Reading mode: a page as written, in which every number that can be computed opens. `regard.read(path).html()`.

The audit finds the places, and nothing is marked that it is not sure of. Where a toy (one of the catalogue, or one that
a table of the page defines) has the number as a cell, the explorer opens there. The page reaches the file as data:
whatever markup it holds stays text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.audit.evaluate import evaluate
from regard.audit.finding import Audit, Finding
from regard.audit.judge import show_array
from regard.audit.lists import label_of, roles_of
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector, is_computation, literals
from regard.audit.page import audit
from regard.audit.pages import lines_of
from regard.audit.tables import Table, tables_of
from regard.linking import Link, Page, linked, value_of
from regard.text.decoding import read_page
from regard.trace import Trace

MOST_PARTS = 40  # of one step of arithmetic; a longer one is not opened further
DEEPEST = 6
MOST_WORDS = 16  # of a table that is a toy


@dataclass(frozen=True)
class ReadClaim:
    """One claim of a page: what was found, where it stands, its arithmetic, and the cell of a toy that is the same."""

    finding: Finding
    place: tuple[int, int, int] | None  # line, start, end; nothing where only its line is sure
    arithmetic: dict[str, Any] | None
    run: int | None = None  # which of the runs has it
    cell: str | None = None


@dataclass(frozen=True)
class Reading:
    """A page read alive."""

    name: str
    text: str
    audit: Audit
    claims: tuple[ReadClaim, ...]
    runs: tuple[Trace, ...]

    def data(self) -> dict[str, Any]:
        """The text as written, its claims, and the runs they open into: what a page needs to show it alive."""
        from regard.lessons.claims_of_run import claims_of
        from regard.session.recording import held_by
        from regard.views.audit import as_json

        lines = [{"text": line, "marks": []} for line in self.text.split("\n")]
        for at, claim in enumerate(self.claims):
            line, start, end = claim.place or (claim.finding.line, 0, 0)
            if 0 < line <= len(lines):
                lines[line - 1]["marks"].append([start, end, at])
        claims = [
            {
                **{key: getattr(claim.finding, key) for key in ("line", "what", "claimed", "computed", "note")},
                "verdict": claim.finding.verdict.value,
                "fails": claim.finding.verdict.fails,
                "arithmetic": claim.arithmetic,
                "run": claim.run,
                "cell": claim.cell,
            }
            for claim in self.claims
        ]
        told = as_json(self.audit)
        reading = {"name": self.name, "lines": lines, "claims": claims} | {
            key: told[key] for key in ("skipped", "kinds")
        }
        return {"reading": reading, "runs": [held_by(trace, claims_of(trace)) for trace in self.runs]}

    def html(self) -> str:
        """One offline page: the text as written, its claims alive, and the runs they open into."""
        from regard.views.offline import offline_page

        return offline_page(self.data(), self.name)


def read(path: Path | str) -> Reading:
    """Read a page alive: Markdown, HTML, LaTeX, a notebook or plain text.

    >>> import tempfile, pathlib
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.md"
    >>> _ = page.write_text("So 0.5*0.66 + 0.2*0.525 = 0.445.")
    >>> (claim,) = read(page).claims
    >>> claim.finding.verdict.value, claim.place, claim.arithmetic["value"]
    ('wrong', (1, 26, 31), '0.435')
    """
    path = Path(path)
    return read_text(read_page(path), path.name)


def read_text(text: str, name: str = "page") -> Reading:
    """The same for a text."""
    found = audit(text, name)
    page = Page(text.split("\n"))
    tables = list(_of_tables(text, name))
    known = _of_catalogue(page) if found.findings else []
    runs: list[Trace] = []
    claims: list[ReadClaim] = []
    for finding in found.findings:
        claim = ReadClaim(finding, finding.place, None if finding.node is None else opened(finding.node))
        if (link := _in_tables(finding, tables, page) or linked(finding, page, known)) is not None:
            at = next((at for at, run in enumerate(runs) if run is link.trace), len(runs))
            runs += [link.trace] * (at == len(runs))
            claim = replace(claim, run=at, cell=link.cell)
        claims.append(claim)
    return Reading(name, text, found, tuple(claims), tuple(runs))


Cells = list[tuple[str, str, float, int, str]]  # address, word, value, the line it stands on, what its column is


def _in_tables(finding: Finding, tables: Sequence[tuple[Trace, Cells]], page: Page) -> Link | None:
    """The cell of a table's toy that stands on the line of the claim, has its number, and a word of the line."""
    value = value_of(finding)
    if value is None:
        return None
    for trace, cells in tables:
        for cell, word, other, line, column in cells:
            same = (
                line == finding.line and column in ("", finding.what) and np.isclose(other, value, rtol=2e-5, atol=1e-9)
            )
            if same and page.at(line).issuperset(re.findall(r"[^\W\d_]+", word.lower())):
                return Link(trace, cell)
    return None


def _of_catalogue(page: Page) -> list[Trace]:
    """The runs of the lessons and of the toys whose words are all on the page."""
    from regard.lessons import LESSONS, lesson
    from regard.models.names import TOYS
    from regard.toys.shipped import shipped

    made = [lesson(name).make() for name in LESSONS]
    made += [(toy := shipped(name)).run(toy.sentence) for name in TOYS]
    tokens = [{str(token).lower() for token in trace.info.get("tokens") or ()} for trace in made]
    return [trace for trace, words in zip(made, tokens, strict=True) if words and page.all.issuperset(words)]


def _of_tables(text: str, name: str) -> Iterator[tuple[Trace, Cells]]:
    """The toys that the tables of a page define: words with their scores, or with vectors and weights."""
    lines = lines_of(text, name)
    places = {line.number: line.place or line.number for line in lines}
    for table in tables_of(lines):
        if len(table.body) <= MOST_WORDS and (made := _toy(table)) is not None:
            yield made[0], [(cell, word, value, places[line], what) for cell, word, value, line, what in made[1]]


def _toy(table: Table) -> tuple[Trace, Cells] | None:
    """The run of a toy that begins where a table does; nothing where the table is no toy."""
    from regard.models.catalogue import explain
    from regard.toys.toy import toy

    words = [label_of(row[0].text) for row in table.body]
    roles = roles_of(table.header)
    weight = next((at for at, name in enumerate(table.header) if "weight" in name.lower()), None)
    columns = range(1, len(table.header))
    vectors = next((at for at in columns if all(isinstance(row[at].source, Vector) for row in table.body)), None)
    if len(words) < 2 or len(set(words)) < len(words) or not all(re.fullmatch(r"\w+", word) for word in words):
        return None
    axes = [[float(at == other) for other in range(len(words))] for at in range(len(words))]
    given = [_row(row[vectors].source) for row in table.body] if vectors is not None else axes
    column = roles[0] if roles else weight
    numbers = table.column(column) if column is not None else []
    if column is None or any(number is None for number in numbers) or len({len(row) for row in given}) != 1:
        return None
    values = [number.value for number in numbers if number is not None]
    begins = {words[-1]: dict(zip(words, values, strict=True))}
    try:
        options: dict[str, Any] = {"scores": begins, "scaling": "none"} if roles else {"weights": begins}
        model = toy(words=dict(zip(words, given, strict=True)), name="table", title="a table of this page", **options)
        trace = explain(" ".join(words), model=model)
        lines = [row[0].line for row in table.body]
        return trace, [
            (cell, word, float(trace[cell]), line, what)
            for word, line in zip(words, lines, strict=True)
            for cell, what in (
                (f"weights[{words[-1]},{word}]", ""),
                *([(f"scores[{words[-1]},{word}]", table.header[column])] if roles else []),
            )
        ]
    except (ValueError, KeyError, IndexError):  # words or numbers that no toy takes
        return None


def _row(source: Node | None) -> list[float]:
    return [sign * number.value for sign, number in literals(source) or []]


def opened(node: Node, depth: int = 0) -> dict[str, Any] | None:
    """An expression with its value and, below it, the values of its parts."""
    try:
        value = evaluate(node)
    except Unreadable:
        return None
    parts: list[Node] = []
    match node:
        case Call("softmax", (inner,)) if np.ndim(scores := evaluate(inner)) == 1 and len(scores) <= MOST_PARTS:
            exps = [Call("exp", (Number(f"{score:.12g}", at),)) for at, score in enumerate(scores)]
            total = Call("sum", (Vector(tuple(exps)),))
            parts = [*([inner] if is_computation(inner) else []), *(Call("/", (exp, total)) for exp in exps)]
        case Call("+" | "-", (_, _)):
            parts = [part for part in _summands(node) if is_computation(part)]
        case Call(_, inner) | Vector(inner):
            parts = [part for part in inner if is_computation(part)]
    below = [opened(part, depth + 1) for part in parts[:MOST_PARTS]] if depth < DEEPEST else []
    return {"text": written(node), "value": show_array(value), "parts": [part for part in below if part]}


def _summands(node: Node) -> Iterator[Node]:
    match node:
        case Call("+" | "-", (left, right)):
            yield from (*_summands(left), right)
        case _:
            yield node


def written(node: Node) -> str:
    """An expression as a line.

    >>> from regard.audit.grammar import parse
    >>> written(parse("0.5*(1 + 2) - softmax([1, 2])"))
    '0.5 * (1 + 2) - softmax(1, 2)'
    """
    match node:
        case Number(text, _, percent):
            return text + "%" * percent
        case Name(text):
            return text
        case Vector(items):
            return "[" + ", ".join(map(written, items)) + "]"
        case Call("!" | ".T" as sign, (operand,)):
            return f"{_grouped(operand)}{sign}"
        case Call("-" | "√" as sign, (operand,)):
            return f"{sign}{_grouped(operand)}"
        case Call(sign, (left, right)) if not sign.isidentifier():
            join = sign if sign in ("^", "**") else f" {sign} "
            one = written(left) if sign in "+-" else _grouped(left, sign)
            other = written(right) if sign == "+" else _grouped(right, sign)
            return f"{one}{join}{other}"
        case Call("exp", (Number() as power,)):
            return f"e^{written(power)}"
        case Call(name, (Vector(arguments),)) | Call(name, arguments):
            return f"{name}({', '.join(map(written, arguments))})"


def _grouped(node: Node, sign: str = "") -> str:
    """In brackets where the line would be read otherwise."""
    match node:
        case Call(inner, (_, _)) if not inner.isidentifier() and (inner in "+-" or sign in ("/", "^", "**", "-", "")):
            return f"({written(node)})"
    return written(node)
