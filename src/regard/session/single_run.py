"""The states of a single run without its model: a notebook's. Another text is another run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from regard.attending.masks import MASKS
from regard.attending.weights import Weights
from regard.session.shelf import Shelf
from regard.session.state import State
from regard.session.traces import Traces
from regard.trace import Trace
from regard.trace.whatif import masked_by, scaled_by


class SingleRun(Traces):
    """
    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps", model="fox")
    >>> edit = {"kind": "edit", "cell": "weights[fox,fox]", "value": 0.05}
    >>> SingleRun(trace).of(State(**{**state_of(trace), "changes": [edit]})).trace.predicted
    'jumps'
    """

    def __init__(self, trace: Trace):
        super().__init__(Shelf())
        self.trace, self.own = trace, state_of(trace)

    def version(self, state: State) -> str:
        return ""

    def first(self, state: State) -> tuple[Trace, Sequence[Weights]]:
        if (state.text, state.next) != (self.own["text"], self.own.get("next")):
            raise ValueError("this widget shows one run; regard.show(regard.explain(…)) shows another")
        trace = self.trace
        if state.mask is not None and state.mask != trace.info.get("mask"):
            trace = masked_by(trace, MASKS[state.mask](trace.step("visible").shape[-1]))
            trace = replace(trace, info={**trace.info, "mask": state.mask})
        return trace if state.scaling is None else scaled_by(trace, state.scaling), ()


def state_of(trace: Trace) -> dict[str, Any]:
    """What a trace is a run of, in the page's terms."""
    info = trace.info
    text = str(info.get("text") or " ".join(trace.labels.words.get("T", ())) or info.get("title") or "a run")
    next = {"next": str(info["next"])} if info.get("next") else {}
    return {"model": str(info.get("model") or "a trace"), "text": text, **next, "changes": []}
