"""Python on a page: its statements with what is shown below them. Nothing is run."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from keyword import iskeyword

from regard.audit import data
from regard.audit.chains import split_comment
from regard.audit.pages import LONGEST_LINE, Line

Run = tuple[ast.stmt, Sequence[Line]]


def tree_of(lines: Sequence[Line]) -> list[ast.stmt]:
    """The statements of some code, with the numbers of its lines; none where it is no Python, or only a part of it."""
    texts = {line.number: data.MAGIC.sub("", line.text) for line in lines}
    try:
        tree = ast.parse("\n".join(texts.get(number, "") for number in range(min(texts), max(texts) + 1)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    return ast.increment_lineno(tree, min(texts) - 1).body


def runs_of(block: Sequence[Line]) -> Iterator[Run]:
    """The statements of a block of code, and then the tests in its texts, which run when all is defined; each with the
    lines that show its output."""
    tree = [] if any(line.text.startswith("In [") for line in block) else tree_of(block)
    yield from [(statement, []) for statement in tree]
    yield from _of_pieces(block) if not tree or any(data.PROMPT.match(line.text) for line in block) else ()
    for line in block if tree else ():
        for found in data.EXAMPLE.finditer(line.text):
            yield from [(one, [line._replace(text=found[2])]) for one in tree_of([line._replace(text=found[1])])]


def _of_pieces(block: Sequence[Line]) -> Iterator[Run]:
    """What stands behind prompts, with the lines below each; or one by one what is no Python as a whole."""
    session = any(data.PROMPT.match(line.text) for line in block)
    pieces: list[tuple[list[Line], list[Line]]] = []
    for line in block:
        prompt, code = data.PROMPT.match(line.text), "".join(one.text for one in pieces[-1][0]) if pieces else ""
        is_open = sum(map(code.count, "([{")) > sum(map(code.count, ")]}")) and len(code) < LONGEST_LINE
        if prompt or (not session and not is_open):
            pieces.append(([], []))
        if pieces and session and not prompt and not data.CONTINUED.match(line.text):
            pieces[-1][1].append(line._replace(text=re.sub(r"^\s*Out ?\[\d*\]:", "", line.text)))
        elif pieces:
            pieces[-1][0].append(line._replace(text=split_code(line)[0]))
    for lines, output in pieces:
        names = {name for line in lines for name in data.IDENTIFIER.findall(line.text) if not iskeyword(name)}
        lost = [lines[0]._replace(text=f"del {', '.join(names - data.AS_NAMED)}")]
        shown = list(takewhile(lambda line: line.text.strip("\"' "), output))
        yield from [(statement, shown) for statement in tree_of(lines) or tree_of(lost)]


def split_code(line: Line) -> tuple[str, str]:
    """A line of code without its prompt, and its comment."""
    text = data.PROMPT.sub("", data.CONTINUED.sub("", line.text))
    return split_comment(text, python=line.is_python or text != line.text)
