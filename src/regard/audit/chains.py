"""Finding chains: `"apple" = 0.5*0.66 + 0.2*0.525 = 0.33 + 0.105 = 0.435` has four members.

Lines are joined into statements first, because a sum may go on for four lines and a matrix for ten. The expression
before the first relation may begin anywhere, since prose does not say where arithmetic begins; those after it are read
as far as they go. A member that cannot be read stays in its chain as a label.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from regard.audit import data
from regard.audit.evaluate import FUNCTIONS
from regard.audit.grammar import (
    END,
    ENDED,
    WORD,
    Parser,
    Token,
    after_relation,
    plain_name,
    start_of_expression,
    tokens_of,
)
from regard.audit.nodes import Name, Node, Unreadable
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, QUOTES, Line
from regard.audit.phrases import NEEDLES

MOST_LINES = 80  # of one statement
MOST_TOKENS = 2_000  # before another line may join it
OPERANDS = ("number", "opening", "word")


@dataclass
class Statement:
    """Tokens that belong together, and the kind of place they stand in."""

    tokens: list[Token]
    line: Line
    depth: int = 0  # brackets still open at its end
    last: int = 0  # the last line it covers

    def add(self, tokens: list[Token], line: Line) -> "Statement":
        """Join a line to it."""
        self.tokens += tokens
        self.last = max(line.end, line.number)
        self.depth += sum((t.kind == "opening") - (t.kind == "closing") for t in tokens) if line.is_code else 0
        return self


def split_comment(text: str, *, python: bool = False) -> tuple[str, str]:
    """A line of code and its comment, the mark left out.

    >>> split_comment('[0.5, 0.2],   --> "apple"')
    ('[0.5, 0.2],   ', ' "apple"')
    """
    found = (data.HASH if python else data.COMMENT).search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])


def is_value(text: str) -> bool:
    """Whether a text states a value and nothing else; spaces are made one first, which the pattern would share out."""
    return data.VALUE_ONLY.fullmatch(" ".join(text.split())) is not None


def statements_of(lines: Sequence[Line], tables: set[int]) -> Iterator[Statement]:
    """Every statement of a page; `tables` are the lines whose cells stand for themselves."""
    pending: Statement | None = None
    above = Line(-9, "")
    for line in lines:
        before, above = above, line
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        in_table = line.number in tables or line.text.startswith("| ")
        if pending is not None and (in_table or data.PROMPT.match(line.text) or not _may_go_on(pending, line)):
            yield pending
            pending = None
        if in_table:
            yield from _cells(line)
        elif pending is not None or _is_interesting(line):
            code, comment = line.text, ""
            if line.is_code and line.language != "math":
                code, comment = split_comment(line.text, python=line.is_python)
            if comment and not is_value(comment) and data.INTERESTING.search(comment):
                tokens = read_tokens(comment, line)
                yield Statement([*_expression_above(before, tokens, line), *tokens], line)
            tokens = _below(before, read_tokens(code, line), line, pending)
            if pending is not None and _joins(pending, tokens, line):
                pending.add(tokens, line)
                continue
            if pending is not None:
                yield pending
            pending = Statement([], line).add(tokens, line) if tokens else None
    if pending is not None:
        yield pending


def _cells(line: Line) -> Iterator[Statement]:
    """The cells of a row; a relation at the beginning of one belongs to the cell before it, not to a row above."""
    for cell in re.split(r"[|│┃║\t]", line.text):
        if data.INTERESTING.search(cell):
            tokens = read_tokens(cell.strip(), line._replace(block=0))
            begins = tokens and tokens[0].kind == "relation"
            yield Statement([*_unread(line), *tokens] if begins else tokens, line)


def _below(before: Line, tokens: list[Token], line: Line, pending: Statement | None) -> list[Token]:
    """The tokens of a line, marked where they are the end of something above that was not read with them."""
    if (pending is None or not _are_equations(pending.tokens)) and (above := _expression_above(before, tokens, line)):
        if any(token.kind == "comma" for token in above):  # 1/2, 1/4, 1/8 and below it = 0.5, 0.25, 0.125
            return [*_listed(above), tokens[0], *_listed(tokens[1:])]
        return [*above, *tokens]
    unread = bool(data.BROKEN.search(before.text[-40:])) and line.text[:1].isdigit()  # 26. and 86 below it: one number
    if not line.is_code and data.GOES_ON.match(line.text) and _is_open(before, line):
        tokens = tokens_of(plain(line.text, bullet=False), line.number)
        unread = pending is None or _are_equations(pending.tokens, tokens)
    return [*_unread(line), *tokens] if unread else tokens


def _listed(tokens: Sequence[Token]) -> list[Token]:
    """Tokens as a list in brackets."""
    line = tokens[0].line if tokens else 0
    return [Token("opening", "[", line, True), *tokens, Token("closing", "]", line, False)]


def _expression_above(above: Line, tokens: Sequence[Token], line: Line) -> list[Token]:
    """The tokens of the line above, if it is nothing but arithmetic, and maybe its name, and its result stands here."""
    if not tokens or tokens[0].kind != "relation":
        return []
    near = above.number == line.number - 1 and above.block == line.block and len(above.text) <= LONGEST_LINE
    text = data.LABEL_AHEAD.sub("", above.text)
    return read_tokens(text, above) if near and data.ONLY_ARITHMETIC.fullmatch(text) else []


def _are_equations(*sides: Sequence[Token]) -> bool:
    """Whether two meet: `1 + 2 = 3` above `- 2 + 2 = 4`, which is an item more often than a difference."""
    return all(any(token.kind == "relation" for token in side) for side in sides)


def _is_open(above: Line, line: Line) -> bool:
    """Whether the line above may go on here: it stands right there, is no item of a list, and ends in a value."""
    near = above.number == line.number - 1 and not above.is_code
    return near and not data.ITEM.match(above.text) and bool(data.ENDS_IN_VALUE.search(above.text[-40:]))


def _is_interesting(line: Line) -> bool:
    """Whether a line could state a claim: most lines of most pages cannot, and are not tokenised."""
    text = line.text
    if line.is_code:
        return any(sign in text for sign in "=≈→>~+[\\#") or bool(data.INTERESTING.search(text))
    says = "=" in text or "%" in text or "verage" in text or " mean" in text or text.rstrip().endswith(("+", "-"))
    return any(sign.isdigit() for sign in text) and bool(
        says or data.SAYS_A_NUMBER.search(text) or NEEDLES.search(text)
    )


def read_tokens(text: str, line: Line) -> list[Token]:
    """The tokens of a text, by the rules of the place it stands in."""
    if line.language == "math" or text.lstrip().startswith("&="):  # a row of aligned equations
        tokens = tokens_of(plain(text if "\\" in text else text.replace("&", " ")), line.number)
        return [*_unread(line), *tokens] if data.ROW_GOES_ON.match(text) else tokens
    text = data.PROMPT.sub("", text) if line.is_code else text
    text = QUOTES.sub("   ", text) if line.is_python else text
    if "=" in text and "  " in text and not any(sign in text for sign in "$\\|"):
        text = data.WIDE_GAP.sub(lambda gap: gap[0] if _is_inside(text, gap.start()) else " ; ", text)
    return tokens_of(plain(text, code=line.is_code), line.number)


def _is_inside(text: str, at: int) -> bool:
    """Whether a place is inside of brackets, where a gap parts the numbers of a list."""
    return text.count("[", 0, at) > text.count("]", 0, at)


def _unread(line: Line) -> list[Token]:
    """What stands for something before an expression that was not read with it."""
    return [Token("other", "∑", line.number, True)]


def _may_go_on(pending: Statement, line: Line) -> bool:
    """Whether the next line could belong to the statement, by where it stands."""
    near = line.number - pending.last <= 2 and line.number - pending.line.number < MOST_LINES
    return near and line.block == pending.line.block and len(pending.tokens) <= MOST_TOKENS


def _joins(pending: Statement, tokens: list[Token], line: Line) -> bool:
    """Whether the line does belong to it, by the signs at the seam."""
    if not tokens or pending.depth > 0:
        return bool(tokens)
    before, last = [END, *pending.tokens][-2:]
    first, second = [*tokens, END][:2]
    if first.kind == "relation" or line.number - pending.last > 1 or _is_another(pending.tokens, tokens):
        return False
    if last.kind == "operator" and last.text in data.JOINING and before.kind != "end":
        return first.kind in OPERANDS and before.kind in ("number", "closing", "word")
    if last.kind == "relation":
        return first.kind in OPERANDS or first.text in ("-", "√")
    if first.kind != "operator" or first.text not in data.JOINING or last.kind not in ("number", "closing"):
        return False
    if not line.is_code:  # a bullet has lost its sign by now
        return second.kind in OPERANDS
    return first.text not in "-*/" or (first.text == "-" and pending.tokens[0].kind == "relation")


def _is_another(above: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether a line with a sign glued to its first number is an equation of its own, below one that has its result."""
    if tokens[0].text not in "+-" or not _are_equations(tokens) or tokens[1].spaced:
        return False
    if above[0].text == tokens[0].text and _are_equations(above):
        return True  # -ln 0.5 = 0.693 above -ln 0.2 = 1.609
    ends = [at for at, token in enumerate(above) if token.kind == "relation"]
    told = ends and len(above) - ends[-1] <= 3 and any(token.kind == "operator" for token in above[1 : ends[-1]])
    return bool(told)


