"""Named numbers: after "Let d_k = 64", `√d_k` is 8.

A name is trusted only nearby (in its section, a few lines on; a single letter only in its paragraph), and only while
nothing in that section gives it another value: `x` is three things on one page more often than not.
"""

import re

import numpy as np

from regard.audit.chains import Chain
from regard.audit.doubt import AFTER_A_CLAIM
from regard.audit.judge import names_in
from regard.audit.lines import LONGEST_LINE, Line
from regard.audit.notation import plain
from regard.audit.tokens import EXACT, Kind, Token
from regard.audit.tree import Name, Node, literals

GIVEN = re.compile(
    r"(?<![\w.√])(?<![-√+*/^·×@] )([^\W\d]\w*)\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>|:)?=(?![=>])\s*([^\s,;:)\]]{0,40})"
)
BOUND = re.compile(r"\b(?:for|with|lambda|def\s+\w+\(|vary(?:ing)?|each|every)\s+([^\W\d]\w*)\s+(?:in|from|as|over)\b")
FARTHEST = 12  # lines between a name and its use
ORDINARY = AFTER_A_CLAIM - {"or", "to", "per", "not"}  # words that may follow a definition


def _is_first_of_several(after: Token | None, tokens: list[Token]) -> bool:
    """Whether what follows a number takes it back: a unit, another value, the other end of a range."""
    if after is None or after.text in (".", ";", ")", ":", "]"):
        return False
    at = next((at for at, token in enumerate(tokens) if token is after), len(tokens))
    beyond = tokens[at + 1] if at + 1 < len(tokens) else None
    if after.text in (",", "and"):
        return beyond is not None and beyond.kind is Kind.number
    return after.kind is not Kind.word or after.text.lower() not in ORDINARY


def _is_end_of_more(first: Token, tokens: list[Token]) -> bool:
    """Whether a sum or a product leads up to the name, as in `β h − γ h = 1`: an equation, and no definition."""
    before = tokens[: next((at for at, token in enumerate(tokens) if token is first), 0)]
    for token in reversed(before):
        if token.text in (",", ".", ";", ":") or token.kind is Kind.relation:
            return False
        if token.kind in (Kind.operator, Kind.opening, Kind.closing):
            return True
    return False


class Scalars:
    """The numbers a page has given names so far, and where each may be used."""

    def __init__(self, lines: list[Line]) -> None:
        self.section: dict[int, int] = {}
        self.paragraph: dict[int, int] = {}
        self.meanings: dict[tuple[int, str], set[str]] = {}
        self.known: dict[str, tuple[float, int]] = {}
        section = paragraph = 0
        for line in lines:
            section += line.heading
            paragraph += not line.text.strip()
            self.section[line.number], self.paragraph[line.number] = section, paragraph
            if ("=" not in line.text and " in " not in line.text) or len(line.text) > LONGEST_LINE:
                continue
            text = plain(line.text, code=line.is_code)
            for name, value in GIVEN.findall(text):
                self.meanings.setdefault((section, name), set()).add(value.rstrip("."))
            for name in BOUND.findall(text):
                self.meanings.setdefault((section, name), set()).add("in a loop")

    def learn(self, chain: Chain, tokens: list[Token]) -> None:
        """Keep the number a chain gives a name, if it is nothing but that."""
        name = chain.members[0].node if chain.members else None
        if not isinstance(name, Name) or chain.continues or not name.text.isidentifier():
            return
        self.known.pop(name.text, None)
        if _is_end_of_more(chain.members[0].tokens[0], tokens):
            return
        if len(chain.members) != 2 or chain.members[1].relation != EXACT:
            return
        given, after = chain.members[1].node, chain.members[1].after
        stated = literals(given) if given is not None else None
        lone = stated is not None and len(stated) == 1 and not stated[0][1].percent
        if stated is None or not lone or _is_first_of_several(after, tokens):
            return
        sign, number = stated[0]
        self.known[name.text] = (sign * number.value, chain.members[0].line)

    def near(self, line: int, node: Node | None) -> dict[str, np.ndarray]:
        """The names of an expression whose numbers are sure at that line."""
        found: dict[str, np.ndarray] = {}
        for name in names_in(node) if node is not None else ():
            value, given = self.known.get(name, (0.0, -1))
            if given >= 0 and self._is_sure(name, given, line):
                found[name] = np.asarray(value)
        return found

    def _is_sure(self, name: str, given: int, line: int) -> bool:
        if given == line:
            return True
        same_section = self.section.get(given) == self.section.get(line)
        if not same_section or not 0 <= line - given <= FARTHEST:
            return False
        if len(name) == 1 and self.paragraph.get(given) != self.paragraph.get(line):
            return False
        return len(self.meanings.get((self.section[line], name), set())) <= 1
