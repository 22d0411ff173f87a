"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from regard.audit.chains import Chain, Member, chains_of
from regard.audit.doubt import Surroundings, doubt, own_functions, renamed_constants
from regard.audit.evaluate import evaluate
from regard.audit.expression import Unreadable
from regard.audit.finding import Notebook
from regard.audit.judge import is_computation, judge, names_in, shape_of
from regard.audit.lines import Line
from regard.audit.scalars import Scalars
from regard.audit.statements import Statement, statements_of
from regard.audit.stores import Changes
from regard.audit.tokens import ABOUT, Kind
from regard.audit.tree import Binary, Name, Node, Vector, literals, walk

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines a chain may pause before a line that begins with "=" takes it up again


@dataclass(frozen=True)
class Definition:
    """A vector or a matrix that a page gives a name, for the rule about shapes."""

    line: int
    name: str
    shape: tuple[int, ...]
    is_list: bool  # written as a Python list, which has no .T


@dataclass
class Page:
    """What the chains of a page leave behind for those below: named vectors, and a chain that may go on."""

    values: dict[str, np.ndarray] = field(default_factory=dict)
    definitions: list[Definition] = field(default_factory=list)
    open_chain: tuple[Member, ...] = ()
    open_line: int = 0
    read: int = 0  # the last line whose changes were taken in

    def forget(self, statement: Statement, headings: set[int], changes: dict[int, Changes]) -> None:
        """Drop the values that a heading ends, or that a line up to this statement changed."""
        last = statement.tokens[-1].line if statement.tokens else statement.line.number
        first = min(self.read + 1, statement.line.number)
        for number in range(first, last + 1):
            changed = changes.get(number)
            if (number in headings and number > self.read) or (changed is not None and changed.everything):
                self.values.clear()
            for name in changed.names if changed is not None else ():
                self.values.pop(name, None)
        self.read = max(self.read, last)


def check_arithmetic(
    lines: list[Line], tables: set[int], changes: dict[int, Changes], notebook: Notebook
) -> list[Definition]:
    """Judge every chain of a page, and tell which names it gave to vectors."""
    page = Page()
    scalars = Scalars(lines)
    headings = {line.number for line in lines if line.heading}
    texts = {line.number: line.text for line in lines}
    around = Surroundings(texts, own_functions(lines), renamed_constants(lines))
    for statement in statements_of(lines, tables):
        page.forget(statement, headings, changes)
        for chain in chains_of(statement):
            page.forget(statement, headings, changes)  # a chain before it may stand before "now let q be …"
            members = _with_beginning(chain, page, headings)
            if members:
                known = len(members) - len(chain.members)
                values = _values(members, page, scalars)
                _check(members, known, statement, values, notebook, around)
            _remember(chain, members, page)
            scalars.learn(chain, statement.tokens)
        page.forget(statement, headings, changes)
    return page.definitions


def _values(members: tuple[Member, ...], page: Page, scalars: Scalars) -> dict[str, np.ndarray]:
    """What the names of a chain are worth where it stands: vectors of the page, numbers given nearby."""
    named: dict[str, np.ndarray] = {}
    for member in members:
        named |= scalars.near(member.line, member.node)
    return named | page.values if named else page.values


def _with_beginning(chain: Chain, page: Page, headings: set[int]) -> tuple[Member, ...]:
    """The members of a chain, with those of the chain above that it takes up."""
    if not chain.continues:
        return chain.members
    line = chain.members[0].line
    near = page.open_chain and 0 <= line - page.open_line <= FARTHEST
    if not near or any(number in headings for number in range(page.open_line, line)):
        return ()
    return page.open_chain + chain.members


def _remember(chain: Chain, members: tuple[Member, ...], page: Page) -> None:
    """Keep an open chain, and the vector a name was given."""
    page.open_chain = members if chain.open and len(members) <= MOST_MEMBERS else ()
    page.open_line = next((m.tokens[-1].line for m in reversed(chain.members) if m.tokens), page.open_line)
    if len(chain.members) < 2 or chain.continues:
        return
    name = chain.members[0].node
    if not isinstance(name, Name) or not name.text.isidentifier():
        return
    page.values.pop(name.text, None)
    given = chain.members[1].node
    if given is None or not any(isinstance(part, Vector | Name) for part in walk(given)):
        return  # only vectors are kept: a scalar's name is too often used for something else
    try:
        value = evaluate(given, page.values)
    except Unreadable:
        return
    if value.ndim > 0:
        page.values[name.text] = value
        page.definitions.append(Definition(chain.members[0].line, name.text, value.shape, isinstance(given, Vector)))


def _check(
    members: tuple[Member, ...],
    known: int,
    statement: Statement,
    values: dict[str, np.ndarray],
    notebook: Notebook,
    around: Surroundings,
) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    reference = _reference(members, values)
    if reference is None:
        if _looks_worked(members):
            notebook.leave("an expression with parts that are not known")
        return
    node = reference.node
    assert node is not None  # _reference only picks members that were read
    shapes = [shape_of(part) for part in walk(node) if isinstance(part, Vector)]
    for index, member in enumerate(members):
        if member is reference or member.node is None or index < known or isinstance(member.node, Name):
            continue
        if _is_shape_claim(node, member.node, shapes):
            continue  # the rule for shapes reads these
        if members.index(reference) >= index and is_computation(member.node):
            continue
        roughly = index < members.index(reference) and members[index + 1].relation == ABOUT
        if roughly:
            member = replace(member, relation=ABOUT)  # "10 is roughly 3π": what it promises stands after it
        try:
            judged = judge(node, member, values)
        except Unreadable:
            notebook.leave("a claim of another form than what it claims")
            continue
        reason = doubt(node, member, judged, statement, around)
        if roughly and "." not in member.text and any(one.verdict.fails for one in judged):
            reason = "a rough comparison"
        if reason:
            notebook.leave(reason)
            continue
        for one in judged:
            notebook.claim(one.line or member.line, reference.text, one.claimed, one.computed, one.verdict, one.note)


def _reference(members: tuple[Member, ...], values: dict[str, np.ndarray]) -> Member | None:
    """The first member that computes something from numbers alone, or else one that leans on named vectors."""
    with_names: Member | None = None
    for member in members:
        if member.node is None or not is_computation(member.node):
            continue
        try:
            evaluate(member.node, values)
        except Unreadable:
            continue
        if not names_in(member.node) & values.keys():
            return member
        with_names = with_names or member
    return with_names


def _looks_worked(members: tuple[Member, ...]) -> bool:
    """Whether a chain that cannot be judged still claims a number for something computed."""
    plain = [member.node is not None and literals(member.node) is not None for member in members]
    computed = (token for member, stated in zip(members, plain, strict=True) if not stated for token in member.tokens)
    return any(plain[1:]) and any(token.kind is Kind.operator for token in computed)


def _is_shape_claim(node: Node, claim: Node, shapes: list[tuple[int, ...] | None]) -> bool:
    """`(10, 10) @ (10, 64) → (10, 64)` speaks of shapes, not of numbers."""
    joined = isinstance(node, Binary) and node.operator in ("@", "×", "*", "·")
    return joined and shape_of(claim) is not None and sum(shape is not None for shape in shapes) > 1
