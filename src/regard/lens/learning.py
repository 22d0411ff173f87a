"""What following the gradient once does: the run after one update, as numbers of another run."""

import math
from collections.abc import Iterator

import numpy as np

from regard.ops import Given, Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere
from regard.trace.names import in_layer, layer_of, without_layer

SEEN = ("loss", "probabilities", "weights")  # of the run after the update


def after_steps(trace: Trace) -> Iterator[Step]:
    """`after.loss`, `after.probabilities`, `layer0.after.weights`: at the rate `after.rate`.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("after.loss"), "=", trace.why("after.loss").symbols())
    after.loss = 1.2391 = loss (after one update)
    """
    if "loss" not in trace.steps:
        return
    rate = chosen_rate(trace)
    yield Step("after.rate", Given(rate, "", "constant"))
    change = (("update", "", (), rate),)
    for step in trace.forward:
        if without_layer(step.name) in SEEN:
            name = in_layer(layer_of(step.name), f"after.{without_layer(step.name)}")
            yield Step(name, Elsewhere(step.name, step.axes, "", change, trace.changed), (step,))


def after_update(trace: Trace) -> Trace:
    """The run after the update that is measured."""
    return trace.changed(("update", "", (), chosen_rate(trace)))


def chosen_rate(trace: Trace) -> float:
    return trace.rate if trace.rate is not None else suiting_rate(trace["loss"], trace["blame"])


def suiting_rate(loss: float, gradient: float) -> float:
    """A power of ten, at most 0.1, at which the loss should fall by no more than half of itself.

    One update lowers the loss by about rate · gradient², as long as that is small.

    >>> suiting_rate(loss=1.3, gradient=0.9), suiting_rate(loss=9.5, gradient=130.0)
    (0.1, 0.0001)
    """
    most = 0.5 * loss / gradient**2 if gradient else 0.1
    return 0.1 if not 0 < most < 0.1 else 10.0 ** math.floor(math.log10(most))


def guessing_steps(trace: Trace) -> Iterator[Step]:
    """`guessing`: the loss of giving every word the same probability, ln of how many there are."""
    if "logits" in trace.steps:
        words = Step("guessing.words", Given(np.float64(trace.step("logits").shape[-1]), "", "constant"))
        yield from (words, Step("guessing", Map("logarithm", "->"), (words,)))
