"""Why a mismatch may be no mistake: a unit, a range, a label, another arithmetic. A table, and what it asks.

A right number called wrong is the worst an audit can do, so each of these turns a verdict into "left alone".
"""

from collections.abc import Callable
from itertools import pairwise

from regard.audit import data
from regard.audit.chains import Member, Statement
from regard.audit.context import Page
from regard.audit.grammar import ARROW, END, WORD, plain_name
from regard.audit.judge import failures, judge
from regard.audit.nodes import Binary, Call, Name, Node, Number, Unreadable, Vector, is_whole, literals, shape_of, walk

PLAIN_OPERATORS = ("+", "×", "*", "·", "/", "^", "**")
TIGHT = ("*", "^", "**")  # these stand without spaces in sentences too
SEPARATORS = (",", "and", "or", "/")


class Case:
    """A mismatch, and everything that may excuse it."""

    def __init__(self, node: Node, member: Member, statement: Statement, page: Page) -> None:
        self.node, self.member, self.line, self.page = node, member, statement.line, page
        self.claim, self.after, self.relation = member.node, member.after, member.relation
        self.parts, self.tokens = list(walk(node)), statement.tokens
        self.text = page.texts.get(member.line, "")
        self.rest = self.tokens[member.at + len(member.tokens) :]  # what follows the claim
        self.signs = {part.operator for part in self.parts if isinstance(part, Binary)}
        self.vectors = any(isinstance(part, Vector) for part in self.parts)
        self.whole = is_whole(node)
        self.counts = self.whole and not any(isinstance(part, Vector) for part in walk(member.node or node))


def _is_label(case: Case) -> bool:
    """ "the score of word 2 is 0.5*0.5 + …", "from 4.0 to 3.0 is": a number behind a word that is then explained."""
    before = case.tokens[case.member.at - 1] if case.member.at else END
    leads = not case.relation and literals(case.claim) is not None and case.member.at > 0
    return leads and (before.kind == "word" or before.text in "#§(-")


def _has_unit(case: Case) -> bool:
    """Whether a word that is no ordinary word follows: 1024 * 1024 = 1 MB; bits are what a logarithm counts in."""
    word = case.after.text.lower()
    if case.after.kind != "word" or word in data.AFTER_A_CLAIM:
        return False
    counts = any(isinstance(part, Call) and part.function.startswith(("log", "ln", "entropy")) for part in case.parts)
    return not (counts and word in ("bit", "bits", "nat", "nats"))


def _is_plain_talk(case: Case) -> bool:
    """Whether "3 + 7 is 10." is all there is: spaced signs of addition or multiplication, and nothing to follow."""
    operators = [t for t in case.tokens[: case.member.at] if t.kind == "operator" and t.text != "%"]
    plain = all(t.text in PLAIN_OPERATORS and (t.spaced or t.text in TIGHT) for t in operators)
    return bool(operators) and plain and case.after.text in ("", ".", ",", ";", ")", "and")


def _begins_a_list(case: Case) -> bool:
    """Whether more numbers follow: "are 3, 4 and 5"."""
    first, second, third = [*case.rest[:3], END, END, END][:3]
    if first.text not in SEPARATORS or second.kind != "number":
        return False
    return third.kind in ("end", "other") or third.text in (*SEPARATORS, "%")


def _is_stroke_list(case: Case) -> bool:
    """Whether `.1/.3/.6` stands before the relation: three decimals or more, glued by strokes."""
    run = 0
    for token, after in pairwise(case.tokens):
        if token.text == "/" and not token.spaced and after.kind == "number" and not after.spaced:
            run += "." in after.text
            if run >= 2:
                return True
        elif token.kind != "number":
            run = 0
    return False


def _is_code_of_its_own(case: Case) -> bool:
    """Whether code reads it otherwise: `^` is no power, and old Pythons divide whole numbers without a rest."""
    cut = "/" in case.signs and case.whole and "." not in case.member.text
    if case.line.is_code and case.line.language != "math" and ("^" in case.signs or cut):
        return True
    match case.node:
        case Binary("^", Number(left), Number(right)):  # 5 ^ 3 = 6 is right as an exclusive or
            texts = [left, right, case.member.text]
            return all(text.isdigit() for text in texts) and int(texts[0]) ^ int(texts[1]) == int(texts[2])
    return False


def _is_range(case: Case) -> bool:
    """Whether the whole numbers before the relation are glued by a dash or a stroke: 2023-24, 24/7."""
    before = case.tokens[: next((at for at, t in enumerate(case.tokens) if t.kind == "relation"), 0)]
    if not case.counts or len(before) < 3 or "." in case.member.text:
        return False
    return before[-2].text in ("-", "/") and not before[-2].spaced


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
    left, right, result = ([number.text for _, number in literals(part) or []] for part in sides)
    return bool(left and right) and left[-1] == right[0] and result == [*left[:-1], *right[1:]]


