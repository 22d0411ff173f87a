"""The rule for code: lines whose shapes cannot work, shape comments that do not add up, values said to come out.

A line cannot run only if both its operands are known and do not fit.
"""

import ast
import re
from collections.abc import Sequence
from functools import reduce

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.chains import is_value, split_comment
from regard.audit.context import Page
from regard.audit.evaluate import evaluate
from regard.audit.grammar import ENDED, Parser, tokens_of
from regard.audit.judge import failures, judge
from regard.audit.nodes import Binary, Call, Name, Node, Unreadable, Vector, is_computation, is_whole, names_in, walk
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.python import Piece, Unrolled, expression_of, pieces_of, tree_of, usual
from regard.audit.shapes import Names, Shape, Shapes, Trouble, product, read_shape, show_shape
from regard.audit.verdict import Verdict

NOTHING = ("", "text", "output", "console", "plaintext", "txt", "none", "out", "result")
LONGEST_CODE = 500


def check_code(page: Page, definitions: Sequence[Definition]) -> None:
    """Judge every shape comment and every line of code of a page."""
    given = sorted(definitions, key=lambda definition: -definition.line)
    pieces = _with_outputs(page.lines)
    names = Names()
    block = busy = 0
    for line in page.lines:
        if line.heading in (1, 2):
            names = Names()  # another chapter may give the same names to other things
        elif line.heading:
            names.values.clear()
        fresh: set[str] = set()
        while given and given[-1].line <= line.number:
            _, name, value, is_list = given.pop()
            fresh.add(name)
            names.give(name, value.shape, value, is_list=is_list)
        if line.block != block:
            names.hidden, block = set(), line.block
        if line.number in page.changes:
            names.forget(page.changes[line.number])
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        if "(" in line.text:
            _check_comment(page, line)
        piece = pieces.get(line.number)
        busy = piece.last if piece is not None else busy
        judged = piece is not None and _check_piece(page, piece, names, fresh)
        if not judged and (piece is not None or line.number > busy) and "(" in line.text:
            _learn(line, names)


def _with_outputs(lines: Sequence[Line]) -> dict[int, Piece]:
    """The statements of a page by their lines, each with what the page says it prints."""
    by_block: dict[int, list[Piece]] = {}
    for piece in pieces_of(lines):
        if piece.line.language in (*PYTHON, *NOTHING):
            by_block.setdefault(piece.line.block, []).append(piece)
    said: dict[int, list[Line]] = {}
    between, last = 0, 0
    for line in lines if by_block else ():
        if not line.is_code:
            between += (1 if data.SAYS_OUTPUT.match(line.text) else 9) if line.text.strip() else 0
        elif line.language in ("output", "printed"):
            said.setdefault(line.block, []).append(line)
        elif line.is_python:
            between, last = 0, line.block
        elif line.language in NOTHING and between < 2 and last and line.block == last + 1:
            said.setdefault(last, []).append(line)
    for block, printed in said.items():
        by_block[block] = _saying(by_block.get(block, []), printed)
    return {piece.line.number: piece for group in by_block.values() for piece in group}


def _saying(group: list[Piece], printed: list[Line]) -> list[Piece]:
    """The statements of a block with what stands below it: the output of each print, or else of the last line."""
    outs = [line for line in printed if line.language != "printed"]
    prints = [line for line in printed if line.language != "output"]
    shown = [piece for piece in group if piece.code.startswith("print(") and not piece.nested]
    final = group[-1] if group else None
    said: dict[int, list[Line]] = {}
    if any("Error" in line.text for line in prints):
        return [piece._replace(output="Error") for piece in group]
    if any("print(" in piece.code for piece in group if piece not in shown):
        return group  # printed in a loop, perhaps
    if len(shown) == 1:
        said[shown[0].last] = prints
    elif shown and len(shown) == len(prints):
        said = {piece.last: [line] for piece, line in zip(shown, prints, strict=True)}
    elif final and not shown and outs and not final.nested and not final.code.endswith(";"):
        said[final.last] = outs
    return [
        piece._replace(output="\n".join(line.text for line in lines), printed=lines[0].number)
        if (lines := said.get(piece.last))
        else piece
        for piece in group
    ]


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
    target, stated, result = data.TARGET.match(code), data.ONE.findall(comment), data.RESULT.search(comment)
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


