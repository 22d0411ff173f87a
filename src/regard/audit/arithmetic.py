"""The rule for chains: sums, products, dot products, matrix products, softmax rows, wherever a page writes `=`.

Precision first: a mismatch is called wrong only where nothing around it offers another meaning. Names hold vectors
until a heading or a change ends them; numbers with names ("let d_k = 64") are trusted only nearby, and only while
nothing in their section gives the name another value: `x` is three things on one page more often than not.
"""

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from regard.audit import data
from regard.audit.chains import Chain, Member, Statement, chains_of, statements_of
from regard.audit.context import Page
from regard.audit.doubts import doubt
from regard.audit.evaluate import CONSTANTS, FUNCTIONS, evaluate
from regard.audit.grammar import ABOUT, ARROW, END, ENDED, EXACT, WORD, Parser, Token, plain_name
from regard.audit.judge import TYPED, Judged, failures, holds, judge
from regard.audit.nodes import (
    Call,
    Name,
    Node,
    Number,
    Unreadable,
    Vector,
    below,
    factors_of,
    filled,
    is_computation,
    literals,
    names_in,
    rebuilt,
    shape_of,
    speaks_of_shapes,
    terms,
    walk,
)
from regard.audit.pages import LONGEST_LINE
from regard.audit.units import converted
from regard.audit.verdict import slipped, verdict

MOST_MEMBERS = 60  # of a chain over several lines; one that goes on and on is data
FARTHEST = 12  # lines between a chain and the line that takes it up again, or between a name and its use
AFAR = 40  # and where the use of a name is only called wrong for a slip
ORDINARY = (data.NO_UNIT | {"be"}) - data.GOES_ON_WITH  # words that may follow a definition
MOST_JOINED = 4  # names without a sign between them
MOST_ITEMS = 12  # of a vector whose items get names
MOST_READINGS = 8  # of the names of one chain
UNMARKED = str.maketrans("", "", "$`*{}\\")
LONG = 5  # digits of a number that no chance makes
NEARLY = 0.02  # as a share of the value
NO_MATRIX = np.zeros(())
PI = ("pi", "π")
Values = dict[str, np.ndarray]


class Definition(NamedTuple):
    """A vector or a matrix that a page gives a name, for the rule about code."""

    line: int
    name: str
    value: np.ndarray
    node: Node  # as it is written


