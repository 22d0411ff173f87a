"""The one grammar of arithmetic, for prose, LaTeX and code: a line as tokens, tokens as a tree. Nothing runs Python."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from regard.audit import data
from regard.audit.nodes import Call, Name, Node, Number, Unreadable, Vector

DEEPEST = 40
A_LINE = 10_000  # places: more than a statement has tokens
MOST_JOINED = 300  # operands in one sum: the tree leans left, and reading it must not run out of stack
EXACT, ABOUT, ARROW, WORD = "=", "≈", "→", "is"  # the relations, by how much they promise
PROMISES = dict.fromkeys(data.SAYS, WORD) | {"=": EXACT, "equals": EXACT, "≈": ABOUT, "~=": ABOUT, "=~": ABOUT}
BINDS = {"+": 1, "-": 1, "*": 2, "×": 2, "·": 2, "/": 2, "//": 2, "@": 2, "⊙": 2, "^": 4, "**": 4}
OPERANDS = ("number", "word", "opening", "string", "ellipsis")
FUNCTIONS = data.MEANINGS["items"] | data.MEANINGS["rows"] | data.MEANINGS["pairs"]
NO_NOUN = data.NO_UNIT | data.SAYS | FUNCTIONS.keys()


class Token(NamedTuple):
    """One piece of a line, of a kind of `data.TOKEN`. `spaced` says that a space (or nothing) stands before it."""

    kind: str
    text: str
    line: int
    spaced: bool
    unit: str = ""  # of a number


END = Token("end", "", 0, True)  # what stands behind the last one
ENDED = (END, END, END)


def tokens_of(text: str, line: int = 0) -> list[Token]:
    """The tokens of one line, each unit a part of its number ("8 heads × 64 dims" is 8 × 64), "gives" a relation."""
    text = data.TIMES.sub(" × ", data.CURRENCY_AHEAD.sub("", text))
    text = data.TIGHT_LIST.sub(lambda found: found[0].replace(",", ", "), text)
    found, at, last = list[Token](), 0, END
    while match := data.TOKEN.match(text, at):
        kind, piece, at, unit = match.lastgroup or "other", match[0].lstrip(), match.end(), ""
        spaced = not found or len(piece) < len(match[0])
        says = piece.lower() in data.SAYS and (last.kind in ("number", "closing") or last.text == "%")
        if kind == "number":
            unit, at = _unit(text, at, last)
        elif kind == "relation" or (says and data.BETWEEN.match(text, at)):
            words = between[1] if (between := data.BETWEEN.match(text, at)) else ""
            rough, at = not data.ROUGH.isdisjoint(words.lower().split()), at + len(words)
            kind, piece = "relation", ABOUT if rough else PROMISES.get(piece.lower(), ARROW)
        found.append(last := Token(kind, piece, line, spaced, unit))
    return found


def _unit(text: str, at: int, before: Token) -> tuple[str, int]:
    """The unit of the number that ends there, or the noun where a sign says that it counts, and the place behind it."""
    found = data.UNIT.match(text, at)
    if found is None:
        return "", at
    words = [] if "°" in found["unit"] else data.A_WORD.findall(found["unit"])
    strange = [word for word in words if word not in data.UNITS]
    noun = found["noun"] and found["noun"].strip() not in NO_NOUN  # 8 attention heads, 125 g butter
    end = found.end() if noun else found.end("unit")
    counts = (before.kind == "relation" and not text[at].isalpha()) or data.UNIT_BEFORE.match(text, end)
    counts = counts or (before.kind == "operator" and data.UNIT_BEFORE_RESULT.match(text, end))
    if strange and (not counts or any(len(word) < 3 or word.lower() in NO_NOUN for word in strange)):
        return "", at
    unit = found["unit"].strip().replace(" per ", "/")
    return "" if unit in data.PLAIN_NOUNS else unit, end


class Parser:
    """Reads one expression from tokens that are ENDED, and says where it stopped."""

    def __init__(self, tokens: Sequence[Token], position: int = 0) -> None:
        self.tokens, self.position, self.depth = tokens, position, 0

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[self.position + ahead]

    def take(self) -> Token:
        self.position += 1
        return self.tokens[self.position - 1]

    def expression(self, loosest: int = 1) -> Node:
        """An operand and everything that binds to it at least as tightly as `loosest`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("nested too deeply")
        left = self.operand(loosest)
        for _ in range(MOST_JOINED):
            sign, after, binding = self.peek(), self.peek(1), BINDS.get(self.peek().text, 0)
            after = self.peek(2) if after.text in ("-", "+", "√") else after
            apart = binding == 1 and sign.spaced and isinstance(left, Name) and not self.peek(1).spaced
            if binding < loosest or apart or after.kind not in OPERANDS:
                break  # a stray sign, or that of what follows: "the loss is -ln(0.25)"
            left = Call(self.take().text, (left, self.expression(binding if binding == 4 else binding + 1)))
        self.depth -= 1
        return left

    def operand(self, loosest: int) -> Node:
        """A number, a call, a name or something in brackets, with its signs: -2^2 is -(2^2), 2 * -3 is 2 * (-3)."""
        token = self.take()
        if token.text == "√":
            return Call("√", (self.operand(loosest),))
        if token.text in ("-", "+"):
            inner = self.expression(max(loosest, 3))
            return Call("-", (inner,)) if token.text == "-" else inner
        if token.kind not in OPERANDS:
            raise Unreadable("an operand is missing")
        node = {"number": self.number, "opening": self.group}.get(token.kind, self.name)(token)
        is_factorial = self.peek().text == "!" and self.peek(1).kind in ("operator", "relation", "closing")
        return Call(self.take().text, (node,)) if self.peek().text == ".T" or is_factorial else node

    def number(self, token: Token) -> Node:
        """A number with its percent sign; with a function behind it a product: 0.5 log 0.5, 2π."""
        after, opens = self.peek(), self.peek(1).kind in ("number", "opening")
        number = Number(token.text, token.line * A_LINE + self.position - 1, after.text == "%", token.line, token.unit)
        if (opens and after.text in data.WITHOUT_BRACKETS and after.spaced) or after.text == "π":
            return Call("*", (number, self.expression(BINDS["^"])))
        self.position += number.percent or (after.kind == "ellipsis" and not after.spaced)  # 0.333… goes on
        return number

    def name(self, token: Token) -> Node:
        """A name, or a call; an unknown one is a name with its brackets: H(p,q)."""
        after, start, (*owners, last) = self.peek(), self.position, token.text.split(".")
        plain = last.lower() if data.MODULES.issuperset(owners) else token.text  # np.exp is exp
        if plain in FUNCTIONS and after.kind == "opening" and (after.text == "(" or after.spaced):
            inside = self.group(self.take())
            return Call(plain, inside.parts if isinstance(inside, Vector) and inside.round else (inside,))
        if plain in data.WITHOUT_BRACKETS and (after.kind == "number" or data.SYMBOL.fullmatch(after.text)):
            return Call(plain, (self.operand(BINDS["^"]),))
        if after.kind == "opening" and not after.spaced:
            self.group(self.take())
        return Name("".join(part.text for part in (token, *self.tokens[start : self.position])))

    def group(self, opening: Token) -> Node:
        """What stands in brackets: one expression in parentheses is itself, everything else a vector."""
        closing, commas, items = ")" if opening.text == "(" else "]", 0, list[Node]()
        while self.peek().kind not in ("closing", "end"):
            items.append(self.expression())
            separated = self.peek().text in (",", ";")
            self.position, commas = self.position + separated, commas + separated
            if closing == ")" and not separated:
                break
        if self.take().text != closing:
            raise Unreadable("a bracket does not close")
        alone = closing == ")" and len(items) == 1 and not commas
        return items[0] if alone else Vector(tuple(items), closing == ")")


def parse(text: str) -> Node:
    """The tree of a text that is one whole expression."""
    parser = Parser([*tokens_of(text), *ENDED])
    node = parser.expression()
    if parser.peek() is not END:
        raise Unreadable("something is left over")
    return node


def start_of_expression(tokens: Sequence[Token], end: int, floor: int) -> tuple[int, Node | None]:
    """Where the longest expression that ends before `end` begins, and its tree."""
    for start in range(floor, end):
        parser = Parser(tokens, start)
        with suppress(Unreadable):
            if (node := parser.expression()) and parser.position == end:
                return start, node
    return end, None