def written(tokens: Sequence[Token]) -> str:
    """Tokens as a text, more or less as it was."""
    return "".join((" " if token.spaced and index else "") + token.text for index, token in enumerate(tokens))


class Member(NamedTuple):
    """One side of a relation: its tree, or nothing where it is not readable."""

    node: Node | None
    tokens: Sequence[Token]
    relation: str = ""  # the strength of the relation before it; "" for the first
    after: Token = END  # the token that ended it
    at: int = 0  # where it begins in its statement

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.tokens[0].line if self.tokens else 0

    @property
    def end(self) -> int:
        """Where what follows it begins in its statement."""
        return self.at + len(self.tokens)

    @property
    def text(self) -> str:
        """The member as written."""
        return written(self.tokens)


class Chain(NamedTuple):
    """Members joined by relations; `open` if it reached the end of its statement, so that it may go on below."""

    members: tuple[Member, ...]
    open: bool
    continues: bool = False  # it began with a relation

    @property
    def name(self) -> str:
        """The name it gives something, if it begins with one."""
        first = self.members[0].node if self.members and not self.continues else None
        name = first.text if isinstance(first, Name) and data.A_NAME.fullmatch(first.text) else ""
        return "" if name.startswith("Σ") else name  # Σx² is no square


def chains_of(statement: Statement) -> Iterator[Chain]:
    """Every chain of a statement, from left to right."""
    tokens, prose = [*statement.tokens, *ENDED], not statement.line.is_code
    floor = 0
    for first, token in enumerate(statement.tokens):
        if token.kind != "relation" or first < floor:
            continue
        members = [] if first == 0 else [_before(tokens, first, floor)]
        position = first
        while tokens[position].kind == "relation":
            member, after = _after(tokens, position, prose)
            if len(members) > 1 and member.relation == WORD:
                break  # the cube root of 4 × 2 × 8 = 64 is 4
            members.append(member)
            position = after
            if member.node is None:
                break
        if len(members) > 1 and _is_counted(*members[:2]):
            members[0] = members[0]._replace(node=None)
        ended = len(tokens) - position < 7 and all(token.text in ".,;)" for token in tokens[position:])
        yield Chain(tuple(members), ended, first == 0)
        floor = position


