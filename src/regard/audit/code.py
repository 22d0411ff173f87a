"""The rule for code: lines whose shapes cannot work, shape comments that do not add up, values said to come out.

Shapes and values are learned from the page alone: literals, `np.zeros((3, 4))`, comments such as
`# (10, 10) @ (10, 64)`, sentences such as "W_Q shape: (512, 64)". A line cannot run only if both its operands are
known and do not fit.
"""

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from regard.audit import data
from regard.audit.arithmetic import Definition
from regard.audit.chains import is_value, split_comment
from regard.audit.doubts import Page
from regard.audit.evaluate import FUNCTIONS, ITEMWISE, OVER_A_ROW, evaluate
from regard.audit.finding import Notebook
from regard.audit.grammar import Parser, tokens_of
from regard.audit.nodes import (
    Binary,
    Call,
    Name,
    Node,
    Number,
    Unary,
    Unreadable,
    Vector,
    is_computation,
    literals,
    names_in,
    walk,
)
from regard.audit.judge import failures, judge
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, Line
from regard.audit.python import Changes, Piece, expression_of, pieces_of, tree_of
from regard.audit.verdict import Verdict

Shape = tuple[int | str, ...]
DRAWN = {"normal", "uniform", "randint", "integers"}  # two arguments come before the size
WRAPPERS = {"array", "tensor", "asarray", "Tensor", "FloatTensor"}
SIZE = r"(?:\d+|[A-Za-z]\w*)"
SHAPE = rf"\(\s*{SIZE}(?:\s*[,×]\s*{SIZE})+\s*,?\s*\)"
NOTHING = ("", "text", "output", "console", "plaintext", "txt", "none", "out", "result")
LONGEST_CODE = 500


class Trouble(Exception):
    """The line cannot run; the message says why."""

    def __init__(self, message: str, computed: str) -> None:
        super().__init__(message)
        self.computed = computed


@dataclass
class Names:
    """What is known of the names of a page so far: shapes, and values where every number is written out."""

    known: dict[str, Shape] = field(default_factory=dict)
    values: dict[str, np.ndarray] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    parts: dict[str, Shape] = field(default_factory=dict)  # of numbered names: head1, head2, … by "head"
    scalars: set[str] = field(default_factory=set)  # names like score_i, given one dot product
    hidden: set[str] = field(default_factory=set)  # arguments and loop variables of this block

    def give(self, name: str, shape: Shape | None, value: np.ndarray | None = None, *, is_list: bool = False) -> None:
        """A name got something, whose shape or value may be unknown."""
        for kept in (self.known, self.values):
            kept.pop(name, None)
        self.lists.discard(name)
        self.scalars.discard(name)
        if value is not None:
            self.values[name] = value
        if shape == () and value is None and data.INDEXED.search(name):
            self.scalars.add(name)
        elif shape:
            self.known[name] = shape
            self.hidden.discard(name)
            if is_list:
                self.lists.add(name)

    def find(self, name: str, blocks: int = 0) -> Shape | None:
        """The shape of a name: its own, that of every part of its kind, or a block of rows of the whole.

        >>> names = Names(known={"W_O": (512, 512)}, parts={"head": (4, 64)})
        >>> names.find("head3"), names.find("W_O1", blocks=8), names.find("W_O1")
        ((4, 64), (64, 512), None)
        """
        if name in self.hidden or name in self.known or not (found := data.NUMBERED.match(name)):
            return None if name in self.hidden else self.known.get(name)
        if found[1] in self.parts:
            return self.parts[found[1]]
        whole = self.known.get(found[1])
        if whole and len(whole) == 2 and isinstance(whole[0], int) and blocks > 1 and whole[0] % blocks == 0:
            return (whole[0] // blocks, whole[1])
        return None

    def forget(self, changes: Changes) -> None:
        """A line changed names in ways nobody follows here."""
        if changes.everything:
            self.__init__()
        for name in changes.stored:
            self.give(name, None)
        self.hidden |= changes.bound
        for name in changes.bound:
            self.values.pop(name, None)


def show_shape(shape: Shape) -> str:
    """A shape as Python prints it, names without quotes.

    >>> show_shape((2,)), show_shape(("seq_len", 64))
    ('(2,)', '(seq_len, 64)')
    """
    return "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")


