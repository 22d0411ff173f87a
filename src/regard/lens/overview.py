"""Every head of a deep model at a glance: what it adds to the prediction, how it reads, and its pattern, small."""

from typing import Any

import numpy as np

from regard.attending.weights import Weights
from regard.lens.contributions import contributions
from regard.lens.weights import weights_of
from regard.trace import Trace
from regard.trace.names import layer_of

CELLS = 16  # of the side of a small pattern


def overview(trace: Trace, cells: int = CELLS) -> dict[str, Any]:
    """Layers × heads: contributions to logit(first) − logit(second), entropy, how far back, what the first word gets.

    The two words are those of the explanation: the one that should follow or the most probable, and its rival.

    >>> import regard
    >>> found = overview(regard.explain("On the mat a cat sat", next="purring", model="two-heads"))
    >>> found["layers"], found["heads"], found["words"]
    (1, 2, ['purring', 'fishing'])
    """
    words = rivals(trace)
    pair = contributions(trace, *words)
    layers = [step for step in trace.forward if step.name == f"{layer_of(step.name)}.weights"]
    query = int(trace.array("query"))
    added = {(c.layer, c.head): c.contribution for c in pair.components if c.head is not None}
    heads = [
        {"layer": number, "head": head, "contribution": added.get((layer_of(step.name), head))}
        | _measured(weights, query, cells)
        for number, step in enumerate(layers)
        for head, weights in enumerate(weights_of(trace, number))
    ]
    others = [{"name": c.name, "contribution": c.contribution} for c in pair.components if c.head is None]
    return {
        "words": list(words),
        "difference": pair.difference,
        "layers": len(layers),
        "heads": layers[0].shape[0] if layers else 0,
        "cells": min(cells, len(trace.labels.words["Q"])),
        "by_head": heads,
        "others": others,
        "rest": pair.rest,
    }


def rivals(trace: Trace) -> tuple[str, str]:
    """The two words to compare: the one that should follow and the most probable other, or the two most probable."""
    probabilities = trace.array("probabilities").ravel()
    ranked = np.argsort(-probabilities, kind="stable")
    words = trace.labels.words["V"]
    target = int(trace.array("target")) if "target" in trace.steps else int(ranked[0])
    rival = next((int(i) for i in ranked if i != target), target)
    return words[target], words[rival]


def _measured(weights: Weights, query: int, cells: int) -> dict[str, Any]:
    return {
        "entropy": float(weights.entropy()[query]),
        "distance": float(weights.mean_distance()[query]),
        "first": float(weights.row(query)[0]),
        "pattern": weights.pooled(cells, cells).ravel().round(4).tolist(),
    }
