"""The rule for code: every statement is followed, and what the page shows beside it is compared.

A page shows a result in a comment on the line or below it, behind a prompt, in the next block, or in the output of a
notebook. The words of the two must agree before their numbers are compared; randomness and other modules leave holes.
"""

import ast
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import dropwhile, groupby, takewhile
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.finding import occurrences, show_beside
from regard.audit.grammar import parse
from regard.audit.interpreter import Interpreter
from regard.audit.judge import Judged
from regard.audit.library import NOTHING, Mismatch, Unknown, hollow, matmul
from regard.audit.nodes import Node, Unreadable, names_in
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.python import Changes, runs_of, split_code
from regard.audit.verdict import Printed, Verdict, slipped, verdict

UNNAMED = ("", "text", "output", "console", "plaintext", "txt", "none", "out", "result")  # fences that may be outputs
TELLING = 3  # digits of a number that can only be the result, but for a slip
SINGLE = 1e-6  # how far numbers of single precision may be off
LONGEST = 60  # lines of an output that are compared


def check_code(page: Page) -> None:
    """Judge every line of code of a page, and every product of shapes."""
    following = Following(page)
    for block, group in groupby(page.lines, key=lambda line: line.block):
        lines = [line for line in group if len(line.text) <= LONGEST_LINE]
        for line in lines:
            _check_products(page, line)
            _check_parts(page, line)
        (following.read_block if block else following.read_prose)(lines)


