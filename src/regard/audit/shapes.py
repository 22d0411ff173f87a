"""The rule for code: lines whose shapes cannot work, and shape comments that do not add up.

Shapes are learned from the page alone: literals, `np.zeros((3, 4))`, comments such as `# (10, 10) @ (10, 64)`,
sentences such as "W_Q shape: (512, 64)". A line cannot run only if both its operands are known and do not fit.
"""

import ast
import re

from regard.audit.arithmetic import Definition
from regard.audit.finding import Notebook
from regard.audit.infer import Shape, Shapes, Trouble, infer, show_shape
from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.notation import plain
from regard.audit.statements import PROMPT, split_comment
from regard.audit.stores import Changes
from regard.audit.verdict import Verdict

SIZE = r"(?:\d+|[A-Za-z]\w*)"
SHAPE = rf"\(\s*{SIZE}(?:\s*[,×]\s*{SIZE})+\s*,?\s*\)"
PRODUCT = re.compile(rf"{SHAPE}(?:\s*(?:@|cat|·|×)\s*(?:{SHAPE}|\.\.\.|…))+")
RESULT = re.compile(rf"\s*(?:→|->|=>|=)\s*({SHAPE})")
ONE = re.compile(SHAPE)
STATED = re.compile(
    rf"(?<![\w.])([A-Za-z_]\w*)(?:\s*:\s*shape|\.shape|\s+(?:has|with|of|is of)?\s*(?:the\s+)?shape|\s*:)"
    rf"\s*(?:is|of|[:=]+)?\s*({SHAPE})",
)
EACH = re.compile(rf"\b[Ee](?:ach|very)\s+([a-z]+)\b[^.()]{{0,40}}({SHAPE})")
JOINED = re.compile(r"\[\s*([A-Za-z_]+?)_?(\d+)\s*\|[^\]]{0,200}\|\s*\1_?(\d+)\s*\]")
TARGET = re.compile(r"^\s*([A-Za-z_]\w*)\s*=(?!=)")
CLAIM = re.compile(
    r"\s*(?:(?:output|result|its|the|new)\s+)?(?:shape\s*)?(?:is\s+|[:=]+\s*|→\s*|->\s*|=>\s*)?"
    r"(?:torch\.Size\()?([(\[]\s*\d+(?:\s*[,×x]\s*\d+)*\s*,?\s*[)\]])\)?\s*(?:[-–:,.;]|$|[A-Za-z])",
    re.IGNORECASE,
)
MAJOR_HEADING = re.compile(r"^\s{0,3}#{1,2}\s")
LONGEST_CODE = 500


def check_shapes(
    lines: list[Line], definitions: list[Definition], changes: dict[int, Changes], notebook: Notebook
) -> None:
    """Judge every shape comment and every line of code of a page."""
    given = sorted(definitions, key=lambda definition: -definition.line)
    shapes = Shapes()
    block = 0
    for index, line in enumerate(lines):
        if line.heading and MAJOR_HEADING.match(line.text):
            shapes = Shapes()  # another chapter may give the same names to other things
        fresh: set[str] = set()
        while given and given[-1].line <= line.number:
            first = given.pop()
            fresh.add(first.name)
            shapes.give(first.name, first.shape, is_list=first.is_list)
        if line.block != block:
            shapes.hidden, block = set(), line.block
        if line.number in changes:
            shapes = _without(shapes, changes[line.number])
        if len(line.text) > LONGEST_LINE or not (
            "(" in line.text or "@" in line.text or "=" in line.text or "·" in line.text
        ):
            continue
        _check_comment(line, notebook)
        judged = (
            line.is_code
            and line.language != "math"
            and _check_code(line, _below(lines, index), shapes, fresh, notebook)
        )
        if not judged:
            _learn(line, shapes)


