"""Arithmetic as a page writes it, parsed into a small tree: numbers, vectors, operators and the calls we know.

Nothing here runs Python. The parser is a plain precedence climber with limits on length and depth; a name it does
not know is kept as a name, and whoever evaluates it decides.
"""

from collections.abc import Sequence

from regard.audit.tokens import Kind, Token
from regard.audit.tree import Binary, Call, Name, Node, Number, Unary, Vector

DEEPEST = 40
LONGEST = 4_000  # tokens
MOST_JOINED = 300  # operands in one sum: the tree leans left, and reading it must not run out of stack


class Unreadable(Exception):
    """The tokens are no expression we understand; the claim is left alone."""


BINDS = {"+": 1, "-": 1, "*": 2, "×": 2, "·": 2, "/": 2, "//": 2, "@": 2, "⊙": 2, "^": 4, "**": 4}
FUNCTIONS = {
    "softmax", "exp", "ln", "log", "log2", "log10", "lg", "sqrt", "sigmoid", "σ", "relu", "tanh", "abs", "max", "min",
    "sum", "mean", "average", "dot", "inner", "matmul", "norm", "array", "tensor", "sin", "cos", "tan", "std", "var",
    "cosine", "cosine_similarity", "cos_sim", "layer_norm", "layernorm", "transpose", "entropy", "log_softmax",
    "square", "prod", "length", "argmax", "softplus", "asarray", "vector", "float", "list", "tuple", "logsumexp",
    "outer", "normalize",
}  # fmt: skip
WITHOUT_BRACKETS = {"ln", "log", "log2", "log10", "exp", "sqrt", "tanh"}  # −ln 0.25 is written as often as −ln(0.25)
MODULES = {"np", "numpy", "math", "torch", "F", "jnp", "tf", "nn", "scipy", "special", "linalg", "functional"}


def plain_name(text: str) -> str:
    """The function behind a dotted name, lower case; the whole name if its owner is no module we know.

    >>> plain_name("np.linalg.norm"), plain_name("Softmax"), plain_name("model.softmax")
    ('norm', 'softmax', 'model.softmax')
    """
    *owners, last = text.split(".")
    return last.lower() if all(owner in MODULES for owner in owners) else text


def is_function(text: str) -> bool:
    """Whether a name is a function the evaluator knows."""
    return plain_name(text) in FUNCTIONS