def _before(tokens: Sequence[Token], end: int, floor: int) -> Member:
    """The member before the first relation."""
    start, node = start_of_expression(tokens, end, floor)
    noted = start > 0 and tokens[start - 1].kind == "word" and tokens[start].text == "(" and tokens[end - 1].text == ")"
    noted = noted and any(token.unit for token in tokens[start:end])  # one Zenth (1 × 2 units) = 2 coins
    spoiled = start == end or noted or _spoiled_before(tokens, start)
    return Member(None if spoiled else node, tokens[start:end], at=start)


def _is_counted(first: Member, second: Member) -> bool:
    """Whether a chain begins with what it counts: `1,000 tokens = 36,864 * 1,000 = …` says nothing of 1,000."""
    used = [token.text for token in second.tokens if token.kind == "number"]
    return len(first.tokens) == 1 < len(used) and first.tokens[0].text in used


def _spoiled_before(tokens: Sequence[Token], start: int) -> bool:
    """Whether what stands before an expression belongs to it but cannot be read."""
    if start == 0:
        return False
    two, before, first = [END, *tokens[max(0, start - 2) : start + 1]][-3:]
    if before.kind in ("number", "closing") or (before.kind == "other" and before.text[-1:].isalnum()):
        return True  # a factor, the thousands, or a number we do not read: 2 (3 + 4), 1 500 * 2, 0x10 + 1
    if before.kind == "word" and first.unit and (two.kind == "number" or before.text == "the"):
        return True  # 2 h 30 min, 3 of the 7 teams
    if before.kind == "comma" and two.kind != "end" and not before.spaced and not first.spaced:
        return two.kind == "number"  # 1,5 * 2
    if before.text in ":–—" and two.kind != "end" and before.spaced:
        return two.kind in ("number", "closing")  # 2 : (3 + 4), 1 – (1/5)²
    if (
        before.kind == "word"
        and first.kind in ("opening", "word")
        and (before.text not in "aAI" or "_" in before.text or first.text.endswith(".T"))
    ):
        # a factor: one letter, a name with an index, or what is transposed
        return len(before.text) == 1 or "_" in before.text or before.text.endswith(".T")
    if before.kind == "word" and two.kind == "operator" and two.text in "+*×·/^":
        return len(before.text) < 3 or first.kind != "number"  # an operand itself; but mlp/layer 2 * 256
    glued = not first.spaced and before.kind in ("word", "other", "ellipsis")
    dangling = before.kind == "operator" and two.kind != "end" and before.text not in ("-", "*")
    if before.kind == "word" and first.text == "√" and len(before.text) == 1:
        return True  # 2π √(L/g)
    if before.text == "?":
        return not first.spaced
    return (glued and before.text not in ":;'\"“‘") or before.text in data.SPOILS or dangling


