"""The one grammar of arithmetic: a line as tokens, tokens as a small tree.

Prose, LaTeX, table headers and pseudocode are all read by it. Nothing here runs Python: the parser is a precedence
climber with limits on length and depth; a name it does not know stays a name, and whoever evaluates it decides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.verdict import Printed

DEEPEST = 40
MOST_JOINED = 300  # operands in one sum: the tree leans left, and reading it must not run out of stack
EXACT, ABOUT, ARROW, WORD = "=", "≈", "→", "is"  # the relations, by how much they promise


class Unreadable(Exception):
    """The tokens are no expression we understand; the claim is left alone."""


class Token(NamedTuple):
    """One piece of a line. `spaced` says that a space (or nothing) stands before it: `2x` is not `2 x`."""

    kind: str  # a group of TOKEN
    text: str
    line: int
    spaced: bool


# The order matters: what must not be read as a number or a relation comes first.
TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<opaque>0[xXbB][0-9a-fA-F]+|\d{4}-\d\d-\d\d|\d+(?:\.\d+){2,}|\d{1,2}:\d\d(?::\d\d)?|[=#*~_-]{4,}|\d+(?:st|nd|rd|th)\b
        |0\d+(?![\d.])|==+|!=|<=|>=|[-+*/|%&^]=|:=|<-+|::|\+\+|--+(?!>)|[$€£¥₹]\s?\d[\d.,]*)
    |(?P<ellipsis>\.{2,}|…|⋯)
    |(?P<relation>~=|≈|=~|=>|-{1,2}>|→|=)
    |(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d+(?:_\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\w))?|\.\d+(?:[eE][+-]?\d{1,3}(?!\w))?)
    |(?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    |(?P<string>"[^"\n]{0,80}"|“[^”\n]{0,80}”)
    |(?P<operator>\*\*|//|\.T\b|[-+*/^@×·⊙√%!])
    |(?P<opening>[(\[])
    |(?P<closing>[)\]])
    |(?P<comma>,)
    |(?P<other>.)""",
    re.VERBOSE,
)  # fmt: skip
MEASURES = {"bit": "bit", "bits": "bit", "byte": "byte", "bytes": "byte"}
EQUAL = {"equals", "equal", "equalling"}  # these promise as much as a sign
BETWEEN = data.ROUGH | {"to", "us", "exactly", "just", "precisely"}  # what may stand between a relation and its number


def tokens_of(text: str, line: int) -> list[Token]:
    """The tokens of one line, units of counting dropped ("8 heads × 64 dims" is 8 × 64).

    >>> [token.text for token in tokens_of("8 heads × 64 = 512, v1.2.3", 1)]
    ['8', '×', '64', '=', '512', ',', 'v1', '.2', '.3']
    """
    if "x" in text or "X" in text:
        text = data.TIMES.sub(_times, text)
    found: list[Token] = []
    spaced, depth, words = True, 0, set[str]()
    for match in TOKEN.finditer(text):
        kind, piece = match.lastgroup or "other", match[0]
        if kind == "space":
            spaced = True
            continue
        if kind == "opening":
            depth += 1
        elif kind == "closing":
            depth = max(0, depth - 1)
        elif kind == "word":
            words.add(piece.lower())
        elif depth and kind == "number" and "," in piece:  # in a list, a comma separates numbers and not thousands
            for at, part in enumerate(piece.split(",")):
                if at:
                    found.append(Token("comma", ",", line, False))
                found.append(Token("other" if at and part[0] == "0" else "number", part, line, spaced and not at))
            spaced = False
            continue
        elif piece == "." and depth and not spaced and found[-1].kind == "number" and "." not in found[-1].text:
            found[-1] = found[-1]._replace(text=found[-1].text + ".")  # numpy prints 1.0 as "1."
            continue
        found.append(Token("other" if kind == "opaque" else kind, piece, line, spaced))
        spaced = False
    if not data.COUNTED.isdisjoint(words) and len({MEASURES[word] for word in words & MEASURES.keys()}) < 2:
        found = _without_units(found)  # but 8 bits * 4 = 4 bytes: units that are worth something
    return found if data.SAYS.isdisjoint(words) and "are" not in words else _with_relations(found)


def _times(found: re.Match[str]) -> str:
    """`×` for an x between numbers, unless the zero before it makes it hexadecimal."""
    zero = found.string[found.start() - 1] == "0" and not found[1]
    longer = found.start() > 1 and found.string[found.start() - 2].isalnum()
    return found[0] if zero and not longer else f"{found[1]}×{found[2]}"


