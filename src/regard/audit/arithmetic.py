"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from regard.audit import data
from regard.audit.chains import Member, Statement, chains_of, statements_of
from regard.audit.context import Page
from regard.audit.doubts import doubt
from regard.audit.evaluate import CONSTANTS, converted, evaluate
from regard.audit.grammar import A_LINE, ABOUT, ARROW, WORD, Token
from regard.audit.judge import TYPED, failures, holds, judge
from regard.audit.nodes import Node, Number, Unreadable, filled, is_computation, literals, names_in, numbers_in

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines between a chain, or a rounded number, and the line that goes on with it
LARGEST, MOST_PARTS = 200, 12_000  # numbers in what a name stands for, and of all that a page makes of its names


class Names:
    """What the chains of a page leave behind for those below: a name holds until a heading, a change or another value.
    Those of numbers are not kept (`x` is three things on one page), but where a page says what `e` is, it is that."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.nodes: dict[str, Node] = {}
        self.parts_left, self.read = MOST_PARTS, 0  # the last line whose changes were taken in
        self.ends = {line.number for line in page.lines if line.heading}  # of all names

    def forget(self, statement: Statement) -> None:
        """Drop the names that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        for number in range(self.read + 1, last + 1) if self.nodes else ():
            kept = () if number in self.ends or self.parts_left < 0 else self.nodes.keys() - self.page.changed(number)
            self.nodes = {name: self.nodes[name] for name in kept}
        self.read = max(self.read, last)

    def learn(self, chain: Sequence[Member]) -> None:
        """Keep what a vector or a matrix that a chain gives a name is made of; code keeps its own."""
        first, *members = chain
        called = first.node is not None and names_in(first.node) == {first.text} and not first.relation
        name = first.text if called and data.A_NAME.fullmatch(first.text) else ""
        self.nodes.pop(name, None)
        name = "" if name in self.page.changed(first.line) else name
        given = [filled(member.node, self.nodes) for member in members if name and member.node]
        for node in sorted(given, key=lambda node: literals(node) is None):  # it goes on with what it prints
            with suppress(Unreadable):
                value = evaluate(node)
                if value.ndim:
                    self.page.vectors.setdefault(first.line, {})[name] = value
                if (value.ndim or abs(value - CONSTANTS.get(name, value)) > 0.01) and len(numbers_in(node)) < LARGEST:
                    self.nodes[name] = node
                return

    def explicit(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with a sign between matrices that stand side by side: AB, X W_Q, QK.T; or a vector and one."""
        found, last = list[Token](), 0  # how many axes that has which stands before
        for token in tokens:
            for text in self._apart(token.text) if token.kind == "word" else [token.text]:
                node = self.nodes.get(text.removesuffix(".T"))
                self.parts_left -= len(numbers_in(node))
                axes = evaluate(node).ndim if node and self.parts_left > 0 else 0
                found += [Token("operator", "·", token.line, token.spaced)] if axes and last and axes + last > 2 else []
                found.append(token._replace(text=text))
                last = axes
        return found

    def _apart(self, word: str) -> list[str]:
        """The known names that a word is made of, and nothing else: XW_Q is X and W_Q."""
        rest, found = word, list[str]()
        while name := max((name for name in self.nodes if rest.startswith(name)), key=len, default=""):
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
            _check((*known, *chain), len(known), statement, names)
            rest = statement.tokens[chain[-1].at + len(chain[-1].tokens) :]
            ended = all(token.text in ".,;)" for token in rest[:5])
            above = (*known, *chain) if ended and len(known) <= MOST_MEMBERS else ()
            names.learn(chain)


def _check(members: Sequence[Member], known: int, statement: Statement, names: Names) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    page, named = names.page, names.nodes
    where, node = _reference(members, named)
    if node is None:
        stated = any(literals(member.node) is not None for member in members[1:])
        if stated and any(token.kind == "operator" for member in members for token in member.tokens):
            page.leave(statement.line.number, "an expression with parts that are not known")
        return
    for index, member in enumerate(members):
        claim = filled(member.node, named) if member.node else None
        if claim is None or index < known or not _is_claim(members, index, where):
            continue
        about = members[index if index > where else index + 1].relation == ABOUT  # "10 is roughly 3π"
        # what is added up is the outcome of something, and what has a name as well
        typed = TYPED - (about or members[where].text.count("+") > 1 or node != members[where].node)
        rounded = {n.text for n in numbers_in(node) if 0 <= member.line - page.rounded.get(n.text, -99) <= FARTHEST}
        judged = judge(node, claim, about=about, typed=typed, rounded=rounded)
        if not judged:
            page.leave(member.line, "a claim of another form than what it claims")
        if failures(judged):
            before = members[index - 1].node if index > where + 1 else None
            if before is not None and holds(filled(before, named), claim):
                continue  # right by what stands before it: one slip is one slip
            if reason := doubt(node, member, members[known], statement, page):
                page.leave(member.line, reason)
                continue
        for one in judged:
            line, nth = member.line, -1
            if one.number and claim == member.node:  # it stands here, and not where a name was given
                line, at = one.number.line, one.number.place % A_LINE
                equal = [token.text for token in statement.tokens[max(0, at - 400) : at] if token.line == line]
                nth = equal.count(one.number.text)
            said = one._replace(claimed=one.claimed or member.text, node=node)
            page.judged(line, members[where].text, said, nth)


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


def _reference(members: Sequence[Member], named: Mapping[str, Node]) -> tuple[int, Node | None]:
    """The first member that computes something from numbers alone, or else one that leans on names, or on units."""
    found = list[tuple[bool, int, Node]]()
    for index, node in enumerate(member.node for member in members):
        with suppress(Unreadable):
            if node and is_computation(node) and evaluate(whole := filled(node, named)).size:
                found.append((whole != node, index, whole))
    first, others = members[0].node, [member.node for member in members[1:] if isinstance(member.node, Number)]
    if not found and isinstance(first, Number) and any(o.unit != first.unit and converted(first, o) for o in others):
        return 0, first  # 72 km/h = 20 m/s
    return min(found, key=lambda one: one[:2])[1:] if found else (0, None)
