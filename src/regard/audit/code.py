"""The rule for code: lines whose shapes cannot work, shape comments that do not add up, values said to come out.

A line cannot run only if both its operands are known and do not fit.
"""

import ast
import copy
import re
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.chains import split_comment
from regard.audit.context import Page
from regard.audit.nodes import Node, Vector
from regard.audit.notation import plain
from regard.audit.outputs import UNNAMED, Outputs
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.python import Piece, expression_of, tree_of
from regard.audit.run import NOTHING, Interpreter, Unknown
from regard.audit.shapes import Names, Shape, Shapes, Trouble, product, read_shape, show_shape
from regard.audit.verdict import Verdict

LONGEST_CODE = 500


def check_code(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge every shape comment and every line of code of a page."""
    given = sorted(definitions, key=lambda definition: -definition.line)
    pieces = {piece.line.number: piece for piece in page.pieces if piece.line.language in (*PYTHON, *UNNAMED)}
    names, outputs = Names(), Outputs(page)
    block = busy = 0
    for line in page.lines:
        if line.heading in (1, 2):
            names = Names()  # another chapter may give the same names to other things
            outputs.forget() if not line.place else None
        elif line.heading:
            names.values.clear()
        fresh: set[str] = set()
        while given and given[-1].line <= line.number:
            _, name, value, is_list = given.pop()
            fresh.add(name)
            names.give(name, value.shape, value, is_list=is_list)
            if not line.is_code:
                outputs.interpreter.names[name] = value.copy()
        if line.block != block:
            outputs.close(block)
            names.hidden, block = set(), line.block
        if line.number in page.changes:
            names.forget(page.changes[line.number])
            if not line.is_code:
                outputs.interpreter.names |= dict.fromkeys(page.changes[line.number].names, NOTHING)
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        if "(" in line.text:
            _check_comment(page, line)
        piece = pieces.get(line.number)
        busy = piece.last if piece is not None else busy
        judged = piece is not None and _check_piece(page, piece, names, fresh, outputs.interpreter)
        if (run := outputs.read(line, judged=judged)) is not None:
            _take(run.statement, outputs.interpreter, names)
        if not judged and (piece is not None or line.number > busy) and "(" in line.text:
            _learn(line, names)
    outputs.close(block)
    outputs.settle()


def _take(statement: ast.stmt, interpreter: Interpreter, names: Names) -> None:
    """Keep the shapes and values that a statement gave to names."""
    stored = (node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    for name in stored:
        value = interpreter.names.get(name, NOTHING)
        if isinstance(value, np.ndarray | list):
            try:
                array = np.asarray(value, float)
            except (ValueError, TypeError):
                continue
            known = array if np.isfinite(array).all() else None
            names.give(name, array.shape, known, is_list=isinstance(value, list))


class _Folded(ast.NodeTransformer):
    """Code with every whole number that is known in its place: `np.zeros((B, T, D // H))`."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter

    def visit(self, node: ast.AST) -> Any:
        """One expression."""
        if isinstance(node, ast.Name | ast.BinOp) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            try:
                value = self.interpreter.value(node, self.interpreter.names)
            except (Unknown, ArithmeticError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
                value = None
            if isinstance(value, int) and not isinstance(value, bool):
                return ast.copy_location(ast.Constant(value), node)
        return self.generic_visit(node)


def _learn(line: Line, names: Names) -> None:
    """Keep the shapes a line states."""
    text = line.text.replace("`", "").replace("*", "")
    for name, shape in data.STATED.findall(text) if data.SPEAKS.search(text) else ():  # x: (1, 2) alone may be a point
        names.give(name, read_shape(shape))
    for name, shape in data.EACH.findall(text):
        names.parts[name] = read_shape(shape)
    if not line.is_code:
        return
    code, comment = split_comment(line.text, python=line.is_python)
    target = data.TARGET.match(code) or data.ARROWED.match(code)
    stated, result = data.ONE.findall(comment), data.RESULT.search(comment)
    if not target or not stated or not data.OPENS.match(comment):
        return
    whole = read_shape(result[1] if result else stated[0])
    if (found := data.PRODUCT.search(comment)) and "@" in found[0]:
        factors = [name.strip() for name in code.partition("=")[2].split("@")]
        for name, shape in zip(factors, data.ONE.findall(found[0]), strict=False):
            if name.isidentifier():
                names.give(name, read_shape(shape))
        if not result:
            return
    names.give(target[1], whole)
    joined = data.JOINED.search(code)
    if joined and isinstance(whole[-1], int) and whole[-1] % int(joined[3]) == 0:
        names.parts[joined[1]] = (*whole[:-1], whole[-1] // int(joined[3]))


def _check_comment(page: Page, line: Line) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands."""
    text = plain(line.text, code=True)
    for found in data.PRODUCT.finditer(text):
        result = data.RESULT.match(text, found.end())
        factors = [read_shape(shape) for shape in data.ONE.findall(found[0])]
        claimed = read_shape(result[1]) if result else None
        if len(factors) < 2 or ("@" not in found[0] and claimed is None):
            continue
        judged = (_of_concatenation if "cat" in found[0] else _of_product)(found[0], factors, claimed)
        if judged is None:
            continue
        if judged[1].fails and data.FAILS.search(page.near(line.number, 2, 1)):
            page.leave(line.number, "shapes that the page says do not fit")
        else:
            page.claim(line.number, found[0], show_shape(claimed) if claimed else found[0], *judged)


def _of_product(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    if "@" not in text and "×" not in text:
        return None
    try:
        shape = reduce(product, factors)
    except Trouble as trouble:
        return (trouble.clash, Verdict.cannot_run) if trouble.clash and "@" in text else None
    if claimed is None or shape is None or len(claimed) != len(shape):
        return None
    named = any(not isinstance(size, int) for size in (*claimed, *shape))  # sizes with names may turn out equal
    return None if claimed != shape and named else _compared(shape, claimed)


def _compared(shape: Shape, claimed: Shape) -> tuple[str, Verdict]:
    return show_shape(shape), Verdict.exact if claimed == shape else Verdict.wrong


def _of_concatenation(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    """Sizes add up along the one axis that grew."""
    sizes = [shape[-1] for shape in factors]
    if claimed is None or any(not isinstance(size, int) for size in (*sizes, claimed[-1])):
        return None
    if any(shape[:-1] != claimed[:-1] for shape in factors):
        return None
    total, last = sum(map(int, sizes)), int(claimed[-1])
    more = "..." in text or "…" in text
    fits = last % int(sizes[0]) == 0 and last >= total if more else last == total
    return _compared(claimed if fits else (*claimed[:-1], total), claimed)


def _check_piece(page: Page, piece: Piece, names: Names, fresh: set[str], interpreter: Interpreter) -> bool:
    """Judge one statement, and keep what it gives a name; tells whether its comment was judged too."""
    code, dotted = piece.code, "·" in piece.code
    if not code or len(code) > LONGEST_CODE:
        return False
    match tree_of(code.replace("·", "@").replace("−", "-")):
        case [ast.Assign(targets=[ast.Name(id=target)], value=value)]:
            pass
        case [ast.Return(value=ast.expr() as value) | ast.Expr(value=value)]:
            target = ""
        case _:
            if (found := data.TARGET.match(code)) and found[1] not in fresh:
                names.give(found[1], None)  # something that goes on below, or is no Python
            return False
    try:
        known = any(isinstance(named, int) for named in interpreter.names.values())
        value, asked = _asked(_Folded(interpreter).visit(copy.deepcopy(value)) if known else value)
        node = expression_of(value)
    except RecursionError:
        return False
    shape = _shape(page, piece, node, names)
    if target and not asked and not (isinstance(node, Vector) and target in fresh):
        names.give(target, shape, is_list=isinstance(node, Vector) and not node.round)
    elif target and asked:
        names.give(target, None)
    said = piece.comment if piece.comment.strip() else "" if target else piece.output
    if dotted or not said:
        return False
    array = isinstance(value, ast.BinOp | ast.Call) or (isinstance(value, ast.Attribute) and value.attr == "T")
    return (asked or array) and _check_shape(page, piece, said, shape)


def _shape(page: Page, piece: Piece, node: Node, names: Names) -> Shape | None:
    """The shape of a statement; one that cannot have any is written down."""
    line = piece.line
    try:
        return Shapes(node, names, python=line.is_python, dotted="·" in piece.code).of(node)
    except RecursionError:
        return None
    except Trouble as trouble:
        if data.FAILS.search(page.near(line.number, 3, 3)) or "Error" in piece.output:
            page.leave(line.number, "code that the page says does not run")
        elif not any(f.line == line.number and f.verdict is Verdict.cannot_run for f in page.findings[-1:]):
            page.claim(line.number, piece.code, "runs", trouble.computed, Verdict.cannot_run, str(trouble))
        return None


def _asked(value: ast.expr) -> tuple[ast.expr, bool]:
    """What is printed, and of `x.shape` and `x.size()` the x: then a shape is asked for."""
    match value:
        case ast.Call(func=ast.Name(id="print"), args=[inner], keywords=[]):
            return _asked(inner)
        case ast.Attribute(value=inner, attr="shape") | ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[]):
            return inner, True
    return value, False


def _check_shape(page: Page, piece: Piece, comment: str, shape: Shape | None) -> bool:
    """Judge the shape a comment claims for its line: `scores = Q @ K.T  # shape (4, 8)`."""
    found = data.CLAIM.match(comment)
    if not found or not shape or any(not isinstance(size, int) for size in shape) or "@" in comment:
        return False
    claimed = tuple(int(size) for size in re.findall(r"\d+", found[1]))
    said = "shape" in comment.lower() or "Size" in comment or found[1].startswith("(")
    if len(claimed) != len(shape) or not said:
        return False  # it may speak of one item of a batch
    line = piece.printed if comment is piece.output and piece.printed else piece.line.number
    page.claim(line, f"shape of {piece.code}", show_shape(claimed), *_compared(shape, claimed))
    return True
