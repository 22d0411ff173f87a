"""What is worth saying about a run: computed rules, at most three."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from regard.lens.importance import Importance
from regard.trace import Trace
from regard.trace.names import role_of

if TYPE_CHECKING:
    from regard.lens.explanation import Learning

MOST = 3


def findings(trace: Trace, rows: Sequence[Importance], learning: "Learning | None") -> tuple[str, ...]:
    rules = (_edited_rows(trace), _flip(trace, learning), _ratio(learning), _left_out(trace, rows), _shape(rows))
    return tuple(found for rule in rules for found in rule)[:MOST]


def _edited_rows(trace: Trace) -> Iterator[str]:
    """An edited row of weights no longer sums to 1, and we say so."""
    for edit in {edit.step + str(edit.at[:-1]): edit for edit in trace.edits}.values():  # a row is reported once
        step = trace.steps.get(edit.step)
        if step is not None and edit.kind == "edit" and role_of(edit.step) in ("weights", "probabilities"):
            total = float(step.value[edit.at[:-1]].sum())
            if abs(total - 1) > 1e-9:
                yield f"the edited row of {edit.step} sums to {total:.4g}, not to 1"


def _flip(trace: Trace, learning: "Learning | None") -> Iterator[str]:
    if learning is None:
        return
    if learning.next_predicted != trace.predicted:
        yield f"the prediction flips after 1 update: {trace.predicted} → {learning.next_predicted}"


def _ratio(learning: "Learning | None") -> Iterator[str]:
    sizes = {role: cell.value for role, cell in learning.roles.items()} if learning else {}
    asking = max(sizes.get("W_Q", 0.0), sizes.get("W_K", 0.0))
    if asking and sizes.get("W_V", 0.0) / asking >= 10:
        yield f"W_Q, W_K got {sizes['W_V'] / asking:.0f}× less gradient than W_V"


def _left_out(trace: Trace, rows: Sequence[Importance]) -> Iterator[str]:
    """Leave-one-out, reported for the most attended word that changes the prediction."""
    others = sum(r.weight.value > 0 for r in rows) > 1  # without its only word a row says nothing
    changed = [r for r in rows if r.without not in (None, trace.predicted) and r.weight.value > 0 and others]
    if changed:
        word = max(changed, key=lambda r: r.weight.value)
        yield f'without the word "{word.word}" this model says "{word.without}"'


def _shape(rows: Sequence[Importance]) -> Iterator[str]:
    weights = np.array([r.weight.value for r in rows])
    if np.any(weights < 0) or abs(weights.sum() - 1) > 1e-6:
        return
    visible = [r for r in rows if r.weight.value > 0]
    if len(visible) > 2 and weights[0] > 0.5:
        yield f"the first word takes {weights[0]:.0%} of the attention (a sink)"
    if len(visible) > 1 and weights.max() > 0.99:
        yield f"the row is saturated: one word has {weights.max():.1%}, and the scores get almost no gradient"
    if len(visible) > 2 and weights.max() < 1.2 / len(visible):
        yield "attention is almost uniform: no word stands out"