def _is_euler_unsure(case: Case) -> bool:
    """Whether an e stands anywhere but below a power."""
    based = {id(p.left) for p in case.parts if isinstance(p, Binary) and p.operator in ("^", "**")}
    return any(isinstance(p, Name) and p.text == "e" and id(p) not in based for p in case.parts)


def _mixes_percent(case: Case) -> bool:
    """Whether a percentage is added to a plain number: 100 + 10% may well mean 110."""
    for part in case.parts:
        if isinstance(part, Binary) and part.operator in "+-" and isinstance(part.right, Number) and part.right.percent:
            numbers = [number.percent for number in walk(part.left) if isinstance(number, Number)]
            if not numbers or not all(numbers):
                return True
    return False


def _is_noted(case: Case) -> bool:
    """Whether the claim is right without the sign behind it: 7³ where the 3 is a note, 3! where it is a cry."""
    match case.claim:
        case Binary("^" | "**", Number() as base, _):
            try:
                return not failures(judge(case.node, base, {}))
            except Unreadable:
                return False
    return case.after.text == "!" and not case.after.spaced


def _is_stacked(case: Case) -> bool:
    """Whether a line above or below holds nothing but brackets and numbers: a matrix drawn over several lines."""
    if not case.vectors and "[" not in case.text and "|" not in case.text:
        return False
    beside = [case.page.texts.get(case.member.line + step, "") for step in (-1, 1)]
    return any(len(text) <= 400 and "," not in text and data.STACKED.fullmatch(text) for text in beside)


def _reaches_further(case: Case) -> bool:
    """Whether a sign without brackets may cover more than we read: √3² + 4², ln 0.5 * 2, 1/2*3 for 1/(2*3)."""
    run = ""
    for token, after, beyond in zip(case.tokens, case.tokens[1:], case.tokens[2:], strict=False):
        covers = token.text == "√" or plain_name(token.text) in data.WITHOUT_BRACKETS
        if covers and after.kind == "number" and beyond.text in ("+", "-", "*", "/", "·", "×", "^"):
            return True
        run = "/" if token.text == "/" and not token.spaced else run if token.kind == "number" else ""
        if run and after.text in ("*", "·", "×") and not after.spaced and token.kind == "number":
            return True
    return False


def _is_other_arithmetic(case: Case) -> bool:
    """Whether the page speaks of clocks, remainders or binary numbers nearby; whole numbers listen from afar."""
    said = [token.text for token in case.tokens[max(0, case.member.at - 4) : case.member.at + 1]]
    if said == ["1", "+", "1", "=", "3"] and data.TOGETHER.search(case.text):
        return True  # a saying
    return data.OTHER_ARITHMETIC.search(case.page.near(case.member.line, 15 if case.whole else 1)) is not None


# Why a mismatch may be no mistake, in the order in which it is asked.
DOUBTS: tuple[tuple[str, Callable[[Case], object]], ...] = (
    ("a label, not a claim", _is_label),
    ("a function from elsewhere",
     lambda case: any(isinstance(part, Call) and part.function in case.page.own for part in case.parts)),
    ("a constant that the page gives another value",
     lambda case: any(isinstance(part, Name) and part.text in case.page.renamed for part in case.parts)),
    ("arithmetic of another kind", _is_other_arithmetic),
    ("a number with a unit", _has_unit),
    ("shapes, not numbers", lambda case: data.NAMED_SHAPES.search(case.page.near(case.member.line))),
    ("a question", lambda case: any(token.text == "?" for token in case.rest[:1])),
    ("a mistake the page speaks of itself", lambda case: data.SAYS_SO.search(case.text)),
    ("an arrow that may not mean equality", lambda case: case.relation == ARROW and case.counts),
    ("a word that may not mean equality",
     lambda case: case.relation == WORD and case.counts and not _is_plain_talk(case)),
    ("the first of several numbers", lambda case: case.relation == WORD and _begins_a_list(case)),
    ("numbers with strokes between them", _is_stroke_list),
    ("an operator that means something else in code", _is_code_of_its_own),
    ("an arrow from one expression to another", lambda case: case.relation == ARROW and literals(case.claim) is None),
    ("a range, a date or a ratio", _is_range),
    ("a line number", lambda case: not case.relation and isinstance(case.claim, Number)
     and "." not in case.claim.text and case.vectors),
    ("shapes, not numbers", _reads_as_shapes),
    ("an e that may not be Euler's number", _is_euler_unsure),
    ("percentages added to numbers", _mixes_percent),
    ("a note or a cry behind the number", _is_noted),
    ("a matrix drawn over several lines", _is_stacked),
    ("a sign that may reach further", _reaches_further),
)  # fmt: skip


def doubt(node: Node, member: Member, statement: Statement, page: Page) -> str:
    """Why a mismatch may be no mistake; nothing if it is one."""
    case = Case(node, member, statement, page)
    return next((reason for reason, applies in DOUBTS if applies(case)), "")
