"""The rule for what code prints: every statement is followed, and what the page shows beside it is compared.

A page shows a result in a comment on the line or below it, behind a prompt, in the next block, or in the output of a
notebook. The words of the two must agree before their numbers are compared; randomness and other modules leave holes.
"""

import ast
import datetime
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.chains import split_comment
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.finding import show_beside
from regard.audit.grammar import parse
from regard.audit.judge import Judged
from regard.audit.library import Array, Mismatch, blank
from regard.audit.limits import Unknown
from regard.audit.nodes import Node, Unreadable
from regard.audit.pages import Line
from regard.audit.python import Changes, Run, Said, commented, outputs_of, runs_of
from regard.audit.run import NOTHING, Fails, Interpreter
from regard.audit.shapes import Shape, Trouble, product, read_shape, show_shape
from regard.audit.verdict import Printed, Verdict, slipped, verdict

TENFOLD = 3  # and for a point that slipped
TELLING = 4  # digits of a number that can only be the result, but for a slip
SINGLE = 1e-6  # how far numbers of single precision may be off
PRIMES = (1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049)  # numbers that stand for sizes with names
LONGEST = 60  # lines of an output that are compared


class Opening(NamedTuple):
    """An expression of code and the values of its names."""

    node: Node
    values: Mapping[str, Any]

    def gives(self, printed: str) -> bool:
        """Whether it comes to what was printed, so that it may be shown as the reason."""
        try:
            return not verdict(printed, float(evaluate(self.node, self.values))).fails
        except (Unreadable, TypeError):
            return False