def _check_piece(page: Page, piece: Piece, names: Names, fresh: set[str]) -> bool:
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
    value, asked = _asked(value)
    value, label, tail = _labelled(value)
    node = expression_of(Unrolled(names.values).visit(value))
    shape = _shape(page, piece, node, names)
    number = None if asked or dotted else _value(node, names)
    if target and asked:
        names.give(target, None)
    elif target and not (isinstance(node, Vector) and target in fresh):
        # what a loop leaves behind is known to those who run it
        known = None if piece.nested else number
        names.give(target, shape, known, is_list=isinstance(node, Vector) and not node.round)
    said = piece.comment if piece.comment.strip() else "" if target else piece.output
    said = _between(said.strip(), label, tail) if label or tail else said
    if dotted or not said:
        return False
    if asked or isinstance(value, ast.BinOp | ast.Call) or (isinstance(value, ast.Attribute) and value.attr == "T"):
        done = _check_shape(page, piece, said, shape)
        if done or asked:
            return done
    return number is not None and not piece.nested and _check_value(page, piece, node, said, names)


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


def _between(said: str, label: str, tail: str) -> str:
    """What is said between two words; nothing where they are not there."""
    return said[len(label) : len(said) - len(tail)] if said.startswith(label) and said.endswith(tail) else ""


def _asked(value: ast.expr) -> tuple[ast.expr, bool]:
    """What is printed, and of `x.shape` and `x.size()` the x: then a shape is asked for."""
    match value:
        case ast.Call(func=ast.Name(id="print"), args=[inner], keywords=[]):
            return _asked(inner)
        case ast.Attribute(value=inner, attr="shape") | ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[]):
            return inner, True
    return value, False


def _labelled(value: ast.expr) -> tuple[ast.expr, str, str]:
    """What is printed between the words of `print("loss", x)` and `print(f"loss {x:.2f}")`, and those words."""
    match value:
        case ast.Call(func=ast.Name(id="print"), args=[ast.Constant(value=str() as label), inner], keywords=[]):
            return inner, label.strip(), ""
        case ast.JoinedStr(values=parts):
            shown = [part for part in parts if isinstance(part, ast.FormattedValue)]
            if len(shown) == 1:
                sides = parts[: parts.index(shown[0])], parts[parts.index(shown[0]) + 1 :]
                before, after = ("".join(str(getattr(part, "value", "")) for part in side).strip() for side in sides)
                return shown[0].value, before, after
    return value, "", ""


def _value(node: Node, names: Names) -> np.ndarray | None:
    """The value of an expression of code, if every number in it is known."""
    try:
        return evaluate(usual(node), names.values)
    except Unreadable:
        return None


def _check_value(page: Page, piece: Piece, node: Node, said: str, names: Names) -> bool:
    """Judge the value a comment or an output claims: `np.dot(q, k)  # 11`."""
    text = said.strip()
    if len(text) > 2_000:
        return False
    wrapped = data.WRAPPED.match(text)
    text = wrapped[1] if wrapped else text
    if not is_value(text) or not (is_computation(node) or isinstance(node, Name)):
        return False
    tokens = tokens_of(plain(data.GAP.sub(", ", text), code=True), piece.line.number)
    while tokens and tokens[0].kind not in ("number", "opening") and tokens[0].text != "-":
        tokens = tokens[1:]
    expression = usual(node)
    try:
        claim = Parser([*tokens, *ENDED]).expression()
        judged = judge(expression, claim, names.values, about=any(sign in said for sign in "≈~"))
    except (Unreadable, RecursionError):
        return False
    single = failures(judged) and np.allclose(evaluate(expression, names.values), evaluate(claim, {}), rtol=1e-6)
    divides = any(isinstance(part, Binary) and part.operator == "/" for part in walk(node))
    cut = divides and is_whole(node) and "." not in text
    if failures(judged) and any(isinstance(part, Call) and part.function in page.own for part in walk(expression)):
        page.leave(piece.line.number, "a function from elsewhere")
        return True
    if single:
        page.leave(piece.line.number, "a number of single precision")
        return True
    if failures(judged) and (cut or data.SAYS_SO.search(page.near(piece.line.number))):
        page.leave(piece.line.number, "an operator that means something else in code")
        return True
    where = piece.last if said == piece.comment else piece.printed or piece.last + 1
    values = {name: names.values[name] for name in names_in(expression) if name in names.values}
    for one in judged:
        page.judged(where, piece.code, one, 0 if len(judged) == 1 else -1, expression, values)
    return True


def _check_shape(page: Page, piece: Piece, comment: str, shape: Shape | None) -> bool:
    """Judge the shape a comment claims for its line: `scores = Q @ K.T  # shape (4, 8)`."""
    found = data.CLAIM.match(comment)
    if not found or not shape or any(not isinstance(size, int) for size in shape) or "@" in comment:
        return False
    claimed = tuple(int(size) for size in re.findall(r"\d+", found[1]))
    said = "shape" in comment.lower() or "Size" in comment or found[1].startswith("(")
    if len(claimed) != len(shape) or not said:
        return False  # it may speak of one item of a batch
    page.claim(piece.line.number, f"shape of {piece.code}", show_shape(claimed), *_compared(shape, claimed))
    return True