def read_shape(text: str) -> Shape:
    """A shape as written.

    >>> read_shape("(seq_len, 512)")
    ('seq_len', 512)
    """
    return tuple(int(size) if size.isdigit() else size for size in re.findall(SIZE, text))


class Shapes:
    """The shape of an expression, read with what is known of its names; raises `Trouble` where there can be none."""

    def __init__(self, root: Node, names: Names, *, python: bool, dotted: bool) -> None:
        self.names, self.python, self.dotted = names, python, dotted
        numbers = [int(found[2]) for found in map(data.NUMBERED.match, names_in(root)) if found]
        self.blocks = max(numbers, default=0) if "…" in names_in(root) else 0  # W_O1 + ... + W_O8: eight blocks

    def of(self, node: Node) -> Shape | None:
        """The shape, or nothing where the page does not say."""
        match node:
            case Name(name):
                return self.names.find(name, self.blocks)
            case Number():
                return ()
            case Vector(items):
                inner = [self.of(item) for item in items]
                same = bool(items) and None not in inner and len(set(inner)) == 1
                return (len(items), *(inner[0] or ())) if same else None
            case Unary(".T", operand):
                shape = self.of(operand)
                is_list = isinstance(operand, Vector) or (
                    isinstance(operand, Name) and operand.text in self.names.lists
                )
                if is_list and self.python and shape is not None:
                    raise Trouble("a Python list has no .T; make it an array first", "a list has no .T")
                return None if shape is None else shape[::-1]
            case Unary(".mT", operand):
                return _swapped(self.of(operand), -2, -1)
            case Unary(_, operand):
                return self.of(operand)
            case Binary("@", left, right):
                if self.dotted:  # Q · K_i is one number
                    return () if isinstance(right, Name) and data.INDEXED.search(right.text) else None
                return product(self.of(left), self.of(right))
            case Binary(operator, left, right):
                return self.together(operator, self.of(left), self.of(right))
            case Call():
                return self.call(node)

    def together(self, operator: str, left: Shape | None, right: Shape | None) -> Shape | None:
        """The shape of two arrays item by item, where sizes of 1 stretch."""
        if left is None or right is None or operator not in ("+", "-", "*", "/"):
            return left if right is not None else None
        long, short = (left, right) if len(left) >= len(right) else (right, left)
        for a, b in zip(long[::-1], short[::-1], strict=False):
            if a != b and 1 not in (a, b):
                return None  # adding lists joins them, and a page may stack what it likes: only products are judged
        return long

    def call(self, node: Call) -> Shape | None:
        """The shape of what a function makes or keeps."""
        name, arguments = node.function.lstrip("."), node.arguments
        method = node.function.startswith(".")
        first = arguments[0] if len(arguments) == 1 else None
        if name == "softmax" and isinstance(first, Name) and first.text in self.names.scalars:
            raise Trouble("softmax needs all the scores; of one score it is always 1", "always 1")
        if (made := _made(name, arguments[1:] if method else arguments, dict(node.keywords))) is not None:
            return made
        if method and name in ("transpose", "swapaxes", "t", "reshape", "view"):
            return _rearranged(name, self.of(arguments[0]), arguments[1:])
        inner = [self.of(argument) for argument in arguments]
        if name in WRAPPERS and inner:
            return inner[0]
        if name in ("dot", "matmul", "mm") and len(inner) == 2 and not (method and name == "dot"):
            return product(inner[0], inner[1])
        return inner[0] if name in data.SAME and inner and not method else None