class Outputs:
    """The code of a page, run block by block as its lines come by."""

    def __init__(self, page: Page) -> None:
        self.page, self.interpreter = page, Interpreter()
        runs, first = runs_of(page.lines), attrgetter("first")
        self.runs = {first: list(some) for first, some in groupby(sorted(runs, key=first), key=first)}
        self.shown = outputs_of(page.lines)
        self.lines = {line.number: line for line in page.lines if line.is_code}
        self.late: list[tuple[Run, Line]] = []
        self.sizes: dict[str, int] = {}  # those with names, each a number of its own
        self.leading: list[tuple[str, str, Line, str]] = []
        self.texts: dict[int, list[str | None]] = {}  # what each block prints, line by line; nothing where unknown
        self.last: dict[int, Any] = {}
        comments = [line.text for run in runs for said in run.said if said.comment for line in said.lines]
        self.numbered = {text.strip("(). ") for text in comments}

    def forget(self) -> None:
        """Another chapter may give the same names to other things."""
        names = self.interpreter.names
        names |= {name: NOTHING for name, value in names.items() if not callable(value)}

    def give(self, name: str, shape: Shape) -> None:
        """Keep a shape that the page states, where its code does not say more."""
        numbers = [
            size if isinstance(size, int) else self.sizes.setdefault(size, PRIMES[len(self.sizes) % len(PRIMES)])
            for size in shape
        ]
        if self.interpreter.names.get(name, NOTHING) is NOTHING:
            with suppress(Unknown):
                self.interpreter.names[name] = blank(numbers)

    def is_lost(self, line: Line) -> bool:
        """Whether something begins on a line that is no Python."""
        return any(isinstance(run.statement, ast.Delete) for run in self.runs.get(line.number, ()))

    def read(self, line: Line) -> None:
        """Run the statements that begin on a line, and compare what is said of them."""
        for run in self.runs.get(line.number, ()):
            if run.late:
                self.late.append((run, line))
            else:
                self._run(run, line)
        if line.is_python and data.OUTPUT_BELOW.fullmatch(line.text):
            self._listed(line)

    def _run(self, run: Run, line: Line) -> None:
        texts = self.texts.setdefault(line.block, [])
        interpreter = self.interpreter
        interpreter.on_paper = not line.is_python
        value, printed = None, ""
        try:
            value = interpreter.run(run.statement)
            printed = "".join(interpreter.printed)
            texts += printed.rstrip("\n").split("\n") if printed else []
        except (Unknown, Fails, Trouble, Mismatch) as problem:
            self._cannot_run(run, problem)
            changes = self.page.changes.get(run.first, Changes())
            interpreter.names |= dict.fromkeys(interpreter.names if changes.everything else changes.names, NOTHING)
            texts += [None] if _prints(run.statement) or interpreter.printed else []
        self.last[line.block] = value if isinstance(run.statement, ast.Expr) else None
        self._inside(run)
        match run.statement:
            case ast.Assign([ast.Name()], computed) if not _is_literal(computed):
                self._compare(run, [said for said in run.said if said.comment][:1], value)
            case ast.Expr() | ast.For() | ast.If() | ast.While():
                self._compare(run, run.said, value, printed)

    def _code(self, run: Run) -> str:
        """The first line of a statement as the page has it."""
        return split_comment(data.PROMPT.sub("", self.page.texts.get(run.first, "")), python=True)[0].strip()

    def _cannot_run(self, run: Run, problem: Exception) -> None:
        """Write down a statement whose shapes do not fit, unless the page says so itself."""
        if isinstance(problem, Mismatch):
            names: dict[Any, Any] = {number: name for name, number in self.sizes.items()}
            left, right = (tuple(names.get(size, size) for size in shape) for shape in problem.args)
            try:
                product(left, right)
            except Trouble as found:
                problem = found
        simple = isinstance(run.statement, ast.Expr | ast.Return | ast.Assign)
        if not isinstance(problem, Trouble) or not simple:
            return
        shown = [line.text for said in run.said if not said.comment for line in said.lines]
        if data.FAILS.search(self.page.near(run.first, 3, 3)) or "Error" in " ".join(shown):
            self.page.leave(run.first, "code that the page says does not run")
        elif not any(f.line == run.first and f.verdict is Verdict.cannot_run for f in self.page.findings[-1:]):
            self.page.claim(run.first, self._code(run), "runs", problem.computed, Verdict.cannot_run, str(problem))

    def _inside(self, run: Run) -> None:
        """Compare what is said of the statements inside a loop or a function, where they always come to the same, and
        what the code itself asserts."""
        texts: dict[int, set[str]] = {}
        for statement, value, printed in self.interpreter.traced:
            texts.setdefault(id(statement), set()).add(printed or _shown(value))
        for statement, value, printed in self.interpreter.traced:
            if isinstance(statement, ast.Assert) and value is not None and run.above >= 0:
                self._asserted(run, *value)
            line = self.lines.get(run.above + (statement.end_lineno or 0))
            said = commented(line, statement) if line and statement is not run.statement else Said(())
            if line and said.lines and len(texts.pop(id(statement), ())) == 1:
                self._compare(Run(statement, line.number), [said], value, printed)

    def _asserted(self, run: Run, value: Any, said: ast.Constant, holds: bool) -> None:
        line = self.lines.get(run.above + said.lineno)
        text = ast.unparse(said) if line is None else line.text[said.col_offset : said.end_col_offset]
        if line is None or not isinstance(value, int | float) or not data.SHOWN_NUMBER.fullmatch(text.replace("_", "")):
            return
        given = Verdict.exact if holds else Verdict.wrong
        self.page.judged(line.number, "asserted", Judged(text, show_beside(float(value), text), given), -1, None, {})

    def close(self, block: int) -> None:
        """Compare what is shown below a block with what it printed, and what tests in its texts show."""
        late, self.late = self.late, []
        for run, line in late:
            self._run(run, line)
        shown = [line for line in self.shown.pop(block, ()) if line.text.strip()]
        texts = [text for text in self.texts.get(block, ()) if text is None or text.strip()]
        if any("Error" in line.text or "..." in line.text or "…" in line.text for line in shown):
            return
        prints = [line for line in shown if line.language != "output"]
        values = [line for line in shown if line.language == "output"]
        value = self.last.get(block)
        if texts:
            self._paired(texts, prints)
        else:
            values = values or prints
        if values and value is not None:
            self._judge("printed", _shown(value), tuple(values[:LONGEST]))

    def _paired(self, texts: Sequence[str | None], prints: Sequence[Line]) -> None:
        """Compare lines that are printed with lines that are shown, up to the first that is not known."""
        if len(texts) == len(prints) or (None in texts and len(texts) <= len(prints)):
            for text, line in zip(texts[:LONGEST], prints, strict=False):
                if text is None:
                    break
                self._judge("printed", text, (line,))

    def _listed(self, line: Line) -> None:
        """Compare what has been printed so far with comments below `# Output:` that show it."""
        texts, shown = [text for text in self.texts.get(line.block, ()) if text is None or text.strip()], list[Line]()
        for number in range(line.number + 1, line.number + 2 + LONGEST):
            said = self.lines.get(number, Line(0, "")).text.strip()
            if not said.startswith("#") or (shown and not said.strip("# ")):
                break
            shown += [self.lines[number]._replace(text=said.lstrip("#"))] if said.strip("# ") else []
        if shown and texts and (shown[0].number, *_numbers(shown[0].text)[:1]) not in self.page.printed:
            self._paired(texts, shown)
        self.texts[line.block] = []

    def _compare(self, run: Run, said: Sequence[Said], value: Any, printed: str = "") -> None:
        if not printed and (value is None or callable(value)):
            return
        text, what = printed or _shown(value), self._code(run)
        for one in said:
            claimed = " ".join(line.text for line in one.lines).strip()
            if not printed and isinstance(value, Array):
                if self._shape(what, value, one.lines[0], claimed):
                    break
                if re.match(r"\D*\(\s*\d", claimed) and "array" not in claimed:
                    continue  # a shape of something else
            step = claimed.strip("(). ") if isinstance(run.statement, ast.Assign) else ""
            if step.isdecimal() and len(step) < 4 and {str(int(step) + 1), str(int(step) - 1)} & self.numbered:
                continue  # the second of several steps
            if _is_cut(run.statement, claimed):
                self.page.leave(run.first, "an operator that means something else in code")
            elif self._judge(what, text, one.lines, self._opening(run.statement)):
                break
            elif one.comment and (found := data.BEGINS_WITH_NUMBER.fullmatch(claimed)) and len(_numbers(text)) == 1:
                self.leading.append((what, text, one.lines[0], found[1]))

    def _shape(self, what: str, value: Array, line: Line, comment: str) -> bool:
        """Judge the shape a comment claims for its line: `scores = Q @ K.T  # shape (4, 8)`."""
        found = data.CLAIM.match(comment)
        if not found or "@" in comment or {*value.shape} & {*self.sizes.values()}:
            return False
        claimed = read_shape(found[1].replace("x", "×"))
        said_so = "shape" in comment.lower() or "Size" in comment or found[1].startswith("(")
        if len(claimed) != value.ndim or not said_so:
            return False  # it may speak of one item of a batch
        given = Verdict.exact if claimed == value.shape else Verdict.wrong
        self.page.claim(line.number, f"shape of {what}", show_shape(claimed), show_shape(value.shape), given)
        return True

    def settle(self) -> None:
        """Compare the comments that begin with a number and go on in words, where most of them are the results."""
        judged = [(*one, _verdict(one[3], _numbers(one[1])[0])) for one in self.leading if _numbers(one[1])[0] != "nan"]
        right = sum(not given.fails for *_, given in judged)
        unsure = right < 2 or right < 2 * (len(judged) - right)
        for what, text, line, number, given in judged:
            digits = len(re.sub(r"\D", "", number).strip("0"))
            value = Printed.read(_numbers(text)[0]).value
            tenfold = any(verdict(number, value * by) is Verdict.exact for by in (10, 0.1))
            if unsure and not (digits >= TELLING and slipped(number, value)) and not (digits >= TENFOLD and tenfold):
                continue
            if given.fails and "." not in number and len(number) < 4 and not slipped(number, value):
                continue  # 12 heads, and not the result
            self.page.judged(line.number, what, Judged(number, show_beside(value, number), given), -1, None, {})

    def _opening(self, statement: ast.stmt) -> Opening | None:
        """The expression whose value a statement gives or prints, to be opened; nothing where code does more."""
        match statement:
            case (
                ast.Expr(ast.Call(ast.Name("print"), [value], []))
                | ast.Expr(ast.Call(ast.Name("print"), [ast.Constant(str()), value], []))
                | ast.Expr(value)
                | ast.Assign([ast.Name()], value)
            ):
                names = self.interpreter.names.items()
                with suppress(Unreadable):
                    node = parse(ast.unparse(value))
                    return Opening(node, {n: v for n, v in names if isinstance(v, int | float | np.ndarray)})
        return None

    def _judge(self, what: str, text: str, lines: Sequence[Line], opening: Opening | None = None) -> bool:
        """Compare a text with what is shown for it; tells whether they are the same but for numbers."""
        claimed = [(number, line) for line in lines for number in _numbers(line.text)]
        found = _numbers(text)
        shapes = [data.A_SHAPE.fullmatch(said) for said in (text, " ".join(line.text for line in lines))]
        if shapes[0] and shapes[1] and len(lines) == 1:
            one, other = (read_shape(found[1]) for found in shapes if found)
            given = Verdict.exact if one == other else Verdict.wrong
            self.page.claim(lines[0].number, what, shapes[1][1], show_shape(one), given)
            return True
        if len(claimed) != len(found) or not found or _words(" ".join(line.text for line in lines)) != _words(text):
            return False
        judged = [
            (line, number, value, _verdict(number, value))
            for (number, line), value in zip(claimed, found, strict=True)
            if value != "nan"
        ]
        wrong = sum(given.fails for *_, given in judged)
        if (wrong > 2 and wrong * 2 > len(judged)) or (wrong and self._is_excused(lines[0].number)):
            self.page.leave(lines[0].number, "an output of another run, perhaps")
            return True
        node, values = opening if opening and len(judged) == 1 and opening.gives(judged[0][2]) else (None, {})
        for line, number, value, given in judged:
            computed = show_beside(Printed.read(value).value, number)
            one = Judged(number.replace("−", "-").rstrip("."), computed, given)
            whole = self.page.texts.get(line.number, "")
            nth = 0 if len(re.findall(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", whole)) == 1 else -1
            self.page.judged(line.number, what, one, nth, node, values)
            self.page.printed[line.number, one.claimed.strip("-%")] = self.page.findings[-1]
        return True

    def _is_excused(self, line: int) -> bool:
        """Whether the page speaks of a mistake, or of a Python that did otherwise."""
        return bool(data.SAYS_SO.search(self.page.near(line)) or data.OLD_PYTHON.search(self.page.near(line, 8)))


def _prints(statement: ast.stmt) -> bool:
    nodes = list(ast.walk(statement))
    called = any(isinstance(node, ast.Call) for node in nodes)
    silent = isinstance(statement, ast.Assign | ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom)
    return any(isinstance(node, ast.Name) and node.id == "print" for node in nodes) or (called and not silent)


def _shown(value: Any) -> str:
    """A value as Python shows it; an array in full."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, threshold=1000, floatmode="unique")
    return str(value) if not isinstance(value, str | datetime.date | datetime.timedelta) else repr(value)


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_cut(statement: ast.stmt, claimed: str) -> bool:
    """Whether an old Python may have divided whole numbers, or `^` was meant as a power."""
    signs = {type(node.op) for node in ast.walk(statement) if isinstance(node, ast.BinOp)}
    return ast.BitXor in signs or (ast.Div in signs and claimed.lstrip("-").isdigit())


def _numbers(text: str) -> list[str]:
    return data.SHOWN_NUMBER.findall(data.SHOWN_TYPE.sub(" ", text))


def _words(text: str) -> list[str]:
    """The words of an output, without those that only say it is one."""
    found = re.findall(r"[^\W\d_]+", data.SHOWN_NUMBER.sub(" ", data.SHOWN_TYPE.sub(" ", text)))
    return [word.lower() for word in found if word.lower() not in data.SAYS_SHOWN]


def _verdict(claimed: str, computed: str) -> Verdict:
    """The shown digits beside the printed ones: either may be the rounder one."""
    said, found = Printed.read(claimed).value, Printed.read(computed).value
    given = verdict(claimed, found)
    if given.fails and ("." in claimed or "e" in claimed) and abs(said - found) <= SINGLE * max(abs(said), abs(found)):
        return Verdict.rounded
    return given
