"""Flow beside what really happens: edges are cut one by one, and four ways to predict the effect are compared.

Gradient × input; attention rollout (Abnar and Zuidema 2020); integrated gradients over attention (Hao et al. 2021).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from regard.ops import Contract, Given, Map
from regard.trace import Cell, Step, Trace
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
        integrated = _integrated_gradients(self.flow.trace)
        found = {name: np.array([cell.value for cell in column]) for name, column in self.cells.items()}
        return {**found, "integrated gradients": np.array([integrated[e.layer][e.flow.at] for e in self.edges])}

    @cached_property
    def cells(self) -> dict[str, list[Cell]]:
        """What is expected by those ways that are numbers of this run, edge by edge."""
        ways = {"gradient × input": "by_gradient", "attention rollout": "rollout"}
        guessed = {way: [self._guess(edge, name) for edge in self.edges] for way, name in ways.items()}
        return {"flow": [edge.flow for edge in self.edges], **guessed}

    def _guess(self, edge: "Edge", name: str) -> Cell:
        return Cell(self.flow.trace.step(f"{edge.layer}.{name}"), edge.flow.at)

    @property
    def correlation(self) -> dict[str, float | None]:
        return {name: _correlation(column, self.lost) for name, column in self.expected.items()}

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


def gradient_guess_steps(trace: Trace) -> Iterator[Step]:
    """`layer5.by_gradient[head,to,from]`: the weight times the margin's gradient in it."""
    slopes = trace.measure("slope")
    for layer in _weights(trace):
        weights = trace.own[f"{layer}.weights"]
        if (slope := slopes.get(f"{weights.name}.slope")) is not None:
            yield Step(f"{layer}.by_gradient", Map("product", "HQK,HQK->HQK"), (weights, slope))


def rollout_steps(trace: Trace) -> Iterator[Step]:
    """`layer5.rollout[head,to,from]`: from the word that predicts downwards, half stays, half follows mean weights."""
    layers = [trace.own[f"{layer}.weights"] for layer in _weights(trace)]
    if not layers:
        return
    relevance = Step("rollout.place", Given(np.eye(layers[0].shape[-2])[_place(trace)], "Q", "constant"))
    yield relevance
    for weights in reversed(layers):
        layer = weights.name.removesuffix(".weights")
        along = Step(f"{layer}.rollout", Contract("Q,HQK->HQK", 0.5 / weights.shape[0]), (relevance, weights))
        moved = Step(f"{layer}.rollout.moved", Contract("HQK->K"), (along,))
        stayed = Step(f"{layer}.rollout.stayed", Contract("Q->Q", 0.5), (relevance,))
        relevance = Step(f"{layer}.rollout.place", Map("add", "Q,Q->Q"), (stayed, moved))
        yield from (along, moved, stayed, relevance)


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
