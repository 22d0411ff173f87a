"""The rule for code: it is followed, and compared with what the page shows for it, where the words of the two agree."""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import dropwhile, groupby, takewhile
from keyword import iskeyword
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.chains import split_comment
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.finding import occurrences
from regard.audit.grammar import parse
from regard.audit.interpreter import MOST_TRACED, Interpreter
from regard.audit.judge import Judged, compare, failures
from regard.audit.library import NOTHING, Mismatch, Unknown, hollow
from regard.audit.nodes import Node, Number, Unreadable, filled
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.shapes import claim_shape, refuse, shape_of
from regard.audit.verdict import Printed, slipped, verdict

UNNAMED = ("", "text", "output", "console", "plaintext", "txt", "none", "out", "result")  # fences that may be outputs
SINGLE, LONGEST = 1e-6, 60  # how far numbers of single precision may be off; lines of an output that are compared
STORING = ast.Assign | ast.AnnAssign


def check_code(page: Page) -> None:
    """Judge every line of code of a page."""
    following = Following(page)
    for block, group in groupby(page.lines, key=lambda line: line.block):
        lines = [line for line in group if len(line.text) <= LONGEST_LINE]
        (following.read_block if block else following.read_prose)(lines)


class Following:
    """The code of a page, followed block by block as its lines come by."""

    def __init__(self, page: Page) -> None:
        self.page, self.interpreter = page, Interpreter()
        self.code: dict[int, Line] = {}
        self.texts: list[str] = []  # what the block right above printed, line by line; "" where nobody knows

    def read_prose(self, lines: Sequence[Line]) -> None:
        """What a text says of the names of the code: another value, or a shape."""
        names = self.interpreter.names
        for line in lines:
            self.texts = [] if line.text.strip() and not data.SAYS_OUTPUT.match(line.text) else self.texts
            if line.place:  # of a notebook, whose code alone gives values
                continue
            changed = self.page.changed(line.number)
            if line.heading in (1, 2):  # a chapter may give the same names to other things
                changed |= {name for name, value in names.maps[0].items() if not callable(value)}
            names.update(dict.fromkeys(changed, NOTHING))
            names.update(self.page.vectors.get(line.number, {}))
            text = re.sub(r"[`*]", "", line.text)
            stated = data.STATED.findall(text) if data.SPEAKS.search(text) else []
            unknown = ((name, shape_of(shape)) for name, shape in stated if names.get(name, NOTHING) is NOTHING)
            names.update({name: hollow(sizes) for name, sizes in unknown if sizes})

    def read_block(self, lines: Sequence[Line]) -> None:
        """Run the statements of a block, and compare what is shown below it."""
        code = [line for line in lines if line.language not in ("output", "printed")]
        language = code[0].language if code else "none"
        if language in UNNAMED:
            self._pair(self.texts, code)
        self.texts, self.interpreter.on_paper = [], language not in PYTHON
        self.code.update({line.number: line for line in code})
        last = ""  # expression, whose value a notebook shows as well
        for statement, output in runs_of(code) if code and language in (*PYTHON, *UNNAMED) else ():
            last = self._follow(statement, output)
        self.texts += filter(str.strip, last.split("\n"))
        self._pair(self.texts, [line for line in lines if line.language in ("output", "printed")])
        self.texts = [] if self.interpreter.on_paper else self.texts

    def _follow(self, statement: ast.stmt, output: Sequence[Line]) -> str:
        """Run one statement, and compare what is said of it and of the statements inside it; what it shows, if any."""
        interpreter = self.interpreter
        try:
            interpreter.run(statement)
            self.texts += filter(str.strip, "".join(interpreter.printed).split("\n"))
        except (Unknown, Mismatch) as problem:
            is_silent = isinstance(statement, STORING | ast.ClassDef | ast.Delete) and not interpreter.printed
            self.texts += [] if is_silent else [""]
            code, comment = split_code(self.code[statement.lineno])
            if data.VALUE_ONLY.fullmatch(comment):
                self.page.leave(statement.lineno, "code with parts that are not known")
            if isinstance(problem, Mismatch) and isinstance(statement, ast.Expr | STORING):
                refuse(self.page, statement.lineno, code.strip(), problem, output)
        if isinstance(statement, ast.Delete):  # what is written here is no Python, but may say what it comes to
            interpreter.names.update(self.page.vectors.get(statement.lineno, {}))
            if found := data.ONE_SCORE.fullmatch(self.code[statement.lineno].text):
                interpreter.names[found[1]] = hollow(())  # Q · K_i is one number
        for inner, results in interpreter.traced.items():
            shown = {printed or _written(value) for value, printed in results}
            if len(shown) == 1 and shown != {""} and len(results) < MOST_TRACED:
                self._compare(inner, *results[-1], output if inner is statement else [])
        value, _ = interpreter.traced.get(statement, [(None, "")])[-1]
        return _written(value) if isinstance(statement, ast.Expr) else ""

    def _said(self, statement: ast.stmt) -> Iterator[Sequence[Line]]:
        """What comments say of a statement, behind it or below it."""
        last = statement.end_lineno or 0
        code, comment = split_code(self.code[last])
        if comment and len(code.rstrip("; ").encode()) == statement.end_col_offset:
            yield [self.code[last]._replace(text=comment)]
        lines = [self.code.get(number, Line(0, "end")) for number in range(last + 1, last + LONGEST)]
        comments = takewhile(lambda line: line.text.strip()[:1] in ("", "#"), lines)
        bare = [line._replace(text=line.text.strip("# ")) for line in comments]
        yield list(takewhile(lambda line: line.text, dropwhile(lambda line: not re.search(r"\d", line.text), bare)))

    def _pair(self, texts: Sequence[str], lines: Sequence[Line]) -> None:
        """Compare what is printed with what is shown for it, line by line up to the first that is not known."""
        shown = [line for line in lines if line.text.strip()][:LONGEST]
        known = list(takewhile(bool, texts))
        if len(texts) == len(shown) or len(known) < len(texts) <= len(shown):
            for text, line in zip(known, shown):
                self._judge(text, [line])

    def _compare(self, statement: ast.stmt, value: Any, printed: str, output: Sequence[Line]) -> None:
        """Compare the value of a statement, or what it printed, with all that is said of it."""
        for lines in filter(None, [*self._said(statement), output]):
            is_shape = isinstance(value, np.ndarray) and data.A_SHAPE.match(" ".join(line.text for line in lines))
            text = printed or (str(value.shape) if is_shape else _written(value))
            if self._judge(text, lines, statement):
                return
            if printed and lines[0].number > (statement.end_lineno or 0):
                self._pair(self.texts[-len(lines) :], lines)

    def _opening(self, statement: ast.stmt | None, computed: str) -> Node | None:
        """The expression of a statement with the values of its names, to be opened: of a print, what it prints."""
        match statement:
            case ast.Expr(ast.Call(ast.Name("print"), [value], [])) | ast.Expr(value) | ast.Assign([_], value):
                with suppress(Unreadable, ValueError, TypeError):
                    named = self.interpreter.names.items()
                    numbers = {name: Number(str(+n), -1) for name, n in named if isinstance(n, int | float)}
                    node = filled(parse(ast.unparse(value)), numbers)
                    return None if verdict(computed, float(evaluate(node))).fails else node
        return None

    def _judge(self, text: str, lines: Sequence[Line], statement: ast.stmt | None = None) -> bool:
        """Compare a text with what is shown for it; tells whether they are the same but for numbers."""
        shown = " ".join(line.text for line in lines).strip()
        what = split_code(self.code[statement.lineno])[0].strip() if statement else "printed"
        ours, theirs = data.A_SHAPE.fullmatch(text.strip()), data.A_SHAPE.match(shown)
        if ours and theirs:
            return claim_shape(self.page, lines[0], what, theirs[1], shape_of(ours[1]))
        claimed = [(line.number, number) for line in lines for number in _parts(line.text)[1]]
        (words, found), begins = _parts(text), None
        if len(claimed) != len(found) or _parts(shown)[0] != words:
            begins = data.BEGINS_WITH_NUMBER.fullmatch(shown) if statement and len(found) == 1 else None
            claimed = [(lines[0].number, begins[1])] if begins else []
        pairs = [(*said, number) for said, number in zip(claimed, found) if "nan" not in (said[1], number)]
        judged = [one for _, said, computed in pairs for one in _compared(said, computed)]
        wrong = failures(judged)
        said = begins[1] if begins and wrong else ""
        decimals = {len(number.partition(".")[2]) for number in (said, *found)} if said else {0}
        prints = what.startswith("print(") and len(decimals) == 1 and decimals != {0}
        if said and not prints and not (data.TELLING.search(said) and slipped(said, Printed.read(found[0]).value)):
            return False  # with words behind it, it is the result of a print, or if it is right but for a slip
        is_step = isinstance(statement, STORING) and re.fullmatch(r"\W*\d{1,2}\W*", shown)
        says_so = wrong and data.SAYS_SO.search(self.page.near(lines[0].number))
        if says_so or (wrong and is_step) or wrong > max(2, len(judged) / 2):
            self.page.leave(lines[0].number, "a number that may mean something else")
            return True
        for one, (line, number, computed) in zip(judged, pairs):
            nth = 0 if len(occurrences(self.page.texts.get(line, ""), number)) == 1 else -1
            node = self._opening(statement, computed) if len(judged) == 1 else None
            self.page.judged(line, what, one._replace(node=node), nth)
            self.page.printed[line, one.claimed.strip("-%")] = self.page.findings[-1]
        return bool(claimed)


