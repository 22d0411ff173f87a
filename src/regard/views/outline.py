"""What a page is told of a run that is too large to be sent whole: its steps without numbers, its likeliest words."""

from typing import Any

from regard.trace import Trace

CANDIDATES = 50  # words of a large vocabulary that are told


def outline(trace: Trace) -> dict[str, Any]:
    """The steps of a trace without their numbers, and the words of its text.

    >>> import regard
    >>> outline(regard.explain("The fox"))["labels"]["T"]
    ('The', 'fox')
    """
    return {
        "steps": [
            {"name": s.name, "axes": s.axes, "shape": s.shape, "kind": s.op.kind, "inputs": [i.name for i in s.inputs]}
            for s in trace.steps.values()
        ],
        "forward": len(trace.forward),
        "labels": {letter: words for letter, words in trace.labels.words.items() if letter in "TQK"},
        "info": dict(trace.info),
        "of": trace.of,
        "edits": [edit.data() for edit in trace.edits],
        "parameters": list(trace.parameters),
    }


def shortened(data: dict[str, Any]) -> dict[str, Any]:
    """Of a large vocabulary only the most probable words, and the one that should follow."""
    ranked = sorted(data["candidates"], key=lambda c: -c["probability"])
    if len(ranked) <= CANDIDATES:
        return data
    kept = ranked[:CANDIDATES] + [c for c in ranked[CANDIDATES:] if c["word"] == data.get("next")]
    data = {**data, "candidates": kept, "candidates_hidden": len(ranked) - len(kept)}
    if data["learning"]:
        after = sorted(data["learning"]["next_probabilities"].items(), key=lambda item: -item[1])
        words = {c["word"] for c in kept} | {word for word, _ in after[:CANDIDATES]}
        data["learning"] = {**data["learning"], "next_probabilities": {w: p for w, p in after if w in words}}
    return data
