"""What one screen says about a run over a long text: the same names as an explanation, as far as possible."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from regard.attending.weights import Weights
from regard.lens.attending import seen_by_heads
from regard.lens.contributions import contributions
from regard.lens.heads import leading_head
from regard.trace import Trace

MOST = 50  # words and candidates that are listed


def explanation_of_long(trace: Trace, weights: Sequence[Weights]) -> dict[str, Any]:
    """The head that moves the prediction most, the words it reads most, and the most probable next words."""
    pair = contributions(trace)
    component = leading_head(trace, pair)
    assert component.head is not None
    layer, head, query = component.layer, component.head, int(trace.array("query"))
    row = weights[int(layer.removeprefix("layer"))][head].row(query)
    values = seen_by_heads(trace, layer, "v").value
    sent = row[:, None] * values[head * len(values) // weights[0].shape[0]]
    kept = np.sort(np.argsort(-row, kind="stable")[:MOST])
    shares, logits = trace.array("probabilities").ravel(), trace.array("logits").ravel()
    words = trace.labels.words["V"]
    best = np.argsort(-shares, kind="stable")[:MOST]
    return {
        **trace.info,
        "predicted": trace.predicted,
        "layer": layer,
        "head": head,
        "readings": [
            {
                "word": trace.labels.shown("K", i),
                "position": i,
                "weight": float(row[i]),
                "sent_size": float(np.linalg.norm(sent[i])),
            }
            for i in kept.tolist()
        ],
        "readings_hidden": {"words": len(row) - len(kept), "weight": float(row.sum() - row[kept].sum())},
        "difference": {"first": pair.first, "second": pair.second, "of_logits": pair.difference},
        "components": [{"name": c.name, "contribution": c.contribution} for c in pair.components],
        "rest": pair.rest,
        "held_fixed": list(pair.held),
        "candidates": [
            {"word": words[i], "logit": float(logits[i]), "probability": float(shares[i])} for i in best.tolist()
        ],
        "candidates_hidden": len(words) - len(best),
        "learning": None,
        "findings": [f"a long text: {len(row):,} words; its weights are computed where you look"],
        "edits": [],
    }
