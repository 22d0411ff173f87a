"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning. Names hold vectors
until a heading or a change ends them; numbers with names ("let d_k = 64") are trusted only nearby, and only while
nothing in their section gives the name another value: `x` is three things on one page more often than not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from regard.audit import data
from regard.audit.chains import Chain, Member, Statement, chains_of, name_of, statements_of
from regard.audit.doubts import Page, doubt
from regard.audit.evaluate import evaluate
from regard.audit.finding import Notebook
from regard.audit.grammar import ABOUT, ARROW, EXACT, WORD, Token
from regard.audit.nodes import (
    Binary,
    Name,
    Number,
    Unreadable,
    Vector,
    is_computation,
    literals,
    names_in,
    shape_of,
    walk,
)
from regard.audit.judge import failures, judge
from regard.audit.notation import plain
from regard.audit.pages import LONGEST_LINE, Line
from regard.audit.python import Changes

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines between a chain and the line that takes it up again, or between a name and its use
ORDINARY = data.AFTER_A_CLAIM - {"or", "to", "per", "not"}  # words that may follow a definition


@dataclass(frozen=True)
class Definition:
    """A vector or a matrix that a page gives a name, for the rule about code."""

    line: int
    name: str
    value: np.ndarray
    is_list: bool  # written as a Python list, which has no .T


