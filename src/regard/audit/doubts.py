"""Why a mismatch may be no mistake: a unit, a range, a label, another arithmetic.

A right number called wrong is the worst an audit can do, so each doubt turns a verdict into "left alone". They stand in
`data.toml` in the order in which they are asked; here is what a pattern cannot ask.
"""

import math
import re
from collections.abc import Callable
from functools import cached_property, lru_cache

from regard.audit import data
from regard.audit.chains import Member, Statement, written
from regard.audit.context import Page
from regard.audit.evaluate import Array, evaluate
from regard.audit.finding import Finding
from regard.audit.grammar import ARROW, EXACT, WORD
from regard.audit.judge import holds
from regard.audit.nodes import (
    Binary,
    Call,
    Name,
    Node,
    Number,
    Unary,
    Unreadable,
    Vector,
    below,
    is_whole,
    literals,
    rebuilt,
    shape_of,
    walk,
)
from regard.audit.units import SCALES, converted, is_near, is_rest, is_scaled, may_convert, units_of
from regard.audit.verdict import Verdict

PLAIN_OPERATORS = ("+", "×", "*", "·", "/", "^", "**")
TIGHT = ("*", "^", "**")  # these stand without spaces in sentences too
CLOCKS = ("7", "10", "12", "24", "60")
BASES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16)


class Case:
    """A mismatch, and everything that may excuse it."""

    def __init__(self, node: Node, value: Array, member: Member, statement: Statement, page: Page) -> None:
        self.value = value
        self.node, self.member, self.page, self.claim = node, member, page, member.node
        self.tokens, self.parts, self.line = statement.tokens, list(walk(node)), page.texts.get(member.line, "")
        self.signs = {part.operator for part in self.parts if isinstance(part, Binary)}
        # what a doubt may lean on
        self.first, self.arrow, self.word = not member.relation, member.relation == ARROW, member.relation == WORD
        self.stated, self.alone = literals(member.node) is not None, isinstance(member.node, Number)
        self.computed = not self.stated
        self.vectors, self.named = (any(isinstance(part, kind) for part in self.parts) for kind in (Vector, Name))
        self.whole, self.undotted = is_whole(node), "." not in member.text
        self.counts = self.whole and not any(isinstance(part, Vector) for part in walk(member.node or node))
        self.code = statement.line.is_code and statement.line.language != "math"

    @cached_property
    def sentence(self) -> tuple[str, str]:
        """The sentence of the claim, as far as its lines show it, and the one behind it."""
        number, paragraph = self.member.line, self.page
        lines = [paragraph.texts.get(at, "") for at in range(number - 2, number + 3)]
        start = 2 if data.ITEM.match(lines[2]) else next((at + 1 for at in (1, 0) if not lines[at].strip()), 0)
        end = next((at for at in (3, 4) if not lines[at].strip() or data.ITEM.match(lines[at])), 5)
        whole, before = " ".join(lines[start:end]), len(" ".join(lines[start:2])) + (start < 2)
        text = self.member.text.strip() or self.line.strip()
        place = whole.find(text.split()[0], before) if text else before
        ends = [0, *(found.end() for found in data.SENTENCE_END.finditer(whole)), len(whole)]
        at = max(i for i, end in enumerate(ends) if end <= max(place, before) or not i)
        return whole[ends[at] : ends[min(at + 1, len(ends) - 1)]], whole[ends[min(at + 1, len(ends) - 1)] :]


def _has_unit(case: Case) -> bool:
    """Whether a unit may explain it: 1024 * 1024 = 1 MB, but not 7 × 16 = 102 GB."""
    claim, after = case.claim, case.member.after
    behind = after.text if after.kind == "word" and after.text.lower() not in data.NO_UNIT else ""
    if not behind and not units_of(case.node) and not units_of(claim or case.node):
        return False
    if not isinstance(claim, Number) or case.value.ndim:
        return True
    unit = claim.unit or behind
    sizes = [part.unit for part in walk(case.node) if isinstance(part, Number)]
    if not unit and len(set(sizes)) > 1 and isinstance(case.node, Binary) and case.node.operator in "+-":
        return True  # 100k + 20000 * 4 = 180
    if not units_of(case.node) and any(_is_exact_in(unit, one, case.page) for one in case.page.findings):
        return False
    known = [] if case.named else converted(case.node, claim)
    if known:  # both sides in units that are known: little is left to guess
        values = [float(evaluate(node, {})) for node in known]
        if isinstance(case.node, Number):
            return all(not is_near(claim, value) for value in values)  # 4 cm = 2 km on this map
        return any(is_scaled(claim, float(case.value), by) for by in SCALES) or any(
            is_rest(claim, value, case.node)
            or (claim.unit not in units_of(case.node) and is_scaled(claim, value * 1e3, 1e-3))
            for value in values
        )
    relation = next((at for at in range(case.member.at - 1, -1, -1) if case.tokens[at].kind == "relation"), 0)
    others = {*units_of(case.node), *(token.unit for token in case.tokens[max(0, relation - 1) : relation])}
    return may_convert(claim, float(case.value), case.node, unit, bool(others - {"", claim.unit}))


