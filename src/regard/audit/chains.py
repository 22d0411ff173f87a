"""Finding chains in statements: `"apple" = 0.5*0.66 + 0.2*0.525 = 0.33 + 0.105 = 0.435` has four members.

The expression before the first relation is found by walking backwards from it, because prose does not say where
arithmetic begins; those after it are parsed forwards as far as they go. A member that cannot be read stays in the
chain as a label.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.audit.expression import BINDS, WITHOUT_BRACKETS, Parser, Unreadable, is_function, parse, plain_name
from regard.audit.statements import Statement
from regard.audit.tokens import ABOUT, ROUGH, Kind, Token, after_between, strength
from regard.audit.tree import Node

SPOILS = set("∑∏∫±°<>≤≥≠{}|&\\~∂∇‖?'≡")  # a sign of mathematics we do not read, right beside an expression


@dataclass(frozen=True)
class Member:
    """One side of a relation: its tree, or nothing where it is not readable."""

    node: Node | None
    tokens: tuple[Token, ...]
    relation: str = ""  # the strength of the relation before it; "" for the first
    after: Token | None = None  # the token that ended it

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.tokens[0].line if self.tokens else 0

    @property
    def text(self) -> str:
        """The member as written, more or less."""
        pieces = [(" " if token.spaced and index else "") + token.text for index, token in enumerate(self.tokens)]
        return "".join(pieces)


@dataclass(frozen=True)
class Chain:
    """Members joined by relations; `open` if it reached the end of its statement, so that it may go on below."""

    members: tuple[Member, ...]
    open: bool
    continues: bool = False  # it began with a relation


def chains_of(statement: Statement) -> Iterator[Chain]:
    """Every chain of a statement, from left to right."""
    tokens = statement.tokens
    floor = position = 0
    while position < len(tokens):
        if tokens[position].kind is not Kind.relation:
            position += 1
            continue
        start = start_of_expression(tokens, position, floor)
        members = [] if position == 0 else [_before(tokens, start, position)]
        first = position
        while position < len(tokens) and tokens[position].kind is Kind.relation:
            member, position = _after(tokens, position, prose=not statement.line.is_code)
            members.append(member)
            if member.node is None:
                break
        ended = all(token.text in ".,;)" for token in tokens[position:])
        yield Chain(tuple(members), ended, continues=first == 0)
        floor = position


def _before(tokens: Sequence[Token], start: int, end: int) -> Member:
    """The member before the first relation."""
    inside = tuple(tokens[start:end])
    if not inside or _spoiled_before(tokens, start):
        return Member(None, inside)
    try:
        return Member(parse(inside), inside)
    except Unreadable:
        return Member(None, inside)


def _spoiled_before(tokens: Sequence[Token], start: int) -> bool:
    """Whether what stands before an expression belongs to it but cannot be read."""
    if start == 0:
        return False
    before, first = tokens[start - 1], tokens[start]
    if before.kind in (Kind.number, Kind.closing) or (before.text[-1:].isalnum() and before.kind is Kind.other):
        return True  # a factor, the thousands, or a number we do not read: 2 (3 + 4), 1 500 * 2, 0x10 + 1
    if before.kind is Kind.comma and start > 1 and not before.spaced and not first.spaced:
        return tokens[start - 2].kind is Kind.number  # 1,5 * 2
    if before.text == ":" and start > 1 and before.spaced:
        return tokens[start - 2].kind is Kind.number  # 2 : (3 + 4)
    if before.kind is Kind.word and first.kind is Kind.opening and _is_symbol(before.text):
        return True
    glued = not first.spaced and before.kind in (Kind.word, Kind.other, Kind.ellipsis)
    dangling = before.kind is Kind.operator and start > 1 and before.text not in ("-", "*")
    return (glued and before.text not in ":;'\"“‘") or before.text in SPOILS or dangling


def _is_symbol(word: str) -> bool:
    """Whether a word before brackets is a factor: one letter that is no English word, or a name with an index."""
    return (len(word) == 1 and word not in "aAI") or "_" in word


def _after(tokens: Sequence[Token], relation: int, *, prose: bool) -> tuple[Member, int]:
    """The member after a relation, and the place where it ends."""
    promise = strength(tokens[relation])
    start = relation + 1
    beyond = after_between(list(tokens[start : start + 4]), 0) + start
    if beyond > start and beyond < len(tokens) and tokens[beyond].kind in (Kind.number, Kind.opening, Kind.operator):
        promise = ABOUT if any(token.text.lower() in ROUGH for token in tokens[start:beyond]) else promise
        start = beyond
    parser = Parser(tokens, start, prose=prose)
    try:
        node = parser.expression()
    except Unreadable:
        end = start
        while end < len(tokens) and tokens[end].kind is not Kind.relation:
            end += 1
        return Member(None, tuple(tokens[start:end]), promise), end
    end = parser.position
    after = tokens[end] if end < len(tokens) else None
    spoiled = after is not None and (_spoils(after) or _goes_on(tokens, end))
    return Member(None if spoiled else node, tuple(tokens[start:end]), promise, after), end


def _spoils(after: Token) -> bool:
    """Whether what stands after an expression belongs to it but cannot be read."""
    if after.text in SPOILS - {"<", ">", "|", "?"}:
        return True
    if after.kind is Kind.operator:
        return after.text not in ("!", "*", "-")
    glued = not after.spaced and after.kind in (Kind.word, Kind.number, Kind.opening, Kind.other)
    return glued and after.text not in ".,;:!?'\"”’}|"


def _goes_on(tokens: Sequence[Token], end: int) -> bool:
    """Whether the number before `end` has more digits behind a space or a comma: 3 000, 2,5."""
    last, after = tokens[end - 1], tokens[end]
    if last.kind is not Kind.number:
        return False
    if after.kind is Kind.comma and end + 1 < len(tokens):
        return not after.spaced and not tokens[end + 1].spaced and tokens[end + 1].kind is Kind.number
    return len(after.text) == 3 and after.text.isdigit() and len(last.text) <= 3 and last.text.isdigit()


def start_of_expression(tokens: Sequence[Token], end: int, floor: int) -> int:
    """Where the longest expression that ends before `end` begins.

    >>> from regard.audit.tokens import tokens_of
    >>> start_of_expression(tokens_of("so we get 0.5 * -2 = -1", 1), 7, 0)
    3
    """
    position = accepted = end
    while position > floor:
        begin = _start_of_operand(tokens, position, floor)
        if begin is None:
            break
        position = begin
        while position > floor and _is_sign(tokens, position - 1, floor):
            position -= 1
        accepted = position
        joins = (
            position - 1 > floor and tokens[position - 1].kind is Kind.operator and tokens[position - 1].text in BINDS
        )
        if not joins or not _ends_operand(tokens[position - 2]):
            break
        position -= 1
    return accepted


def _is_sign(tokens: Sequence[Token], at: int, floor: int) -> bool:
    """Whether the operator there has nothing on its left to join, and so is a sign or a root."""
    token = tokens[at]
    if token.kind is not Kind.operator or token.text not in ("-", "+", "√"):
        return False
    if token.text == "√" or at <= floor or not _ends_operand(tokens[at - 1]):
        return True
    glued_to_the_right = token.spaced and not tokens[at + 1].spaced
    return tokens[at - 1].kind is Kind.word and glued_to_the_right  # "the loss is -ln(0.25)"


def _ends_operand(token: Token) -> bool:
    if token.kind is Kind.operator:
        return token.text in ("%", "!", ".T")
    return token.kind in (Kind.number, Kind.word, Kind.closing, Kind.string, Kind.ellipsis)


def _start_of_operand(tokens: Sequence[Token], end: int, floor: int) -> int | None:
    """Where the operand that ends before `end` begins; nothing if none ends there."""
    if end <= floor:
        return None
    while end - 1 > floor and tokens[end - 1].kind is Kind.operator and tokens[end - 1].text in ("%", "!", ".T"):
        end -= 1
    last = tokens[end - 1]
    if last.kind is Kind.closing:
        return _start_of_group(tokens, end, floor)
    if last.kind not in (Kind.number, Kind.word, Kind.string, Kind.ellipsis):
        return None
    begin = end - 1
    if begin > floor:
        before = tokens[begin - 1]
        if last.kind is Kind.number and before.kind is Kind.word and plain_name(before.text) in WITHOUT_BRACKETS:
            return begin - 1
        if last.kind is Kind.word and before.kind is Kind.number and not last.spaced:
            return begin - 1
        if last.kind is Kind.ellipsis and before.kind is Kind.number and not last.spaced:
            return begin - 1
    return begin


def _start_of_group(tokens: Sequence[Token], end: int, floor: int) -> int | None:
    """Where brackets that close before `end` open, with the name of the function before them."""
    while True:
        begin = _opening_of(tokens, end, floor)
        if begin is None or begin <= floor:
            return begin
        before = tokens[begin - 1]
        glued = not tokens[begin].spaced
        if before.kind is Kind.word and (glued or is_function(before.text)):
            return begin - 1
        if before.kind is not Kind.closing or not glued:
            return begin
        end = begin


def _opening_of(tokens: Sequence[Token], end: int, floor: int) -> int | None:
    """Where the brackets that close before `end` open; nothing if they do not."""
    depth = 0
    for begin in range(end - 1, floor - 1, -1):
        depth += {Kind.closing: 1, Kind.opening: -1}.get(tokens[begin].kind, 0)
        if depth == 0:
            return begin
    return None
