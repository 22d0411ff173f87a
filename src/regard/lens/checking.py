"""Flow beside what really happens: edges are cut one by one, and four ways to predict the effect are compared.

Gradient × input; attention rollout (Abnar and Zuidema 2020); integrated gradients over attention (Hao et al. 2021).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from regard.ops import Given
from regard.trace import Step, Trace
from regard.trace.edits import rebuilt

if TYPE_CHECKING:
    from regard.lens.flow import Edge, Flow

STEPS = 16  # of the integral


@dataclass(frozen=True, eq=False)
class Check:
    """For each edge, what the margin loses when it is cut (`lost`), and what each way expects.

    `correlation` is Pearson's, over the edges; None where one of the columns does not vary.
    """

    flow: "Flow"
    edges: Sequence["Edge"]

    @cached_property
    def lost(self) -> np.ndarray:
        return np.array([edge.lost.value for edge in self.edges])

    @cached_property
    def expected(self) -> dict[str, np.ndarray]:
        trace = self.flow.trace
        return {
            "flow": np.array([edge.flow.value for edge in self.edges]),
            "gradient × input": self._at(_gradient_times_input(trace)),
            "attention rollout": self._at(_rollout(trace)),
            "integrated gradients": self._at(_integrated_gradients(trace)),
        }

    @property
    def correlation(self) -> dict[str, float | None]:
        return {name: _correlation(column, self.lost) for name, column in self.expected.items()}

    def _at(self, by_layer: dict[str, np.ndarray]) -> np.ndarray:
        return np.array([by_layer[edge.layer][edge.flow.at] for edge in self.edges])

    def __str__(self) -> str:
        width = max((len(edge.name) for edge in self.edges), default=4)
        lines = [f"{'edge':{width}}  {'lost when cut':>13}  " + "  ".join(f"{name:>20}" for name in self.expected)]
        for row, edge in enumerate(self.edges):
            told = "  ".join(f"{column[row]:20.4f}" for column in self.expected.values())
            lines.append(f"{edge.name:{width}}  {self.lost[row]:13.4f}  {told}")
        told = ("–" if c is None else f"{c:.3f}" for c in self.correlation.values())
        lines.append(f"{'correlation with what is lost':{width}}  {'':13}  " + "  ".join(f"{c:>20}" for c in told))
        return "\n".join(lines)


def _weights(trace: Trace) -> dict[str, np.ndarray]:
    layers = [step.name.removesuffix(".weights") for step in trace.forward if step.name.endswith(".weights")]
    return {layer: trace.array(f"{layer}.weights") for layer in layers}


def _gradient_times_input(trace: Trace) -> dict[str, np.ndarray]:
    gradients = trace.backward("margin")
    return {layer: w * gradients.array(f"{layer}.weights.grad") for layer, w in _weights(trace).items()}


def _rollout(trace: Trace) -> dict[str, np.ndarray]:
    """Downwards from the word that predicts: half stays, half follows the heads' mean weights."""
    found: dict[str, np.ndarray] = {}
    relevance = np.eye(len(trace.labels.words["T"]))[_place(trace)]
    for layer, weights in reversed(_weights(trace).items()):
        found[layer] = relevance[:, None] * weights / (2 * len(weights))
        relevance = relevance / 2 + found[layer].sum(axis=(0, 1))
    return found


def _place(trace: Trace) -> int:
    """The position whose prediction the margin is of: of several, the last."""
    queries = next((trace.array(name) for name in ("query", "queries") if name in trace.steps), -1)
    return int(np.ravel(queries)[-1])


def _integrated_gradients(trace: Trace) -> dict[str, np.ndarray]:
    """Weights grow from 0 to what they are, all together; the gradients on the way, averaged, times the weights."""
    weights = _weights(trace)
    total = {layer: np.zeros_like(w) for layer, w in weights.items()}
    pinned = trace
    for layer, w in weights.items():
        pinned = pinned.pin(f"{layer}.weights", w)
    pinned = pinned.backward("margin")
    steps = (*pinned.forward, *pinned.gradients)  # one graph for all shares: only the weights in it change
    old = {layer: pinned.steps[f"{layer}.weights"] for layer in weights}
    for share in (np.arange(STEPS) + 0.5) / STEPS:
        put = {step: [Step(step.name, Given(share * weights[layer], step.axes))] for layer, step in old.items()}
        run = {step.name: step for step in rebuilt(steps, put)}
        for layer in weights:
            total[layer] += run[f"{layer}.weights.grad"].value
    return {layer: w * total[layer] / STEPS for layer, w in weights.items()}


def _correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])
