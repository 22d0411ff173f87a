"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning.
"""

from collections.abc import Sequence

import numpy as np

from regard.audit import data
from regard.audit.chains import Member, Statement, chains_of, statements_of
from regard.audit.context import Page
from regard.audit.doubts import doubt
from regard.audit.evaluate import CONSTANTS, Array, Values, evaluate
from regard.audit.grammar import ABOUT, ARROW, WORD, Token
from regard.audit.judge import TYPED, Judged, failures, holds, judge
from regard.audit.nodes import Node, Number, Unreadable, is_computation, literals, names_in
from regard.audit.units import converted
from regard.audit.verdict import Printed

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines between a chain and the line that takes it up again
NEARLY = 0.02  # of the value: so far off may be what is made of rounded numbers


class Names:
    """What the chains of a page leave behind for those below.

    A name holds until a heading, a change or another value. The names of numbers are not kept, since `x` is three
    things on one page more often than not; but where a page says what `e` is, it is that.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.values: dict[str, Array] = {}
        self.read = 0  # the last line whose changes were taken in
        self.headings = {line.number for line in page.lines if line.heading}

    def forget(self, statement: Statement) -> None:
        """Drop the values that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        for number in range(self.read + 1, last + 1):
            lost = self.values if number in self.headings else self.page.changed(number) if self.values else ()
            for name in list(lost):
                self.values.pop(name, None)
        self.read = max(self.read, last)

    def learn(self, chain: Sequence[Member]) -> None:
        """Keep the vector or the matrix that a chain gives a name; code keeps its own."""
        first, *members = chain
        called = first.node is not None and names_in(first.node) == {first.text} and not first.relation
        name = first.text if called and data.A_NAME.fullmatch(first.text) else ""
        self.values.pop(name, None)
        name = "" if name in self.page.changed(first.line) else name
        for given in (member.node for member in members if name and member.node):
            try:
                value = evaluate(given, self.values)
            except Unreadable:
                continue
            if value.ndim:
                self.page.vectors.setdefault(first.line, {})[name] = value
            if value.ndim or abs(value - CONSTANTS.get(name, value)) > 0.01:
                self.values[name] = value
            return

    def explicit(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with a sign between matrices that stand side by side: AB, X W_Q, QK.T; or a vector and one."""
        found, last = list[Token](), 0  # how many axes that has which stands before
        for token in tokens:
            for text in self._apart(token.text) if token.kind == "word" else [token.text]:
                axes = self.values[name].ndim if (name := text.removesuffix(".T")) in self.values else 0
                found += [Token("operator", "·", token.line, False)] if axes and last and axes + last > 2 else []
                found.append(token._replace(text=text))
                last = axes
        return found

    def _apart(self, word: str) -> list[str]:
        """The known names that a word is made of, and nothing else: XW_Q is X and W_Q."""
        rest, found = word, list[str]()
        while name := max((name for name in self.values if rest.startswith(name)), key=len, default=""):
            found.append(name)
            rest = rest.removeprefix(name)
        return [*found[:-1], found[-1] + rest] if found and rest in ("", ".T") else [word]


def check_arithmetic(page: Page) -> None:
    """Judge every chain of a page."""
    names, above = Names(page), tuple[Member, ...]()
    for statement in statements_of(page.lines, page.in_tables):
        names.forget(statement)
        statement.tokens = names.explicit(statement.tokens)
        for chain in chains_of(statement):
            last, start = max((token.line for member in above for token in member.tokens), default=0), chain[0].line
            between = page.near(start - 1, start - last - 2) if start - last <= FARTHEST else "="
            known = above if chain[0].relation and not data.OF_ITS_OWN.search(between) else ()
            _check((*known, *chain), len(known), statement, names.values, page)
            rest = statement.tokens[chain[-1].at + len(chain[-1].tokens) :]
            ended = all(token.text in ".,;)" for token in rest[:5])
            above = (*known, *chain) if ended and len(known) <= MOST_MEMBERS else ()
            names.learn(chain)