def _made(name: str, arguments: Sequence[Node], keywords: Mapping[str, Node]) -> Shape | None:
    """The shape of an array made from its sizes: `np.zeros((3, 4))`, `torch.randn(3, 4)`."""
    size = keywords.get("size", keywords.get("shape"))
    sizes: Sequence[Node] = []
    if name in data.MAKERS | DRAWN | {"full"} and size is not None:
        sizes = [size]
    elif name in data.MAKERS:
        sizes = arguments
    elif name in DRAWN and len(arguments) == 3:
        sizes = arguments[2:]
    elif name == "full" and arguments:
        sizes = arguments[:1]
    elif name == "eye" and len(arguments) == 1:
        sizes = [arguments[0], arguments[0]]
    if len(sizes) == 1 and isinstance(sizes[0], Vector):
        sizes = sizes[0].items
    return _sizes(sizes) or None


def _sizes(nodes: Sequence[Node]) -> tuple[int, ...]:
    """Sizes written as whole numbers, all of them or none."""
    numbers = [literals(node) for node in nodes]
    found = [pair for part in numbers for pair in part or []]
    if any(part is None for part in numbers) or len(found) != len(nodes) or any(n.decimals for _, n in found):
        return ()
    return tuple(sign * int(number.value) for sign, number in found)


