"""What each part of a model adds to the difference of two logits.

The stream is a sum, so its dot product with a direction is a sum too. The walk goes back from the logits through
additions, and through norms with their scale held fixed at the value it had: then every step on the way is linear,
and all components together with the rest give the difference exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regard.ops import Contract, Map, Pick
from regard.trace import Step, Trace

PLAIN_NAMES = {"x": "embedding", "placed": "position", "waves": "position"}


@dataclass(frozen=True)
class Component:
    """One part of the stream at the predicting position, and the direction along which it is read."""

    step: Step
    head: int | None
    contribution: float
    direction: np.ndarray

    @property
    def name(self) -> str:
        if self.head is not None:
            return f"{self.step.name.rpartition('.')[0]}.head{self.head}"
        return PLAIN_NAMES.get(self.step.name, self.step.name.removesuffix(".product"))

    @property
    def layer(self) -> int | None:
        first = self.step.name.partition(".")[0]
        return int(first[5:]) if first.startswith("layer") and first[5:].isdigit() else None


@dataclass(frozen=True)
class Contributions:
    """The difference between two words' logits, and where it comes from."""

    first: str
    second: str
    difference: float
    components: tuple[Component, ...]

    @property
    def rest(self) -> float:
        """What no component explains: biases of the vocabulary, and edits of the logits themselves."""
        return self.difference - sum(c.contribution for c in self.components)


def contributions(trace: Trace, first: str, second: str) -> Contributions:
    """Components of logit(first) − logit(second) at the position that predicts."""
    logits = trace.step("logits")
    a, b = (trace.labels.position("V", logits.shape[-1], word) for word in (first, second))
    row = logits.value.reshape(-1, logits.shape[-1])[-1]
    product = _source(logits)
    read, words = product.inputs
    direction = words.value[a] - words.value[b]
    stream, position = (read.inputs[0], int(read.inputs[1].value)) if isinstance(read.op, Pick) else (read, -1)
    components = tuple(_walk(stream, position, direction)) if product.op.axes.endswith("V") else ()
    return Contributions(first, second, float(row[a] - row[b]), components)


def _source(logits: Step) -> Step:
    """The step that multiplies by the vocabulary, behind a bias or an edit."""
    step = logits
    while not (isinstance(step.op, Contract) and len(step.inputs) == 2):
        step = step.inputs[0]
    return step


def _walk(step: Step, position: int, direction: np.ndarray) -> Iterator[Component]:
    op, inputs = step.op, step.inputs
    if isinstance(op, Map) and op.formula in ("add", "same"):
        for part in inputs:
            yield from _walk(part, position, direction)
    elif isinstance(op, Map) and op.formula == "subtract" and _is_mean_of(inputs[1], inputs[0]):
        yield from _walk(inputs[0], position, direction - direction.mean())
    elif isinstance(op, Map) and op.formula == "divide" and inputs[1].value.ndim == 1:
        yield from _walk(inputs[0], position, direction / inputs[1].value[position])
    elif isinstance(op, Contract) and op.spec == "TC,C->TC":
        yield from _walk(inputs[0], position, direction * inputs[1].value)
    elif isinstance(op, Contract) and op.spec in ("HQC->QC", "HQD->QD"):
        for head, vector in enumerate(inputs[0].value[:, position]):
            yield Component(inputs[0], head, float(vector @ direction), direction)
    else:
        vector = step.value if step.value.ndim == 1 else step.value[position]
        yield Component(step, None, float(vector @ direction), direction)


def _is_mean_of(mean: Step, x: Step) -> bool:
    return isinstance(mean.op, Contract) and mean.op.spec == "TC->T" and mean.inputs == (x,)
