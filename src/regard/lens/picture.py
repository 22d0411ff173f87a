"""A flow as it is drawn: what every word carries at every height, and the pairs of words between which most is carried.

Only the strongest pairs of a layer are told, with the size of all of them: of a long text there are too many to draw.
"""

from typing import Any

import numpy as np

from regard.lens.flow import Flow
from regard.lens.streams import streams
from regard.lens.strongest import strongest
from regard.trace import Step, Trace
from regard.trace.names import layer_of

PAIRS = 400  # of a layer


def flow_picture(trace: Trace, most: int = PAIRS) -> dict[str, Any]:
    """Numbers by the steps that they are cells of; of pairs (to, from, what is carried), the strongest first.

    >>> import regard
    >>> found = flow_picture(regard.explain("The quick brown fox", next="jumps"))
    >>> found["first"], found["second"], found["heights"][0]["step"], found["layers"][0]["pairs"]["top"][0][:2]
    ('jumps', 'fox', 'x.flow', [3, 3])
    """
    flow = Flow(trace)
    steps = flow.trace.measure("flow")

    def told(name: str) -> dict[str, Any] | None:
        step = steps.get(name)
        return None if step is None else {"step": name, "values": step.value.tolist()}

    heights = [step.name for _, step in streams(flow.trace)]
    layers = [layer_of(name) for name in heights[1:]]
    return {
        "first": flow.first,
        "second": flow.second,
        "margin": flow.margin.value,
        "held": flow.held,
        **{name: told(f"flow.{name}") for name in ("words", "biases", "edits")},
        "heights": [told(f"{name}.flow") for name in heights],
        "layers": [
            {"name": layer, "kept": told(f"{layer}.flow.kept"), "pairs": _pairs(steps.get(f"{layer}.flow.pairs"), most)}
            for layer in layers
        ],
    }


def _pairs(step: Step | None, most: int) -> dict[str, Any] | None:
    if step is None:
        return None
    top = [[*at, float(step.value[at])] for at in strongest(step.value, most) if step.value[at]]
    return {"step": step.name, "size": float(np.abs(step.value).sum()), "sum": float(step.value.sum()), "top": top}