def _is_exact_in(unit: str, finding: Finding, page: Page) -> bool:
    """Whether a result that came out even is followed by that word: it counts, and converts nothing."""
    if finding.verdict is not Verdict.exact or len(finding.claimed) < 3 or not unit.isalpha():
        return False
    return re.search(rf"{re.escape(finding.claimed)}\W{{0,3}}{unit}\b", page.texts.get(finding.line, "")) is not None


def _said(case: Case) -> float:
    """The one number that is claimed; nothing where there are several."""
    stated = literals(case.claim) or []
    return stated[0][0] * stated[0][1].value if len(stated) == 1 and not case.value.ndim else math.nan


def _is_within_one(case: Case) -> bool:
    return not abs(float(case.value if not case.value.ndim else 0.0) - _said(case)) >= 1


def _is_far(case: Case) -> bool:
    """Whether the claim is nowhere near the value, or is what a division leaves without its rest."""
    said, value = _said(case), float(case.value) if not case.value.ndim else 0.0
    percent = any(number.percent for _, number in literals(case.claim) or [])
    if case.member.relation == EXACT and value == int(value) > 1 and said not in (100 * value, 0.0) and not percent:
        return False  # 100/4 = 52 comes out even
    close = bool(said) and 0.5 < value / said < 2
    return not close or (_is_within_one(case) and not percent)


def _is_of_another_kind(case: Case) -> bool:
    """Whether the claim is right by a clock, by a remainder that the page names, or in another base."""
    said = _said(case)
    if math.isnan(said):
        return True
    around = " ".join(case.page.near(case.member.line - up) for up in range(15))
    moduli = {int(text) for text in (*re.findall(r"(?<![\d.,])\d{1,3}(?![\d.,])", around), *CLOCKS)}
    if any(0 <= said < modulus and (float(case.value) - said) % modulus == 0 for modulus in moduli):
        return True
    return any(_holds_in(base, case) for base in BASES)


def _holds_in(base: int, case: Case) -> bool:
    """Whether a claim of whole numbers holds where they are written to another base."""

    def read(node: Node) -> Node:
        if isinstance(node, Number):
            return node._replace(text=str(int(node.text, base)))
        return rebuilt(node, tuple(map(read, below(node))))

    try:
        return case.claim is not None and float(evaluate(read(case.node), {})) == float(evaluate(read(case.claim), {}))
    except (ValueError, Unreadable):
        return False


def _is_plain_talk(case: Case) -> bool:
    """Whether "3 + 7 is 10." is all there is: spaced signs of addition or multiplication, and nothing to follow."""
    operators = [t for t in case.tokens[: case.member.at] if t.kind == "operator" and t.text != "%"]
    plain = all(t.text in PLAIN_OPERATORS and (t.spaced or t.text in TIGHT) for t in operators)
    plain = plain and {*units_of(case.claim or case.node)} <= {*units_of(case.node)}
    return bool(operators) and plain and case.member.after.text in ("", ".", ",", ";", ")", "and")


def _is_code_of_its_own(case: Case) -> bool:
    """Whether code reads it otherwise: `^` is no power, and old Pythons divide whole numbers without a rest."""
    cut = case.whole and case.undotted and any(_leaves_rest(part) for part in case.parts)
    if case.code and (("^" in case.signs and case.whole and case.undotted and not case.named) or cut):
        return True
    match case.node:
        case Binary("^", Number(left), Number(right)):  # 5 ^ 3 = 6 is right as an exclusive or
            texts = [left, right, case.member.text]
            return all(text.isdigit() for text in texts) and int(texts[0]) ^ int(texts[1]) == int(texts[2])
    return False


def _leaves_rest(node: Node) -> bool:
    """Whether it is a quotient that does not come out even."""
    try:
        return isinstance(node, Binary) and node.operator == "/" and float(evaluate(node, {})) % 1 != 0
    except (Unreadable, TypeError):
        return True


def _reads_as_shapes(case: Case) -> bool:
    """Whether `[2, 3] × [3, 4] = [2, 4]` is about shapes: the inner sizes agree, and the outer ones are claimed.

    `(4, 64) × 8 → (4, 512)` is about shapes too: eight arrays, laid side by side.
    """
    node, claim = case.node, case.claim
    if not (isinstance(node, Binary) and node.operator in ("*", "×", "·", "@") and isinstance(claim, Vector)):
        return False
    if isinstance(node.right, Number) and shape_of(node.left) and shape_of(claim):
        return True
    sides = (node.left, node.right, claim)
    if node.operator in ("×", "*") and all(isinstance(side, Vector) and side.round for side in sides):
        return True  # pairs with a product of their own: (0, 1) × (0, 1) = (-1, 0)
    left, right, result = ([number.text for _, number in literals(part) or []] for part in sides)
    return bool(left and right) and left[-1] == right[0] and result == [*left[:-1], *right[1:]]