def _without_units(tokens: list[Token]) -> list[Token]:
    """Drop a counted noun between a number and what it is combined with."""
    kept: list[Token] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        is_unit = token.kind == "word" and token.spaced and token.text.lower() in data.COUNTED
        is_unit = is_unit and bool(kept) and kept[-1].kind == "number"
        ends = (
            after is None
            or after.kind in ("operator", "relation", "closing", "other")
            or after.text.lower() in data.SAYS
        )
        if not (is_unit and ends):
            kept.append(token)
    return kept


def _with_relations(tokens: list[Token]) -> list[Token]:
    """ "gives", "equals", "is about" between an expression and a number are relations too."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.text.lower() if token.kind == "word" and token.spaced and kept else ""
        if (word in data.SAYS or word == "are") and (kept[-1].kind in ("closing", "number") or kept[-1].text == "%"):
            end = after_between(tokens, index + 1)
            openings = ("opening",) if word == "are" else ("number", "opening")  # "are 0, 1 and 2" begins a list
            negative = end + 1 < len(tokens) and tokens[end].text == "-" and tokens[end + 1].kind == "number"
            if end < len(tokens) and (tokens[end].kind in openings or negative):
                rough = any(between.text.lower() in data.ROUGH for between in tokens[index + 1 : end])
                kept.append(Token("relation", ABOUT if rough else EXACT if word in EQUAL else WORD, token.line, True))
                index = end
                continue
        kept.append(token)
        index += 1
    return kept


def after_between(tokens: Sequence[Token], start: int) -> int:
    """The place after "about", "exactly" and the like."""
    while start < len(tokens) and tokens[start].text.lower() in BETWEEN:
        start += 1
    return start


def strength(relation: Token) -> str:
    """How much a relation promises: equality, nearness, or only "leads to"."""
    return {"=": EXACT, "≈": ABOUT, "~=": ABOUT, "=~": ABOUT, WORD: WORD}.get(relation.text, ARROW)


class Number(NamedTuple):
    """A printed number; `place` tells equal numbers apart."""

    text: str
    place: int
    percent: bool = False
    line: int = 0

    @property
    def printed(self) -> Printed:
        """Value and last digit, in the number's own unit (98 for 98 %)."""
        return Printed.read(self.text)

    @property
    def value(self) -> float:
        """What it is worth in arithmetic: 0.98 for 98 %."""
        return Printed.read(self.text).value / (100 if self.percent else 1)

    @property
    def decimals(self) -> int:
        """How many digits stand behind the point."""
        return len(self.text.lower().partition("e")[0].partition(".")[2])


class Name(NamedTuple):
    """A name, known or not."""

    text: str


class Vector(NamedTuple):
    """Items in brackets; `round` remembers that they were parentheses, as shapes and tuples are."""

    items: "tuple[Node, ...]"
    round: bool = False


class Unary(NamedTuple):
    """A sign, a root, a factorial or a transpose."""

    operator: str
    operand: "Node"


class Binary(NamedTuple):
    """Two operands and what joins them."""

    operator: str
    left: "Node"
    right: "Node"


class Call(NamedTuple):
    """A function by its plain name (`np.dot` is `dot`), its arguments, and in code its keywords."""

    function: str
    arguments: "tuple[Node, ...]"
    keywords: "tuple[tuple[str, Node], ...]" = ()


Node = Number | Name | Vector | Unary | Binary | Call


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        match part:
            case Binary(_, left, right):
                waiting += (right, left)
            case Vector(items):
                waiting += items[::-1]
            case Call(_, arguments):
                waiting += arguments[::-1]
            case Unary(_, operand):
                waiting.append(operand)


def terms(node: Node) -> list[tuple[int, Node]]:
    """The summands of a sum, each with its sign; anything else is one summand."""
    if isinstance(node, Binary) and node.operator in ("+", "-"):
        sign = 1 if node.operator == "+" else -1
        return [*terms(node.left), *((sign * inner, term) for inner, term in terms(node.right))]
    return [(1, node)]


def literals(node: Node | None) -> list[tuple[int, Number]] | None:
    """The numbers of a plain number, vector or matrix with their signs; nothing if it is more than that."""
    match node:
        case Number():
            return [(1, node)]
        case Unary("-", Number() as number):
            return [(-1, number)]
        case Vector(items):
            inner = [literals(item) for item in items]
            return None if any(part is None for part in inner) else [pair for part in inner for pair in part or []]
        case Call("array" | "tensor" | "asarray", (argument,)):
            return literals(argument)
    return None


