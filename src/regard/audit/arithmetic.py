"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning. Names hold vectors
until a heading or a change ends them; numbers with names ("let d_k = 64") are trusted only nearby, and only while
nothing in their section gives the name another value: `x` is three things on one page more often than not.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.chains import Chain, Member, Statement, chains_of, statements_of
from regard.audit.context import Page
from regard.audit.doubts import doubt
from regard.audit.evaluate import evaluate
from regard.audit.grammar import ABOUT, ARROW, EXACT, WORD, Token
from regard.audit.judge import failures, judge
from regard.audit.nodes import (
    Name,
    Node,
    Number,
    Unreadable,
    Vector,
    is_computation,
    literals,
    names_in,
    shape_of,
    speaks_of_shapes,
    walk,
)
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE
from regard.audit.units import converted

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines between a chain and the line that takes it up again, or between a name and its use
ORDINARY = data.NO_UNIT - {"or", "to", "per", "not", "times", "plus", "mod"}  # words that may follow a definition
Values = dict[str, np.ndarray]


class Definition(NamedTuple):
    """A vector or a matrix that a page gives a name, for the rule about code."""

    line: int
    name: str
    value: np.ndarray
    is_list: bool  # written as a Python list, which has no .T


class _Names:
    """What the chains of a page leave behind for those below: named vectors, named numbers, a chain that may go on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.values: Values = {}
        self.numbers: dict[str, tuple[float, int]] = {}
        self.definitions: list[Definition] = []
        self.open_chain: tuple[Member, ...] = ()
        self.open_line = self.read = 0  # the last line of that chain, and the last whose changes were taken in
        self.headings = {line.number for line in page.lines if line.heading}

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """The section and the paragraph of every line."""
        found: dict[int, tuple[int, int]] = {}
        section = paragraph = 0
        for line in self.page.lines:
            section += line.heading > 0
            paragraph += not line.text.strip()
            found[line.number] = section, paragraph
        return found

    @cached_property
    def meanings(self) -> dict[tuple[int, str], set[str]]:
        """Every value that a section gives a name; read only on pages that use named numbers."""
        found: dict[tuple[int, str], set[str]] = {}
        for line in self.page.lines:
            if ("=" in line.text or " in " in line.text) and len(line.text) <= LONGEST_LINE:
                text = plain(line.text, code=line.is_code)
                given = [*data.GIVEN.findall(text), *((name, "in a loop") for name in data.BOUND.findall(text))]
                for name, value in given:
                    found.setdefault((self.places[line.number][0], name), set()).add(value.rstrip("."))
        return found

    def forget(self, statement: Statement) -> None:
        """Drop the values that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        for number in range(min(self.read + 1, statement.line.number), last + 1) if self.values else ():
            changed = self.page.changes.get(number)
            if (number in self.headings and number > self.read) or (changed and changed.everything):
                self.values.clear()
            for name in changed.names if changed else ():
                self.values.pop(name, None)
        self.read = max(self.read, last)

    def learn(self, chain: Chain, members: tuple[Member, ...], tokens: Sequence[Token]) -> None:
        """Keep an open chain, and the vector or the number a name was given."""
        self.open_chain = members if chain.open and len(members) <= MOST_MEMBERS else ()
        self.open_line = next((m.tokens[-1].line for m in reversed(chain.members) if m.tokens), self.open_line)
        name = chain.name
        if not name:
            return
        self.numbers.pop(name, None)
        if len(chain.members) < 2:
            return
        first, second, *more = chain.members
        stated = literals(second.node) or []
        plain = len(stated) == 1 and not stated[0][1].percent and not stated[0][1].unit
        if not more and plain and _is_sure(first, second, tokens):
            self.numbers[name] = (stated[0][0] * stated[0][1].value, first.line)
        self.values.pop(name, None)
        if second.node is None or not any(isinstance(part, Vector | Name) for part in walk(second.node)):
            return  # a number's name is too often used for something else
        try:
            value = evaluate(second.node, self.values)
        except Unreadable:
            return
        if value.ndim > 0:
            self.values[name] = value
            self.definitions.append(Definition(first.line, name, value, isinstance(second.node, Vector)))

    def near(self, members: tuple[Member, ...]) -> Values:
        """What the names of a chain are worth where it stands: vectors of the page, numbers given nearby."""
        named: Values = {}
        for member in members if self.numbers else ():
            for name in names_in(member.node) if member.node is not None else ():
                value, given = self.numbers.get(name, (0.0, -1))
                if given >= 0 and self._holds(name, given, member.line):
                    named[name] = np.asarray(value)
        return named | self.values if named else self.values

    def _holds(self, name: str, given: int, line: int) -> bool:
        """Whether a number given to a name there is still sure here."""
        if given == line:
            return True
        (section, paragraph), here = self.places.get(given, (-1, -1)), self.places.get(line, (-1, -1))
        if section != here[0] or not 0 <= line - given <= FARTHEST or (len(name) == 1 and paragraph != here[1]):
            return False
        return len(self.meanings.get((section, name), ())) <= 1

    def whole(self, chain: Chain) -> tuple[Member, ...]:
        """The members of a chain, with those of the chain above that it takes up."""
        if not chain.continues:
            return chain.members
        between = range(self.open_line + 1, chain.members[0].line)
        near = len(between) < FARTHEST and not any(
            data.OF_ITS_OWN.search(self.page.texts.get(line, "")) for line in between
        )
        return self.open_chain + chain.members if near and self.open_chain else ()