class _Names:
    """What the chains of a page leave behind for those below: named vectors, named numbers, a chain that may go on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.values: Values = {}
        # what a name may be worth, where it says so, and whether it is a plain number: one with a unit is less sure
        self.numbers: dict[str, tuple[tuple[float, ...], int, bool]] = {}
        self.far: set[int] = set()  # lines that lean on a name that may mean something else by now
        self.functions: dict[str, tuple[str, Node]] = {}  # the letter and the formula of f(x) = x² - 3
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
                text = data.ACCENT.sub(r"\1_", line.text).translate(UNMARKED)
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
        if (called := data.A_FUNCTION.fullmatch(name)) and len(chain.members) > 1:
            body = chain.members[1].node
            again = self.functions.pop(called[1], None)
            if body is not None and called[2] in names_in(body) and is_computation(body) and not again:
                self.functions[called[1]] = called[2], body
        self.numbers.pop(name, None)
        if len(chain.members) < 2:
            return
        first, second, *more = chain.members
        stated = literals(chain.members[-1].node) or []
        if len(stated) == 1 and not stated[0][1].percent and (more or _is_sure(first, second, tokens)):
            sign, number = stated[0]  # of a = 2 / 3 = 0.667 both may be gone on with
            if number.decimals > 1 and abs(number.value - CONSTANTS.get(name, math.inf)) <= number.step:
                return  # e = 2.718 is still e
            exact = [float(v) for v in _values_of(second.node) if not v.ndim]
            self.numbers[name] = ((sign * number.value, *exact), first.line, not number.unit)
        self.values.pop(name, None)
        if second.node is None or not any(isinstance(part, Vector | Name) for part in walk(second.node)):
            return  # a number's name is too often used for something else
        try:
            value = evaluate(second.node, self.values)
        except Unreadable:
            return
        if value.ndim > 0:
            self.values[name] = value
            items = value.tolist() if value.ndim == 1 and len(value) <= MOST_ITEMS else []
            for at, options in enumerate(zip([*items[:1], *items], [*items, *items[-1:]], strict=True)):
                either = options[::-1][at == len(items) :]  # p_1: first or second
                self.numbers[f"{name}_{at}"] = either, first.line, False
            self.definitions.append(Definition(first.line, name, value, chain.members[-1].node or second.node))

    def near(self, members: tuple[Member, ...]) -> list[Values]:
        """What the names of a chain may be worth where it stands: vectors of the page, numbers given nearby."""
        options: dict[str, tuple[float, ...]] = {}
        for member in members if self.numbers else ():
            for name in names_in(member.node) if member.node is not None else ():
                if found := self.worth(name, member.line):
                    options[name] = found
        if not options:
            return [self.values]
        chosen = itertools.islice(itertools.product(*options.values()), MOST_READINGS)
        return [dict(zip(options, map(np.asarray, one), strict=True)) | self.values for one in chosen]

    def worth(self, name: str, line: int) -> tuple[float, ...]:
        """The numbers that a name may stand for on a line, the likeliest first; none where that is not sure."""
        values, given, plain = self.numbers.get(name, ((), -1, True))
        self.far |= {line} if values and not plain else set()
        if not values or given == line:
            return values
        (section, paragraph), here = self.places.get(given, (-1, -1)), self.places.get(line, (-1, -1))
        if not 0 <= line - given <= AFAR:
            return ()
        others = self.meanings.get((section, name), set[str]())
        said = [text for text in others if data.A_NUMBER.fullmatch(text)]
        sure = section == here[0] and line - given <= FARTHEST and (len(said) == len(others) or len(others) < 2)
        self.far |= {line} if not sure or (len(name) == 1 and paragraph != here[1]) else set()
        return tuple(dict.fromkeys((*values, *map(_float, said)))) if sure else values

    def applied(self, members: tuple[Member, ...]) -> tuple[Member, ...]:
        """The members with every f(2) replaced by what the page says that f(x) is."""
        return tuple(member._replace(node=self._applied(member.node)) for member in members)

    def _applied(self, node: Node | None) -> Node | None:
        if node is None or isinstance(node, Number):
            return node
        match node:
            case Name(text) if (called := data.A_CALL_OF.fullmatch(text)) and called[1] in self.functions:
                letter, body = self.functions[called[1]]
                return filled(body, {letter: Number(called[2], -1)})
            case Call(function, (argument,)) if function in self.functions and literals(argument) is not None:
                letter, body = self.functions[function]
                return filled(body, {letter: argument})
        return rebuilt(node, tuple(self._applied(part) or part for part in below(node)))

    def explicit(self, statement: Statement) -> list[Token]:
        """The tokens of a statement with a sign wherever a product of numbers and known names has none: 2 T d^2."""
        if self.values:
            statement.tokens = list(self._of_matrices(statement.tokens))
        if any((token.text == "(" and not token.spaced) or token.text in ("e", *PI) for token in statement.tokens):
            statement.tokens = list(_with_products(statement.tokens, self.numbers))
        section = self.places.get(statement.line.number, (0, 0))[0]
        known = self.given.get(section, set[str]()) | {name for name in self.numbers if "_" in name}
        tokens: list[Token] = []
        factor = False  # whether what stands last may be a factor of what follows
        padded = [*statement.tokens, END]
        for at, token in enumerate(statement.tokens if known else ()):
            parts, after = [token], padded[at + 1]
            goes_on = after.kind in ("operator", "relation", "closing") or after.text in known
            unit, _, power = token.unit.partition("^")
            if unit in known and goes_on:  # 2 T d, where T is no trillion
                parts = [token._replace(unit=""), Token("word", unit, token.line, False)]
            elif token.kind == "word" and factor and len(token.text) < 4 and known.issuperset(token.text):
                parts = [token._replace(text=letter, spaced=False) for letter in token.text]  # 6ND
            for part in parts:
                named = part.kind == "word" and part.text in known
                if named and factor and (goes_on or len(parts) > 1):
                    tokens.append(Token("operator", "·", token.line, False))
                tokens.append(part)
                begins = at == 0 or padded[at - 1].kind in ("operator", "relation", "opening", "colon")
                factor = part.kind == "number" or (named and (factor or begins))
            if unit in known and goes_on and power:
                tokens += [Token("operator", "^", token.line, False), Token("number", power, token.line, False)]
        return tokens or statement.tokens

    def _of_matrices(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens with a sign between matrices that stand side by side: AB, X W_Q, QK.T; or a vector and one."""
        last = 0  # how many axes that has which stands before
        for token in tokens:
            base, turned = token.text.removesuffix(".T"), ".T" * token.text.endswith(".T")
            apart = self._apart(base) if token.kind == "word" and base not in self.values else []
            parts = [*apart[:-1], apart[-1] + turned] if len(apart) > 1 else [token.text]
            for part in parts:
                axes = self.values.get(part.removesuffix(".T"), NO_MATRIX).ndim if token.kind == "word" else 0
                if axes and last and axes + last > 2:
                    yield Token("operator", "·", token.line, False)
                yield token._replace(text=part)
                last = axes

    def _apart(self, text: str) -> list[str]:
        """The names of vectors and matrices that a text is made of, and nothing else: XW_Q is X and W_Q."""
        found: list[str] = []
        while text and len(found) < MOST_JOINED:
            name = max((name for name in self.values if text.startswith(name)), key=len, default="")
            if not name:
                return []
            found.append(name)
            text = text.removeprefix(name)
        return [] if text else found

    @cached_property
    def given(self) -> dict[int, set[str]]:
        """The names that each section gives a number and nothing else."""
        found: dict[int, set[str]] = {}
        for (section, name), said in self.meanings.items():
            if all(data.A_NUMBER.fullmatch(text) for text in said):
                found.setdefault(section, set()).add(name)
        return found

    def whole(self, chain: Chain) -> tuple[Member, ...]:
        """The members of a chain, with those of the chain above that it takes up."""
        if not chain.continues:
            return chain.members
        between = range(self.open_line + 1, chain.members[0].line)
        near = len(between) < FARTHEST and not any(
            data.OF_ITS_OWN.search(self.page.texts.get(line, "")) for line in between
        )
        return self.open_chain + chain.members if near and self.open_chain else ()


