"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from regard.audit.chains import Chain, Member, chains_of
from regard.audit.evaluate import evaluate
from regard.audit.expression import Binary, Call, Name, Node, Number, Unreadable, literals, walk
from regard.audit.finding import Notebook
from regard.audit.judge import Judged, is_computation, judge, names_in, shape_of
from regard.audit.reading import Line
from regard.audit.statements import Statement, statements_of
from regard.audit.tokens import ARROW, WORD, Kind, Token
from regard.audit.verdict import Verdict

FARTHEST = 12  # lines a chain may pause before a line that begins with "=" takes it up again
AFTER_A_CLAIM = {
    "which", "and", "so", "is", "are", "for", "in", "but", "as", "the", "because", "to", "of", "with", "per", "total",
    "after", "if", "at", "from", "on", "or", "that", "this", "then", "while", "where", "when", "since", "thus", "by", "we",
    "it", "not", "hence", "giving", "also", "now", "again", "exactly", "correct", "parameters", "params", "dimensions", "dims",
    "weights", "heads", "numbers", "values", "entries", "in", "each", "was", "has", "only", "too", "would", "will", "a", "an",
}  # fmt: skip
OTHER_ARITHMETIC = re.compile(r"\b(?:mod|modulo|binary|hex|hexadecimal|octal|xor|bitwise|GF|base[ -]?\d+)\b", re.IGNORECASE)


@dataclass
class Page:
    """What the chains of a page leave behind for those below: named vectors, and a chain that may go on."""

    values: dict[str, np.ndarray] = field(default_factory=dict)
    open_chain: tuple[Member, ...] = ()
    open_line: int = 0


def check_arithmetic(lines: list[Line], tables: set[int], notebook: Notebook) -> None:
    """Judge every chain of a page."""
    page = Page()
    headings = {line.number for line in lines if line.heading}
    texts = {line.number: line.text for line in lines}
    for statement in statements_of(lines, tables):
        for chain in chains_of(statement):
            members = _with_beginning(chain, page, headings)
            if members:
                _check(members, len(members) - len(chain.members), statement, page, notebook, texts)
            _remember(chain, members, page)


def _with_beginning(chain: Chain, page: Page, headings: set[int]) -> tuple[Member, ...]:
    """The members of a chain, with those of the chain above that it takes up."""
    if not chain.continues:
        return chain.members
    line = chain.members[0].line
    near = page.open_chain and 0 <= line - page.open_line <= FARTHEST
    if not near or any(number in headings for number in range(page.open_line, line)):
        return ()
    return page.open_chain + chain.members


def _remember(chain: Chain, members: tuple[Member, ...], page: Page) -> None:
    """Keep an open chain, and the vector a name was given."""
    page.open_chain = members if chain.open else ()
    page.open_line = next((m.tokens[-1].line for m in reversed(chain.members) if m.tokens), page.open_line)
    if len(chain.members) < 2 or chain.continues:
        return
    name = chain.members[0].node
    if not isinstance(name, Name):
        return
    page.values.pop(name.text, None)
    given = chain.members[1].node
    try:
        value = evaluate(given, page.values) if given is not None else None
    except Unreadable:
        return
    if value is not None and value.ndim > 0:
        page.values[name.text] = value


def _check(
    members: tuple[Member, ...], known: int, statement: Statement, page: Page, notebook: Notebook, texts: dict[int, str]
) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    reference = _reference(members, page)
    if reference is None:
        if _looks_worked(members):
            notebook.leave("an expression with parts that are not known")
        return
    node = reference.node
    assert node is not None  # _reference only picks members that were read
    shapes = [shape_of(part) for part in walk(node)]
    for index, member in enumerate(members):
        if member is reference or member.node is None or index < known or isinstance(member.node, Name):
            continue
        if _is_shape_claim(node, member.node, shapes):
            continue  # the rule for shapes reads these
        if members.index(reference) >= index and is_computation(member.node):
            continue
        try:
            judged = judge(node, member, page.values)
        except Unreadable:
            notebook.leave("a claim of another form than what it claims")
            continue
        doubt = _doubt(node, member, judged, statement, texts)
        if doubt:
            notebook.leave(doubt)
            continue
        for one in judged:
            notebook.claim(one.line or member.line, reference.text, one.claimed, one.computed, one.verdict, one.note)


def _reference(members: tuple[Member, ...], page: Page) -> Member | None:
    """The first member that computes something from numbers alone, or else one that leans on named vectors."""
    with_names: Member | None = None
    for member in members:
        if member.node is None or not is_computation(member.node):
            continue
        try:
            evaluate(member.node, page.values)
        except Unreadable:
            continue
        if not names_in(member.node) & page.values.keys():
            return member
        with_names = with_names or member
    return with_names


def _looks_worked(members: tuple[Member, ...]) -> bool:
    """Whether a chain that cannot be judged still claims a number for something computed."""
    stated = any(member.node is not None and literals(member.node) is not None for member in members[1:])
    operators = any(token.kind is Kind.operator for member in members for token in member.tokens)
    return stated and operators and any(member.node is None or is_computation(member.node) for member in members)


def _is_shape_claim(node: Node, claim: Node, shapes: list[tuple[int, ...] | None]) -> bool:
    """`(10, 10) @ (10, 64) → (10, 64)` speaks of shapes, not of numbers."""
    joined = isinstance(node, Binary) and node.operator in ("@", "×", "*", "·")
    return joined and shape_of(claim) is not None and sum(shape is not None for shape in shapes) > 1


def _doubt(node: Node, member: Member, judged: list[Judged], statement: Statement, texts: dict[int, str]) -> str:
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
    scalar = member.node is not None and isinstance(member.node, Number)
    if member.relation in (ARROW, WORD) and whole and scalar:
        return "an arrow that may not mean equality"
    if whole and scalar and _is_range(member, statement.tokens):
        return "a range, a date or a ratio"
    if any(isinstance(part, Name) and part.text == "e" for part in walk(node)) and not _e_is_base(node):
        return "an e that may not be Euler's number"
    if _mixes_percent(node):
        return "percentages added to numbers"
    return ""


def _is_unit(after: Token | None) -> bool:
    """Whether a word that is no ordinary word follows the claim: 1024 * 1024 = 1 MB."""
    if after is None or after.kind is not Kind.name:
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


__all__ = ["Page", "Verdict", "check_arithmetic"]