class Parser:
    """Reads one expression from a list of tokens and says where it stopped."""

    def __init__(self, tokens: Sequence[Token], position: int = 0, *, prose: bool = False) -> None:
        self.tokens = tokens
        self.prose = prose  # where " - " before a word is a dash and not a minus
        self.position = position
        self.depth = 0
        self.last = min(len(tokens), position + LONGEST)

    def peek(self, ahead: int = 0) -> Token | None:
        """The token to come, or nothing at the end."""
        at = self.position + ahead
        return self.tokens[at] if at < self.last else None

    def expression(self, loosest: int = 1) -> Node:
        """An operand and everything that binds to it at least as tightly as `loosest`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("nested too deeply")
        left = self.signed(loosest)
        joined = 0
        while (token := self.peek()) is not None and token.kind is Kind.operator and token.text in BINDS:
            binding = BINDS[token.text]
            if binding < loosest or not self.has_operand(1):
                break
            self.position += 1
            joined += 1
            if joined > MOST_JOINED:
                raise Unreadable("too many operands in a row")
            left = Binary(token.text, left, self.expression(binding if binding == 4 else binding + 1))
        self.depth -= 1
        return left

    def has_operand(self, ahead: int) -> bool:
        """Whether an operand starts there, so that the operator before it is no stray sign."""
        token = self.peek(ahead)
        if token is None:
            return False
        if token.kind is Kind.operator and token.text in "+-√":
            after = self.peek(ahead + 1)
            return after is not None and after.kind in (Kind.number, Kind.word, Kind.opening)
        if (
            self.prose
            and token.kind is Kind.word
            and token.spaced
            and not is_function(token.text)
            and len(token.text) > 1
        ):
            return False
        return token.kind in (Kind.number, Kind.word, Kind.opening, Kind.ellipsis, Kind.string)

    def signed(self, loosest: int) -> Node:
        """An operand with its signs: `-2^2` is -(2^2), `2 * -3` is 2 * (-3)."""
        token = self.peek()
        if token is not None and token.kind is Kind.operator and token.text in ("-", "+", "√"):
            self.position += 1
            self.depth += 1
            if self.depth > DEEPEST:
                raise Unreadable("nested too deeply")
            inner = self.expression(max(loosest, 3)) if token.text in "-+" else self.postfix()
            self.depth -= 1
            return inner if token.text == "+" else Unary(token.text, inner)
        return self.postfix()

    def postfix(self) -> Node:
        """An operand with what follows it: a transpose, a factorial."""
        node = self.operand()
        while (token := self.peek()) is not None and token.kind is Kind.operator and token.text in (".T", "!"):
            if token.text == "!" and (token.spaced or not self.is_factorial()):
                break
            self.position += 1
            if isinstance(node, Unary) and node.operator == token.text:
                raise Unreadable("a double factorial, or a transpose of a transpose")
            node = Unary(token.text, node)
        return node

    def is_factorial(self) -> bool:
        """An exclamation mark counts only where the arithmetic goes on."""
        after = self.peek(1)
        if after is None:
            return not self.prose
        return after.kind in (Kind.operator, Kind.relation, Kind.closing)  # two of them are seen in `postfix`

    def operand(self) -> Node:
        """A number, a call, a name, or something in brackets."""
        token = self.peek()
        if token is None:
            raise Unreadable("an operand is missing")
        if token.kind is Kind.number:
            return self.number(token)
        if token.kind is Kind.word:
            return self.name(token)
        if token.kind is Kind.opening:
            self.position += 1
            return self.group(token)
        if token.kind in (Kind.string, Kind.ellipsis):
            self.position += 1
            return Name(token.text)
        raise Unreadable(f"{token.text} is no operand")

    def number(self, token: Token) -> Node:
        """A number with its percent sign; glued to letters it is a unit or an unknown, and so a name."""
        place = self.position
        self.position += 1
        after = self.peek()
        if after is not None and after.kind is Kind.word and not after.spaced:
            self.position += 1
            if after.text == "π":
                return Binary("*", Number(token.text, place, line=token.line), Name("π"))
            return Name(token.text + after.text)
        if after is not None and after.text == "%":
            beyond = self.peek(1)
            if beyond is None or beyond.kind not in (Kind.number, Kind.opening):
                self.position += 1
                return Number(token.text, place, percent=True, line=token.line)
            raise Unreadable("a remainder, or a percentage of something")
        if after is not None and after.kind is Kind.ellipsis and not after.spaced:
            self.position += 1  # 0.333… goes on: the digits printed are what is claimed
        return Number(token.text, place, line=token.line)

    def name(self, token: Token) -> Node:
        """A name, a call, or a method such as `.T` written into the name."""
        self.position += 1
        after = self.peek()
        indexed = after is not None and after.text == "[" and not after.spaced  # length[0] is an item, no call
        if is_function(token.text) and after is not None and after.kind is Kind.opening and not indexed:
            self.position += 1
            inside = self.group(after)
            arguments = inside.items if isinstance(inside, Vector) and inside.round else (inside,)
            return Call(plain_name(token.text), arguments)
        if plain_name(token.text) in WITHOUT_BRACKETS and after is not None and after.kind is Kind.number:
            return Call(plain_name(token.text), (self.number(after),))
        if after is not None and after.kind is Kind.opening and not after.spaced:
            self.position += 1
            self.group(after)
            return Name(token.text + after.text)
        if token.text.endswith(".T") and len(token.text) > 2:
            return Unary(".T", Name(token.text[:-2]))
        return Name(token.text)

    def group(self, opening: Token) -> Node:
        """What stands in brackets: one expression in parentheses is itself, everything else a vector."""
        closing = ")" if opening.text == "(" else "]"
        items: list[Node] = []
        commas = 0
        while (token := self.peek()) is not None and token.kind is not Kind.closing:
            items.append(self.item())
            token = self.peek()
            if token is not None and (token.kind is Kind.comma or token.text == ";"):
                self.position += 1
                commas += 1
            elif token is not None and token.kind is not Kind.closing and opening.text == "(":
                raise Unreadable(f"{token.text} in the middle of brackets")
        token = self.peek()
        if token is None or token.text != closing:
            raise Unreadable("a bracket does not close")
        self.position += 1
        if closing == ")" and len(items) == 1 and commas == 0:
            return items[0]
        return Vector(tuple(items), round=closing == ")")

    def item(self) -> Node:
        """One item of a list; a keyword argument or a labelled item is nothing we can compute."""
        node = self.expression()
        token = self.peek()
        if token is not None and token.text in ("=", ":"):
            raise Unreadable("a keyword or a label inside brackets")
        return node


def parse(tokens: Sequence[Token]) -> Node:
    """The tree of tokens that are one whole expression.

    >>> from regard.audit.tokens import tokens_of
    >>> parse(tokens_of("softmax([1, 2])", 1)).function
    'softmax'
    """
    parser = Parser(tokens)
    node = parser.expression()
    if parser.position != len(tokens):
        raise Unreadable("something is left over")
    return node
