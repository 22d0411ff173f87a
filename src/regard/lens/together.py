"""What the numbers of a row make together, and what those make that a short list leaves out.

A list shows the largest few and says what the rest of them make: `probabilities.rest4` is what all words have but the
four most probable ones and the target; `layer5.weights.rest7[3]` what head 3 gives to all words but the seven that it
reads most and the one that reads. Which ones these are is a constant; that they are summed can be opened.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from regard.lens.attending import mixing
from regard.lens.contributions import contributions
from regard.lens.flowing import flowing
from regard.ops import Contract, Given, Map, Pick
from regard.trace import Step, Trace
from regard.trace.names import without_layer


def sum_steps(trace: Trace) -> Iterator[Step]:
    """`layer0.weights.sum[head,query]` and `probabilities.sum`: 1, unless somebody has set one of them."""
    for step in trace.forward:
        if without_layer(step.name) in ("weights", "probabilities"):
            yield Step(f"{step.name}.sum", Contract(f"{step.axes}->{step.axes[:-1]}"), (step,))


def rest_of_probabilities(trace: Trace, number: int) -> Iterator[Step]:
    """`probabilities.rest4`: what all words have together but the most probable ones and the target."""
    step = trace.steps["probabilities"]
    if len(step.shape) != 1:
        return
    hidden = np.ones(step.shape)
    hidden[largest(step.value, number)] = 0
    if "target" in trace.steps:
        hidden[trace.array("target")] = 0
    yield from _summed(step, hidden, f"probabilities.rest{number}")


def rest_of_weights(trace: Trace, number: int) -> Iterator[Step]:
    """`layer0.weights.rest7[head]`: what the word that predicts gives to all but those it reads most and itself."""
    if "query" not in trace.own:
        return
    query = int(trace.array("query"))
    for layer in mixing(trace):
        weights = trace.steps[f"{layer}.weights"]
        row = Step(f"{layer}.weights.rest{number}.row", Pick(f"{weights.axes},->HK"), (weights, trace.steps["query"]))
        hidden = np.ones(row.shape)
        for head, along in enumerate(row.value):
            hidden[head, [*largest(along, number), query]] = 0
        yield row
        yield from _summed(row, hidden, f"{layer}.weights.rest{number}")


def rest_of_contributions(trace: Trace, number: int) -> Iterator[Step]:
    """`contribution.rest8`: what all parts of the model add but those that add most."""
    components = contributions(trace).components
    shown = largest(np.array([abs(c.contribution) for c in components]), number)
    hidden: dict[Step, list[tuple[int, ...]]] = {}
    for place, component in enumerate(components):
        if place not in shown and component.cell is not None:
            hidden.setdefault(component.cell.step, []).append(component.cell.at)
    rest: list[Step] = []
    for step, places in hidden.items():
        which = np.zeros(step.shape)
        for at in places:
            which[at] = 1
        made = [step] if not step.axes else list(_summed(step, which, f"{step.name}.rest{number}"))
        yield from made if step.axes else ()
        rest.append(made[-1])
    yield _total(f"contribution.rest{number}", rest)


def rest_of_biases(trace: Trace, number: int) -> Iterator[Step]:
    """`flow.biases.rest6`: what all biases carry but those that carry most."""
    biases = [source.in_all for source in flowing(trace).sources if source.kind in ("bias", "edit")]
    shown = largest(np.array([abs(float(step.value)) for step in biases]), number)
    yield _total(f"flow.biases.rest{number}", [step for place, step in enumerate(biases) if place not in shown])


def rest_of_pairs(trace: Trace, number: int) -> Iterator[Step]:
    """`layer3.flow.rest12`: what the heads of a layer carry between all words but the pairs that carry most."""
    flow = trace.measure("flow")
    for layer in mixing(trace):
        pairs = flow.get(f"{layer}.flow.pairs")
        if pairs is not None:
            hidden = np.ones(pairs.shape)
            hidden.ravel()[largest(np.abs(pairs.value).ravel(), number)] = 0
            which = Step(f"{layer}.flow.rest{number}.which", Given(hidden, pairs.axes, "constant"))
            summed = Contract(f"{pairs.axes},{pairs.axes}->")
            yield from (which, Step(f"{layer}.flow.rest{number}", summed, (pairs, which)))


def rest_of_words(trace: Trace, number: int) -> Iterator[Step]:
    """`flow.words.rest20`: what all words carry but those that carry most and the one that predicts."""
    words = trace.measure("flow").get("flow.words")
    if words is None or "query" not in trace.own:
        return
    hidden = np.ones(words.shape)
    hidden[[*largest(np.abs(words.value), number), int(trace.array("query"))]] = 0
    yield from _summed(words, hidden, f"flow.words.rest{number}")


def largest(values: np.ndarray, number: int) -> list[int]:
    """Where the largest stand, the first of equal ones first: what a short list shows.

    >>> largest(np.array([0.2, 0.5, 0.2, 0.1]), 2)
    [1, 0]
    """
    return np.argsort(-values, kind="stable")[:number].tolist()


def _summed(step: Step, hidden: np.ndarray, name: str) -> Iterator[Step]:
    which = Step(f"{name}.which", Given(hidden, step.axes, "constant"))
    yield from (which, Step(name, Contract(f"{step.axes},{step.axes}->{step.axes[:-1]}"), (step, which)))


def _total(name: str, steps: Sequence[Step]) -> Step:
    if not steps:
        return Step(name, Given(0.0, "", "constant"))
    return Step(name, Map("add", f"{',' * (len(steps) - 1)}->"), tuple(steps))