def _without(shapes: Shapes, changes: Changes) -> Shapes:
    """What is still known after a line that changes names in ways nobody follows here."""
    if changes.everything:
        return Shapes()
    for name in changes.stored:
        shapes.assign(name, None)
    shapes.hidden |= changes.bound
    return shapes


def read_shape(text: str) -> Shape:
    """A shape as written.

    >>> read_shape("(seq_len, 512)")
    ('seq_len', 512)
    """
    return tuple(int(size) if size.isdigit() else size for size in re.findall(SIZE, text))


def _learn(line: Line, shapes: Shapes) -> None:
    """Keep the shapes a line states."""
    text = line.text.replace("`", "").replace("*", "")
    for name, shape in STATED.findall(text):
        shapes.give(name, read_shape(shape))
    for name, shape in EACH.findall(text):
        shapes.parts[name] = read_shape(shape)
    if not line.is_code:
        return
    code, comment = split_comment(line.text)
    target = TARGET.match(code)
    stated = ONE.findall(comment)
    if not target or not stated:
        return
    whole = read_shape(RESULT.search(comment)[1] if RESULT.search(comment) else stated[0])  # pyright: ignore[reportOptionalSubscript]
    product = PRODUCT.search(comment)
    factors = [name.strip() for name in code.partition("=")[2].split("@")]
    if product and "@" in product[0]:
        for name, shape in zip(factors, ONE.findall(product[0]), strict=False):
            if name.isidentifier():
                shapes.give(name, read_shape(shape))
        if not RESULT.search(comment):
            return
    shapes.give(target[1], whole)
    joined = JOINED.search(code)
    if joined and isinstance(whole[-1], int) and whole[-1] % int(joined[3]) == 0:
        shapes.parts[joined[1]] = (*whole[:-1], whole[-1] // int(joined[3]))


def _check_comment(line: Line, notebook: Notebook) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands."""
    text = plain(line.text, code=True)
    for product in PRODUCT.finditer(text):
        result = RESULT.match(text, product.end())
        factors = [read_shape(shape) for shape in ONE.findall(product[0])]
        if "cat" in product[0]:
            if result and len(factors) > 1:
                _check_concatenation(product[0], factors, read_shape(result[1]), line.number, notebook)
            continue
        if "@" not in product[0] and not (result and "×" in product[0]):
            continue
        _check_product(product[0], factors, read_shape(result[1]) if result else None, line.number, notebook)


def _check_product(text: str, factors: list[Shape], claimed: Shape | None, line: int, notebook: Notebook) -> None:
    if len(factors) < 2:
        return
    shape = factors[0]
    for factor in factors[1:]:
        if (
            not (isinstance(shape[-1], int) and isinstance(factor[0], int))
            and shape[-1] != factor[-2 if len(factor) > 1 else -1]
        ):
            return  # sizes with names may turn out equal
        if shape[-1] != factor[-2 if len(factor) > 1 else -1]:
            if "@" in text:
                problem = f"{shape[-1]} and {factor[-2 if len(factor) > 1 else -1]} do not fit"
                notebook.claim(line, text, show_shape(claimed) if claimed else text, problem, Verdict.cannot_run)
            return
        shape = (*shape[:-1], *factor[-1:]) if len(factor) > 1 else shape[:-1]
    if claimed is not None and len(claimed) == len(shape):
        verdict = Verdict.exact if claimed == shape else Verdict.wrong
        named = any(not isinstance(size, int) for size in (*claimed, *shape))
        if verdict is Verdict.exact or not named:
            notebook.claim(line, text, show_shape(claimed), show_shape(shape), verdict)


def _check_concatenation(text: str, factors: list[Shape], claimed: Shape, line: int, notebook: Notebook) -> None:
    """Sizes add up along the one axis that grew."""
    sizes = [shape[-1] for shape in factors]
    if any(not isinstance(size, int) for size in (*sizes, claimed[-1])) or any(
        shape[:-1] != claimed[:-1] for shape in factors
    ):
        return
    total, last = sum(int(size) for size in sizes), int(claimed[-1])
    open_ended = "..." in text or "…" in text
    fits = last % int(sizes[0]) == 0 and last >= total if open_ended else last == total
    computed = show_shape(claimed) if fits else f"({', '.join(map(str, (*claimed[:-1], total)))})"
    notebook.claim(line, text, show_shape(claimed), computed, Verdict.exact if fits else Verdict.wrong)


def _below(lines: list[Line], index: int) -> str:
    """What a session prints below its line; nothing where it is no session."""
    line = lines[index]
    below = lines[index + 1] if index + 1 < len(lines) else None
    is_output = below is not None and below.block == line.block and PROMPT.match(line.text)
    return below.text if below is not None and is_output and not PROMPT.match(below.text) else ""


def _check_code(line: Line, below: str, shapes: Shapes, fresh: set[str], notebook: Notebook) -> bool:
    """Judge one line of code, and keep the shape it gives a name; tells whether its comment was judged too."""
    code, comment = split_comment(line.text)
    code = PROMPT.sub("", code).strip()
    if not code or len(code) > LONGEST_CODE:
        return False
    dotted = " · " in code or "·" in code
    tree = _tree(code.replace("·", "@").replace("−", "-"))
    if tree is None:
        if (found := TARGET.match(code)) and found[1] not in fresh:
            shapes.assign(found[1], None)  # something that goes on below, or is no Python
        return False
    target, value = tree
    value, asked = _asked(value)
    try:
        shape = infer(value, shapes, python=line.is_python, dotted=dotted)
    except RecursionError:
        shape = None
    except Trouble as trouble:
        notebook.claim(line.number, code, "runs", trouble.computed, Verdict.cannot_run, str(trouble))
        shape = None
    literal = isinstance(value, ast.List | ast.Tuple)
    if target and asked:
        shapes.assign(target, None)
    elif target and not (literal and shapes.find(target) is not None):  # one read from several lines knows more
        shapes.assign(target, shape)
    if dotted or not isinstance(value, ast.BinOp | ast.Call | ast.Attribute | ast.Name):
        return False
    if asked:
        return _check_claim(code, comment or below, shape, line, notebook)
    return not isinstance(value, ast.Attribute | ast.Name) and _check_claim(code, comment, shape, line, notebook)


def _asked(value: ast.expr) -> tuple[ast.expr, bool]:
    """What `print(x.shape)` or `x.shape` asks the shape of, and whether it asks at all."""
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "print" and len(value.args) == 1:
        value = value.args[0]
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        return value.value, True
    is_size = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "size"
    if is_size and not value.args:  # pyright: ignore[reportAttributeAccessIssue]
        return value.func.value, True  # pyright: ignore[reportAttributeAccessIssue]
    return value, False


def _check_claim(code: str, comment: str, shape: Shape | None, line: Line, notebook: Notebook) -> bool:
    """Judge the shape a comment claims for its line: `scores = Q @ K.T  # shape (4, 8)`."""
    found = CLAIM.match(comment)
    if not found or not shape or any(not isinstance(size, int) for size in shape) or "@" in comment:
        return False
    claimed = tuple(int(size) for size in re.findall(r"\d+", found[1]))
    if len(claimed) != len(shape):
        return False  # it may speak of one item of a batch
    spoken = "shape" in comment.lower() or "Size" in comment or found[1].startswith("(")
    if not spoken:
        return False
    verdict = Verdict.exact if claimed == shape else Verdict.wrong
    notebook.claim(line.number, f"shape of {code}", show_shape(claimed), show_shape(shape), verdict)
    return True


def _tree(code: str) -> tuple[str, ast.expr] | None:
    """The name a line assigns (or nothing) and the expression on its right; nothing if it is no Python."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if len(body) != 1:
        return None
    statement = body[0]
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    if isinstance(statement, ast.Return | ast.Expr) and statement.value is not None:
        return "", statement.value
    return None
