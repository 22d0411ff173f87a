"""What is answered about a run that was watched: a model's own code ran the text, and its attention was kept.

It has weights, in every layer and head, and no steps around them: it can be looked at, not opened, changed or trained.
Who watches is handed in (`Watch`), so that nothing here needs torch.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from regard.attending.weights import Weights
from regard.lens.naming import ALMOST, DETECTORS, strength_of
from regard.session import limits
from regard.session.encode import encoded, numbers
from regard.session.questions import LensQuestion, TileQuestion, ValuesQuestion, WhyQuestion
from regard.session.refusal import TooLarge
from regard.session.state import State
from regard.suggestions import NotFound

Wanted = Callable[[], None]
CELLS = 16  # along the side of a head's small pattern
SENTENCE = "The animal didn't cross the street because it was too tired"
WEIGHTS = re.compile(r"layer(\d+)\.weights", re.ASCII)
CANNOT = (
    "its numbers are the model's own, in its own precision: a weight is shown, and does not open to its arithmetic",
    "nothing can be dragged, edited or trained, and there is no flow: that needs a model in glass",
)


class HeadSeen(Protocol):
    """How one head reads, averaged over the text; `evenly` is a head that reads all it may see alike."""

    @property
    def layer(self) -> int: ...
    @property
    def head(self) -> int: ...
    @property
    def sink(self) -> float: ...
    @property
    def previous(self) -> float: ...
    @property
    def same(self) -> float: ...
    @property
    def induction(self) -> float: ...
    @property
    def evenly(self) -> "HeadSeen | None": ...


HABITS = {"first": "sink", "previous": "previous", "same": "same", "induction": "induction"}  # their names in HeadSeen


class Watched(Protocol):
    """A text that was watched."""

    @property
    def title(self) -> str: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def weights(self) -> Mapping[int, Weights]:
        """Of every layer that was seen, by its number: (heads, queries, keys)."""
        ...

    @property
    def parity(self) -> tuple[str, float]:
        """How far weights × values are from what the model's own kernel gave, in words, and the largest share."""
        ...

    @property
    def missed(self) -> Mapping[str, str]:
        """Layers that could not be watched, or are not drawn, and why."""
        ...

    @property
    def candidates(self) -> Sequence[tuple[str, float]]:
        """The next words, where the model predicts them."""
        ...

    def at_a_glance(self, layer: int, cells: int) -> Sequence[dict[str, Any]]:
        """Of every head: entropy, distance, what the first word gets, and its pattern in so many cells a side."""
        ...

    def heads(self, wanted: Wanted) -> Sequence[HeadSeen]: ...


class Reads(Protocol):
    """Texts, as one model reads them."""

    @property
    def named(self) -> Collection[str]:
        """Names of texts that were read when the server began, in whose place a state may have the name."""
        ...

    def knows(self, text: str) -> bool:
        """Whether the text has been read, and what was seen of it is still there."""
        ...

    def __call__(self, text: str, wanted: Wanted, /) -> Watched: ...


Watch = Callable[[str], Reads | None]  # of a folder; None where it cannot be watched


def explain(wanted: Wanted, seen: Watched, asked: State) -> bytes:
    """Every head, what was predicted, and how right it is: as much of a screen as there is."""
    words = list(seen.words)
    by_head: list[dict[str, Any]] = []
    for layer in seen.weights:
        wanted()
        found = seen.at_a_glance(layer, CELLS)
        by_head += [{"layer": layer, "head": head, "contribution": None, **one} for head, one in enumerate(found)]
    first = min(seen.weights, default=0)
    said, worst = seen.parity
    info: dict[str, Any] = {"model": asked.model, "title": seen.title, "tokens": words, "text": asked.text}
    info |= {"notes": [], "query": len(words) - 1, "next": None, "mask": "causal", "fresh": [], "lesson": None}
    steps = [
        {"name": f"layer{layer}.weights", "axes": "HQK", "shape": weights.shape, "kind": "watched", "inputs": []}
        for layer, weights in seen.weights.items()
    ]
    candidates = [{"word": word, "logit": None, "probability": share} for word, share in seen.candidates]
    explanation: dict[str, Any] = {**info, "layer": f"layer{first}", "head": 0, "candidates": candidates}
    explanation["predicted"] = candidates[0]["word"] if candidates else None
    explanation |= {"readings": [], "components": [], "held_fixed": [], "candidates_hidden": 0, "difference": None}
    explanation |= {"rest": 0.0, "learning": None, "findings": [], "edits": []}
    outline: dict[str, Any] = {"steps": steps, "labels": dict.fromkeys("TQK", words), "info": info}
    outline |= {"forward": len(steps), "of": None, "edits": [], "parameters": []}
    overview: dict[str, Any] = {"layers": len(seen.weights), "cells": min(CELLS, len(words)), "by_head": by_head}
    overview["heads"] = max((weights.shape[0] for weights in seen.weights.values()), default=0)
    overview |= {"words": None, "others": [], "rest": 0.0}
    watched = {
        "parity": said,
        "worst": worst if math.isfinite(worst) else None,
        "missed": dict(seen.missed),
        "cannot": CANNOT,
    }
    answer = {"state": asked.data, "explanation": explanation, "claims": [], "timeline": [], "outline": outline}
    return encoded({**answer, "overview": overview, "long": True, "watched": watched})