def _written(value: Any) -> str:
    """A value as Python shows it: not if it is None, or where its digits or brackets have no end."""
    with suppress(ValueError, RecursionError):
        return "" if value is None else repr(value)
    return ""


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The words of an output, without those that only say it is one, and its numbers."""
    text = data.SHOWN_TYPE.sub(" ", text)
    words = re.findall(r"[^\W\d_]+", data.SHOWN_NUMBER.sub(" ", text).lower())
    return [word for word in words if word not in data.SAYS_SHOWN], data.SHOWN_NUMBER.findall(text)


def _compared(claimed: str, computed: str) -> list[Judged]:
    """The shown digits beside the printed ones, which may be of single precision."""
    value = np.asarray(Printed.read(computed).value)
    reach = abs(value) * SINGLE * bool(re.search(r"[.e]", claimed))
    return compare([(1, Number(claimed.replace("−", "-").rstrip("."), -1))], value, (value - reach, value + reach))


def tree_of(lines: Sequence[Line]) -> list[ast.stmt]:
    """The statements of some code, with the numbers of its lines; none where it is no Python, or only a part of it."""
    texts = {line.number: data.MAGIC.sub("", line.text) for line in lines}
    try:
        tree = ast.parse("\n".join(texts.get(number, "") for number in range(min(texts), max(texts) + 1)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
    return ast.increment_lineno(tree, min(texts) - 1).body


def runs_of(block: Sequence[Line]) -> Iterator[tuple[ast.stmt, Sequence[Line]]]:
    """The statements of a block of code, each with the lines that show its output."""
    tree, session = tree_of(block), any(data.PROMPT.match(line.text) for line in block)
    tree = tree if not any(line.text.lstrip().startswith("In [") for line in block) else []  # Python by accident
    yield from [(statement, []) for statement in tree]
    yield from _of_pieces(block, session) if session or not tree else ()


def _of_pieces(block: Sequence[Line], session: bool) -> Iterator[tuple[ast.stmt, Sequence[Line]]]:
    """What stands behind prompts, with the lines below each; or one by one what is no Python as a whole."""
    pieces: list[tuple[list[Line], list[Line]]] = []
    for line in block:
        above, code = "".join(one.text for one in pieces[-1][0]) if pieces else "", split_code(line)[0]
        is_open = sum(map(above.count, "([{")) > sum(map(above.count, ")]}")) and len(above) < LONGEST_LINE
        if pieces and (data.CONTINUED.match(line.text) if session else is_open):
            pieces[-1][0].append(line._replace(text=code))
        elif data.PROMPT.match(line.text) or not session:
            pieces.append(([line._replace(text=code)], []))
        elif pieces:
            pieces[-1][1].append(line)
    for lines, output in pieces:
        names = {name for line in lines for name in data.IDENTIFIER.findall(line.text) if not iskeyword(name)}
        lost = [lines[0]._replace(text=f"del {', '.join(names - data.AS_NAMED)}")]
        shown = list(takewhile(lambda line: line.text.strip("\"' "), output))
        yield from [(statement, shown) for statement in tree_of(lines) or tree_of(lost)]


def split_code(line: Line) -> tuple[str, str]:
    """A line of code without its prompt, and its comment."""
    text = data.PROMPT.sub("", data.CONTINUED.sub("", line.text))
    return split_comment(text, python=line.language in PYTHON or text != line.text)
