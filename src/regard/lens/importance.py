"""Four answers to "which word mattered?": its weight, the size of what it sent, what that did to the logits,
and what happens without it. They often disagree; that is the point of showing all four."""

from dataclasses import dataclass

import numpy as np

from regard.lens.contributions import Component, Contributions
from regard.trace import Trace


@dataclass(frozen=True)
class Importance:
    """One word as one head's query sees it. `without` is the prediction when nobody may read the word."""

    position: int
    word: str
    weight: float
    size: float
    contribution: float
    without: str | None
    without_difference: float | None


def importance(trace: Trace, component: Component, shares: Contributions, leave_out: bool = True) -> list[Importance]:
    """The importance of every word for the query that predicts, in the head that the component is."""
    assert component.head is not None
    layer = component.step.name.rpartition(".")[0]
    query = int(trace.array("query"))
    weights = trace.array(f"{layer}.weights")[component.head, query]
    values = _values(trace, layer)[component.head]
    read_along = _through_output(component)
    tokens = trace.labels.words["K"]
    rows: list[Importance] = []
    for position, weight in enumerate(weights):
        sent = weight * values[position]
        gone = without(trace, position) if leave_out else None
        rows.append(
            Importance(
                position,
                tokens[position],
                float(weight),
                float(np.linalg.norm(sent)),
                float(sent @ read_along),
                gone.predicted if gone else None,
                logit_difference(gone, shares.first, shares.second) if gone else None,
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
    a, b = (trace.labels.position("V", logits.shape[-1], word) for word in (first, second))
    return float(logits[..., a] - logits[..., b])


def _values(trace: Trace, layer: str) -> np.ndarray:
    """v as the query heads see it, repeated where key/value heads are shared."""
    name = f"{layer}.v.shared"
    return trace.array(name if name in trace.steps else f"{layer}.v")


def _through_output(component: Component) -> np.ndarray:
    """The direction of the logits, seen from the head's own space: back through W_O."""
    if component.step.axes != "HQC":
        return component.direction
    W_O = component.step.inputs[1].value
    return W_O[component.head] @ component.direction