def tile(_: Wanted, seen: Watched, asked: TileQuestion) -> bytes:
    return tile_of(_head_of(seen, asked.layer, asked.head), asked)


def tile_of(weights: Weights, asked: TileQuestion) -> bytes:
    """A part of one head's weights, pooled into a few cells."""
    queries, keys = weights.shape
    row_range, key_range = asked.rows or [0, queries], asked.keys or [0, keys]
    for what, (begin, end), size in (("rows", row_range, queries), ("keys", key_range, keys)):
        if not 0 <= begin < end <= size:
            raise ValueError(f"{what} go from 0 to {size:,}, the first before the last, got {begin:,} to {end:,}")
    spans = {"rows": (row_range[0], row_range[1]), "keys": (key_range[0], key_range[1])}
    mean, most = weights.mean_and_max(asked.height, asked.width, **spans)
    height, width = mean.shape
    found = {"mean": mean.ravel().tolist(), "max": most.ravel().tolist()}
    return encoded({"rows": row_range, "keys": key_range, "height": height, "width": width, **found})


def values(_: Wanted, seen: Watched, asked: ValuesQuestion) -> bytes:
    """The weights of one head, or one row of them."""
    found = WEIGHTS.fullmatch(asked.step)
    head, row, key = asked.at if asked.at is not None and len(asked.at) == 3 else (None, None, None)
    if found is None or head is None or key is not None:
        raise NotFound(f"of a watched run there are weights, one head at a time; there is no {asked.step[:80]!r}")
    weights = _head_of(seen, int(found[1]), head)
    queries, keys = weights.shape
    if row is not None and row >= queries:
        raise ValueError(f"axis Q of {asked.step} has {queries:,} positions, counted from 0, got {row:,}")
    if row is None and queries * keys > limits.ANSWER:
        raise TooLarge(
            f"at most {limits.ANSWER:,} numbers are sent at once, asked for {queries * keys:,}; ask for rows"
        )
    part = weights.dense() if row is None else weights.row(row)
    return encoded({"step": asked.step, "axes": "QK" if row is None else "K", "at": asked.at, **numbers(part)})


def why(_: Wanted, seen: Watched, asked: WhyQuestion) -> bytes:
    """A weight and where it comes from; its arithmetic is the model's own."""
    found = re.fullmatch(r"layer(\d+)\.weights\[(\d{1,9}),(\d{1,9}),(\d{1,9})\]", asked.cell, re.ASCII)
    if found is None:
        raise NotFound(f"of a watched run only weights are kept, by their numbers; there is no {asked.cell[:80]!r}")
    layer, head, row, key = map(int, found.groups())
    weights = _head_of(seen, layer, head)
    if row >= weights.shape[0] or key >= weights.shape[1]:
        raise NotFound(f"there are {weights.shape[0]:,} × {weights.shape[1]:,} weights, got {row:,} and {key:,}")
    value = float(weights.row(row)[key])
    said = f"{value:.{asked.digits}f}"
    told = {"cell": asked.cell, "name": asked.cell, "step": f"layer{layer}.weights", "at": [head, row, key]}
    told |= {"kind": "watched", "value": value, "text": said, "latex": said, "symbols": "", "numpy": None}
    return encoded({**told, "given": True, "more": 0, "parts": [], "parts_hidden": 0, "note": CANNOT[0]})


def readers(*_: object) -> bytes:
    """Nothing that was computed from a weight is kept."""
    return encoded({"cells": [], "more": 0})


def lens(wanted: Wanted, seen: Watched, asked: LensQuestion) -> bytes:
    """The names of heads, where a detector is sure."""
    if asked.kind != "heads":
        raise NotFound(f"{asked.kind} needs the numbers around attention, which a watched run does not keep")
    return encoded({"kind": "heads", "heads": [_named(one, asked.text) for one in seen.heads(wanted)], "random": None})


def _named(one: HeadSeen, text: str) -> dict[str, Any]:
    """What a head is called: its strongest habit, if that is enough for a name, as lens/naming.py decides."""
    found: list[tuple[float, dict[str, Any]]] = []
    for habit, name in HABITS.items():
        detector, share, even = DETECTORS[habit], getattr(one, name), getattr(one.evenly, name, 0.0)
        strength = float(strength_of(detector, share, even)) if even else 0.0
        if strength >= ALMOST:
            told = {"habit": habit, "name": detector.name, "sure": strength >= 1, "says": detector.says, "where": text}
            scores = {"share": {"value": share, "cell": None}, "evenly": {"value": even, "cell": None}}
            found.append((strength, {**told, **scores}))
    findings = [finding for _, finding in sorted(found, key=lambda pair: -pair[0])]
    sure = next((finding["name"] for finding in findings if finding["sure"]), None)
    return {"layer": one.layer, "head": one.head, "name": sure, "findings": findings}


def _head_of(seen: Watched, layer: int, head: int) -> Weights:
    if layer not in seen.weights:
        raise NotFound(f"no layer {layer} was watched; there are {', '.join(map(str, seen.weights))}")
    weights = seen.weights[layer]
    if head >= weights.shape[0]:
        raise NotFound(f"no head {head}; there are {weights.shape[0]}, counted from 0")
    return weights[head]


ANSWERS: dict[str, Callable[..., bytes]] = {
    "explain": explain, "tile": tile, "values": values, "why": why, "readers": readers, "lens": lens,
}  # fmt: skip
