"""Every head of a deep model at a glance: what it adds to the prediction, how it reads, and its pattern, small."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from regard.attending.weights import Weights
from regard.lens.attending import mixing
from regard.lens.contributions import Component, contributions
from regard.lens.gravity import written
from regard.lens.weights import weights_of
from regard.trace import Cell, Trace
from regard.trace.names import layer_of

CELLS = 16  # along the side of a small pattern


def overview(trace: Trace, weights: Sequence[Weights] = (), cells: int = CELLS) -> dict[str, Any]:
    """Layers × heads: contributions to logit(first) − logit(second), entropy, how far back, what the first word gets.

    `weights` are those of each layer, if the trace itself does not hold them. The two words are those of the
    explanation: the one that should follow or the most probable, and its rival.

    >>> import regard
    >>> found = overview(regard.explain("On the mat a cat sat", next="purring", model="two-heads"))
    >>> found["layers"], found["heads"], found["words"]
    (1, 2, ['purring', 'fishing'])
    """
    pair = contributions(trace)
    names = list(dict.fromkeys(layer_of(step.name) for step in trace.forward if layer_of(step.name)))
    layers = list(weights) or [weights_of(trace, number) for number in range(len(names))]
    query = int(trace.array("query"))
    added = {(c.layer, c.head): c for c in pair.components if c.head is not None}
    # a long text's weights are not steps; nor are they where what the heads mixed was replaced by hand
    are_steps: set[str] = set() if weights else set(mixing(trace))

    def described(number: int, head: int, one: Weights) -> dict[str, Any]:
        layer = names[number]
        found = _read(trace, layer, head, query) if layer in are_steps else _computed(query, one)
        found = _with_contribution(added.get((layer, head)), found)
        return {"layer": number, "head": head, **found, "pattern": one.pooled(cells, cells).ravel().round(4).tolist()}

    heads = [described(number, head, one) for number, each in enumerate(layers) for head, one in enumerate(each)]
    others = [
        {"name": c.name, "contribution": c.contribution, "cell": c.cell and written(c.cell)}
        for c in pair.components
        if c.head is None
    ]
    return {
        "words": [pair.first, pair.second],
        "difference": pair.difference,
        "layers": len(layers),
        "heads": layers[0].shape[0] if layers else 0,
        "cells": min(cells, len(trace.labels.words["Q"])),
        "by_head": heads,
        "others": others,
        "rest": pair.rest,
    }


def _with_contribution(component: Component | None, found: dict[str, Any]) -> dict[str, Any]:
    if component is None or component.cell is None:
        return {"contribution": None, **found}
    cells = {"contribution": written(component.cell), **found["cells"]}
    return {"contribution": component.contribution, **found, "cells": cells}


def _read(trace: Trace, layer: str, head: int, query: int) -> dict[str, Any]:
    """How a head reads at the position that predicts, and the cells that say so."""
    row = (head, query)
    cells = {
        "entropy": Cell(trace.step(f"{layer}.entropy"), row),
        "distance": Cell(trace.step(f"{layer}.distance"), row),
        "first": Cell(trace.step(f"{layer}.weights"), (*row, 0)),
    }
    values = {name: cell.value for name, cell in cells.items()}
    return {**values, "cells": {name: written(cell) for name, cell in cells.items()}}


def _computed(query: int, weights: Weights) -> dict[str, Any]:
    """The same where weights are not steps: only the row is computed."""
    row = Weights.from_matrix(weights.row(query)[None])
    return {
        "entropy": float(row.entropy()[0]),
        "distance": float((row.row(0) * np.abs(query - np.arange(row.shape[-1]))).sum()),
        "first": float(row.row(0)[0]),
        "cells": {},
    }