def is_computation(node: Node | None) -> bool:
    """Whether there is something to compute: a number, a vector of numbers or a name is only stated."""
    if node is None or isinstance(node, Number | Name) or literals(node) is not None:
        return False
    return any(isinstance(p, Binary | Call) or (isinstance(p, Unary) and p.operator != "-") for p in walk(node))


def names_in(node: Node) -> set[str]:
    """The names an expression leans on."""
    return {part.text for part in walk(node) if isinstance(part, Name)}


BINDS = {"+": 1, "-": 1, "*": 2, "×": 2, "·": 2, "/": 2, "//": 2, "@": 2, "⊙": 2, "^": 4, "**": 4}


def plain_name(text: str) -> str:
    """The function behind a dotted name, lower case; the whole name if its owner is no module we know.

    >>> plain_name("np.linalg.norm"), plain_name("Softmax"), plain_name("model.softmax")
    ('norm', 'softmax', 'model.softmax')
    """
    *owners, last = text.split(".")
    return last.lower() if all(owner in data.MODULES for owner in owners) else text


def is_function(text: str) -> bool:
    """Whether a name is a function the evaluator knows."""
    return plain_name(text) in data.FUNCTIONS


class Parser:
    """Reads one expression from a list of tokens and says where it stopped."""

    def __init__(self, tokens: Sequence[Token], position: int = 0, *, prose: bool = False) -> None:
        self.tokens, self.position, self.prose = tokens, position, prose  # in prose " - " before a word is a dash
        self.depth = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """The token to come, or nothing at the end."""
        at = self.position + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def deeper(self) -> None:
        """One bracket, sign or operator further down, and not endlessly."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("nested too deeply")

    def expression(self, loosest: int = 1) -> Node:
        """An operand and everything that binds to it at least as tightly as `loosest`."""
        self.deeper()
        left = self.signed(loosest)
        joined = 0
        while (token := self.peek()) is not None and token.kind == "operator" and token.text in BINDS:
            binding = BINDS[token.text]
            if binding < loosest or not self.has_operand(1) or (binding == 1 and self.is_sign_after_word(left, token)):
                break
            self.position += 1
            joined += 1
            if joined > MOST_JOINED:
                raise Unreadable("too many operands in a row")
            left = Binary(token.text, left, self.expression(binding if binding == 4 else binding + 1))
        self.depth -= 1
        return left

    def is_sign_after_word(self, left: Node, sign: Token) -> bool:
        """Whether a sign belongs to what follows: "the loss is -ln(0.25)"."""
        after = self.peek(1)
        return isinstance(left, Name) and sign.spaced and after is not None and not after.spaced

    def has_operand(self, ahead: int) -> bool:
        """Whether an operand starts there, so that the operator before it is no stray sign."""
        token = self.peek(ahead)
        if token is None:
            return False
        if token.kind == "operator" and token.text in "+-√":
            after = self.peek(ahead + 1)
            return after is not None and after.kind in ("number", "word", "opening")
        if self.prose and token.kind == "word" and token.spaced and len(token.text) > 1 and not is_function(token.text):
            return False
        return token.kind in ("number", "word", "opening", "ellipsis", "string")

    def signed(self, loosest: int) -> Node:
        """An operand with its signs: `-2^2` is -(2^2), `2 * -3` is 2 * (-3)."""
        token = self.peek()
        if token is None or token.kind != "operator" or token.text not in ("-", "+", "√"):
            return self.postfix()
        self.position += 1
        self.deeper()
        inner = self.postfix() if token.text == "√" else self.expression(max(loosest, 3))
        self.depth -= 1
        return inner if token.text == "+" else Unary(token.text, inner)

    def postfix(self) -> Node:
        """An operand with what follows it: a transpose, a factorial where the arithmetic goes on."""
        node = self.operand()
        while (token := self.peek()) is not None and token.text in (".T", "!") and token.kind == "operator":
            after = self.peek(1)
            goes_on = after.kind in ("operator", "relation", "closing") if after is not None else not self.prose
            if token.text == "!" and (token.spaced or not goes_on):
                break
            self.position += 1
            if isinstance(node, Unary) and node.operator == token.text:
                raise Unreadable("a double factorial, or a transpose of a transpose")
            node = Unary(token.text, node)
        return node

    def operand(self) -> Node:
        """A number, a call, a name, or something in brackets."""
        token = self.peek()
        match token.kind if token is not None else "":
            case "number":
                return self.number(token)  # pyright: ignore[reportArgumentType]
            case "word":
                return self.name(token)  # pyright: ignore[reportArgumentType]
            case "opening":
                self.position += 1
                return self.group(token)  # pyright: ignore[reportArgumentType]
            case "string" | "ellipsis":
                self.position += 1
                return Name(token.text)  # pyright: ignore[reportOptionalMemberAccess]
        raise Unreadable("an operand is missing")

    def number(self, token: Token) -> Node:
        """A number with its percent sign; glued to letters it is a unit or an unknown, and so a name."""
        place = self.position
        self.position += 1
        after = self.peek()
        if after is None:
            return Number(token.text, place, False, token.line)
        if after.kind == "word" and not after.spaced:
            self.position += 1
            plain = Number(token.text, place, False, token.line)
            return Binary("*", plain, Name("π")) if after.text == "π" else Name(token.text + after.text)
        if after.text == "%":
            beyond = self.peek(1)
            if beyond is not None and beyond.kind in ("number", "opening"):
                raise Unreadable("a remainder, or a percentage of something")
            self.position += 1
            return Number(token.text, place, True, token.line)
        if after.kind == "ellipsis" and not after.spaced:
            self.position += 1  # 0.333… goes on: the digits printed are what is claimed
        return Number(token.text, place, False, token.line)

    def name(self, token: Token) -> Node:
        """A name, a call, or a method such as `.T` written into the name."""
        self.position += 1
        after, plain = self.peek(), plain_name(token.text)
        if after is not None and after.kind == "opening":
            indexed = after.text == "[" and not after.spaced  # length[0] is an item, no call
            if plain in data.FUNCTIONS and not indexed:
                self.position += 1
                inside = self.group(after)
                return Call(plain, inside.items if isinstance(inside, Vector) and inside.round else (inside,))
            if not after.spaced:
                self.position += 1
                self.group(after)
                return Name(token.text + after.text)
        elif plain in data.WITHOUT_BRACKETS and after is not None and after.kind == "number":
            return Call(plain, (self.number(after),))
        if token.text.endswith(".T") and len(token.text) > 2:
            return Unary(".T", Name(token.text[:-2]))
        return Name(token.text)

    def group(self, opening: Token) -> Node:
        """What stands in brackets: one expression in parentheses is itself, everything else a vector."""
        closing = ")" if opening.text == "(" else "]"
        items: list[Node] = []
        commas = 0
        while (token := self.peek()) is not None and token.kind != "closing":
            items.append(self.expression())
            token = self.peek()
            if token is not None and (token.kind == "comma" or token.text == ";"):
                self.position += 1
                commas += 1
            elif token is not None and token.kind != "closing" and (opening.text == "(" or token.text in ("=", ":")):
                raise Unreadable(f"{token.text} in the middle of brackets")
        if token is None or token.text != closing:
            raise Unreadable("a bracket does not close")
        self.position += 1
        return items[0] if closing == ")" and len(items) == 1 and not commas else Vector(tuple(items), closing == ")")


def parse(tokens: Sequence[Token]) -> Node:
    """The tree of tokens that are one whole expression.

    >>> parse(tokens_of("softmax([1, 2])", 1)).function
    'softmax'
    """
    parser = Parser(tokens)
    node = parser.expression()
    if parser.position != len(tokens):
        raise Unreadable("something is left over")
    return node


def start_of_expression(tokens: Sequence[Token], end: int, floor: int) -> tuple[int, Node | None]:
    """Where the longest expression that ends before `end` begins, and its tree.

    >>> start_of_expression(tokens_of("so we get 0.5 * -2 = -1", 1), 7, 0)[0]
    3
    """
    for start in range(floor, end):
        token = tokens[start]
        if token.kind in ("comma", "other", "closing", "relation") or (start > floor and _joins(tokens, start - 1)):
            continue
        if token.kind == "operator" and token.text not in ("-", "+", "√"):
            continue
        after = tokens[start + 1] if start + 1 < end else None
        applied = after is not None and after.kind == "number" and plain_name(token.text) in data.WITHOUT_BRACKETS
        if token.kind == "word" and after is not None and after.kind not in ("operator", "opening") and not applied:
            continue  # a word of prose: most of them
        parser = Parser(tokens, start)
        try:
            node = parser.expression()
        except Unreadable:
            continue
        if parser.position == end:
            return start, node
    return end, None


def _joins(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token there is an operator with an operand on its left: no expression begins after it."""
    token = tokens[at]
    if token.kind != "operator" or token.text not in BINDS or at == 0:
        return False
    before = tokens[at - 1]
    ends = before.kind in ("number", "word", "closing", "string", "ellipsis") or before.text in ("%", "!", ".T")
    sign = token.text in "+-" and before.kind == "word" and token.spaced and not tokens[at + 1].spaced
    return ends and not sign
