"""Python on a page: its statements, what is said of each, and the names each line changes.

Nothing is run. A name is changed by every statement that may give it another value: a store, a loop, a parameter, an
import, a method that may work in place; in prose, by "let q be [3, 4]". An ordinary `A = …` is not listed, because the
rules that read it learn its value themselves.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, takewhile
from typing import NamedTuple

from regard.audit import data
from regard.audit.chains import split_comment
from regard.audit.evaluate import FUNCTIONS
from regard.audit.grammar import plain_name
from regard.audit.pages import LONGEST_LINE, PYTHON, Line

MOST_LINES = 80  # of one statement in brackets
LONGEST_CODE = 2_000
UNNAMED = ("", "text", "output", "console", "plaintext", "txt", "none", "out", "result")  # fences that may be outputs

NAME = r"([^\W\d]\w{0,40})"
IN_WORDS = (
    re.compile(rf"\b(?:double|halve|scale|normali[sz]e|shift|rotate|negate)\s+{NAME}\b"),
    re.compile(rf"\b(?:let|set|make|suppose|say|assume|change|replace|update|double|halve|scale)\s+(?:now\s+)?{NAME}\s"
               r"(?!\s*=)(?:\s*(?:be|to|is|as|with|by|now|was|were|becomes|has)\b)", re.I),
    re.compile(rf"\b{NAME}\s+(?:becomes|turns into|changes to|is now|now is|now has|has become|is replaced)\b"),
    re.compile(rf"\b{NAME}\s+(?:is|be|as|to|equals|was|with)\s+(?:now\s+|the vector\s+)?[\[(⟨]\s*[-−]?[\d.]"),
)  # fmt: skip


class Said(NamedTuple):
    """What a page shows of a statement: in a comment, or as its output."""

    lines: tuple[Line, ...]
    comment: bool = False


class Run(NamedTuple):
    """A statement, the line it begins on, and what is said of it."""

    statement: ast.stmt
    first: int
    said: tuple[Said, ...] = ()
    above: int = 0  # lines of the page before the code it was parsed with
    late: bool = False  # a test in a text, which runs when all is defined


class Changes(NamedTuple):
    """The names one line changes: `stored` for good, `bound` as parameters or loop variables of its block."""

    stored: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    everything: bool = False  # an `exec`, after which nothing is known

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.stored | self.bound


class Piece(NamedTuple):
    """One statement of code, brackets closed: its lines, its comment, the lines shown as its output."""

    line: Line
    last: int
    code: str
    comment: str
    output: tuple[Line, ...] = ()
    left: frozenset[str] = frozenset()  # names stored in a block that ends here: perhaps not stored at all
    nested: bool = False


def pieces_of(lines: Sequence[Line]) -> Iterator[Piece]:
    """Every statement of the code of a page."""
    code = (line for line in lines if line.is_code and line.language not in ("math", "output", "printed"))
    for _, block in groupby(code, key=lambda line: line.block):
        nested: list[tuple[int, set[str]]] = []  # what a header opened: its indentation, the names stored inside
        for piece in _pieces(block):
            indent = len(piece.code) - len(piece.code.lstrip())
            left: set[str] = set()
            while nested and indent <= nested[-1][0]:
                left |= nested.pop()[1]
            inside = bool(nested)
            if nested:
                target = data.TARGET.match(piece.code)
                nested[-1][1].update(left, [target[1]] if target else [])
            if data.HEADER.match(piece.code.strip()):
                nested.append((indent, set()))
            yield piece._replace(code=piece.code.strip(), left=frozenset(left), nested=inside)


def _pieces(block: Iterable[Line]) -> Iterator[Piece]:
    """The statements of one block; in a session one ends with the next prompt, and what is between is its output."""
    held: list[Line] = []
    printed: list[Line] = []
    code = comment = ""
    session = False
    for line in block:
        text = line.text[: LONGEST_CODE if len(line.text) <= LONGEST_LINE else 200]
        prompt = data.PROMPT.match(text)
        session = session or bool(prompt)
        if session and not prompt and not data.CONTINUED.match(text):
            printed += [line._replace(text=re.sub(r"^\s*Out ?\[\d*\]:\s?", "", text))] if code else []
            continue
        if prompt and code:
            yield Piece(held[0], held[-1].number, code, comment, tuple(printed))
            held, code, comment = [], "", ""
        printed = [] if prompt else printed
        text = (data.CONTINUED if session and not prompt else data.PROMPT).sub("", text, count=1)
        if not session or "#" in text:
            text, said = split_comment(text, python=line.is_python or session)
            comment = said or comment
        if not text.strip():
            comment = comment if code else ""
            continue
        code = f"{code}\n{text}" if code else text
        held.append(line)
        is_open = sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))
        if not session and not (is_open and len(held) < MOST_LINES and len(code) < LONGEST_CODE):
            yield Piece(held[0], held[-1].number, code, comment)
            held, code, comment = [], "", ""
    if code:
        yield Piece(held[0], held[-1].number, code, comment, tuple(printed))


def changes_of(lines: Sequence[Line], pieces: Sequence[Piece] | None = None) -> dict[int, Changes]:
    """The names that each line changes other than by an ordinary assignment.

    >>> from regard.audit.pages import lines_of
    >>> page = "```python\\nq = [1, 2]\\nq += 1\\nfor k in rows:\\n```\\nNow let v be [3, 4]."
    >>> [(number, sorted(found.names)) for number, found in sorted(changes_of(lines_of(page)).items())]
    [(3, ['q']), (4, ['k']), (6, ['v'])]
    """
    found: dict[int, Changes] = {}
    for line in lines:
        if not line.is_code and len(line.text) <= LONGEST_LINE and data.IN_WORDS_AT_ALL.search(line.text):
            text = line.text.replace("`", "").replace("*", "").replace("$", "")
            names = frozenset(name for pattern in IN_WORDS for name in pattern.findall(text))
            if names:
                found[line.number] = Changes(names)
    aliases: dict[str, set[str]] = {}
    for piece in pieces_of(lines) if pieces is None else pieces:
        changes = changed_by(piece.code)
        if same := data.PYTHON_SAME.match(piece.code):
            both = {same[1], same[2], *aliases.get(same[2], set())}
            aliases |= dict.fromkeys(both, both)
        others = piece.left.union(*(aliases[name] for name in changes.stored if name in aliases))
        if others:
            changes = changes._replace(stored=changes.stored | others)
        if changes.names or changes.everything:
            found[piece.line.number] = changes
    return found


@lru_cache(maxsize=4_000)  # pages repeat their lines
def changed_by(code: str) -> Changes:
    """The names a statement changes, by its signs, since half the code of pages is no Python: what stands before a sign
    of storing, what a word such as `for` or `as` binds, what a method or a call may work on in place."""
    if not any(sign in code for sign in "=.(:") and not data.IDENTIFIER.match(code):
        return Changes()
    names = data.IDENTIFIER.findall
    targets = [found[0].rpartition("=")[0] for found in data.STORED.finditer(code)]
    simple = re.fullmatch(r"\s*[^\W\d]\w*\s*=(?!=).*", code, re.DOTALL) and len(targets) == 1  # an ordinary assignment
    called = set[str]()
    match tree_of(code.strip()) if "(" in code and ":=" not in code else []:
        case [ast.Expr(value=value)] | [ast.Assign(targets=[ast.Name()], value=value)] as statements:
            simple = True  # what else looks like a store is a keyword: softmax(x, dim=0)
            if isinstance(value, ast.Call) and isinstance(statements[0], ast.Expr):
                function = plain_name(ast.unparse(value.func)).rpartition(".")[2]
                given = [*value.args, *(keyword.value for keyword in value.keywords)]
                harmless = function in data.HARMLESS | data.PURE or function in FUNCTIONS
                called = {a.id for a in given if isinstance(a, ast.Name)} if not harmless else called  # update(q, lr=1)
    stored = {name for target in targets for name in names(target)} if not simple else set[str]()
    bound = {name for found in data.PYTHON_BOUND.finditer(code) for name in names(found[1])}
    bound |= {name for found in data.PARAMETERS.finditer(code) for name in names(found[1])}
    for found in (data.ARROW_STORE.match(code), data.BANG.search(code), *data.WRITES_TO.finditer(code)):
        stored |= set(names(next((text for text in found.groups() if text), ""))) if found else set()
    receivers = re.findall(r"(?<![\w.])([^\W\d]\w*)(?:\[[^\[\]]{0,80}\])?\.(\w+)\(", code)
    stored |= {name for name, method in receivers if method not in data.PURE}
    everything = bool(re.search(r"\b(?:exec|eval)\(|\bimport\s+\*", code))
    return Changes(frozenset((stored | called) - bound), frozenset(bound), everything)


@lru_cache(maxsize=4_000)
def tree_of(code: str) -> list[ast.stmt]:
    """The statements of some code; none where it is no Python, or only a part of it."""
    try:
        return ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def runs_of(lines: Sequence[Line]) -> list[Run]:
    """The statements of every block of code, with their comments and the outputs of their prompts."""
    code = (line for line in lines if line.is_code and line.language in (*PYTHON, *UNNAMED))
    code = (line for line in code if len(line.text) <= LONGEST_LINE and line.language not in ("output", "printed"))
    return [run for _, block in groupby(code, key=lambda line: line.block) for run in _of_block(list(block))]


def _of_block(block: Sequence[Line]) -> list[Run]:
    texts = ["" if data.MAGIC.match(line.text) else line.text for line in block]
    plain = any(sign in text for text in texts for sign in "=(") and not any(text.startswith("In [") for text in texts)
    tree = tree_of("\n".join(texts)) if plain else []
    if not tree:
        return list(_of_session(block))
    runs: list[Run] = []
    for statement in tree:
        last = statement.end_lineno or statement.lineno
        defined = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        said = [] if defined else [commented(block[last - 1], statement)]
        said.append(Said(tuple(_comments_below(block, last)), True))
        first = block[statement.lineno - 1].number
        said = tuple(one for one in said if one.lines)
        runs.append(Run(statement, first, said, first - statement.lineno))
    for node in ast.walk(ast.Module(tree, [])):
        match node:
            case ast.Expr(ast.Constant(str() as text)) if ">>>" in text:
                inside = [
                    line._replace(text=data.QUOTES.sub("", line.text))
                    for line in block[node.lineno - 1 : node.end_lineno]
                ]
                prompts = {line.number for line in inside if line.text.lstrip().startswith(">>>")}
                runs += [run._replace(late=True) for run in _of_session(inside) if run.first in prompts]
    examples = [(line, found) for line in block for found in data.EXAMPLE.finditer(line.text)]
    for line, found in examples:
        said = (Said((line._replace(text=found[2]),)),)
        runs += [Run(statement, line.number, said, late=True) for statement in tree_of(found[1])]
    return runs


def commented(line: Line, statement: ast.stmt) -> Said:
    """What the comment behind a statement says; of several on a line it is the last."""
    behind = line.text.encode()[statement.end_col_offset or 0 :].lstrip(b"; ")
    comment = split_comment(line.text, python=True)[1] if behind.startswith(b"#") else ""
    return Said((line._replace(text=comment),) if comment.strip() else (), True)


def _comments_below(block: Sequence[Line], last: int) -> Iterator[Line]:
    for line in block[last:]:
        if not line.text.startswith("#"):
            return
        yield line._replace(text=line.text.lstrip("#"))


def _of_session(block: Sequence[Line]) -> Iterator[Run]:
    """What stands behind prompts, with the lines below each; or one by one what is no Python as a whole."""
    for piece in pieces_of(block):
        tree = tree_of(piece.code)
        if not tree or piece.nested:
            lost = set(data.IDENTIFIER.findall(piece.code)) - (data.AS_NAMED if "def " not in piece.code else set())
            tree = [ast.Delete([ast.Name(name, ast.Del()) for name in sorted(lost)])]
        elif len(tree) > 1:
            tree = [ast.If(ast.Constant(True), tree, [])]
        shown = tuple(takewhile(lambda line: line.text.strip(), piece.output))
        comment = Line(piece.last, piece.comment)
        said = (Said((comment,) if piece.comment.strip() else (), True), Said(shown))
        yield Run(tree[0], piece.line.number, tuple(found for found in said if found.lines))


def outputs_of(lines: Sequence[Line]) -> dict[int, list[Line]]:
    """What is shown below each block of Python: the outputs of a notebook, or the next fence."""
    said: dict[int, list[Line]] = {}
    between, last = 9, 0
    for line in lines:
        if not line.is_code:
            between += (1 if data.SAYS_OUTPUT.match(line.text) else 9) if line.text.strip() else 0
        elif line.language in ("output", "printed"):
            said.setdefault(line.block, []).append(line)
        elif line.is_python:
            between, last = 0, line.block
        elif line.language in UNNAMED and between < 2 and last and line.block == last + 1:
            said.setdefault(last, []).append(line)
    return said
