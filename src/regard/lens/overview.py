"""Every head of a deep model at a glance: what it adds to the prediction, how it reads, and its pattern, small."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from regard.attending.weights import Weights
from regard.lens.contributions import contributions
from regard.lens.weights import weights_of
from regard.trace import Trace
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
    added = {(c.layer, c.head): c.contribution for c in pair.components if c.head is not None}
    heads = [
        {"layer": number, "head": head, "contribution": added.get((names[number], head))} | _measured(one, query, cells)
        for number, of_layer in enumerate(layers)
        for head, one in enumerate(of_layer)
    ]
    others = [{"name": c.name, "contribution": c.contribution} for c in pair.components if c.head is None]
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


def _measured(weights: Weights, query: int, cells: int) -> dict[str, Any]:
    row = Weights.from_matrix(weights.row(query)[None])  # of a long text, nothing else need be computed
    return {
        "entropy": float(row.entropy()[0]),
        "distance": float((row.row(0) * np.abs(query - np.arange(row.shape[-1]))).sum()),
        "first": float(row.row(0)[0]),
        "pattern": weights.pooled(cells, cells).ravel().round(4).tolist(),
    }