def _rearranged(name: str, shape: Shape | None, arguments: Sequence[Node]) -> Shape | None:
    """The shape after a transpose or a reshape, where every number is written out."""
    if not shape or any(not isinstance(size, int) for size in shape):
        return None
    flat = arguments[0].items if len(arguments) == 1 and isinstance(arguments[0], Vector) else arguments
    numbers = _sizes(flat)
    if name in ("transpose", "swapaxes", "t"):
        if not arguments and name != "swapaxes":
            return shape[::-1] if name == "transpose" or len(shape) == 2 else None
        if len(numbers) == len(shape) > 2 and sorted(numbers) == list(range(len(shape))):
            return tuple(shape[at] for at in numbers)
        return _swapped(shape, *numbers) if len(numbers) == 2 else None
    total = math.prod(int(size) for size in shape)
    if numbers.count(-1) == 1 and (rest := -math.prod(numbers)) > 0 and total % rest == 0:
        return tuple(total // rest if size == -1 else size for size in numbers)
    return numbers if numbers and math.prod(numbers) == total else None


def _swapped(shape: Shape | None, first: int, second: int) -> Shape | None:
    """A shape with two of its axes exchanged."""
    if not shape or not all(-len(shape) <= axis < len(shape) for axis in (first, second)):
        return None
    sizes = list(shape)
    sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def product(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of `left @ right`; sizes with names clash only where the other order is the one that fits."""
    if not left or not right:
        return None
    inner, outer = left[-1], right[-2:][0]
    if inner != outer:
        both = isinstance(inner, int) and isinstance(outer, int)
        other_order_fits = len(left) == len(right) == 2 and right[-1] == left[0] and isinstance(left[0], int)
        if not both and not other_order_fits:
            return None
        message = f"{show_shape(left)} @ {show_shape(right)}: {inner} and {outer} do not fit"
        if len(right) == 2 and right[-1] == inner:
            message += "; the right one needs .T"
        elif other_order_fits:
            message += "; the other order does"
        raise Trouble(message, f"{show_shape(left)} @ {show_shape(right)}")
    if len(right) > 2 and len(right) > len(left):
        return (*right[:-2], *left[-2:-1], right[-1])  # the right one brings the batch
    return (*left[:-1], right[-1]) if len(right) > 1 else left[:-1]


def check_code(
    lines: Sequence[Line],
    definitions: Sequence[Definition],
    changes: dict[int, Changes],
    page: Page,
    notebook: Notebook,
) -> None:
    """Judge every shape comment and every line of code of a page."""
    given = sorted(definitions, key=lambda definition: -definition.line)
    pieces = _with_outputs(lines)
    names = Names()
    block = busy = 0
    for line in lines:
        if line.heading in (1, 2):
            names = Names()  # another chapter may give the same names to other things
        elif line.heading:
            names.values.clear()
        fresh: set[str] = set()
        while given and given[-1].line <= line.number:
            first = given.pop()
            fresh.add(first.name)
            names.give(first.name, first.value.shape, first.value, is_list=first.is_list)
        if line.block != block:
            names.hidden, block = set(), line.block
        if line.number in changes:
            names.forget(changes[line.number])
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        if "(" in line.text:
            _check_comment(line, page, notebook)
        piece = pieces.get(line.number)
        if piece is not None:
            busy = piece.last
        judged = piece is not None and _check_piece(piece, names, fresh, page, notebook)
        if not judged and (piece is not None or line.number > busy) and "(" in line.text:
            _learn(line, names)


def _with_outputs(lines: Sequence[Line]) -> dict[int, Piece]:
    """The statements of a page by their lines, each with what the page says it prints."""
    pieces = [piece for piece in pieces_of(lines) if piece.line.language in (*PYTHON, *NOTHING)]
    by_block: dict[int, list[Piece]] = {}
    for piece in pieces:
        by_block.setdefault(piece.line.block, []).append(piece)
    said: dict[int, list[Line]] = {}
    between, last = 0, 0
    for line in lines:
        if not line.is_code:
            words = line.text.strip().lower()
            between += bool(words) * (
                1 if re.match(r"\W*(?:(?:the )?output|prints?|result|out|gives|which prints)\b", words) else 9
            )
        elif line.language in ("output", "printed"):
            said.setdefault(line.block, []).append(line)
        elif line.is_python:
            between, last = 0, line.block
        elif line.language in NOTHING and between < 2 and last and line.block == last + 1:
            said.setdefault(last, []).append(line)
    for block, printed in said.items():
        shown = [p for p in by_block.get(block, []) if p.code.startswith("print(") and not p.nested]
        final = by_block.get(block, [])[-1:]
        outs = [line for line in printed if line.language != "printed"]
        prints = [line for line in printed if line.language != "output"]
        group = by_block.get(block, [])
        if any("Error" in line.text for line in prints):
            by_block[block] = [piece._replace(output="Error") for piece in group]
        elif any("print(" in piece.code for piece in group if piece not in shown):
            continue  # printed in a loop, perhaps
        elif len(shown) == 1 or (shown and len(shown) == len(prints)):
            for piece, said_here in zip(
                shown, [prints] if len(shown) == 1 else [[line] for line in prints], strict=True
            ):
                group[group.index(piece)] = _saying(piece, said_here)
        elif final and not shown and outs and not final[0].nested and not final[0].code.endswith(";"):
            group[-1] = _saying(final[0], outs)
    return {piece.line.number: piece for group in by_block.values() for piece in group}


def _saying(piece: Piece, lines: Sequence[Line]) -> Piece:
    return piece._replace(output="\n".join(line.text for line in lines), printed=lines[0].number if lines else 0)


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
    factors = [name.strip() for name in code.partition("=")[2].split("@")]
    if (found := data.PRODUCT.search(comment)) and "@" in found[0]:
        for name, shape in zip(factors, data.ONE.findall(found[0]), strict=False):
            if name.isidentifier():
                names.give(name, read_shape(shape))
        if not result:
            return
    names.give(target[1], whole)
    joined = data.JOINED.search(code)
    if joined and isinstance(whole[-1], int) and whole[-1] % int(joined[3]) == 0:
        names.parts[joined[1]] = (*whole[:-1], whole[-1] // int(joined[3]))


def _check_comment(line: Line, page: Page, notebook: Notebook) -> None:
    """Judge `(10, 10) @ (10, 64) → (10, 64)` wherever it stands."""
    text = plain(line.text, code=True)
    for found in data.PRODUCT.finditer(text):
        result = data.RESULT.match(text, found.end())
        factors = [read_shape(shape) for shape in data.ONE.findall(found[0])]
        claimed = read_shape(result[1]) if result else None
        if len(factors) < 2 or ("@" not in found[0] and claimed is None):
            continue
        if "cat" in found[0]:
            judged = _of_concatenation(found[0], factors, claimed)
        else:
            judged = _of_product(found[0], factors, claimed) if "@" in found[0] or "×" in found[0] else None
        if judged is None:
            continue
        if judged[1].fails and data.FAILS.search(page.near(line.number, 2, 1)):
            notebook.leave(line.number, "shapes that the page says do not fit")
        else:
            notebook.claim(line.number, found[0], show_shape(claimed) if claimed else found[0], *judged)


def _of_product(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    shape = factors[0]
    for factor in factors[1:]:
        outer = factor[-2 if len(factor) > 1 else -1]
        if shape[-1] != outer:
            both = isinstance(shape[-1], int) and isinstance(outer, int)  # sizes with names may turn out equal
            return (f"{shape[-1]} and {outer} do not fit", Verdict.cannot_run) if both and "@" in text else None
        shape = (*shape[:-1], *factor[-1:]) if len(factor) > 1 else shape[:-1]
    if claimed is None or len(claimed) != len(shape):
        return None
    named = any(not isinstance(size, int) for size in (*claimed, *shape))
    if claimed != shape and named:
        return None
    return show_shape(shape), Verdict.exact if claimed == shape else Verdict.wrong


def _of_concatenation(text: str, factors: list[Shape], claimed: Shape | None) -> tuple[str, Verdict] | None:
    """Sizes add up along the one axis that grew."""
    sizes = [shape[-1] for shape in factors]
    if claimed is None or any(not isinstance(size, int) for size in (*sizes, claimed[-1])):
        return None
    if any(shape[:-1] != claimed[:-1] for shape in factors):
        return None
    total, last = sum(int(size) for size in sizes), int(claimed[-1])
    fits = last % int(sizes[0]) == 0 and last >= total if "..." in text or "…" in text else last == total
    return show_shape(claimed if fits else (*claimed[:-1], total)), Verdict.exact if fits else Verdict.wrong


def _check_piece(piece: Piece, names: Names, fresh: set[str], page: Page, notebook: Notebook) -> bool:
    """Judge one statement, and keep what it gives a name; tells whether its comment was judged too."""
    code, line = piece.code, piece.line
    if not code or len(code) > LONGEST_CODE:
        return False
    dotted = "·" in code
    tree = tree_of(code.replace("·", "@").replace("−", "-"))
    match tree.body if tree is not None else None:
        case [ast.Assign(targets=[ast.Name(id=target)], value=value)]:
            pass
        case [ast.Return(value=ast.expr() as value) | ast.Expr(value=value)]:
            target = ""
        case _:
            if (found := data.TARGET.match(code)) and found[1] not in fresh:
                names.give(found[1], None)  # something that goes on below, or is no Python
            return False
    node = expression_of(value)
    printed = isinstance(node, Call) and node.function == "print" and len(node.arguments) == 1 and not node.keywords
    if printed and isinstance(value, ast.Call):
        value, node = value.args[0], node.arguments[0]  # pyright: ignore[reportAttributeAccessIssue]
    asked = isinstance(value, ast.Attribute) and value.attr == "shape"
    if asked and isinstance(value, ast.Attribute):
        node = expression_of(value.value)
    elif isinstance(node, Call) and node.function == ".size" and len(node.arguments) == 1:
        node, asked = node.arguments[0], True
    shape = None
    try:
        shape = Shapes(node, names, python=line.is_python, dotted=dotted).of(node)
    except RecursionError:
        pass
    except Trouble as trouble:
        if data.FAILS.search(page.near(line.number, 3, 3)) or "Error" in piece.output:
            notebook.leave(line.number, "code that the page says does not run")
        elif not any(f.line == line.number and f.verdict is Verdict.cannot_run for f in notebook.findings[-1:]):
            notebook.claim(line.number, code, "runs", trouble.computed, Verdict.cannot_run, str(trouble))
    number = None if asked or dotted else _value(node, names.values)
    if target and not asked and not (isinstance(node, Vector) and target in fresh):
        names.give(target, shape, number, is_list=isinstance(node, Vector) and not node.round)
    elif target and asked:
        names.give(target, None)
    said = piece.comment if piece.comment.strip() else "" if target else piece.output
    if dotted or not said:
        return False
    if asked or isinstance(value, ast.BinOp | ast.Call) or (isinstance(value, ast.Attribute) and value.attr == "T"):
        done = _check_shape(code, said, shape, line, notebook)
        if done or asked:
            return done
    return number is not None and not piece.nested and _check_value(node, said, names, piece, page, notebook)


def _value(node: Node, values: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The value of an expression of code, if every number in it is known."""
    try:
        return evaluate(_usual(node), values)
    except Unreadable:
        return None


def _usual(node: Node) -> Node:
    """A method as the function it is, `softmax(x, dim=-1)` as softmax, `round(x, 2)` as x: the digits are judged."""
    match node:
        case Call(name, arguments, keywords):
            inner = tuple(map(_usual, arguments))
            plain_name = name.lstrip(".")
            last = [literals(value) or [(1, None)] for key, value in keywords if key in ("dim", "axis")]
            axis = last and len(last) == len(keywords) and all(pairs[0][0] < 0 for pairs in last)
            if plain_name == "softmax" and axis:
                return Call("softmax", inner)
            if plain_name == "round" and len(inner) == 2 and not keywords:
                return inner[0]
            if name.startswith(".") and plain_name not in (*OVER_A_ROW, *ITEMWISE, "dot"):
                return Name("?")
            lower = plain_name if plain_name in FUNCTIONS else "?"
            return Call("ln" if lower == "log" else lower, inner, keywords) if lower != "?" else Name("?")
        case Binary(operator, left, right):
            return Binary("⊙" if operator == "*" else operator, _usual(left), _usual(right))
        case Unary(operator, operand):
            return Unary(operator, _usual(operand))
        case Vector(items, is_round):
            return Vector(tuple(map(_usual, items)), is_round)
    return node


def _check_value(node: Node, said: str, names: Names, piece: Piece, page: Page, notebook: Notebook) -> bool:
    """Judge the value a comment or an output claims: `np.dot(q, k)  # 11`."""
    text = said.strip()
    wrapped = data.WRAPPED.match(text) if len(text) < 2_000 else None
    text = wrapped[1] if wrapped else text
    if len(text) > 2_000 or not is_value(text) or not (is_computation(node) or isinstance(node, Name)):
        return False
    tokens = tokens_of(plain(data.GAP.sub(", ", text), code=True), piece.line.number)
    while tokens and tokens[0].kind not in ("number", "opening") and tokens[0].text != "-":
        tokens = tokens[1:]
    parser = Parser(tokens)
    usual = _usual(node)
    try:
        claim = parser.expression()
        about = any(sign in said for sign in "≈~")
        judged = judge(usual, claim, names.values, about=about)
    except (Unreadable, RecursionError):
        return False
    whole = not any(isinstance(p, Call) or (isinstance(p, Number) and p.decimals) for p in walk(node))
    operators = {part.operator for part in walk(node) if isinstance(part, Binary)}
    divides = whole and "/" in operators and "." not in text
    if failures(judged) and (divides or data.SAYS_SO.search(page.near(piece.line.number))):
        notebook.leave(piece.line.number, "an operator that means something else in code")
        return True
    where = piece.last if said == piece.comment else piece.printed or piece.last + 1
    values = {name: names.values[name] for name in names_in(usual) if name in names.values}
    for one in judged:
        nth = 0 if len(judged) == 1 else -1
        notebook.claim(where, piece.code, one.claimed, one.computed, one.verdict, nth=nth, node=usual, values=values)
    return True


def _check_shape(code: str, comment: str, shape: Shape | None, line: Line, notebook: Notebook) -> bool:
    """Judge the shape a comment claims for its line: `scores = Q @ K.T  # shape (4, 8)`."""
    found = data.CLAIM.match(comment)
    if not found or not shape or any(not isinstance(size, int) for size in shape) or "@" in comment:
        return False
    claimed = tuple(int(size) for size in re.findall(r"\d+", found[1]))
    if len(claimed) != len(shape):
        return False  # it may speak of one item of a batch
    if not ("shape" in comment.lower() or "Size" in comment or found[1].startswith("(")):
        return False
    verdict = Verdict.exact if claimed == shape else Verdict.wrong
    notebook.claim(line.number, f"shape of {code}", show_shape(claimed), show_shape(shape), verdict)
    return True
