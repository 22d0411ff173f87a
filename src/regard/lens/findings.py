"""What is worth saying about a run: computed rules, at most three. The numbers in them are cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.lens.importance import Importance
from regard.trace import Cell, Trace
from regard.trace.names import role_of

if TYPE_CHECKING:
    from regard.lens.explanation import Learning

MOST = 3
MOST_LEFT_OUT = 8  # words that are tried: the run is repeated without each


@dataclass(frozen=True)
class Told:
    """A number in a sentence: its cell, and how it is written there (a format as Python has them: .0%)."""

    cell: Cell
    form: str

    def __str__(self) -> str:
        return format(self.cell.value, self.form)

    def data(self, trace: Trace) -> dict[str, Any]:
        return {"text": str(self), "value": self.cell.value, "cell": trace.address_of(self.cell)}


@dataclass(frozen=True)
class Finding:
    """A sentence: words, and numbers that can be opened."""

    parts: tuple[str | Told, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def data(self, trace: Trace) -> list[str | dict[str, Any]]:
        """Words, and numbers with their addresses."""
        return [part if isinstance(part, str) else part.data(trace) for part in self.parts]


def said(*parts: str | Told) -> Finding:
    return Finding(parts)


def findings(trace: Trace, rows: Sequence[Importance], learning: "Learning | None") -> tuple[Finding, ...]:
    rules = (_edited_rows(trace), _flip(trace, learning), _ratio(learning), _left_out(trace, rows), _shape(rows))
    return tuple(islice((found for rule in rules for found in rule), MOST))


def _edited_rows(trace: Trace) -> Iterator[Finding]:
    """An edited row of weights no longer sums to 1, and we say so."""
    for edit in {edit.step + str(edit.at[:-1]): edit for edit in trace.edits}.values():  # a row is told once
        if edit.step in trace.steps and edit.kind == "edit" and role_of(edit.step) in ("weights", "probabilities"):
            total = Cell(trace.step(f"{edit.step}.sum"), edit.at[:-1])
            if abs(total.value - 1) > 1e-9:
                yield said(f"the edited row of {edit.step} sums to ", Told(total, ".4g"), ", not to 1")


def _flip(trace: Trace, learning: "Learning | None") -> Iterator[Finding]:
    if learning is None:
        return
    if learning.next_predicted != trace.predicted:
        yield said(f"the prediction flips after 1 update: {trace.predicted} → {learning.next_predicted}")


def _ratio(learning: "Learning | None") -> Iterator[Finding]:
    sizes = learning.roles if learning else {}
    asking = [role for role in ("W_Q", "W_K") if role in sizes and sizes[role].value]
    if learning is not None and asking and "W_V" in sizes:
        most = next(role for role in sizes if role in asking)  # the largest first
        ratio = Cell(learning.trace.step(f"blame.{most}.ratio"), ())
        if ratio.value >= 10:
            yield said("W_Q, W_K got ", Told(ratio, ".0f"), "× less gradient than W_V")


def _left_out(trace: Trace, rows: Sequence[Importance]) -> Iterator[Finding]:
    """Leave-one-out, told for the most attended word that changes the prediction."""
    if sum(r.weight.value > 0 for r in rows) < 2:  # without its only word a row says nothing
        return
    predicted = trace.predicted
    for row in sorted(rows, key=lambda r: -r.weight.value)[:MOST_LEFT_OUT]:
        if row.weight.value > 0 and row.without not in (None, predicted):
            yield said(f'without the word "{row.word}" this model says "{row.without}"')
            return


def _shape(rows: Sequence[Importance]) -> Iterator[Finding]:
    weights = np.array([r.weight.value for r in rows])
    if np.any(weights < 0) or abs(weights.sum() - 1) > 1e-6:
        return
    visible = int((weights > 0).sum())
    if visible > 2 and weights[0] > 0.5:
        yield said("the first word takes ", Told(rows[0].weight, ".0%"), " of the attention (a sink)")
    if visible > 1 and weights.max() > 0.99:
        most = Told(rows[int(weights.argmax())].weight, ".1%")
        yield said("the row is saturated: one word has ", most, ", and the scores get almost no gradient")
    if visible > 2 and weights.max() < 1.2 / visible:
        yield said("attention is almost uniform: no word stands out")