class Following:
    """The code of a page, followed block by block as its lines come by."""

    def __init__(self, page: Page) -> None:
        self.page, self.interpreter = page, Interpreter()
        self.code: dict[int, Line] = {}
        self.texts: list[str | None] = []  # what the last block printed, line by line; nothing where unknown
        self.value: Any = None  # of its last expression
        self.gap = 9  # lines of text since then

    def read_prose(self, lines: Sequence[Line]) -> None:
        """What a text says of the names of the code: another value, or a shape."""
        names = self.interpreter.names
        for line in lines:
            self.gap += (1 if data.SAYS_OUTPUT.match(line.text) else 9) if line.text.strip() else 0
            names.update(dict.fromkeys(self.page.changes.get(line.number, Changes()).names, NOTHING))
            if line.heading in (1, 2) and not line.place:  # another chapter may give the same names to other things
                names.update({name: NOTHING for name, value in names.maps[0].items() if not callable(value)})
            names.update(self.page.vectors.get(line.number, {}))
            text = re.sub(r"[`*]", "", line.text)
            for name, shape in data.STATED.findall(text) if data.SPEAKS.search(text) else ():
                self._learn(name, shape)

    def read_block(self, lines: Sequence[Line]) -> None:
        """Run the statements of a block, and compare what is shown below it."""
        code = [line for line in lines if line.language not in ("output", "printed")]
        language = code[0].language if code else "none"
        if language in UNNAMED and self.gap < 2:
            self._compare_output(code)
        self.gap = 0 if language in PYTHON else 9
        self.texts, self.value, self.interpreter.on_paper = [], None, language not in PYTHON
        self.code.update({line.number: line for line in code})
        for statement, output in runs_of(code) if code and language in (*PYTHON, *UNNAMED) else ():
            self._follow(statement, output)
        self._compare_output([line for line in lines if line.language in ("output", "printed")])

    def _learn(self, name: str, shape: str) -> None:
        """Keep a shape that the page states, where its code does not say more."""
        if self.interpreter.names.get(name, NOTHING) is NOTHING and (sizes := _shape(shape)):
            self.interpreter.names[name] = hollow(sizes)

    def _follow(self, statement: ast.stmt, output: Sequence[Line]) -> None:
        """Run one statement, and compare what is said of it and of the statements inside it."""
        interpreter = self.interpreter
        try:
            interpreter.run(statement)
            self.texts += [line for line in "".join(interpreter.printed).split("\n") if line.strip()]
        except (Unknown, Mismatch) as problem:
            silent = isinstance(statement, ast.Assign | ast.ClassDef | ast.Delete) and not interpreter.printed
            self.texts += [] if silent else [None]
            code, comment = split_code(self.code[statement.lineno])
            if isinstance(problem, Mismatch) and isinstance(statement, ast.Expr | ast.Assign):
                _refuse(self.page, statement.lineno, code.strip(), problem, output)
            if (target := data.TARGET.match(code)) and (claim := data.A_SHAPE.match(comment)):
                self._learn(target[1], claim[1])
        if isinstance(statement, ast.Delete):  # what is written here is no Python, but may say what it comes to
            interpreter.names.update(self.page.vectors.get(statement.lineno, {}))
            if found := data.ONE_SCORE.fullmatch(self.code[statement.lineno].text):
                interpreter.names[found[1]] = hollow(())  # Q · K_i is one number
        self.value = None
        for inner, results in interpreter.traced.items():
            value, printed = results[-1]
            self.value = value if inner is statement and isinstance(statement, ast.Expr) else None
            if len({shown or _shown(found) for found, shown in results}) == 1 and (printed or value is not None):
                self._compare(inner, value, printed, output if inner is statement else [])

    def _said(self, statement: ast.stmt) -> Iterator[Sequence[Line]]:
        """What comments say of a statement, behind it or below it."""
        last = statement.end_lineno or 0
        code, comment = split_code(self.code[last])
        if comment and len(code.rstrip("; ").encode()) == statement.end_col_offset:
            yield [self.code[last]._replace(text=comment)]
        lines = [self.code.get(number, Line(0, "end")) for number in range(last + 1, last + LONGEST)]
        below = takewhile(lambda line: line.text.strip()[:1] in ("", "#"), lines)
        below = dropwhile(lambda line: not re.search(r"\d", line.text), below)
        yield [
            line._replace(text=line.text.strip("# ")) for line in takewhile(lambda line: line.text.strip("# "), below)
        ]

    def _compare_output(self, lines: Sequence[Line]) -> None:
        """Compare what is shown below a block with what it printed, and with the value of its last line."""
        shown = [line for line in lines if line.text.strip()][:LONGEST]
        is_value = self.value is not None and (not self.texts or any(line.language == "output" for line in shown))
        if not any(re.search(r"Error|\.\.\.|…", line.text) for line in shown):
            self._pair([*self.texts, *(_shown(self.value).split("\n") if is_value else [])], shown)

    def _pair(self, texts: Sequence[str | None], lines: Sequence[Line]) -> None:
        """Compare lines that are printed with lines that are shown, up to the first that is not known."""
        known = [text or "" for text in takewhile(lambda text: text is not None, texts)]
        if len(texts) == len(lines) or (None in texts and len(texts) <= len(lines)):
            for text, line in zip(known, lines, strict=False):
                self._judge("printed", text, [line])
        elif None not in texts:
            self._judge("printed", "\n".join(known), lines)

    def _compare(self, statement: ast.stmt, value: Any, printed: str, output: Sequence[Line]) -> None:
        """Compare the value of a statement, or what it printed, with all that is said of it."""
        what = split_code(self.code[statement.lineno])[0].strip()
        signs = {type(node.op) for node in ast.walk(statement) if isinstance(node, ast.BinOp)}
        for lines in filter(None, [*self._said(statement), output]):
            claimed = " ".join(line.text for line in lines).strip()
            is_shape = isinstance(value, np.ndarray) and not printed and data.A_SHAPE.match(claimed)
            text = str(value.shape) if is_shape else printed or _shown(value)
            is_step = isinstance(statement, ast.Assign) and re.fullmatch(r"\W*\d{1,2}\W*", claimed)
            if not printed and re.search(r"\d [*×·/] [\d(]", claimed):
                continue  # 18_390 * 0.28 = 5_149.20 is arithmetic of its own
            if ast.BitXor in signs or (ast.Div in signs and claimed.lstrip("-").isdigit()) or is_step:
                self.page.leave(lines[0].number, "a number that may mean something else")
            elif self._judge(what, text, lines, statement):
                return
            elif printed and lines is not output and lines[0].number > (statement.end_lineno or 0):
                self._pair(self.texts[-len(lines) :], lines)
            if (found := data.BEGINS_WITH_NUMBER.fullmatch(claimed)) and len(
                numbers := _parts(text)[1]
            ) == 1 != numbers.count("nan"):
                self._lead(what, numbers[0], lines[0], found[1])

    def _lead(self, what: str, computed: str, line: Line, number: str) -> None:
        """Judge a comment that begins with a number and goes on in words, where that can only be the result."""
        value, given = float(computed.replace(",", "")), _verdict(number, computed)
        is_slip = slipped(number, value) or any(verdict(number, value * by) is Verdict.exact for by in (10, 0.1))
        if not given.fails or (is_slip and len(re.sub(r"\D", "", number).strip("0")) >= TELLING):
            self.page.judged(line.number, what, Judged(number, show_beside(value, number), given), -1, None, {})

    def _opening(self, statement: ast.stmt | None, computed: str) -> tuple[Node | None, dict[str, Any]]:
        """The expression of a statement and the values of its names, to be opened: of a print, what it prints."""
        match statement:
            case ast.Expr(ast.Call(ast.Name("print"), [value], [])) | ast.Expr(value) | ast.Assign([_], value):
                with suppress(Unreadable, ValueError, TypeError):
                    node = parse(ast.unparse(value))
                    known = {name: self.interpreter.names.get(name) for name in names_in(node)}
                    values = {name: np.asarray(one) for name, one in known.items() if isinstance(one, int | float)}
                    if not verdict(computed, float(evaluate(node, values))).fails:
                        return node, values
        return None, {}

    def _judge(self, what: str, text: str, lines: Sequence[Line], statement: ast.stmt | None = None) -> bool:
        """Compare a text with what is shown for it; tells whether they are the same but for numbers."""
        shown = " ".join(line.text for line in lines)
        ours, theirs = data.A_SHAPE.fullmatch(text.strip()), data.A_SHAPE.match(shown)
        if ours and theirs:
            return _claim_shape(self.page, lines[0], what, theirs[1], _shape(ours[1]))
        claimed = [(line, number) for line in lines for number in _parts(line.text)[1]]
        words, found = _parts(text)
        if len(claimed) != len(found) or not found or _parts(shown)[0] != words:
            return False
        pairs = [(*said, number) for said, number in zip(claimed, found, strict=True) if "nan" not in (said[1], number)]
        judged = [(*pair, _verdict(*pair[1:])) for pair in pairs]
        wrong = sum(given.fails for *_, given in judged)
        if (wrong > 2 and wrong * 2 > len(judged)) or (wrong and data.SAYS_SO.search(self.page.near(lines[0].number))):
            self.page.leave(lines[0].number, "an output of another run, perhaps")
            return True
        for line, number, computed, given in judged:
            one = Judged(number.replace("−", "-").rstrip("."), show_beside(Printed.read(computed).value, number), given)
            nth = 0 if len(occurrences(self.page.texts.get(line.number, ""), number)) == 1 else -1
            node, values = self._opening(statement, computed) if len(judged) == 1 else (None, {})
            self.page.judged(line.number, what, one, nth, node, values)
            self.page.printed[line.number, one.claimed.strip("-%")] = self.page.findings[-1]
        return True


