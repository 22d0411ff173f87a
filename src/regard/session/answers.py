"""What is answered about a state: the run, its numbers, the reasons for one of them. Each answer is bounded in size."""

import math
from collections.abc import Callable
from dataclasses import asdict
from heapq import nlargest
from typing import Any

from regard.lens.blame import is_quick
from regard.lens.dependents import dependents
from regard.lens.explanation import explanation
from regard.lens.long import explanation_of_long
from regard.lens.overview import overview
from regard.lessons.claim import Checked
from regard.lessons.claims_of_run import claims_of
from regard.lessons.documents import DOCUMENTS
from regard.ops.expression import Call, More, Sum, Tree, abridged
from regard.session import limits
from regard.session.bounding import bounded
from regard.session.encode import encoded, numbers
from regard.session.questions import ExplainQuestion, TileQuestion, ToyQuestion, ValuesQuestion, WhyQuestion
from regard.session.refusal import TooLarge
from regard.session.traces import Seen, Traces
from regard.session.watched import tile_of
from regard.suggestions import NotFound
from regard.trace import Arithmetic, Trace
from regard.trace.address import run_of
from regard.trace.names import layer_of

Wanted = Callable[[], None]
LEFT_OUT = 200_000  # up to this many cells, a run is repeated without each of its words
MOST_PARTS = 400  # cells in one answer to why
MOST_NUMPY = 256  # terms of an expression that is written out


@bounded
def explain(wanted: Wanted, traces: Traces, asked: ExplainQuestion) -> bytes:
    """Everything one screen shows. A small trace is sent whole; of a large one, only its outline.

    Asked for the `whole`, it sends a small run unchanged and unmeasured, to be changed and measured
    where it is shown; a large run is answered as always. So a client that can compute asks once for either.
    """
    if asked.whole:
        begun = traces.of(asked.model_copy(update={"changes": []}), wanted)
        if not begun.is_long and is_live(begun.trace):
            own = traces.of(asked.model_copy(update={"changes": [], "scaling": None, "compared": None}), wanted).trace
            return _with_trace({"state": asked.data, "claims": [claim_data(c) for c in claims_of(own)]}, own)
    seen = traces.of(asked, wanted)
    trace = seen.trace
    if seen.is_long:
        found = {"explanation": explanation_of_long(trace, seen.weights), "claims": [], "timeline": []}
        wanted()
        found |= {"outline": outline(trace), "overview": overview(trace, seen.weights), "long": True}
        return encoded({"state": asked.data, **found})
    cells = cells_of(trace)
    parameters = sum(math.prod(step.shape) for step in trace.parameters.values())
    wanted()
    found = explanation(
        trace,
        asked.rate,
        check=asked.check and is_quick(trace),
        leave_out=limits.SIDE if cells <= LEFT_OUT else 0,
        learns=parameters <= limits.LEARNING,
    )
    wanted()
    told = _shortened(found.data(limits.CANDIDATES))
    if found.trace is not trace:  # measured at another rate, for this answer only
        found.trace.forget_measured()
    claims = [claim_data(c) for c in claims_of(trace)] if asked.scaling is None else []
    answer: dict[str, Any] = {
        "state": asked.data,
        "explanation": told,
        "claims": claims,
        "timeline": [asdict(moment) for moment in seen.moments],
    }
    if is_live(trace):
        return _with_trace(answer, trace)
    return encoded({**answer, "outline": outline(trace), "overview": overview(trace)})


def _with_trace(answer: dict[str, Any], trace: Trace) -> bytes:
    return encoded(answer)[:-1] + b',"trace":' + trace.json().encode() + b"}"


def cells_of(trace: Trace) -> int:
    """
    >>> import regard
    >>> cells_of(regard.explain("The quick brown fox", model="fox"))
    254
    """
    return sum(math.prod(step.shape) for step in trace.steps.values())


def is_live(trace: Trace) -> bool:
    """Whether a page gets every number of this run, so that it can be changed and trained there."""
    return cells_of(trace) <= limits.WHOLE_TRACE


def _shortened(data: dict[str, Any]) -> dict[str, Any]:
    """Where only some candidates are told, what an update makes of these, and of those most probable after it."""
    learning = data["learning"]
    if learning is None or "candidates_hidden" not in data:
        return data
    after = learning["next_probabilities"]
    words = {c["word"] for c in data["candidates"]} | set(nlargest(limits.CANDIDATES, after, after.__getitem__))
    kept = sorted(((word, after[word]) for word in after if word in words), key=lambda pair: -pair[1])
    return {**data, "learning": {**learning, "next_probabilities": dict(kept)}}


def claim_data(claim: Checked) -> dict[str, Any]:
    """A claim with the title of its document, and whether it fails."""
    return {**asdict(claim), "title": DOCUMENTS[claim.document].title, "fails": claim.is_failure}


def outline(trace: Trace) -> dict[str, Any]:
    """The steps of a trace without their numbers, and the words of its text."""
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


@bounded
def toy(_: Wanted, traces: Traces, asked: ToyQuestion) -> bytes:
    """What model a toy's TOML is; if it is none, the error names line and column."""
    return encoded(traces.shelf.told(asked.model, asked.toy))


