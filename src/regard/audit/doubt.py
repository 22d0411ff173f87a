"""Why a mismatch may be no mistake: a unit, a range, a line number, another arithmetic.

A right number called wrong is the worst an audit can do, so each of these turns a verdict into "left alone".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from regard.audit.chains import Member
from regard.audit.expression import MODULES
from regard.audit.judge import Judged, shape_of
from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.statements import Statement
from regard.audit.tokens import ARROW, WORD, Kind, Token
from regard.audit.tree import Binary, Call, Name, Node, Number, Vector, literals, walk

# words that may follow a number without being its unit
AFTER_A_CLAIM = {
    "a", "after", "again", "also", "an", "and", "are", "as", "at", "because", "but", "by", "correct", "dimensions",
    "dims", "each", "entries", "exactly", "for", "from", "giving", "has", "heads", "hence", "if", "in", "is", "it",
    "not", "now", "numbers", "of", "on", "only", "or", "parameters", "params", "per", "since", "so", "that", "the",
    "then", "this", "thus", "to", "too", "total", "values", "was", "we", "weights", "when", "where", "which",
    "while", "will", "with", "would",
}  # fmt: skip
SAYS_SO = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|mistake(?:n|nly)?|erroneous(?:ly)?|fallacy|absurd|nonsense|lie|myth|"
    r"untrue|false(?:ly)?|impossible|contradiction|not true|not the case)\b|"
    r"(?:\b(?:not|never|cannot)|n['’]t)\s+(?:\w+\s+){0,3}(?=[\d(\[√][^=]{0,60}=)|[✗✘❌🚫⛔]",
    re.I,
)
IMPORT = re.compile(r"\s*(?:>>>\s*)?from\s+([\w.]{1,100})\s+import\s+(.{1,500})")
RENAMED = re.compile(r"(?<![\w.^*\\])(e|pi|π)\s{0,3}(?:=(?!=)|\bbe\b|←|:=)\s{0,3}(?!2\.7|3\.1|(?:np|math)\.)")
TIGHT = ("*", "^", "**")  # these stand without spaces in sentences too
SEPARATORS = (",", "and", "or", "/")
PLAIN_OPERATORS = ("+", "×", "*", "·", "/", "^", "**")
OTHER_ARITHMETIC = re.compile(
    r"\b(?:mod|modulo|binary|hex|hexadecimal|octal|xor|bitwise|GF|base[ -]?\d+|clock|"
    r"carry(?:ing)?|carries|o['’]clock)\b",
    re.IGNORECASE,
)
SHAPES_IN_TEXT = re.compile(r"\(\s*\w+\s*[×x]\s*\w+\s*\)\s*[@·×*⋅]?\s*\(\s*\w+\s*[×x]")


@dataclass(frozen=True)
class Surroundings:
    """What a page says around its claims: every line, and the functions it brings from elsewhere."""

    texts: dict[int, str]
    own: frozenset[str] = frozenset()
    renamed: frozenset[str] = frozenset()  # constants such as e that it gives another value


def own_functions(lines: list[Line]) -> frozenset[str]:
    """The functions a page imports from a module that may mean anything by their names."""
    names: set[str] = set()
    for line in lines:
        found = IMPORT.match(line.text) if "import" in line.text else None
        if found and found[1].partition(".")[0] not in MODULES | {"sklearn"}:
            names |= set(re.findall(r"\w+", found[2].lower()))
    return frozenset(names)


def renamed_constants(lines: list[Line]) -> frozenset[str]:
    """The names of constants that a page gives something else: "let e = 3"."""
    return frozenset(name for line in lines for name in RENAMED.findall(line.text[:LONGEST_LINE]))


def doubt(node: Node, member: Member, judged: list[Judged], statement: Statement, page: Surroundings) -> str:
    """Why a mismatch may be no mistake; nothing if it is one, or if there is no mismatch."""
    if not any(one.verdict.fails for one in judged):
        return ""
    texts = page.texts
    if any(isinstance(part, Call) and part.function in page.own for part in walk(node)):
        return "a function from elsewhere"
    if any(isinstance(part, Name) and part.text in page.renamed for part in walk(node)):
        return "a constant that the page gives another value"
    around = " ".join(texts.get(number, "") for number in range(member.line - 1, member.line + 1))
    if OTHER_ARITHMETIC.search(around):
        return "arithmetic of another kind"
    if _is_unit(member.after):
        return "a number with a unit"
    numbers = [part for part in walk(node) if isinstance(part, Number)]
    whole = all("." not in number.text for number in numbers) and not any(isinstance(part, Call) for part in walk(node))
    scalar = member.node is not None and not any(isinstance(part, Vector) for part in walk(member.node))
    if SHAPES_IN_TEXT.search(around):
        return "shapes, not numbers"
    if member.after is not None and member.after.text == "?":
        return "a question"
    if SAYS_SO.search(texts.get(member.line, "")):
        return "a mistake the page speaks of itself"
    if member.relation == ARROW and whole and scalar:
        return "an arrow that may not mean equality"
    if member.relation == WORD and whole and scalar and not _is_plain_talk(member, statement.tokens):
        return "a word that may not mean equality"
    if member.relation == WORD and _begins_a_list(member, statement.tokens):
        return "the first of several numbers"
    if _is_stroke_list(statement.tokens):
        return "numbers with strokes between them"
    if (statement.line.is_code and _is_code_of_its_own(node, member, whole=whole)) or _is_exclusive_or(node, member):
        return "an operator that means something else in code"
    if member.relation == ARROW and member.node is not None and literals(member.node) is None:
        return "an arrow from one expression to another"
    if whole and scalar and _is_range(member, statement.tokens):
        return "a range, a date or a ratio"
    if _is_line_number(node, member):
        return "a line number"
    if _reads_as_shapes(node, member.node):
        return "shapes, not numbers"
    if any(isinstance(part, Name) and part.text == "e" for part in walk(node)) and not _e_is_base(node):
        return "an e that may not be Euler's number"
    if _mixes_percent(node):
        return "percentages added to numbers"
    return ""


def _is_plain_talk(member: Member, tokens: list[Token]) -> bool:
    """Whether "3 + 7 is 10." is all there is: spaced signs of addition or multiplication, and nothing to follow."""
    before = tokens[: next((at for at, token in enumerate(tokens) if token is member.tokens[0]), 0)]
    operators = [token for token in before if token.kind is Kind.operator and token.text != "%"]
    plain = all(token.text in PLAIN_OPERATORS and (token.spaced or token.text in TIGHT) for token in operators)
    ends = member.after is None or member.after.text in (".", ",", ";", ")", "and")
    return bool(operators) and plain and ends


def _begins_a_list(member: Member, tokens: list[Token]) -> bool:
    """Whether more numbers follow: "is 0, 1.0986 and 1.7918"."""
    at = next((at for at, token in enumerate(tokens) if token is member.tokens[-1]), len(tokens)) + 1
    follows = tokens[at : at + 3]
    if len(follows) < 2 or follows[0].text not in SEPARATORS or follows[1].kind is not Kind.number:
        return False
    return len(follows) == 2 or follows[2].kind is Kind.other or follows[2].text in (*SEPARATORS, "%")


def _is_stroke_list(tokens: list[Token]) -> bool:
    """Whether `.1/.3/.6` stands before the relation: three decimals or more, glued by strokes."""
    run = 0
    for token, after in pairwise(tokens):
        if token.text == "/" and not token.spaced and after.kind is Kind.number and not after.spaced:
            run += "." in after.text
            if run >= 2:
                return True
        elif token.kind is not Kind.number:
            run = 0
    return False


def _is_code_of_its_own(node: Node, member: Member, *, whole: bool) -> bool:
    """Whether Python reads it otherwise: `^` is no power, and old Pythons divide whole numbers without a rest."""
    operators = {part.operator for part in walk(node) if isinstance(part, Binary)}
    return "^" in operators or ("/" in operators and whole and "." not in member.text)


def _is_exclusive_or(node: Node, member: Member) -> bool:
    """Whether `5 ^ 3 = 6` is right as code writes it: `^` is an exclusive or there."""
    match node:
        case Binary("^", Number() as left, Number() as right):
            texts = [left.text, right.text, member.text]
            return all(text.isdigit() for text in texts) and int(texts[0]) ^ int(texts[1]) == int(texts[2])
    return False


def _is_line_number(node: Node, member: Member) -> bool:
    """Whether a whole number stands before something made of vectors, as in a numbered listing."""
    leads = member.relation == "" and isinstance(member.node, Number) and "." not in member.node.text
    return leads and any(isinstance(part, Vector) for part in walk(node))


def _reads_as_shapes(node: Node, claim: Node | None) -> bool:
    """Whether `[2, 3] × [3, 4] = [2, 4]` is about shapes: the inner sizes agree, and the outer ones are claimed.

    `(4, 64) × 8 → (4, 512)` is about shapes too: eight arrays, laid side by side.
    """
    if not (isinstance(node, Binary) and node.operator in ("*", "×", "·", "@") and isinstance(claim, Vector)):
        return False
    if isinstance(node.right, Number) and shape_of(node.left) and shape_of(claim):
        return True
    parts = [literals(part) or [] for part in (node.left, node.right, claim)]
    sizes = [[number.text for _, number in part] for part in parts]
    left, right, result = sizes
    return bool(left and right) and left[-1] == right[0] and result == [*left[:-1], *right[1:]]


def _is_unit(after: Token | None) -> bool:
    """Whether a word that is no ordinary word follows the claim: 1024 * 1024 = 1 MB."""
    if after is None or after.kind is not Kind.word:
        return False
    return after.text.lower() not in AFTER_A_CLAIM


def _is_range(member: Member, tokens: list[Token]) -> bool:
    """Whether the whole numbers before the relation are glued by a dash or a stroke: 2023-24, 24/7."""
    before = tokens[: next((at for at, token in enumerate(tokens) if token.kind is Kind.relation), 0)]
    return len(before) >= 3 and before[-2].text in ("-", "/") and not before[-2].spaced and "." not in member.text


def _e_is_base(node: Node) -> bool:
    """Whether every e is raised to a power."""
    return all(
        not (isinstance(child, Name) and child.text == "e")
        or (isinstance(parent, Binary) and parent.operator in ("^", "**") and parent.left is child)
        for parent, child in _pairs(node)
    )


def _pairs(node: Node) -> Iterator[tuple[Node, Node]]:
    for parent in walk(node):
        if isinstance(parent, Binary):
            yield parent, parent.left
            yield parent, parent.right


def _mixes_percent(node: Node) -> bool:
    """Whether a percentage is added to a plain number: 100 + 10% may well mean 110."""
    return any(
        isinstance(part, Binary)
        and part.operator in ("+", "-")
        and (isinstance(part.right, Number) and part.right.percent)
        and not (isinstance(part.left, Number) and part.left.percent)
        and not _all_percent(part.left)
        for part in walk(node)
    )


def _all_percent(node: Node) -> bool:
    numbers = [part for part in walk(node) if isinstance(part, Number)]
    return bool(numbers) and all(number.percent for number in numbers)