def _check_parts(page: Page, line: Line) -> None:
    """Of [head1 | … | head8] @ W each part is head1 @ W1: on the other side of its W it does not fit."""
    for found in data.PRODUCT_OF_PARTS.finditer(line.text) if line.is_code else ():
        whole, part = found[1], found[2]
        if any(re.search(rf"\[\s*{part}1\s*\|", text) for text in page.texts.values()):
            problem = Mismatch(f"{whole}1 @ {part}1", f"what stands side by side is multiplied as {part}1 @ {whole}1")
            _refuse(page, line.number, line.text.strip(), problem)


def _check_products(page: Page, line: Line) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands."""
    text = plain(line.text, code=True) if "(" in line.text and line.language not in ("output", "printed") else ""
    for found in data.PRODUCT.finditer(text):
        result = data.RESULT.match(text, found.end())
        factors, claimed = [_shape(one) for one in data.ONE.findall(found[0])], result[1] if result else ""
        if not all(factors) or not re.search("[@×]", found[0]) or re.search(r"\.\.|…", found[0]):
            continue
        try:
            made = reduce(matmul, map(hollow, factors)).shape
        except (Mismatch, ValueError) as problem:
            if "@" in found[0] and isinstance(problem, Mismatch):
                _refuse(page, line.number, found[0], problem)
            continue
        _claim_shape(page, line, found[0], claimed, made)


def _claim_shape(page: Page, line: Line, what: str, claimed: str, made: tuple[int, ...]) -> bool:
    """Judge a shape, unless it may be that of one item of a batch."""
    is_one = len(_shape(claimed)) == len(made)
    if is_one:
        page.claim(line.number, what, claimed, str(made), Verdict.exact if _shape(claimed) == made else Verdict.wrong)
    return is_one


def _refuse(page: Page, line: int, what: str, problem: Mismatch, output: Sequence[Line] = ()) -> None:
    """Write down a product whose shapes do not fit, unless the page says so itself."""
    left, right = problem.args
    if data.FAILS.search(" ".join([page.near(line, 3, 3), *(line.text for line in output)])):
        page.leave(line, "code that the page says does not run")
    elif not any(found.line == line and found.verdict is Verdict.cannot_run for found in page.findings):
        hint = "; the right one needs .T" if len(right) == 2 and right[-1] == left[-1] else ""
        note = f"{left} @ {right}: {left[-1]} and {right[-2:][0]} do not fit{hint}"
        shown, note = (left, f"{left}; {right}") if isinstance(left, str) else (f"{left} @ {right}", note)
        page.claim(line, what, "runs", shown, Verdict.cannot_run, note)


def _shape(text: str) -> tuple[int, ...]:
    """A shape as written; nothing where sizes have names, or are beyond all sizes."""
    sizes = tuple(map(int, re.findall(r"\d+", text[:100]))) if not re.search("[A-Za-wyz]", text) else ()
    return sizes if math.prod(size or 1 for size in sizes) < 2**31 else ()


def _shown(value: Any) -> str:
    """A value as Python shows it; an array in full."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, threshold=1000, floatmode="unique")
    return repr(value) if isinstance(value, str) else str(value)


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The words of an output, without those that only say it is one, and its numbers."""
    text = data.SHOWN_TYPE.sub(" ", text)
    words = re.findall(r"[^\W\d_]+", data.SHOWN_NUMBER.sub(" ", text).lower())
    return [word for word in words if word not in data.SAYS_SHOWN], data.SHOWN_NUMBER.findall(text)


def _verdict(claimed: str, computed: str) -> Verdict:
    """The shown digits beside the printed ones, which may be of single precision."""
    said, found = Printed.read(claimed).value, Printed.read(computed).value
    close = said != found and re.search(r"[.e]", claimed) and math.isclose(said, found, rel_tol=SINGLE)
    return Verdict.rounded if close else verdict(claimed, found)
