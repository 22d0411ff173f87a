"""What each part of a model adds to the difference of two logits.

The stream is a sum, so its dot product with a direction is a sum too. The walk goes back from the logits through
additions, and through norms with their scale held fixed at the value it had (and, where a transform stands before the
vocabulary, through its curve with the share it lets through held fixed): then every step on the way is linear, and all
components together with the rest give the difference exactly. What an edit changed is a component of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from regard.ops import Contract, Map, Pick, Replace
from regard.trace import Step, Trace
from regard.trace.names import layer_of

PLAIN_NAMES = {"x": "embedding", "placed": "position", "waves": "position", "segment.placed": "segment"}
CURVES = ("gelu", "gelu_tanh", "silu")


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
            return f"{self.layer}.head{self.head}"
        if isinstance(self.step.op, Replace):
            return f"edit of {self.step.name}"
        return PLAIN_NAMES.get(self.step.name, self.step.name.removesuffix(".product"))

    @property
    def layer(self) -> str:
        return layer_of(self.step.name)


@dataclass(frozen=True)
class Contributions:
    """The difference between two words' logits, and where it comes from."""

    first: str
    second: str
    difference: float
    components: tuple[Component, ...]
    held_fixed: tuple[str, ...]  # the deviations of norms and the curve that the walk went through

    @property
    def rest(self) -> float:
        """What no component explains: biases of the vocabulary, and edits of the logits themselves."""
        return self.difference - sum(c.contribution for c in self.components)


def contributions(trace: Trace, first: str, second: str) -> Contributions:
    """Components of logit(first) − logit(second) at the position that predicts."""
    logits = trace.step("logits")
    a, b = (trace.labels.words["V"].index(word) for word in (first, second))
    row = logits.value.reshape(-1, logits.shape[-1])[-1]
    walk = Walk(int(trace.array("query")))
    product = vocabulary_product(logits)
    components: tuple[Component, ...] = ()
    if product is not None:
        read, words = product.inputs
        components = tuple(walk.back(read, words.value[a] - words.value[b]))
    return Contributions(first, second, float(row[a] - row[b]), components, tuple(walk.held_fixed))


def vocabulary_product(logits: Step) -> Step | None:
    """The step that multiplies by the vocabulary, behind a bias or an edit; None if the logits were pinned."""
    step = logits
    while not (isinstance(step.op, Contract) and len(step.inputs) == 2):
        if not step.inputs:
            return None
        step = step.inputs[0]
    return step


@dataclass
class Walk:
    """Back from a vector at one position to the parts that it is the sum of."""

    position: int
    held_fixed: list[str] = field(default_factory=list)

    def back(self, step: Step, direction: np.ndarray) -> Iterator[Component]:
        op, inputs = step.op, step.inputs
        if isinstance(op, Replace):
            change = self._vector(step) - self._vector(inputs[0])
            yield Component(step, None, float(change @ direction), direction)
            yield from self.back(inputs[0], direction)
        elif isinstance(op, Pick) and step.axes == "C":  # the position that predicts, out of all
            yield from self.back(inputs[0], direction)
        elif isinstance(op, Map) and op.formula in ("add", "same"):
            for part in inputs:
                yield from self.back(part, direction)
        elif isinstance(op, Map) and op.formula == "subtract" and _is_mean_of(inputs[1], inputs[0]):
            yield from self.back(inputs[0], direction - direction.mean())
        elif isinstance(op, Map) and op.formula == "divide" and inputs[1].axes == "T":
            self.held_fixed.append(inputs[1].name)
            scale = inputs[1].value[self.position]
            yield from self.back(inputs[0], direction / scale if scale else np.zeros_like(direction))
        elif isinstance(op, Map) and op.formula in CURVES and step.axes == "TC":  # a curve lets a share of x through
            self.held_fixed.append(step.name)
            x = self._vector(inputs[0])
            share = np.divide(self._vector(step), x, out=np.zeros_like(x), where=x != 0)
            yield from self.back(inputs[0], direction * share)
        elif isinstance(op, Contract) and len(inputs) == 2 and inputs[1].axes == "EC":
            yield from self.back(inputs[0], inputs[1].value @ direction)
        elif isinstance(op, Contract) and len(inputs) == 2 and inputs[1].axes == "C" and step.axes[-1] == "C":
            yield from self.back(inputs[0], direction * inputs[1].value)
        elif isinstance(op, Contract) and len(inputs) == 1 and inputs[0].axes[0] == "H" and op.factor == 1.0:
            for head, vector in enumerate(inputs[0].value[:, self.position]):
                yield Component(inputs[0], head, float(vector @ direction), direction)
        else:
            yield Component(step, None, float(self._vector(step) @ direction), direction)

    def _vector(self, step: Step) -> np.ndarray:
        """A bias is the same at every position."""
        return step.value if step.value.ndim == 1 else step.value[self.position]


def _is_mean_of(mean: Step, x: Step) -> bool:
    return isinstance(mean.op, Contract) and mean.inputs == (x,) and mean.op.factor == 1 / x.shape[-1]
