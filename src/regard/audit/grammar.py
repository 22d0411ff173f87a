"""The one grammar of arithmetic: a line as tokens, tokens as a small tree.

Prose, LaTeX, table headers and pseudocode are all read by it. Nothing here runs Python: the parser is a precedence
climber with limits on length and depth; a name it does not know stays a name, and whoever evaluates it decides.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from regard.audit import data
from regard.audit.evaluate import CONSTANTS, FUNCTIONS
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unary, Unreadable, Vector
from regard.audit.units import KNOWN, meanings

DEEPEST = 40
MOST_JOINED = 300  # operands in one sum: the tree leans left, and reading it must not run out of stack
EXACT, ABOUT, ARROW, WORD = "=", "≈", "→", "is"  # the relations, by how much they promise


class Token(NamedTuple):
    """One piece of a line. `spaced` says that a space (or nothing) stands before it: `2x` is not `2 x`."""

    kind: str  # a group of TOKEN
    text: str
    line: int
    spaced: bool
    unit: str = ""  # of a number


END = Token("end", "", 0, True)  # what stands behind the last one
ENDED = (END, END, END)

# The order matters: what is met most often comes first, and what must not be read as a number before the numbers.
TOKEN = re.compile(
    r"""\s*(?:(?P<word>(?!_{4})[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    |(?P<decimal>\d+\.\d+(?!\w|\.\d|:))
    |(?P<opaque>(?=\d)(?:0[xXbB][0-9a-fA-F]+|\d{4}-\d\d-\d\d|\d+(?:\.\d+){2,}|\d{1,2}:\d\d(?::\d\d)?|\d+(?:st|nd|rd|th)\b
        |0\d+(?![\d.]))|(?=[\W_])(?:[=#*~_-]{4,}|==+|!=|<=|>=|[-+*/|%&^]=|:=|<-+|::|\+\+|--+(?!>)))
    |(?P<ellipsis>\.{2,}|…|⋯)
    |(?P<relation>~=|≈|=~|=>|-{1,2}>|→|=)
    |(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d+(?:_\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\w))?|\.\d+(?:[eE][+-]?\d{1,3}(?!\w))?)
    |(?P<string>"[^"\n]{0,80}"|“[^”\n]{0,80}”)
    |(?P<operator>\*\*|//|\.T\b|[-+*/^@×·⊙√%!])
    |(?P<opening>[(\[])
    |(?P<closing>[)\]])
    |(?P<comma>,)
    |(?P<other>\S))""",
    re.VERBOSE,
)  # fmt: skip
KINDS = {"opaque": "other", "decimal": "number"}  # the plainest numbers are looked for first
OPERANDS = ("number", "opening", "word", "string", "ellipsis")
CURRENCIES = "€£¥₹¢"
EQUAL = {"equals", "equal", "equalling"}  # these promise as much as a sign
BETWEEN = data.ROUGH | {"to", "us", "exactly", "just", "precisely"}  # what may stand between a relation and its number
STRENGTHS = {"=": EXACT, "≈": ABOUT, "~=": ABOUT, "=~": ABOUT, WORD: WORD}  # any other relation only "leads to"


def tokens_of(text: str, line: int = 0) -> list[Token]:
    """The tokens of one line, each unit a part of its number ("8 heads × 64 dims" is 8 × 64).

    >>> [token.text for token in tokens_of("8 heads × 64 = 512, v1.2.3")]
    ['8', '×', '64', '=', '512', ',', 'v1', '.2', '.3']
    """
    if "x" in text or "X" in text:
        text = data.TIMES.sub(_times, text)
    found: list[Token] = []
    depth, words, united = 0, set[str](), list[int]()  # places of numbers that may have a unit
    for match in TOKEN.finditer(text):
        kind, whole = match.lastgroup or "other", match[0]
        piece = whole.lstrip()
        spaced = not found or len(piece) < len(whole)
        if kind == "opening":
            depth += 1
        elif kind == "closing":
            depth = max(0, depth - 1)
        elif kind == "word":
            words.add(piece.lower())
            if found and found[-1].kind == "number":
                united.append(len(found) - 1)
        elif (kind == "other" and piece in f"°{CURRENCIES}") or (not spaced and piece in ("/", "×")):
            united.append(max(0, len(found) - 1))
        elif depth and kind == "number" and "," in piece and not _is_operand(found, text[match.end() :]):
            # in a list, a comma separates numbers and not thousands
            for at, part in enumerate(piece.split(",")):
                found += [Token("comma", ",", line, False)] * (at > 0)
                found.append(Token("other" if at and part[0] == "0" else "number", part, line, spaced and not at))
            continue
        found.append(Token(KINDS.get(kind, kind), piece, line, spaced))
    found = _with_units(found, united[0]) if united else found
    return found if data.SAYS.isdisjoint(words) and "are" not in words else _with_relations(found)


def _is_operand(before: Sequence[Token], after: str) -> bool:
    """Whether a number in brackets stands beside a sign: (18 × 300 = 5,400) is no list."""
    return before[-1].kind in ("operator", "relation") or after.lstrip()[:1] in tuple("+×*·/=≈")


def _times(found: re.Match[str]) -> str:
    """`×` for an x between numbers, unless the zero before it makes it hexadecimal."""
    zero = found.string[found.start() - 1] == "0" and not found[1]
    longer = found.start() > 1 and found.string[found.start() - 2].isalnum()
    return found[0] if zero and not longer else f"{found[1]}×{found[2]}"


def _with_units(tokens: list[Token], start: int) -> list[Token]:
    """Each unit made a part of its number: "3 nights × 38.50 €" is 3 × 38.50, and `€5` is 5."""
    kept = tokens[:start]
    at, padded = start, [*tokens, *ENDED]
    while at < len(tokens):
        token, after = padded[at], padded[at + 1]
        at += 1
        if token.text in CURRENCIES and after.kind == "number":
            padded[at] = after._replace(spaced=token.spaced)
            continue
        tight = not after.spaced and not padded[at + 1].spaced and padded[at + 1].text in KNOWN
        if token.kind == "number" and after.text == "/" and tight and padded[at + 2].kind not in OPERANDS:
            token, at = token._replace(unit=f"/{padded[at + 1].text}"), at + 2  # $2.10/h
        elif token.kind == "number" and after.text == "×" and not after.spaced and not _begins(padded[at + 1]):
            token, at = token._replace(unit="×"), at + 1  # a speed-up of 6.4×
        elif token.kind == "number" and (after.kind == "word" or after.text in f"°{CURRENCIES}"):
            unit, at = _unit(padded, at, kept)
            token = token._replace(unit="" if unit in data.PLAIN_NOUNS else unit)
            if unit and padded[at].text in "xX" and padded[at + 1].kind == "number":
                padded[at] = padded[at]._replace(kind="operator", text="×")
        kept.append(token)
    return kept


def _begins(token: Token) -> bool:
    """Whether an operand may begin there."""
    return token.kind in OPERANDS or token.text in ("-", "+", "√", ".")


def _unit(tokens: Sequence[Token], start: int, before: Sequence[Token]) -> tuple[str, int]:
    """The unit that begins there and the place behind it; none where the words say something else."""
    end, unit, joint = start, "", ""
    while True:
        degrees = tokens[end].text == "°" and tokens[end + 1].text in ("C", "F")
        end += degrees
        word = tokens[end].text
        known = word in KNOWN or word in CURRENCIES
        glued = end == start and not tokens[end].spaced and (len(word) > 1 or word in "kKMBGT" or word in CURRENCIES)
        if not ((known and (tokens[end].spaced or glued or joint)) or _is_noun(tokens[end]) or degrees):
            return "", start
        unit, end = unit + joint + word, end + 1
        if tokens[end].text == "^" and not tokens[end].spaced:
            power = next((at for at in (end + 1, end + 2) if tokens[at].kind == "number"), end)
            unit, end = f"{unit}^{tokens[power].text}", power + 1 + (tokens[power + 1].kind == "closing")
        tight = not tokens[end].spaced and not tokens[end + 1].spaced and tokens[end].text in ("/", "·")
        joint = "/" if tokens[end].text == "per" else tokens[end].text if tight else ""
        if not joint or tokens[end + 1].kind != "word":
            break
        end += 1
    says = data.SAYS | BETWEEN
    claims = bool(before) and (before[-1].kind == "relation" or before[-1].text.lower() in says)
    known = degrees or unit in CURRENCIES or bool(meanings(unit))
    after = tokens[end]
    joins = tokens[end + 1].kind in ("operator", "relation", "closing")
    if _is_noun(after) and joins and (known or not claims):
        after, end = tokens[end + 1], end + 1  # 8 attention heads, 125 g butter
    if after.kind in ("number", "string") or (after.kind == "opening" and not after.spaced):
        return "", start
    times = after.text in ("x", "X") and tokens[end + 1].kind == "number"
    joined = bool(before) and before[-1].kind == "operator"
    ends = after.kind == "closing" or (after.kind == "relation" and joined) or times or after.text in ("*", *"+×·/")
    said = after.text.lower() in data.SAYS and joined
    return (unit, end) if known or claims or ends or said else ("", start)


def _is_noun(token: Token) -> bool:
    """Whether a word behind a number may say what is counted."""
    word = token.text.lower()
    plain = token.kind == "word" and token.spaced and word.isalpha() and len(word) > 2
    return plain and word not in data.NO_UNIT and word not in data.SAYS and word not in FUNCTIONS


def _with_relations(tokens: list[Token]) -> list[Token]:
    """ "gives", "equals", "is about" between an expression and a number are relations too."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.text.lower() if token.kind == "word" and token.spaced and kept else ""
        if (word in data.SAYS or word == "are") and (kept[-1].kind in ("closing", "number") or kept[-1].text == "%"):
            end, rough = after_between(tokens, index + 1)
            first, second = [*tokens[end : end + 2], END, END][:2]
            openings = ("opening",) if word == "are" else ("number", "opening")  # "are 0, 1 and 2" begins a list
            if first.kind in openings or (first.text == "-" and second.kind == "number"):
                kept.append(Token("relation", ABOUT if rough else EXACT if word in EQUAL else WORD, token.line, True))
                index = end
                continue
        kept.append(token)
        index += 1
    return kept


def after_relation(tokens: Sequence[Token], relation: int) -> tuple[int, str]:
    """The place where what follows a relation begins, and how much the relation promises."""
    promise, start = STRENGTHS.get(tokens[relation].text, ARROW), relation + 1
    beyond, rough = after_between(tokens, start)
    if beyond == start and promise in (EXACT, ABOUT) and tokens[start].text in data.LABELLED:
        beyond += 1  # 500 + 4,500 = step 5,000
    if beyond > start and tokens[beyond].kind in ("number", "opening", "operator"):
        return beyond, ABOUT if rough else promise
    return start, promise


def after_between(tokens: Sequence[Token], start: int) -> tuple[int, bool]:
    """The place after "about", "exactly" and the like, and whether it was one of the rough ones."""
    end = start
    while end < len(tokens) and tokens[end].text.lower() in BETWEEN:
        end += 1
    return end, any(token.text.lower() in data.ROUGH for token in tokens[start:end])


BINDS = {"+": 1, "-": 1, "*": 2, "×": 2, "·": 2, "/": 2, "//": 2, "@": 2, "⊙": 2, "^": 4, "**": 4}


def plain_name(text: str) -> str:
    """The function behind a dotted name, lower case; the whole name if its owner is no module we know.

    >>> plain_name("np.linalg.norm"), plain_name("Softmax"), plain_name("model.softmax")
    ('norm', 'softmax', 'model.softmax')
    """
    *owners, last = text.split(".")
    return last.lower() if all(owner in data.MODULES for owner in owners) else text


class Parser:
    """Reads one expression from a list of tokens and says where it stopped."""

    def __init__(self, tokens: Sequence[Token], position: int = 0, *, prose: bool = False) -> None:
        self.tokens, self.position, self.prose = tokens, position, prose  # in prose " - " before a word is a dash
        self.depth = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token to come; tokens are ended by three that stand for nothing, so that there always is one."""
        return self.tokens[self.position + ahead]

    def take(self) -> Token:
        """The token to come, taken."""
        self.position += 1
        return self.tokens[self.position - 1]

    def expression(self, loosest: int = 1) -> Node:
        """An operand and everything that binds to it at least as tightly as `loosest`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("nested too deeply")
        left = self.operand(loosest)
        joined = 0
        while (token := self.tokens[self.position]).text in BINDS and token.kind == "operator":
            binding = BINDS[token.text]
            if binding < loosest or not self.has_operand(1):
                break
            if binding == 1 and token.spaced and isinstance(left, Name) and not self.peek(1).spaced:
                break  # a sign of what follows: "the loss is -ln(0.25)"
            self.position += 1
            joined += 1
            if joined > MOST_JOINED:
                raise Unreadable("too many operands in a row")
            left = Binary(token.text, left, self.expression(binding if binding == 4 else binding + 1))
        self.depth -= 1
        return left

    def has_operand(self, ahead: int) -> bool:
        """Whether an operand starts there, so that the operator before it is no stray sign."""
        token = self.tokens[self.position + ahead]
        if token.kind == "number":
            return True
        if token.kind == "operator" and token.text in "+-√":
            return self.peek(ahead + 1).kind in ("number", "word", "opening")
        if self.prose and token.kind == "word" and token.spaced and len(token.text) > 1:
            known = plain_name(token.text) in FUNCTIONS or token.text in CONSTANTS
            return known or token.text.isupper() or "_" in token.text  # TP + FN
        return token.kind in ("word", "opening", "ellipsis", "string")

    def operand(self, loosest: int) -> Node:
        """A number, a call, a name or something in brackets, with its signs and with what follows it.

        `-2^2` is -(2^2), `2 * -3` is 2 * (-3); `3!` is a factorial only where the arithmetic goes on.
        """
        token = self.tokens[self.position]
        match token.kind:
            case "number":
                node = self.number()
            case "word":
                node = self.name()
            case "opening":
                node = self.group()
            case "string" | "ellipsis":
                node = Name(self.take().text)
            case "operator" if token.text in ("-", "+", "√"):
                self.position += 1
                inner = self.operand(loosest) if token.text == "√" else self.expression(max(loosest, 3))
                return inner if token.text == "+" else Unary(token.text, inner)
            case _:
                raise Unreadable("an operand is missing")
        while (token := self.tokens[self.position]).text in (".T", "!") and token.kind == "operator":
            goes_on = self.peek(1).kind in ("operator", "relation", "closing", *(() if self.prose else ("end",)))
            if token.text == "!" and (token.spaced or not goes_on):
                break
            self.position += 1
            if isinstance(node, Unary) and node.operator == token.text:
                raise Unreadable("a double factorial, or a transpose of a transpose")
            node = Unary(token.text, node)
        return node

    def number(self) -> Node:
        """A number with its percent sign; glued to letters it is a unit or an unknown, and so a name."""
        place = self.position
        self.position += 1
        token, after = self.tokens[place], self.tokens[place + 1]
        number = Number(token.text, place, after.text == "%", token.line, token.unit)
        if after.kind == "word" and not after.spaced:
            if after.text == "π":
                return Binary("*", number, self.expression(BINDS["^"]))
            self.position += 1
            return Name(token.text + after.text)
        applied = self.peek(1).kind == "number" or self.peek(1).text == "("
        if applied and after.kind == "word" and plain_name(after.text) in data.WITHOUT_BRACKETS:
            return Binary("*", number, self.expression(BINDS["^"]))  # 0.5 log 0.5
        if number.percent and self.peek(1).kind in ("number", "opening"):
            raise Unreadable("a remainder, or a percentage of something")
        if number.percent or (after.kind == "ellipsis" and not after.spaced):
            self.position += 1  # 0.333… goes on: the digits printed are what is claimed
        return number

    def name(self) -> Node:
        """A name, a call, or a method such as `.T` written into the name."""
        token, after = self.take(), self.peek()
        plain = plain_name(token.text)
        if after.kind == "opening":
            indexed = after.text == "[" and not after.spaced  # length[0] is an item, no call
            if plain in FUNCTIONS and not indexed:
                inside = self.group()
                return Call(plain, inside.items if isinstance(inside, Vector) and inside.round else (inside,))
            if not after.spaced:
                start = self.position
                self.group()
                return Name("".join(part.text for part in (token, *self.tokens[start : self.position])))  # H(p,q)
        elif plain in data.WITHOUT_BRACKETS and after.kind == "number":
            return Call(plain, (self.number(),))
        elif plain in data.WITHOUT_BRACKETS and after.kind == "word" and data.SYMBOL.fullmatch(after.text):
            return Call(plain, (Name(self.take().text),))
        if token.text.endswith(".T") and len(token.text) > 2:
            return Unary(".T", Name(token.text[:-2]))
        return Name(token.text)

    def group(self) -> Node:
        """What stands in brackets: one expression in parentheses is itself, everything else a vector."""
        is_round = self.take().text == "("
        items: list[Node] = []
        commas = 0
        while (token := self.peek()).kind not in ("closing", "end"):
            items.append(self.expression())
            token = self.peek()
            if token.kind == "comma" or token.text == ";":
                self.position += 1
                commas += 1
            elif token.kind not in ("closing", "end") and (is_round or token.text in ("=", ":")):
                raise Unreadable(f"{token.text} in the middle of brackets")
        if token.text != (")" if is_round else "]"):
            raise Unreadable("a bracket does not close")
        self.position += 1
        return items[0] if is_round and len(items) == 1 and not commas else Vector(tuple(items), is_round)


def parse(text: str) -> Node:
    """The tree of a text that is one whole expression.

    >>> parse("softmax([1, 2])").function
    'softmax'
    """
    parser = Parser([*tokens_of(text), *ENDED])
    node = parser.expression()
    if parser.peek().kind != "end":
        raise Unreadable("something is left over")
    return node


def start_of_expression(tokens: Sequence[Token], end: int, floor: int) -> tuple[int, Node | None]:
    """Where the longest expression that ends before `end` begins, and its tree.

    >>> start_of_expression([*tokens_of("so we get 0.5 * -2 = -1"), *ENDED], 7, 0)[0]
    3
    """
    for start in range(floor, end):
        token, after = tokens[start], tokens[start + 1]
        if token.kind == "word" and start + 1 < end and after.kind not in ("operator", "opening"):
            applied = plain_name(token.text) in data.WITHOUT_BRACKETS
            if not applied or not (after.kind == "number" or data.SYMBOL.fullmatch(after.text)):
                continue  # a word of prose: most of them
        if token.kind in ("comma", "other", "closing", "relation"):
            continue
        if token.kind == "operator" and token.text not in ("-", "+", "√"):
            continue
        parser = Parser(tokens, start)
        try:
            node = parser.expression()
        except Unreadable:
            continue
        if parser.position == end:
            return start, node
    return end, None