def _check(members: Sequence[Member], known: int, statement: Statement, values: Values, page: Page) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    where, node, value = _reference(members, values)
    if node is None or value is None:
        stated = any(literals(member.node) is not None for member in members[1:])
        if stated and any(token.kind == "operator" for member in members for token in member.tokens):
            page.leave(members[-1].line, "an expression with parts that are not known")
        return
    used = {name: values[name] for name in names_in(node) if name in values}
    for index, member in enumerate(members):
        claim = member.node
        if claim is None or index < known or not _is_claim(members, index, where):
            continue
        about = members[index if index > where else index + 1].relation == ABOUT  # "10 is roughly 3π"
        typed = TYPED - (about or members[where].text.count("+") > 1)  # what is added up is the outcome of something
        try:
            judged = judge(node, claim, values, about=about, typed=typed, rounded=page.rounded_near(member.line, node))
        except Unreadable:
            page.leave(member.line, "a claim of another form than what it claims")
            continue
        if failures(judged):
            before = members[index - 1].node if index > where + 1 else None
            if before is not None and holds(before, claim, values):
                continue  # right by what stands before it: one slip is one slip
            rounded = any(np.any(held != np.round(held, 2)) for held in used.values()) and _is_near(judged)
            made = "made of rounded numbers that have a name" if rounded else ""
            if reason := made or doubt(node, value, member, statement, page):
                page.leave(member.line, reason)
                continue
        for one in judged:
            line, nth = (one.number.line, _nth(statement, one.number)) if one.number else (member.line, -1)
            said = one._replace(claimed=one.claimed or member.text, node=node, values=used)
            page.judged(line, members[where].text, said, nth)


def _is_near(judged: Sequence[Judged]) -> bool:
    """Whether what fails is off by no more than what it is made of may be rounded."""
    pairs = [[Printed.read(text).value for text in one[:2]] for one in judged if one.verdict.fails and one.claimed]
    return any(abs(said - found) < NEARLY * abs(found) for said, found in pairs)


def _is_claim(members: Sequence[Member], index: int, where: int) -> bool:
    """Whether a member claims to be what another computes."""
    claim = members[index].node
    if index == where or claim is None or (literals(claim) is None and not is_computation(claim)):
        return False  # a name, or names in brackets: `[a, b] = [b, a + b]` stores
    goes_in = members[index].tokens[-1].text in [token.text for token in members[where].tokens]
    if index < where and (goes_in or is_computation(claim) or members[index + 1].relation == WORD):
        return False  # "7.5 gives 7.5 / 3": what goes in, not what comes out
    steps = members[min(index, where) + 1 : max(index, where) + 1]
    return index == where + 1 or all(step.relation != ARROW for step in steps)  # no story of several steps


def _nth(statement: Statement, number: Number) -> int:
    """Which of the equal numbers of its line a number is."""
    before = statement.tokens[max(0, number.place - 400) : number.place]
    return sum(token.text == number.text and token.line == number.line for token in before)


def _reference(members: Sequence[Member], values: Values) -> tuple[int, Node | None, Array | None]:
    """The first member that computes something from numbers alone, or else one that leans on names, or on units."""
    found: tuple[int, Node | None, Array | None] = (0, None, None)
    for index, node in enumerate(member.node for member in members):
        if node is None or not is_computation(node) or (found[1] and not names_in(node).isdisjoint(values)):
            continue
        try:
            found = (index, node, evaluate(node, values))
        except Unreadable:
            continue
        if names_in(node).isdisjoint(values):
            return found
    first, others = members[0].node, [member.node for member in members[1:] if isinstance(member.node, Number)]
    if found[1] is None and isinstance(first, Number) and any(converted(first, other) for other in others):
        return 0, first, evaluate(first, {})  # 72 km/h = 20 m/s
    return found
