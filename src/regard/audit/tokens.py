"""A line of any page as tokens: numbers, names, operators, brackets, relations, and things that end an expression."""

import re
from enum import Enum, auto
from typing import NamedTuple


class Kind(Enum):
    """What a token can be; `other` ends every expression it touches."""

    number = auto()
    word = auto()
    string = auto()
    operator = auto()
    opening = auto()
    closing = auto()
    comma = auto()
    relation = auto()
    ellipsis = auto()
    other = auto()


class Token(NamedTuple):
    """One piece of a line. `spaced` says that a space (or nothing) stands before it: `2x` is not `2 x`."""

    kind: Kind
    text: str
    line: int
    spaced: bool


EXACT, ABOUT, ARROW, WORD = "=", "≈", "→", "is"  # the relations, by how much they promise

# The order matters: what must not be read as a number or a relation comes first.
TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<opaque>0[xXbB][0-9a-fA-F]+|\d{4}-\d\d-\d\d|\d+(?:\.\d+){2,}|\d{1,2}:\d\d(?::\d\d)?|[=#*~_-]{4,}|\d+(?:st|nd|rd|th)\b
        |0\d+(?![\d.])|==+|!=|<=|>=|[-+*/|%&^]=|:=|<-+|::|\+\+|--+(?!>))
    |(?P<ellipsis>\.{2,}|…|⋯)
    |(?P<relation>~=|≈|=~|=>|-{1,2}>|→|=)
    |(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d+(?:_\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\w))?|\.\d+(?:[eE][+-]?\d{1,3}(?!\w))?)
    |(?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    |(?P<string>"[^"\n]{0,80}"|“[^”\n]{0,80}”)
    |(?P<operator>\*\*|//|\.T\b|[-+*/^@×·⊙√%!])
    |(?P<opening>[(\[])
    |(?P<closing>[)\]])
    |(?P<comma>,)
    |(?P<other>.)""",
    re.VERBOSE,
)  # fmt: skip

TIMES = re.compile(r"(?<=[\d)\]])(\s*)[xX](\s*)(?=[\d(\[.])")  # 3 x 4 and 3x4 are products, 0x4 is not
COUNTED = {
    "heads", "head", "dims", "dim", "dimensions", "layers", "layer", "tokens", "token", "words", "parameters", "params",
    "weights", "features", "units", "rows", "columns", "neurons", "channels", "bytes", "bits", "blocks", "vectors",
    "matrices", "experts", "samples", "steps", "batches", "sequences", "positions", "entries", "elements", "numbers",
    "values", "keys", "queries", "biases", "scores", "items", "examples", "sentences", "epochs", "gpus",
}  # fmt: skip
MEASURES = {"bit": "bit", "bits": "bit", "byte": "byte", "bytes": "byte"}
WORDS = {
    "equals", "equal", "gives", "yields", "is", "makes", "becomes", "returns", "produces", "give", "equalling",
}  # fmt: skip
ENDS_UNIT = (Kind.operator, Kind.relation, Kind.closing, Kind.other)
EQUAL = {"equals", "equal", "equalling"}  # these promise as much as a sign
ROUGH = {"about", "approximately", "roughly", "around", "approx", "nearly", "almost", "~"}
BETWEEN = ROUGH | {"to", "us", "exactly", "just", "precisely"}  # what may stand between a relation and its number


def tokens_of(text: str, line: int) -> list[Token]:
    """The tokens of one line, units of counting dropped ("8 heads × 64 dims" is 8 × 64).

    >>> [token.text for token in tokens_of("8 heads × 64 = 512, v1.2.3", 1)]
    ['8', '×', '64', '=', '512', ',', 'v1', '.2', '.3']
    """
    if "x" in text or "X" in text:
        text = TIMES.sub(_times, text)
    found: list[Token] = []
    spaced, depth = True, 0
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            break
        group, piece = match.lastgroup or "other", match[0]
        if group == "number" and depth > 0 and "," in piece:
            piece = piece.partition(",")[0]  # in a list, a comma separates numbers and not thousands
        position += len(piece)
        if group == "number" and depth > 0 and "." not in piece and text[position : position + 2] in (". ", ".]", ".,"):
            piece, position = piece + ".", position + 1  # numpy prints 1.0 as "1."
        if group == "space":
            spaced = True
            continue
        depth = max(0, depth + {"opening": 1, "closing": -1}.get(group, 0))
        found.append(Token(Kind.other if group == "opaque" else Kind[group], piece, line, spaced))
        spaced = False
    return _relations_in_words(_without_units(found))


def _times(found: re.Match[str]) -> str:
    """`×` for an x between numbers, unless the zero before it makes it hexadecimal."""
    zero = found.string[found.start() - 1] == "0" and not found[1]
    longer = found.start() > 1 and found.string[found.start() - 2].isalnum()
    return found[0] if zero and not longer else f"{found[1]}×{found[2]}"


def _without_units(tokens: list[Token]) -> list[Token]:
    """Drop a counted noun between a number and what it is combined with."""
    kept: list[Token] = []
    measures = {token.text.lower() for token in tokens if token.kind is Kind.word} & MEASURES.keys()
    if len({MEASURES[word] for word in measures}) > 1:
        return tokens  # 8 bits * 4 = 4 bytes: units that are worth something
    for index, token in enumerate(tokens):
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        is_unit = (
            token.kind is Kind.word
            and token.spaced
            and token.text.lower() in COUNTED
            and bool(kept)
            and kept[-1].kind is Kind.number
            and (after is None or after.kind in ENDS_UNIT or after.text.lower() in WORDS)
        )
        if not is_unit:
            kept.append(token)
    return kept


def _relations_in_words(tokens: list[Token]) -> list[Token]:
    """ "gives", "equals", "is about" between an expression and a number are relations too."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.kind is Kind.word and token.text.lower() in WORDS and bool(kept)
        listing = token.kind is Kind.word and token.text.lower() == "are"  # "are 0, 1 and 2" begins a list
        if (word or listing) and kept and _ends_value(kept) and token.spaced:
            end = after_between(tokens, index + 1)
            openings = (Kind.opening,) if listing else (Kind.number, Kind.opening)
            if end < len(tokens) and (tokens[end].kind in openings or _is_negative(tokens, end)):
                kept.append(Token(Kind.relation, _said(token, tokens[index + 1 : end]), token.line, True))
                index = end
                continue
        kept.append(token)
        index += 1
    return kept


def after_between(tokens: list[Token], start: int) -> int:
    """The place after "about", "exactly" and the like."""
    while start < len(tokens) and tokens[start].text.lower() in BETWEEN:
        start += 1
    return start


def _ends_value(kept: list[Token]) -> bool:
    """Whether a value may end here: a number, brackets, a percentage."""
    last = kept[-1]
    return last.kind in (Kind.closing, Kind.number) or (last.text == "%" and len(kept) > 1)


def _is_negative(tokens: list[Token], at: int) -> bool:
    """Whether a minus sign and its number stand there."""
    return tokens[at].text == "-" and at + 1 < len(tokens) and tokens[at + 1].kind is Kind.number


def _said(word: Token, between: list[Token]) -> str:
    """How much a relation in words promises."""
    if any(token.text.lower() in ROUGH for token in between):
        return ABOUT
    return EXACT if word.text.lower() in EQUAL else WORD


def strength(relation: Token) -> str:
    """How much a relation promises: equality, nearness, or only "leads to".

    >>> strength(Token(Kind.relation, "~=", 1, True))
    '≈'
    """
    if relation.text == "=":
        return EXACT
    if relation.text in ("≈", "~=", "=~"):
        return ABOUT
    return WORD if relation.text == WORD else ARROW