def _is_sure(name: Member, given: Member, tokens: Sequence[Token]) -> bool:
    """Whether a name is given a number and nothing takes it back: no unit, other value, range or equation."""
    for token in reversed(tokens[: name.at]):
        if token.text in (",", ".", ";", ":") or token.kind == "relation":
            break
        if token.kind in ("operator", "opening", "closing"):
            return False  # a sum leads up to the name, as in `β h − γ h = 1`
    after = given.after
    if given.relation != EXACT or after.text in ("", ".", ";", ")", ":", "]"):
        return given.relation == EXACT
    if after.text in (",", "and"):
        beyond = tokens[given.at + len(given.tokens) + 1 :][:1]
        return not beyond or beyond[0].kind != "number"
    return after.kind == "word" and after.text.lower() in ORDINARY


def check_arithmetic(page: Page) -> list[Definition]:
    """Judge every chain of a page, and tell which names it gave to vectors."""
    names = _Names(page)
    for statement in statements_of(page.lines, page.in_tables):
        names.forget(statement)
        for chain in chains_of(statement):
            members = names.whole(chain)
            for part, known in _stories(members, len(members) - len(chain.members)):
                _check(part, known, statement, names.near(part), page)
            names.learn(chain, members, statement.tokens)
            names.forget(statement)  # what follows may stand behind "now let q be …"
    return names.definitions


def _stories(members: tuple[Member, ...], known: int) -> Iterator[tuple[tuple[Member, ...], int]]:
    """A chain cut where a word or an arrow leads on to another computation: "√9 = 3 gives 12 / 3 = 4" is two."""
    start = 0
    for at in range(2, len(members)):
        if members[at].relation in (WORD, ARROW) and is_computation(members[at].node):
            yield members[start:at], max(0, known - start)
            members = (*members[:at], members[at]._replace(relation=""), *members[at + 1 :])
            start = at
    if members:
        yield members[start:], max(0, known - start)


def _check(members: tuple[Member, ...], known: int, statement: Statement, values: Values, page: Page) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    where, node, value = _reference(members, values)
    if node is None or value is None:
        if _looks_worked(members):
            page.leave(members[-1].line, "an expression with parts that are not known")
        return
    used = {name: values[name] for name in names_in(node) if name in values} if values else {}
    for index, member in enumerate(members):
        claim, roughly = member.node, index < where and members[index + 1].relation == ABOUT  # "10 is roughly 3π"
        about = roughly or member.relation == ABOUT
        if claim is None or index < known or not _is_claim(members, index, where, node):
            continue
        try:
            judged = judge(node, claim, values, about=about, known=value)
            if failures(judged) and (rounded := page.rounded_near(member.line, node)):
                judged = judge(node, claim, values, about=about, known=value, rounded=rounded)
        except Unreadable:
            page.leave(member.line, "a claim of another form than what it claims")
            continue
        if failures(judged):
            if index > where + 1 and _follows(members[index - 1].node, claim, values):
                continue  # right by what stands before it: one slip is one slip
            rough = roughly and "." not in member.text
            reason = "a rough comparison" if rough else doubt(node, value, member, statement, page)
            if reason:
                page.leave(member.line, reason)
                continue
        for one in judged:
            line, nth = (one.number.line, _nth(statement, one.number)) if one.number else (member.line, -1)
            said = one if one.claimed else one._replace(claimed=member.text)
            page.judged(line, members[where].text, said, nth, node, used)


def _follows(before: Node | None, claim: Node, values: Values) -> bool:
    """Whether a member is what the one before it computes."""
    try:
        return before is not None and not failures(judge(before, claim, values))
    except Unreadable:
        return False


def _is_claim(members: tuple[Member, ...], index: int, where: int, node: Node) -> bool:
    """Whether a member claims to be what another computes."""
    claim = members[index].node
    if index == where or claim is None or (literals(claim) is None and not is_computation(claim)):
        return False  # a name, or names in brackets: `[a, b] = [b, a + b]` stores
    if index < where and (is_computation(claim) or members[index + 1].relation == WORD):
        return False  # "7.5 gives 7.5 / 3": what goes in, not what comes out
    if index > where + 1 or index < where:
        steps = members[min(index, where) + 1 : max(index, where) + 1]
        if any(step.relation == ARROW for step in steps):
            return False  # a story of several steps, not an equality
    return not (shape_of(claim) and speaks_of_shapes(node))  # the rule for code reads those


def _nth(statement: Statement, number: Number) -> int:
    """Which of the equal numbers of its line a number is."""
    tokens, text = statement.tokens, number.text
    if number.place >= len(tokens) or tokens[number.place].text != text:
        return -1
    return len([1 for t in tokens[max(0, number.place - 400) : number.place] if t[1] == text and t.line == number.line])


def _reference(members: tuple[Member, ...], values: Values) -> tuple[int, Node | None, np.ndarray | None]:
    """The first member that computes something from numbers alone, or else one that leans on named vectors."""
    found: tuple[int, Node | None, np.ndarray | None] = (0, None, None)
    for index, member in enumerate(members):
        if member.node is None or not is_computation(member.node):
            continue
        try:
            value = evaluate(member.node, values)
        except Unreadable:
            continue
        if not values or names_in(member.node).isdisjoint(values):
            return index, member.node, value
        found = found if found[1] else (index, member.node, value)
    first = members[0].node if members else None
    others = [member.node for member in members[1:] if isinstance(member.node, Number)]
    if found[1] is None and isinstance(first, Number) and any(converted(first, other) for other in others):
        return 0, first, evaluate(first, {})  # 72 km/h = 20 m/s
    return found


def _looks_worked(members: tuple[Member, ...]) -> bool:
    """Whether a chain that cannot be judged still claims a number for something computed."""
    stated = [literals(member.node) is not None for member in members]
    computed = (token for member, plain in zip(members, stated, strict=True) if not plain for token in member.tokens)
    return any(stated[1:]) and any(token.kind == "operator" for token in computed)
