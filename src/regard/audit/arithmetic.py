"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from regard.audit import data
from regard.audit.chains import Member, Statement, chains_of, statements_of
from regard.audit.context import Page
from regard.audit.doubts import doubt
from regard.audit.evaluate import evaluate
from regard.audit.grammar import A_LINE, ABOUT, ARROW, END, WORD
from regard.audit.judge import TYPED, failures, holds, judge
from regard.audit.names import Names
from regard.audit.nodes import Node, Unreadable, calls_in, filled, is_computation, literals, names_in, numbers_in

MOST_MEMBERS, FARTHEST = 60, 12  # of a chain; lines between it, or a rounded number, and what goes on with it


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
            names.learn(chain, [*rest, END][0], statement)
    doubtful = names.doubtful()
    page.findings = [finding for finding in page.findings if id(finding) not in doubtful]


def _check(members: Sequence[Member], known: int, statement: Statement, names: Names) -> None:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    page, single = names.page, names.numbers.keys() - names.several
    named = {name: names.numbers[name] for name in single} | names.nodes
    where, node = _reference(members, named)
    source = members[where].node
    if node is None or source is None:
        stated = any(literals(member.node) is not None for member in members[1:])
        if stated and any(token.kind == "operator" for member in members for token in member.tokens):
            page.leave(statement.line.number, "an expression with parts that are not known")
        return
    for index, member in enumerate(members):
        claim = filled(member.node, named) if member.node else None
        if claim is None or index < known or not _is_claim(members, index, where):
            continue
        used = names_in(source) & names.numbers.keys()
        if used and (member.tokens[-1].unit or member.text == "0" or calls_in(source) <= {"^"}):
            continue  # it may say something else: σ² = 4.5, x² - 4 = 0
        about = members[index if index > where else index + 1].relation == ABOUT  # "10 is roughly 3π"
        # what is added up is the outcome of something, and what has a name as well
        typed = TYPED - (about or members[where].text.count("+") > 1 or node != source)
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
            names.leaning += [(page.findings[-1], used)] if used else []


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
    """The first member that computes something from numbers alone, or else one that leans on names."""
    found = list[tuple[bool, int, Node]]()
    for index, node in enumerate(member.node for member in members):
        with suppress(Unreadable):
            if node and is_computation(node) and evaluate(whole := filled(node, named)).size:
                found.append((whole != node, index, whole))
    return min(found, key=lambda one: one[:2])[1:] if found else (0, None)
