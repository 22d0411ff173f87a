"""What each part of a model adds directly to the margin, as steps: the last height of the flow.

Heads and MLPs count as sources: everything that they read is held. So a part's contribution is the dot product of what
it adds to the stream with the way from there to the margin, and all parts together give the margin exactly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regard.lens.attending import letters, mixing
from regard.lens.sources import Source, sources
from regard.ops import Contract, Map
from regard.trace import Step, Trace
from regard.trace.holding import DIRECT
from regard.trace.names import layer_of


def contribution_steps(trace: Trace) -> Iterator[Step]:
    """`layer3.context.contribution[head]`, `layer3.mlp.contribution`, and, word by word, `layer3.contribution`."""
    directions = trace.measure("direct")
    yield from sources(trace.forward, directions, DIRECT, "contribution", apart="H")[1]
    for layer, mix in mixing(trace).items():
        direction = directions.get(f"{mix.name}.direct")
        if direction is not None:
            (weights_axes, values_axes), axes = letters(mix), mix.axes
            op = Contract(f"{axes},{values_axes}->{weights_axes}")
            read = Step(f"{layer}.contribution.read", op, (direction, mix.inputs[1]))
            op = Map("product", f"{weights_axes},{weights_axes}->{weights_axes}")
            yield from (read, Step(f"{layer}.contribution", op, (mix.inputs[0], read)))
