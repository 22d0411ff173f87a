"""How each head reads: the size of what every word sends, how spread out its reading is, how far back, who is read."""

from collections.abc import Iterator

import numpy as np

from regard.ops import Contract, Given, Map
from regard.ops.spec import parse
from regard.trace import Step, Trace
from regard.trace.edits import unedited
from regard.trace.names import in_layer, layer_of


def mixing(trace: Trace) -> dict[str, Step]:
    """For every layer, the step that mixes values by weights; none where it was replaced by hand.

    >>> import regard
    >>> [s.inputs[1].name for s in mixing(regard.explain("The fox", model="untrained")).values()]
    ['layer0.v', 'layer1.v']
    """
    found: dict[str, Step] = {}
    for step in trace.forward:
        layer = layer_of(step.name)
        if step.name == in_layer(layer, "context"):
            mix = unedited(step)
            if len(mix.inputs) == 2:
                found[layer] = mix
    return found


def letters(mix: Step) -> tuple[str, str]:
    """The axes of weights and values as the mixing step calls them: HQK and HKD."""
    assert isinstance(mix.op, Contract)
    weights, values = parse(mix.op.spec)[0]
    return weights, values


def sent_steps(trace: Trace) -> Iterator[Step]:
    """`sent` = weight · ‖value‖: the length of what a word sends to another."""
    for layer, mix in mixing(trace).items():
        weights, values = mix.inputs
        axes, values_axes = letters(mix)
        row = values_axes[:-1]
        square = Step(
            in_layer(layer, "value_square"), Contract(f"{values_axes},{values_axes}->{row}"), (values, values)
        )
        size = Step(in_layer(layer, "value_size"), Map("square_root", f"{row}->{row}"), (square,))
        weight = Step(in_layer(layer, "weight_size"), Map("size", f"{axes}->{axes}"), (weights,))
        yield from (square, size, weight)
        yield Step(in_layer(layer, "sent"), Map("product", f"{axes},{row}->{axes}"), (weight, size))


def entropy_steps(trace: Trace) -> Iterator[Step]:
    """`entropy` = Σ −weight · ln weight over a row, in nats: 0 when one word is read, ln n when n are read equally."""
    for layer, mix in mixing(trace).items():
        axes, _ = letters(mix)
        shares = Step(in_layer(layer, "entropy.terms"), Map("spread", f"{axes}->{axes}"), (mix.inputs[0],))
        yield from (shares, Step(in_layer(layer, "entropy"), Contract(f"{axes}->{axes[:-1]}"), (shares,)))


def distance_steps(trace: Trace) -> Iterator[Step]:
    """`distance` = Σ weight · how many words lie between query and key: how far back (or ahead) a row reads."""
    apart = None
    for layer, mix in mixing(trace).items():
        axes, _ = letters(mix)
        queries, keys = mix.inputs[0].shape[-2:]
        if apart is None:
            distances = np.abs(np.arange(queries)[:, None] + keys - queries - np.arange(keys))
            apart = Step("words_apart", Given(distances.astype(np.float64), axes[-2:], "constant"))
            yield apart
        yield Step(in_layer(layer, "distance"), Contract(f"{axes},{axes[-2:]}->{axes[:-1]}"), (mix.inputs[0], apart))


def received_steps(trace: Trace) -> Iterator[Step]:
    """`received` = Σ weight over a column: how much all words together read a word."""
    for layer, mix in mixing(trace).items():
        axes, _ = letters(mix)
        yield Step(in_layer(layer, "received"), Contract(f"{axes}->{axes[:-2]}{axes[-1]}"), (mix.inputs[0],))


def seen_by_heads(trace: Trace, layer: str, name: str) -> Step:
    """k or v, one for each query head: repeated where key/value heads are shared; v is k where keys are values."""
    names = (f"{layer}.{name}.shared", f"{layer}.{name}", f"{layer}.k")
    return trace.steps[next(n for n in names if n in trace.steps)]
