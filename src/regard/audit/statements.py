"""Physical lines joined into statements: a sum may go on for four lines, a matrix for ten.

A statement is a list of tokens that still know their lines. Table cells and comments are statements of their own; a
comment that only states a value (`dot(a, b)  # 11`) or a doctest's output is what the code before it is said to give.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.notation import plain
from regard.audit.tokens import Kind, Token, tokens_of

MOST_LINES = 80  # of one statement
MOST_TOKENS = 2_000  # before another line may join it
COMMENT = re.compile(r"(?:(?<=\s)|^)(#(?!\d*\w*;)|//(?=\s)|--+>(?=\s*[\"'“A-Za-z])|←|<--)")
VALUE_ONLY = re.compile(
    r"\s*(?:(?:output|result|returns?|prints?|gives?|out)\s*:?\s*)?(?:[-=]>|→|=|≈|~=)?\s*"
    r"(?:[-−+]?[\d.][\d.,_]*%?|(?:np\.)?(?:array|tensor)?\(?\[[-−\d.,\s\[\]+e%]*\]\)?)\s*\.?\s*",
    re.IGNORECASE,
)
PROMPT = re.compile(r"^\s*(?:>>>|In \[\d*\]:)\s?")
INTERESTING = re.compile(
    r"[=≈→~]|->|\\(?:approx|to|simeq|rightarrow)|\b(?:is|are|gives?|equals?|yields|makes|becomes?|returns|produces?|into|yield|mean)\b"
)
JOINING = {"+", "-", "*", "×", "·", "/", "@"}


@dataclass
class Statement:
    """Tokens that belong together, and the kind of place they stand in."""

    tokens: list[Token]
    line: Line
    depth: int = 0  # brackets still open at its end

    def add(self, tokens: list[Token]) -> None:
        """Join another line to it."""
        self.tokens += tokens
        self.depth += depth_of(tokens)


def depth_of(tokens: list[Token]) -> int:
    """How many brackets tokens leave open."""
    return sum(
        1 if token.kind is Kind.opening else -1 for token in tokens if token.kind in (Kind.opening, Kind.closing)
    )


def split_comment(text: str) -> tuple[str, str]:
    """A line of code and its comment, the mark left out.

    >>> split_comment('[0.5, 0.2],   --> "apple"')
    ('[0.5, 0.2],   ', ' "apple"')
    """
    found = COMMENT.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])


def statements_of(lines: list[Line], tables: set[int]) -> Iterator[Statement]:
    """Every statement of a page; `tables` are the lines whose cells stand for themselves."""
    pending: Statement | None = None
    for index, line in enumerate(lines):
        if len(line.text) > LONGEST_LINE:
            continue
        if line.number in tables:
            if pending is not None:
                yield pending
                pending = None
            yield from _cells(line)
            continue
        prompted = line.is_code and bool(PROMPT.match(line.text))
        goes_on = pending is not None and not prompted and _may_go_on(pending, line)
        if not goes_on and pending is not None:
            yield pending
            pending = None
        if not goes_on and not _is_interesting(line):
            continue
        code, comment = split_comment(line.text) if line.is_code and line.language != "math" else (line.text, "")
        tokens = _read(code, line)
        if prompted:
            tokens = _printed(tokens)
            tokens += _output(tokens, lines[index + 1 : index + 3], line)
        if comment and _is_value(comment) and _is_complete(tokens):
            inside = _printed(tokens)
            tokens = inside + _value(comment, line, "->" if inside is tokens else "=")
        elif comment and INTERESTING.search(comment):
            yield Statement(_read(comment, line), line)
        if pending is not None and goes_on and _joins(pending, tokens, line):
            pending.add(tokens)
        else:
            if pending is not None:
                yield pending
            pending = Statement(tokens, line, depth_of(tokens)) if tokens else None
    if pending is not None:
        yield pending


def _is_interesting(line: Line) -> bool:
    """Whether a line could state a claim: most lines of most pages cannot, and are not tokenised."""
    text = line.text
    if line.is_code:
        return (
            any(sign in text for sign in "=≈→>~+[\\") or bool(INTERESTING.search(text)) or bool(split_comment(text)[1])
        )
    return any(sign.isdigit() for sign in text) and bool(INTERESTING.search(text) or text.rstrip().endswith(("+", "-")))


def _cells(line: Line) -> Iterator[Statement]:
    """Each cell of a table row as a statement."""
    for cell in re.split(r"[|│┃║\t]", line.text):
        if INTERESTING.search(cell):
            yield Statement(_read(cell.strip(), Line(line.number, cell)), line)


def _read(text: str, line: Line) -> list[Token]:
    """The tokens of a text, by the rules of the place it stands in."""
    if line.language == "math":
        aligned = text if "\\" in text else text.replace("&", " ")
        return tokens_of(plain(aligned), line.number)
    prompt = PROMPT.match(text) if line.is_code else None
    return tokens_of(plain(text[prompt.end() :] if prompt else text, code=line.is_code), line.number)


def _printed(tokens: list[Token]) -> list[Token]:
    """What a `print(…)` prints, if it is one expression; any other tokens as they are."""
    if len(tokens) < 4 or tokens[0].text != "print" or tokens[1].text != "(" or tokens[-1].text != ")":
        return tokens
    inside = tokens[2:-1]
    depth = 0
    for token in inside:
        depth += {Kind.opening: 1, Kind.closing: -1}.get(token.kind, 0)
        if depth < 0 or (depth == 0 and token.kind in (Kind.comma, Kind.relation)):
            return tokens
    return inside


def _value(text: str, line: Line, relation: str = "->") -> list[Token]:
    """A stated value as a claim: an arrow before it, unless it brings its own relation."""
    tokens = tokens_of(plain(text, code=True), line.number)
    while (
        tokens
        and tokens[0].kind not in (Kind.relation, Kind.number, Kind.opening, Kind.operator)
        and not (tokens[0].kind is Kind.word and tokens[0].text.endswith(("array", "tensor")))
    ):
        tokens = tokens[1:]
    if tokens and tokens[0].kind is not Kind.relation:
        tokens.insert(0, Token(Kind.relation, relation, line.number, True))
    return tokens


def _output(tokens: list[Token], below: list[Line], line: Line) -> list[Token]:
    """What a doctest says its expression prints, if that is one line; an assignment prints nothing."""
    if any(token.kind is Kind.relation or token.text == ";" for token in tokens) or not _is_complete(tokens):
        return []
    if not below or below[0].block != line.block or not _is_value(below[0].text):
        return []
    after, beyond = below[0], below[1] if len(below) > 1 else None
    if beyond is not None and beyond.block == line.block and beyond.text.strip() and not PROMPT.match(beyond.text):
        return []  # a matrix printed row by row, or several outputs
    return _value(after.text, after, "=")


def _is_value(text: str) -> bool:
    """Whether a text states a value and nothing else; spaces are made one first, which the pattern would share out."""
    return VALUE_ONLY.fullmatch(" ".join(text.split())) is not None


def _is_complete(tokens: list[Token]) -> bool:
    return bool(tokens) and tokens[-1].kind in (Kind.number, Kind.closing, Kind.word) and (
        depth_of(tokens) == 0
    )  # fmt: skip


def _may_go_on(pending: Statement, line: Line) -> bool:
    """Whether the next line could belong to the statement, by where it stands."""
    if line.block != pending.line.block or len(pending.tokens) > MOST_TOKENS:
        return False
    last = pending.tokens[-1].line if pending.tokens else pending.line.number
    return line.number - last <= 2 and line.number - pending.line.number < MOST_LINES


def _joins(pending: Statement, tokens: list[Token], line: Line) -> bool:
    """Whether the line does belong to it, by the signs at the seam."""
    if not tokens or not pending.tokens:
        return False
    last, first = pending.tokens[-1], tokens[0]
    if line.is_code and pending.depth > 0:
        return True
    if first.kind is Kind.relation or line.number - last.line > 1:
        return False
    before = pending.tokens[-2] if len(pending.tokens) > 1 else None
    operands = (Kind.number, Kind.opening, Kind.word)
    if last.kind is Kind.operator and last.text in JOINING and before is not None:
        return first.kind in operands and before.kind in (Kind.number, Kind.closing, Kind.word)
    if last.kind is Kind.relation:
        return first.kind in operands or first.text in ("-", "√")
    if not line.is_code or first.kind is not Kind.operator or last.kind not in (Kind.number, Kind.closing):
        return False
    return first.text == "+" or (first.text == "-" and pending.tokens[0].kind is Kind.relation)
