"""Why a mismatch may be no mistake: a unit, a range, a line number, another arithmetic.

A right number called wrong is the worst an audit can do, so each of these turns a verdict into "left alone".
"""

import re
from collections.abc import Iterator

from regard.audit.chains import Member
from regard.audit.judge import Judged, shape_of
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
OTHER_ARITHMETIC = re.compile(
    r"\b(?:mod|modulo|binary|hex|hexadecimal|octal|xor|bitwise|GF|base[ -]?\d+)\b", re.IGNORECASE
)
SHAPES_IN_TEXT = re.compile(r"\(\s*\w+\s*[×x]\s*\w+\s*\)\s*[@·×*⋅]?\s*\(\s*\w+\s*[×x]")


def doubt(node: Node, member: Member, judged: list[Judged], statement: Statement, texts: dict[int, str]) -> str:
    """Why a mismatch may be no mistake; nothing if it is one, or if there is no mismatch."""
    if not any(one.verdict.fails for one in judged):
        return ""
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
    if member.relation in (ARROW, WORD) and whole and scalar:
        return "an arrow that may not mean equality"
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
