"""Finding chains: `"apple" = 0.5*0.66 + 0.2*0.525 = 0.33 + 0.105 = 0.435` has four members."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from regard.audit import data
from regard.audit.grammar import END, ENDED, OPERANDS, WORD, Parser, Token, start_of_expression, tokens_of
from regard.audit.nodes import Node, Unreadable
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, PYTHON, QUOTES, Line

MOST_TOKENS = 2_000  # before another line may join it


@dataclass
class Statement:
    """Tokens that belong together, and the place where they begin."""

    tokens: list[Token]
    line: Line
    last: int = 0  # the line where they end

    def goes_on(self, tokens: Sequence[Token], line: Line) -> bool:
        """Whether the next line belongs to it: a bracket of code is open, or a sign that joins stands at the seam."""
        near = line.block == self.line.block and line.number <= self.last + 1
        if not tokens or not near or not 0 < len(self.tokens) <= MOST_TOKENS:
            return False
        if line.block and sum((t.kind == "opening") - (t.kind == "closing") for t in self.tokens) > 0:
            return True
        last, first = self.tokens[-1], tokens[0]
        opened = last.kind == "relation" or (last.text in data.JOINING and len(self.tokens) > 1)
        closed = last.kind in ("number", "closing") and first.text in ("+", "×", "·")
        return (opened and first.kind in OPERANDS) or closed


def split_comment(text: str, *, python: bool = False) -> tuple[str, str]:
    """A line of code and its comment, the mark (`#`, `-->`) left out."""
    found = (data.HASH if python else data.COMMENT).search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])


def statements_of(lines: Sequence[Line], tables: set[int]) -> Iterator[Statement]:
    """Every statement of a page; `tables` are the lines whose cells stand for themselves."""
    above = Line(-9, "")
    pending = Statement([], above)
    for line in lines:
        if data.LIST_ENDS_OPEN.search(above.text[-LONGEST_LINE:]) and not line.block:
            line = line._replace(text=data.LIST_GOES_ON.sub("…", line.text[:LONGEST_LINE]))
        before, above = above, line
        if len(line.text) > LONGEST_LINE or line.language in ("output", "printed"):
            continue
        in_table = line.number in tables
        text, parts = ("", re.split(r"[|│┃║\t]", line.text)) if in_table else (line.text, [])
        if line.block and line.language != "math":
            text, comment = split_comment(text, python=line.language in PYTHON)
            parts += [] if data.VALUE_ONLY.fullmatch(" ".join(comment.split())) else [comment]
        for part in filter(data.INTERESTING.search, parts):
            yield Statement(_begun(read_tokens(part.strip(), line), before, line, in_table), line)
        asked = pending.tokens or data.INTERESTING.search(text) or data.NEEDLES.search(text)
        tokens = _begun(read_tokens(text, line), before, line) if asked and text else []
        if data.PROMPT.match(text) or not pending.goes_on(tokens, line):
            yield pending
            pending = Statement([], line)
        pending.tokens, pending.last = [*pending.tokens, *tokens], max(line.end, line.number)
    yield pending


def _begun(tokens: list[Token], above: Line, line: Line, is_cell: bool = False) -> list[Token]:
    """The tokens of a text with what they go on from: arithmetic that is all of the line above, or something unread."""
    begins = bool(tokens) and tokens[0].kind == "relation"
    near = above.number == line.number - 1 and len(above.text) <= LONGEST_LINE and not is_cell
    text = data.LABEL_AHEAD.sub("", above.text) if near else ""
    if begins and data.ONLY_ARITHMETIC.fullmatch(text):
        return [*read_tokens(text, above), *tokens]
    row = data.ROW_GOES_ON.match(line.text) if line.language == "math" else None
    seam = "" if line.block or data.ITEM.match(above.text) else f"{text[-40:]}\n{line.text[:40]}"
    unread = (is_cell and begins) or row or data.GOES_ON.search(seam)
    return [Token("other", "∑", line.number, True), *tokens] if unread else tokens


def read_tokens(text: str, line: Line) -> list[Token]:
    """The tokens of a text, by the rules of the place it stands in."""
    if line.language == "math" or text.lstrip().startswith("&="):  # a row of aligned equations
        return tokens_of(plain(text if "\\" in text else text.replace("&", " ")), line.number)
    text = data.PROMPT.sub("", text) if line.block else text
    text = QUOTES.sub("   ", text) if line.language in PYTHON else text
    if "=" in text and "  " in text and not any(sign in text for sign in "$\\|"):
        text = data.WIDE_GAP.sub(lambda gap: gap[1] or " ; ", text)  # columns, but not the numbers of a list
    return tokens_of(plain(text, code=line.block > 0), line.number)


def written(tokens: Sequence[Token]) -> str:
    """Tokens as a text, more or less as it was."""
    return "".join((" " if token.spaced and index else "") + token.text for index, token in enumerate(tokens))


class Member(NamedTuple):
    """One side of a relation: its tree, or nothing where it is not readable."""

    node: Node | None
    tokens: Sequence[Token]
    relation: str = ""  # the strength of the relation before it; "" for the first
    at: int = 0  # where it begins in its statement

    @property
    def end(self) -> int:
        return self.at + len(self.tokens)

    @property
    def line(self) -> int:
        return self.tokens[0].line if self.tokens else 0

    @property
    def text(self) -> str:
        return written(self.tokens)


def chains_of(statement: Statement) -> Iterator[tuple[Member, ...]]:
    """Every chain of a statement, from left to right; one that begins with its relation goes on from another."""
    tokens = [*statement.tokens, *ENDED]
    floor = 0
    for first, token in enumerate(statement.tokens):
        if token.kind != "relation" or first < floor:
            continue
        members, floor = [_before(tokens, first, floor)] if first else [], first
        while tokens[floor].kind == "relation" and (len(members) < 2 or members[-1].node is not None):
            if len(members) > 1 and tokens[floor].text == WORD:
                break  # the cube root of 4 × 2 × 8 = 64 is 4
            members.append(_after(tokens, floor))
            floor = members[-1].end
        yield tuple(members)


def _before(tokens: Sequence[Token], end: int, floor: int) -> Member:
    """The member before the first relation; what stands before it may belong to it."""
    start, node = start_of_expression(tokens, end, floor)
    around = written([END, *tokens[max(0, start - 3) : start]]) + " " * tokens[start].spaced + "¦"
    spoiled = start == end or data.SPOILED_BEFORE.search(around + written(tokens[start : start + 2]))
    return Member(None if spoiled else node, tokens[start:end], at=start)


def _after(tokens: Sequence[Token], relation: int) -> Member:
    """The member after a relation, up to the next where it cannot be read; what stands behind it may belong to it."""
    parser, start = Parser(tokens, relation + 1), relation + 1
    end = next(at for at in range(start, len(tokens)) if tokens[at].kind in ("relation", "end"))
    node = None
    with suppress(Unreadable):
        node, end = parser.expression(), parser.position
    around = tokens[end - 1].text + "¦" + " " * tokens[end].spaced + written(tokens[end : end + 2])
    spoiled = data.SPOILED_AFTER.search(around)
    return Member(None if spoiled else node, tokens[start:end], tokens[relation].text, start)