def _with_products(found: Sequence[Token], names: Collection[str]) -> Iterator[Token]:
    """The tokens with a sign where a sum in brackets stands right behind a number or a bracket: 2(3 + 4), a(1 - a)."""
    for at, token in enumerate(found):
        before, two = (found[at - back] if at >= back else END for back in (1, 2))
        behind = before.kind == "number" or before.text == ")" or before.text in names
        if token.text == "(" and not token.spaced and behind and two.text not in ("/", "^", "**", "."):
            end = next((i for i in range(at, len(found)) if found[i].text == ")"), at)
            inside = found[at + 1 : end]
            kinds = {"number" if part.text in names else part.kind for part in inside}
            sum_or_product = any(part.text in "+-*×·" for part in inside[1:])
            beside = before.text == ")" and any(part.text in ("-", "/") for part in inside)  # (-1)(-2)
            if kinds == {"number", "operator"} and (sum_or_product or beside):
                yield Token("operator", "·", token.line, False)
        raised = token.text == "e" and [after.text for after in found[at + 1 : at + 2]] == ["^"]
        if (raised or token.text in PI) and before.kind == "number" and not before.unit:  # 2 e^(-0.7), 2 pi
            yield Token("operator", "·", token.line, False)
        elif before.text in PI and (
            token.text == "√" or (token.kind == "word" and plain_name(token.text) in FUNCTIONS)
        ):
            yield Token("operator", "·", token.line, False)  # 2 pi sqrt(L / g)
        yield token


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
    if after.text == "(" and after.spaced:  # an aside, as in D = 26e9 (20 per parameter)
        inside = itertools.takewhile(lambda token: token.text != ")", tokens[given.at + len(given.tokens) + 1 :])
        return any(token.kind == "word" or token.unit for token in inside)
    return after.kind == "word" and after.text.lower() in ORDINARY


def check_arithmetic(page: Page) -> list[Definition]:
    """Judge every chain of a page, and tell which names it gave to vectors."""
    names = _Names(page)
    for statement in statements_of(page.lines, page.in_tables):
        names.forget(statement)
        statement.tokens = names.explicit(statement)
        for chain in chains_of(statement):
            members = names.applied(names.whole(chain)) if names.functions else names.whole(chain)
            known = len(members) - len(chain.members)
            tried = [_check(members, known, statement, values, page, names.far) for values in names.near(members)]
            for _, write in min(tried, key=lambda found: sum(badly for badly, _ in found)) if members else ():
                write()
            names.learn(chain, members, statement.tokens)
            names.forget(statement)  # what follows may stand behind "now let q be …"
    return names.definitions


Written = tuple[int, Callable[[], None]]  # how badly a claim fails, and what writes it down
UNSURE = "a letter that may mean something else here"


def _is_long_sum(node: Node) -> bool:
    """Whether it adds up three numbers or more of three decimals: outcomes of something, each of them rounded."""
    parts = [term for _, term in terms(node)]
    return len(parts) > 2 and all(isinstance(term, Number) and term.decimals >= TYPED - 1 for term in parts)