def _after(tokens: Sequence[Token], relation: int, prose: bool) -> tuple[Member, int]:
    """The member after a relation, and the place where it ends."""
    start, promise = after_relation(tokens, relation)
    parser = Parser(tokens, start, prose=prose)
    try:
        node = parser.expression()
    except Unreadable:
        end = next(at for at in range(start, len(tokens)) if tokens[at].kind in ("relation", "end"))
        return Member(None, tokens[start:end], promise, END, start), end
    after, end = parser.peek(), parser.position
    spoiled = _spoils(after) or _goes_on(tokens[end - 1], after, parser.peek(1)) or _is_factor(after, parser.peek(1))
    return Member(None if spoiled else node, tokens[start:end], promise, after, start), end


def _spoils(after: Token) -> bool:
    """Whether what stands after an expression belongs to it but cannot be read."""
    if after.text in data.SPOILS and after.text not in "<>|?":
        return True
    if after.kind == "operator":
        return after.text not in ("!", "*", "-")
    glued = not after.spaced and after.kind in ("word", "number", "opening", "other")
    return glued and after.text not in ".,;:!?'\"”’}|"


def _is_factor(after: Token, beyond: Token) -> bool:
    """Whether a product goes on without a sign: 22 + 67 e^x, 3 sin(2)."""
    letter = len(after.text) == 1 and beyond.text in ("^", "**") and not beyond.spaced
    return after.kind == "word" and (letter or (plain_name(after.text) in FUNCTIONS and beyond.kind in OPERANDS))


def _goes_on(last: Token, after: Token, beyond: Token) -> bool:
    """Whether a number has more digits behind a space or a comma: 3 000, 2,5."""
    if last.kind != "number":
        return False
    if after.text == "." and not after.spaced and beyond.kind == "opening":
        return not beyond.spaced  # 0.(3) goes on for ever
    if after.kind == "comma" and beyond.kind != "end":
        return not after.spaced and not beyond.spaced and beyond.text[:1].isdigit()
    return len(after.text) == 3 and after.text.isdigit() and len(last.text) <= 3 and last.text.isdigit()