def _mixes_percent(case: Case) -> bool:
    """Whether a percentage is added to a plain number: 100 + 10% may well mean 110."""
    for part in case.parts:
        if isinstance(part, Binary) and part.operator in "+-" and isinstance(part.right, Number) and part.right.percent:
            numbers = [number.percent for number in walk(part.left) if isinstance(number, Number)]
            if not numbers or not all(numbers):
                return True
    return False


def _runs_on(case: Case) -> bool:
    """Whether the claim goes on from the right result: `5 + 3 = 8 * 2`."""
    first = case.claim
    while isinstance(first, Binary):
        first = first.left
    return first is not case.claim and isinstance(first, Number) and holds(case.node, first)


def _wider(node: Node) -> Node:
    """The same with every root, function and quotient reaching over the product behind it: √2·3 as √(2·3)."""
    parts = tuple(map(_wider, below(node)))
    match rebuilt(node, parts):
        case Binary("*" | "×" | "·" | "/" | "+" | "-" as sign, Unary("√", inner), other):
            return Unary("√", Binary(sign, inner, other))
        case Binary("*" | "×" | "·" | "/" | "+" | "-" | "^" as sign, Call(name, (Number() as inner,)), other):
            return Call(name, (Binary(sign, inner, other),))
        case Binary("*" | "×" | "·" as sign, Binary("/", above, below_it), other):
            return Binary("/", above, Binary(sign, below_it, other))
    return rebuilt(node, parts)


def _reaches_further(case: Case) -> bool:
    """Whether the claim is right where signs reach further than they do by the book."""
    wider = _wider(case.node)
    return wider != case.node and case.claim is not None and holds(wider, case.claim)


ASKED: dict[str, Callable[[Case], bool]] = {
    "unit": _has_unit,
    "far": _is_far,
    "no plain talk": lambda case: not _is_plain_talk(case),
    "code": _is_code_of_its_own,
    "rest": lambda case: any(map(_leaves_rest, case.parts)),
    "shapes": _reads_as_shapes,
    "percent": _mixes_percent,
    "sigma": lambda case: (
        any(isinstance(p, Call) and p.function == "σ" for p in case.parts)
        and not (isinstance(case.claim, Number) and case.claim.value < 1)
    ),
    "runs on": _runs_on,
    "reaches": _reaches_further,
    "glued": lambda case: (
        bool(case.signs) and "".join(part.text for part in case.parts if isinstance(part, Number)) == case.member.text
    ),
    "another kind": _is_of_another_kind,
    "references": lambda case: any(isinstance(part, Vector) and len(part.items) == 1 for part in case.parts),
}


LOOKS: dict[str, Callable[[Case], str]] = {
    "left": lambda case: written(case.tokens[: next(at for at, t in enumerate(case.tokens) if t.kind == "relation")]),
    "before": lambda case: written(case.tokens[: case.member.at]),
    "after": lambda case: written(case.tokens[case.member.end :]),
    "statement": lambda case: written(case.tokens),
    "line": lambda case: case.line,
    "sentence": lambda case: case.sentence[0],
    "next": lambda case: case.sentence[1],
    "near": lambda case: case.page.near(case.member.line),
}


@lru_cache(maxsize=2_000)
def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text speaks of it; the lines above a claim are asked again for the next one."""
    return pattern.search(text) is not None


def _asks(when: str = "", ask: str = "", far: str = "", **looks: str) -> Callable[[Case], bool]:
    """A doubt of `data.toml`: what must hold, what a function asks, what lines above say, patterns by their places."""
    patterns = [
        (LOOKS[where], getattr(data, pattern) if pattern.isupper() else re.compile(pattern))
        for where, pattern in looks.items()
    ]
    flags = when.split()

    def holds(case: Case) -> bool:
        if not all(getattr(case, flag) for flag in flags) or (ask and not ASKED[ask](case)):
            return False
        if far and not any(_says(getattr(data, far), case.page.near(case.member.line - up)) for up in range(15)):
            return False
        return all(_says(pattern, look(case)) for look, pattern in patterns)

    return holds


DOUBTS = [(doubt.pop("reason"), _asks(**doubt)) for doubt in data.DOUBTS]


def doubt(node: Node, value: Array, member: Member, statement: Statement, page: Page) -> str:
    """Why a mismatch may be no mistake; nothing if it is one."""
    case = Case(node, value, member, statement, page)
    return next((reason for reason, applies in DOUBTS if applies(case)), "")
