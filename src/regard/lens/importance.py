"""Four answers to "which word mattered?": its weight, the size of what it sent, what that did to the logits,
and what happens without it. They often disagree; that is the point of showing all four."""

from dataclasses import dataclass

import numpy as np

from regard.lens.contributions import Component, Contributions
from regard.ops import Replace
from regard.trace import Trace


@dataclass(frozen=True)
class Importance:
    """One word as one head's query sees it. `without` is the prediction when nobody may read the word."""

    position: int
    word: str
    weight: float
    sent_size: float
    contribution: float
    without: str | None
    without_difference: float | None


def importance(trace: Trace, component: Component, pair: Contributions, leave_out: bool = True) -> list[Importance]:
    """The importance of every word for the query that predicts, in the head that the component is."""
    assert component.head is not None
    query = int(trace.array("query"))
    weights = trace.array(f"{component.layer}.weights")[component.head, query]
    values = as_heads_see(trace, component.layer, "v")[component.head]
    read_along = _through_output(component, values.shape[-1])
    rows: list[Importance] = []
    for position, weight in enumerate(weights):
        sent = weight * values[position]
        gone = without(trace, position) if leave_out else None
        rows.append(
            Importance(
                position,
                trace.labels.shown("K", position),
                float(weight),
                float(np.linalg.norm(sent)),
                float(sent @ read_along),
                gone.predicted if gone else None,
                logit_difference(gone, pair.first, pair.second) if gone else None,
            )
        )
    return rows


def without(trace: Trace, position: int) -> Trace:
    """The same run when nobody may read one word; the other weights take its share.

    A word still reads itself, so that its own row is not left empty, except at the position that predicts.
    """
    visible = trace.array("visible").copy()
    own = visible[..., position, position].copy()
    visible[..., :, position] = False
    if position != int(trace.array("query")):
        visible[..., position, position] = own
    return trace.pin("visible", visible)


def logit_difference(trace: Trace, first: str, second: str) -> float:
    logits = trace.array("logits")
    a, b = (trace.labels.words["V"].index(word) for word in (first, second))
    return float(logits[..., a] - logits[..., b])


def as_heads_see(trace: Trace, layer: str, name: str) -> np.ndarray:
    """k or v, one for each query head: repeated where key/value heads are shared; where keys are values, v is k."""
    names = (f"{layer}.{name}.shared", f"{layer}.{name}", f"{layer}.k")
    return trace.array(next(n for n in names if n in trace.steps))


def _through_output(component: Component, head_width: int) -> np.ndarray:
    """The direction of the logits, seen from the head's own space: back through W_O."""
    step = component.step
    while isinstance(step.op, Replace):
        step = step.inputs[0]
    if not step.inputs:  # pinned: no word has a part in it
        return np.zeros(head_width)
    if step.axes != "HQC":
        return component.direction
    W_O = step.inputs[1].value
    return (W_O if W_O.ndim == 2 else W_O[component.head]) @ component.direction  # added heads share one W_O