def _check(
    members: tuple[Member, ...], known: int, statement: Statement, values: Values, page: Page, far: set[int]
) -> list[Written]:
    """Judge the members of one chain; the first `known` were judged with the chain above."""
    where, node, value = _reference(members, values)
    if node is None or value is None:
        reason = "an expression with parts that are not known"
        return [(False, partial(page.leave, members[-1].line, reason))] if _looks_worked(members) else []
    found: list[Written] = []
    used = {name: values[name] for name in names_in(node) if name in values} if values else {}
    for index, member in enumerate(members):
        claim, roughly = member.node, index < where and members[index + 1].relation == ABOUT  # "10 is roughly 3π"
        about = roughly or member.relation == ABOUT
        typed = TYPED - 1 if about or _is_long_sum(node) else TYPED
        if claim is None or index < known or not _is_claim(members, index, where, node):
            continue
        if isinstance(claim, Number) and value.ndim == 1:
            claim = _bare_list(statement.tokens, member.at, len(value)) or claim
        try:
            judged = judge(node, claim, values, about=about, typed=typed, known=value)
            if failures(judged) and (rounded := page.rounded_near(member.line, node)):
                judged = judge(node, claim, values, about=about, typed=typed, known=value, rounded=rounded)
        except Unreadable:
            found.append((False, partial(page.leave, member.line, "a claim of another form than what it claims")))
            continue
        if failures(judged):
            before = members[index - 1].node if index > where + 1 else None
            if before is not None and holds(before, claim, values):
                continue  # right by what stands before it: one slip is one slip
            rough = roughly and "." not in member.text
            reason = "a rough comparison" if rough else doubt(node, value, member, statement, page)
            near = _is_near(judged)
            items = near and any(re.search(r"_\d+$", name) for name in used)  # they have no digits to count here
            slips = _is_slip(judged) or _lacks_factor(judged, node, used)
            if not reason and used and member.line in far and (items or not slips):
                reason = UNSURE
            if reason:  # another reading may tell which digit slipped
                found.append((0 if reason != UNSURE or near else 2, partial(page.leave, member.line, reason)))
                continue
        for one in judged:
            line, nth = (one.number.line, _nth(statement, one.number)) if one.number else (member.line, -1)
            said = one if one.claimed else one._replace(claimed=member.text)
            write = partial(page.judged, line, members[where].text, said, nth, node, used)
            found.append((one.verdict.fails, write))
    return found


def _bare_list(tokens: Sequence[Token], start: int, count: int) -> Vector | None:
    """As many numbers as a list has, written without brackets: softmax(4, 2, 0) = 0.867, 0.117, 0.016."""
    parser, items = Parser([*tokens, *ENDED], start), list[Node]()
    while len(items) < count:
        try:
            items.append(parser.expression())
        except Unreadable:
            return None
        parser.position += parser.peek().kind == "comma" or parser.peek().text in (";", "and")
    return Vector(tuple(items)) if all(literals(item) is not None for item in items) else None


def _is_slip(judged: Sequence[Judged]) -> bool:
    """Whether a number of three digits or more is the computed one but for one or two, for its point, or its sign."""
    said, computed = judged[0].claimed.rstrip("%"), judged[0].computed.rstrip("%")
    if len(judged) == 1 and said and _float(said) == -_float(computed) != 0:
        return True  # a sign that is lost
    if len(judged) > 1 or len(re.sub(r"\D", "", said).strip("0")) < 3:
        return False
    tenfold = any(not verdict(said, _float(computed) * by).fails for by in (10, 0.1))
    return tenfold or slipped(said, _float(computed))


def _lacks_factor(judged: Sequence[Judged], node: Node, values: Values) -> bool:
    """Whether a long number is what a product comes to without one of its factors."""
    said, computed = (judged[0].claimed, judged[0].computed) if len(judged) == 1 else ("", "")
    factors = [float(evaluate(one, values)) for one in factors_of(node)] if len(said.strip("-0")) >= LONG else []
    return any(by not in (0.0, 1.0) and not verdict(said, _float(computed) / by).fails for by in factors)


def _is_near(judged: Sequence[Judged]) -> bool:
    """Whether a single claim is off by no more than what it is made of may be rounded."""
    one = [_float(text.rstrip("%")) for text in judged[0][:2]] if len(judged) == 1 and judged[0].claimed else [1.0, 0.0]
    return abs(one[0] - one[1]) < NEARLY * abs(one[1])


def _float(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _values_of(node: Node | None) -> list[np.ndarray]:
    """The value of an expression of numbers alone, if it has one."""
    try:
        return [evaluate(node, {})] if node is not None and is_computation(node) else []
    except Unreadable:
        return []


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