@dataclass
class _Names:
    """What the chains of a page leave behind for those below: named vectors, named numbers, a chain that may go on."""

    lines: Sequence[Line]
    changes: dict[int, Changes]
    values: dict[str, np.ndarray] = field(default_factory=dict)
    numbers: dict[str, tuple[float, int]] = field(default_factory=dict)
    definitions: list[Definition] = field(default_factory=list)
    open_chain: tuple[Member, ...] = ()
    open_line: int = 0
    read: int = 0  # the last line whose changes were taken in

    def __post_init__(self) -> None:
        self.section: dict[int, int] = {}
        self.paragraph: dict[int, int] = {}
        self.headings = {line.number for line in self.lines if line.heading}
        section = paragraph = 0
        for line in self.lines:
            section += line.heading > 0
            paragraph += not line.text.strip()
            self.section[line.number], self.paragraph[line.number] = section, paragraph

    @cached_property
    def meanings(self) -> dict[tuple[int, str], set[str]]:
        """Every value that a section gives a name; read only on pages that use named numbers."""
        found: dict[tuple[int, str], set[str]] = {}
        for line in self.lines:
            if ("=" in line.text or " in " in line.text) and len(line.text) <= LONGEST_LINE:
                text, section = plain(line.text, code=line.is_code), self.section[line.number]
                for name, value in [
                    *data.GIVEN.findall(text),
                    *((name, "in a loop") for name in data.BOUND.findall(text)),
                ]:
                    found.setdefault((section, name), set()).add(value.rstrip("."))
        return found

    def forget(self, statement: Statement) -> None:
        """Drop the values that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        for number in range(min(self.read + 1, statement.line.number), last + 1):
            changed = self.changes.get(number)
            if (number in self.headings and number > self.read) or (changed is not None and changed.everything):
                self.values.clear()
            for name in changed.names if changed is not None else ():
                self.values.pop(name, None)
        self.read = max(self.read, last)

    def learn(self, chain: Chain, members: tuple[Member, ...], tokens: Sequence[Token]) -> None:
        """Keep an open chain, and the vector or the number a name was given."""
        self.open_chain = members if chain.open and len(members) <= MOST_MEMBERS else ()
        self.open_line = next((m.tokens[-1].line for m in reversed(chain.members) if m.tokens), self.open_line)
        name = name_of(chain)
        if not name:
            return
        self.numbers.pop(name, None)
        given = chain.members[1].node if len(chain.members) > 1 else None
        if len(chain.members) == 2 and chain.members[1].relation == EXACT and _is_sure(chain.members, tokens):
            stated = literals(given) or []
            if len(stated) == 1 and not stated[0][1].percent:
                self.numbers[name] = (stated[0][0] * stated[0][1].value, chain.members[0].line)
        if len(chain.members) < 2:
            return
        self.values.pop(name, None)
        if given is None or not any(isinstance(part, Vector | Name) for part in walk(given)):
            return  # a number's name is too often used for something else
        try:
            value = evaluate(given, self.values)
        except Unreadable:
            return
        if value.ndim > 0:
            self.values[name] = value
            self.definitions.append(Definition(chain.members[0].line, name, value, isinstance(given, Vector)))

    def near(self, members: tuple[Member, ...]) -> dict[str, np.ndarray]:
        """What the names of a chain are worth where it stands: vectors of the page, numbers given nearby."""
        named: dict[str, np.ndarray] = {}
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
        if self.section.get(given) != self.section.get(line) or not 0 <= line - given <= FARTHEST:
            return False
        if len(name) == 1 and self.paragraph.get(given) != self.paragraph.get(line):
            return False
        return len(self.meanings.get((self.section[line], name), set())) <= 1

    def whole(self, chain: Chain) -> tuple[Member, ...]:
        """The members of a chain, with those of the chain above that it takes up."""
        if not chain.continues:
            return chain.members
        line = chain.members[0].line
        near = self.open_chain and 0 <= line - self.open_line <= FARTHEST
        if not near or any(number in self.headings for number in range(self.open_line, line)):
            return ()
        return self.open_chain + chain.members


def _is_sure(members: tuple[Member, ...], tokens: Sequence[Token]) -> bool:
    """Whether a name is given a number and nothing takes it back: no unit, other value, range or equation."""
    for token in reversed(tokens[: members[0].at]):
        if token.text in (",", ".", ";", ":") or token.kind == "relation":
            break
        if token.kind in ("operator", "opening", "closing"):
            return False  # a sum leads up to the name, as in `β h − γ h = 1`
    after = members[1].after
    if after is None or after.text in (".", ";", ")", ":", "]"):
        return True
    at = members[1].at + len(members[1].tokens) + 1
    if after.text in (",", "and"):
        return at >= len(tokens) or tokens[at].kind != "number"
    return after.kind == "word" and after.text.lower() in ORDINARY


def check_arithmetic(
    lines: Sequence[Line], tables: set[int], changes: dict[int, Changes], page: Page, notebook: Notebook
) -> list[Definition]:
    """Judge every chain of a page, and tell which names it gave to vectors."""
    names = _Names(lines, changes)
    for statement in statements_of(lines, tables):
        names.forget(statement)
        for chain in chains_of(statement):
            members = names.whole(chain)
            for part, known in _stories(members, len(members) - len(chain.members)):
                _check(part, known, statement, names.near(part), notebook, page)
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


def _check(
    members: tuple[Member, ...],
    known: int,
    statement: Statement,
    values: dict[str, np.ndarray],
    notebook: Notebook,
    page: Page,
) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    where, value = _reference(members, values)
    if where is None:
        if _looks_worked(members):
            notebook.leave(members[-1].line, "an expression with parts that are not known")
        return
    reference = members[where]
    node = reference.node
    assert node is not None  # _reference only picks members that were read
    joined = isinstance(node, Binary) and node.operator in ("@", "×", "*", "·")
    shapes = sum(shape_of(part) is not None for part in walk(node) if isinstance(part, Vector)) if joined else 0
    for index, member in enumerate(members):
        claim = member.node
        if index == where or claim is None or index < known or isinstance(claim, Name):
            continue
        if joined and shapes > 1 and shape_of(claim) is not None:
            continue  # (10, 10) @ (10, 64) → (10, 64) speaks of shapes: the rule for code reads it
        if index < where and (is_computation(claim) or members[index + 1].relation == WORD):
            continue  # "7.5 gives 7.5 / 3": what goes in, not what comes out
        steps = [each.relation for each in members[min(index, where) + 1 : max(index, where) + 1]]
        if ARROW in steps and index != where + 1:
            continue  # a story of several steps, not an equality
        roughly = index < where and members[index + 1].relation == ABOUT  # "10 is roughly 3π"
        try:
            judged = judge(node, claim, values, about=roughly or member.relation == ABOUT, known=value)
        except Unreadable:
            notebook.leave(member.line, "a claim of another form than what it claims")
            continue
        reason = ""
        if failures(judged):
            reason = doubt(node, member, statement, page)
            reason = "a rough comparison" if roughly and "." not in member.text else reason
        if reason:
            notebook.leave(member.line, reason)
            continue
        shared = {
            "node": node,
            "values": {name: values[name] for name in names_in(node) if name in values} if values else {},
        }
        for one in judged:
            number = one.number
            line, nth = (number.line, _nth(statement, number)) if number else (member.line, -1)
            claimed = one.claimed or member.text
            notebook.claim(line, reference.text, claimed, one.computed, one.verdict, nth=nth, **shared)


def _nth(statement: Statement, number: Number) -> int:
    """Which of the equal numbers of its line a number is."""
    before = statement.tokens[: number.place]
    here = number.place < len(statement.tokens) and statement.tokens[number.place].text == number.text
    return sum(t.line == number.line and t.text == number.text for t in before[-400:]) if here else -1


def _reference(members: tuple[Member, ...], values: dict[str, np.ndarray]) -> tuple[int | None, np.ndarray | None]:
    """The first member that computes something from numbers alone, or else one that leans on named vectors."""
    with_names: tuple[int | None, np.ndarray | None] = (None, None)
    for index, member in enumerate(members):
        if member.node is None or not is_computation(member.node):
            continue
        try:
            value = evaluate(member.node, values)
        except Unreadable:
            continue
        if not values or not names_in(member.node) & values.keys():
            return index, value
        with_names = (index, value) if with_names[0] is None else with_names
    return with_names


def _looks_worked(members: tuple[Member, ...]) -> bool:
    """Whether a chain that cannot be judged still claims a number for something computed."""
    plain_ones = [literals(member.node) is not None for member in members]
    computed = (
        token for member, stated in zip(members, plain_ones, strict=True) if not stated for token in member.tokens
    )
    return any(plain_ones[1:]) and any(token.kind == "operator" for token in computed)
