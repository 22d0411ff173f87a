"""Which cell of a known run a number of a page is: the cell whose arithmetic reads the numbers that the page combines.

An equal value proves nothing: 1.0 is in every model. The cell must read what the claim reads, and where the line
speaks of a word, that word must be the cell's. If two cells would do, nothing is linked.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from regard.audit.evaluate import evaluate
from regard.audit.finding import Finding
from regard.audit.nodes import Call, Node, Number, Unreadable, Vector, numbers_in
from regard.ops import expression
from regard.trace import Trace
from regard.trace.step import Cell

STEPS = ("scores", "scaled", "weights", "context", "logits", "probabilities")  # cells that are computed, not given
MOST_OPENED = 10_000  # cells, on the way from one to the numbers of a claim
ABOUT_NOTHING = frozenset(  # words of a line that say how a number is computed, not of what
    {"score", "weight", "logit", "probability", "softmax", "exp", "e", "sqrt", "dot", "sum", *STEPS}
)


class Link(NamedTuple):
    """A run, and the address of a cell in it."""

    trace: Trace
    cell: str


class Page:
    """The lines of a page, and where words were last named on them."""

    def __init__(self, lines: Sequence[str]):
        self.words = [frozenset(re.findall(r"[^\W\d_]+", line.lower())) for line in lines]

    def at(self, line: int) -> frozenset[str]:
        return self.words[line - 1] if 0 < line <= len(self.words) else frozenset()

    @cached_property
    def all(self) -> frozenset[str]:
        return frozenset[str]().union(*self.words)

    def last(self, word: str, line: int) -> int:
        """The last line down to this one that names a word; 0 if none does."""
        if word not in self.all:
            return 0
        return next((at for at in range(min(line, len(self.words)), 0, -1) if word in self.words[at - 1]), 0)


def linked(finding: Finding, page: Page, runs: Sequence[Trace]) -> Link | None:
    """The cell that a claim is, in the run whose words the page named last."""
    value = value_of(finding)
    if value is None or finding.node is None:
        return None
    try:
        operands = operands_of(finding.node, value)
    except Unreadable:
        return None
    found: list[Link] = []
    for trace in runs:
        cells = [cell for cell in _near(trace, value) if _reads(cell, operands)]
        cells = [cell for cell in cells if _may_be_about(_word(trace, cell), page, finding.line)]
        if len(cells) == 1:
            found.append(Link(trace, trace.name_of(cells[0])))
    return max(found, key=lambda link: _last_named(link.trace, page, finding.line), default=None)


def value_of(finding: Finding) -> float | None:
    """What a claim should be, as a number: 0.98 of 98%."""
    text = finding.computed
    try:
        return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None


def operands_of(node: Node, value: float) -> list[Number]:
    """The numbers that an expression combines into one value; of an expression of vectors, those of its component.

    >>> from regard.audit.grammar import parse
    >>> [number.text for number in operands_of(parse("0.1 * [0.3, 0.5] + 0.7 * [0.8, 0.6]"), 0.47)]
    ['0.1', '0.5', '0.7', '0.6']
    """
    values = np.asarray(evaluate(node))
    if values.ndim != 1:
        return numbers_in(node)
    return list(_component(node, int(np.argmin(np.abs(values - value)))))


def _component(node: Node, at: int) -> Iterator[Number]:
    match node:
        case Vector(parts):
            yield from numbers_in(parts[min(at, len(parts) - 1)])
        case Call("+" | "-" | "*" | "·" | "×" | "/", parts):
            for part in parts:
                yield from _component(part, at)
        case _:
            yield from numbers_in(node)


def _near(trace: Trace, value: float) -> Iterator[Cell]:
    """The cells with about this value; a page may have rounded what it was computed from."""
    for name in STEPS:
        if name in trace:
            step = trace.step(name)
            yield from (Cell(step, tuple(at)) for at in np.argwhere(np.isclose(step.value, value, 1e-3, 1e-9)).tolist())


def _reads(cell: Cell, operands: Sequence[Number]) -> bool:
    """Whether the arithmetic of a cell comes down to these numbers, to all of them and to no others."""
    if len({number.value for number in operands}) < 2:
        return False  # one number is no arithmetic to be recognised by
    used = _used(cell, operands, {})
    return used is not None and {number.value for number in operands} == {number.value for number in used}


def _used(cell: Cell, operands: Sequence[Number], known: dict[Cell, set[Number] | None]) -> set[Number] | None:
    """The numbers of the claim that a cell's arithmetic comes down to; nothing where another number enters."""
    if cell in known:
        return known[cell]
    known[cell] = None  # unless all that it reads is found below
    if not cell.step.inputs or len(known) > MOST_OPENED:
        return None
    found: set[Number] = set()
    for leaf in expression.leaves(cell.step.op.arithmetic(cell.at, cell.step.inputs)):
        same = {number for number in operands if _agrees(number, leaf.value)}
        below = same or _used(leaf.cell, operands, known)
        if below is None:
            return None
        found |= below
    known[cell] = found
    return found


def _agrees(number: Number, value: float) -> bool:
    """Whether a printed number is this one, to the digits that it has; a whole number is exact."""
    return abs(number.value - abs(value)) <= (number.step / 2 if number.decimals else 0) * (1 + 1e-6) + 1e-9


def _word(trace: Trace, cell: Cell) -> str | None:
    """The word that a cell is about: the last along its axes."""
    axes = zip(cell.step.axes, cell.at, strict=True)
    words = [trace.labels.plain(letter, at).lower() for letter, at in axes if letter in trace.labels.words]
    return words[-1] if words else None


def _may_be_about(word: str | None, page: Page, line: int) -> bool:
    """Whether a line may speak of a word: it names it, or it names nothing and the page does."""
    named = page.at(line) - ABOUT_NOTHING
    return word is None or (word in named if named else word in page.all)


def _last_named(trace: Trace, page: Page, line: int) -> float:
    """How far down, on average, the words of a run were last named before a line."""
    words = {word.lower() for along in trace.labels.words.values() for word in along}
    return sum(page.last(word, line) for word in words) / max(len(words), 1)
