"""What the names of a page stand for: `q = [1, 0]`, and then `q · k`; `δ = -0.44`, and then `0.7 δ = -0.31`."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from regard.audit import data
from regard.audit.chains import Member, Statement
from regard.audit.context import Page
from regard.audit.evaluate import CONSTANTS, evaluate
from regard.audit.finding import Finding
from regard.audit.grammar import FUNCTIONS, Token
from regard.audit.nodes import Node, Number, Unreadable, filled, literals, names_in, numbers_in
from regard.audit.pages import PYTHON

LARGEST, MOST_PARTS = 200, 12_000  # numbers in what a name stands for, and of all that a page makes of its names


class Names:
    """What the chains of a page leave behind for those below. A vector holds until a heading, a change, another
    value; a number on the whole page, where its name is never another one: `x` is three things on many."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.nodes: dict[str, Node] = {}
        self.numbers: dict[str, Number] = {}
        self.several: set[str] = set()  # names of which there was more than one number
        self.leaning: list[tuple[Finding, set[str]]] = []  # on names of numbers
        self.parts_left, self.read = MOST_PARTS, 0  # the last line whose changes were taken in
        self.ends = {line.number for line in page.lines if line.heading}  # of all names

    def forget(self, statement: Statement) -> None:
        """Drop the names that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        for number in range(self.read + 1, last + 1):
            changed = self.page.changed(number)
            kept = () if number in self.ends or self.parts_left < 0 else self.nodes.keys() - changed
            self.nodes = {name: self.nodes[name] for name in kept}
            self.several |= changed if re.search(r"\d", self.page.texts.get(number, "")) else set()
        self.read = max(self.read, last)

    def learn(self, chain: Sequence[Member], after: Token, statement: Statement) -> None:
        """Keep what a chain gives a name: a number as it is printed, a vector as it is made; code keeps its own."""
        first, *members = chain
        called = first.node is not None and names_in(first.node) == {first.text} and not first.relation
        name = first.text if called and data.A_NAME.fullmatch(first.text) else ""
        self.nodes.pop(name, None)
        name = "" if name in self.page.changed(first.line) else name
        given = [(member.node, filled(member.node, self.nodes)) for member in members if name and member.node]
        unclear = statement.line.language in PYTHON or data.SYMBOL.fullmatch(after.text)  # a = 2 x
        for said, node in sorted(given, key=lambda pair: literals(pair[1]) is None):  # it goes on with what it prints
            with suppress(Unreadable):
                value = evaluate(node)
                if value.ndim and said == node:
                    self.page.vectors.setdefault(first.line, {})[name] = value
                if (value.ndim or abs(value - CONSTANTS.get(name, value)) > 0.01) and len(numbers_in(node)) < LARGEST:
                    self.nodes[name] = node
                elif not unclear and name not in FUNCTIONS and name[0] not in "Σ∑" and len(self.numbers) < LARGEST:
                    number = node if isinstance(node, Number) else Number(f"{value:.12g}", -1)
                    known = self.numbers.setdefault(name, number)
                    same = abs(known.value - number.value) <= max(known.step, number.step) / 2 + 1e-9
                    self.several |= set() if same else {name}
                return
        self.several |= {name} & self.numbers.keys()  # what it is from here on nobody knows

    def doubtful(self) -> set[int]:
        """What leans, by its `id`, on a name that is another number elsewhere, or one that fits nothing."""
        fitting = {name for finding, used in self.leaning if not finding.verdict.fails for name in used}
        failing = Counter(name for finding, used in self.leaning if finding.verdict.fails for name in used - fitting)
        wrong = self.several | {name for name, times in failing.items() if times > 1}
        return {id(finding) for finding, used in self.leaning if used & wrong}

    def explicit(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with a sign between factors that stand side by side: AB, X W_Q, QK.T; 0.7 δ, δ h_1 (1 - h_1)."""
        found, last, factor = list[Token](), 0, False  # the axes of what stands before, and whether it is a number
        for token in tokens:
            for text in self._apart(token.text) if token.kind == "word" else [token.text]:
                node = self.nodes.get(text.removesuffix(".T"))
                self.parts_left -= len(numbers_in(node))
                axes = evaluate(node).ndim if node and self.parts_left > 0 else 0
                named = text in self.numbers and text not in self.several and data.SYMBOL.fullmatch(text) is not None
                goes_on = factor and (named or axes or (text == "(" and found[-1].kind == "word"))
                joined = goes_on or (axes and last and axes + last > 2)
                found += [Token("operator", "·", token.line, token.spaced)] if joined else []
                found.append(token._replace(text=text))
                last, factor = axes, named or (token.kind == "number" and not token.unit)
        return found

    def _apart(self, word: str) -> list[str]:
        """The known names that a word is made of, and nothing else: XW_Q is X and W_Q."""
        rest, found = word, list[str]()
        while name := max((name for name in self.nodes if rest.startswith(name)), key=len, default=""):
            found.append(name)
            rest = rest.removeprefix(name)
        return [*found[:-1], found[-1] + rest] if found and rest in ("", ".T") else [word]