@bounded
def values(wanted: Wanted, traces: Traces, asked: ValuesQuestion) -> bytes:
    """The numbers of one step, or of a part of it: a position for an axis, or null for all of it."""
    trace = _holding(traces.of(asked, wanted), asked.step)
    step = trace.step(asked.step)
    at = asked.at if asked.at is not None else [None] * len(step.shape)
    if len(at) != len(step.shape):
        raise ValueError(f"{step.name} has {len(step.shape)} axes, {step.axes}, got {len(at)} positions")
    for letter, size, place in zip(step.axes, step.shape, at):
        if place is not None and place >= size:
            raise ValueError(f"axis {letter} of {step.name} has {size:,} positions, counted from 0, got {place:,}")
    cells = math.prod(size for size, place in zip(step.shape, at) if place is None)
    if cells > limits.ANSWER:
        raise TooLarge(f"at most {limits.ANSWER:,} numbers are sent at once, asked for {cells:,}; give positions (at)")
    part = step.value[tuple(slice(None) if place is None else place for place in at)]
    axes = "".join(letter for letter, place in zip(step.axes, at) if place is None)
    return encoded({"step": step.name, "axes": axes, "at": at, **numbers(part)})


def _holding(seen: Seen, name: str) -> Trace:
    """Where a name is looked up: a parameter's .next belongs to the trace before the update."""
    before = seen.trace.parent
    return before if before is not None and ".next" in name else seen.trace


@bounded
def why(wanted: Wanted, traces: Traces, asked: WhyQuestion) -> bytes:
    """The arithmetic of one number, and of the numbers it was computed from, down to a depth."""
    trace = _holding(traces.of(asked, wanted), asked.cell)
    found = trace.why(asked.cell)
    run = run_of(asked.cell) if found.cell.run is not None else None
    return encoded(Reasons(trace, asked.digits, asked.terms, wanted).of(found, run, asked.depth))


@bounded
def readers(wanted: Wanted, traces: Traces, asked: WhyQuestion) -> bytes:
    """The numbers that were computed from one: the first of them, and how many more."""
    trace = _holding(traces.of(asked, wanted), asked.cell)
    found, more = dependents(trace, asked.cell)
    wanted()
    told = [{"cell": trace.address_of(cell), "name": trace.name_of(cell), "value": cell.value} for cell in found]
    return encoded({"cells": told, "more": more})


class Reasons:
    """Arithmetic as data; in total no more cells than a page can show."""

    def __init__(self, trace: Trace, digits: int, terms: int, wanted: Wanted):
        self.trace, self.digits, self.terms, self.wanted = trace, digits, terms, wanted
        self.left = MOST_PARTS

    def of(self, found: Arithmetic, run: str | None, depth: int) -> dict[str, Any]:
        """`run` is the number by which the run is known that the cell is one of, where that is another run."""
        self.wanted()
        shown = abridged(found.expression, self.terms)
        cells = found.read_by(shown)
        taken = cells[: self.left] if depth > 0 else ()
        self.left -= len(taken)
        address = self.trace.address_of(found.cell)
        address = address if run is None else f"{run}:{address}"
        return {
            "cell": address,
            "name": found.name,
            "step": found.cell.step.name,
            "at": list(found.cell.at),
            "kind": found.cell.step.op.kind,
            "value": found.value,
            "text": found.text(self.digits, self.terms),
            "latex": found.latex(self.digits, self.terms),
            "symbols": found.symbols(self.terms),
            "numpy": found.numpy() if count(found.expression) <= MOST_NUMPY else None,
            "given": found.is_given,
            "more": hidden(shown),
            "parts": [
                self.of(self.trace.why(cell), run if cell.run is found.cell.run else address, depth - 1)
                for cell in taken
            ],
            "parts_hidden": len(cells) - len(taken) if depth > 0 else 0,
        }


def count(expression: Tree) -> int:
    """How many terms an expression has, without writing them out."""
    if isinstance(expression, Sum):
        return len(expression.values)
    return sum(count(part) for part in expression.parts) if isinstance(expression, Call) else 1


def hidden(expression: Tree) -> int:
    """How many terms an abridged expression leaves out."""
    if isinstance(expression, More):
        return expression.count
    return sum(hidden(part) for part in expression.parts) if isinstance(expression, Call) else 0


@bounded
def tile(wanted: Wanted, traces: Traces, asked: TileQuestion) -> bytes:
    """A part of one head's weights, pooled into a few cells: what a map of a long text is drawn from."""
    found = traces.long_weights(asked)
    if found is None:
        seen = traces.of(asked, wanted)
        layers, of_layer = len({layer_of(step) for step in seen.trace.steps if layer_of(step)}), seen.weights_of
    else:
        layers, of_layer = len(found), found.__getitem__
    if asked.layer >= layers:
        raise NotFound(f"no layer {asked.layer}; there are {layers}, counted from 0")
    weights = of_layer(asked.layer)
    if asked.head >= weights.shape[0]:
        raise NotFound(f"no head {asked.head}; there are {weights.shape[0]}, counted from 0")
    return tile_of(weights[asked.head], asked)
