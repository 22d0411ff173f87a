"""The page inside a notebook: `regard.show(trace)`. What is selected and changed there can be read and set here.

A toy is computed in the notebook's own page; about a deep run, the page asks this Python process through the widget.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import ValidationError

from regard.lessons.claims_of_run import claims_of
from regard.session.answering import QUESTIONS
from regard.session.answers import is_live
from regard.session.single_run import SingleRun
from regard.session.state import State
from regard.suggestions import NotFound
from regard.trace import Trace
from regard.trace.expected import one_trace
from regard.views.offline import bundle_text

try:
    import anywidget
    import traitlets
except ImportError:
    raise ImportError(
        "the notebook's page needs anywidget, which is not installed; install it with pip install 'regard[notebook]'"
    ) from None

PLACES = ("stage", "layer", "head", "query", "cell")


def show(trace: Trace) -> "Shown":
    """A trace as a widget: every number opens, changes and learns, as on the page of `regard open`.

    >>> import regard
    >>> widget = regard.show(regard.explain("The quick brown fox", next="jumps"))
    >>> widget.selection = {"query": "brown", "cell": "weights[brown,fox]"}
    >>> widget.selection["query"], widget.trace.predicted
    ('brown', 'fox')
    """
    return Shown(one_trace(trace))


class Shown(anywidget.AnyWidget):
    """The page in a notebook: a compact scene at first, with a button for everything.

    `selection` is what is looked at: stage (1 to 12), layer, head, query (a word of the text), cell (an address whose
    arithmetic is open). None: the layer and head that move the prediction most, no cell. `trace` is the run with
    everything that was done to it on the page; `state` says what that was, and can be set.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    trace_json = traitlets.Unicode().tag(sync=True)  # empty for a deep run: its numbers are sent when asked for
    claims = traitlets.List().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    compact = traitlets.Bool(True).tag(sync=True)  # one scene, until everything is asked for

    def __init__(self, trace: Trace):
        self._runs = SingleRun(trace)
        live = is_live(trace)
        super().__init__(
            _esm=bundle_text("regard.js"),
            _css=bundle_text("regard.css"),
            trace_json=trace.json() if live else "",
            claims=[asdict(claim) for claim in claims_of(trace)] if live else [],
            state=self._runs.own,
            view={"page": "opening"} if _has_an_opening(trace) else {},
        )
        self.on_msg(self._asked)

    @property
    def trace(self) -> Trace:
        """The run as it is on screen: with every edit, drag, pin and update made there."""
        if not self.state.get("changes") and not {"mask", "scaling"} & set(self.state):
            return self._runs.trace
        return self._runs.of(State(**self.state)).trace

    @property
    def selection(self) -> dict[str, Any]:
        trace, row = self._runs.trace, self.view.get("row")
        row = trace.info.get("query") if row is None else row
        query = None if row is None else trace.labels.shown("Q", row)
        return {name: self.view.get(name) for name in PLACES} | {"query": query}

    @selection.setter
    def selection(self, chosen: Mapping[str, Any]) -> None:
        unknown = set(chosen) - set(PLACES)
        if unknown:
            raise NotFound(f"a selection has {', '.join(PLACES)}, got {', '.join(sorted(unknown))}")
        view = {**self.view, **{name: chosen[name] for name in chosen if name != "query"}}
        trace = self.trace
        layer = view.get("layer")
        weights = trace.steps.get(f"layer{0 if layer is None else layer}.weights")
        if weights is None:
            layers = sum(step.name.endswith(".weights") for step in trace.forward)
            raise NotFound(f"no layer {layer}; there are {layers}, counted from 0")
        if view.get("head") is not None and not 0 <= view["head"] < weights.shape[0]:
            raise NotFound(f"no head {view['head']}; there are {weights.shape[0]}, counted from 0")
        if view.get("stage") is not None and view["stage"] not in range(1, 13):
            raise NotFound(f"stages go from 1 to 12, got {view['stage']}")
        if view.get("cell") is not None:
            trace.cell(view["cell"])
        if "query" in chosen:
            asked = chosen["query"]
            view["row"] = None if asked is None else trace.labels.position("Q", weights.shape[1], str(asked))
        view["page"] = "explorer"  # where all of it can be seen
        self.view = {name: value for name, value in view.items() if value is not None or name != "stage"}

    def _asked(self, _: Any, question: Any, __: Any) -> None:
        """A question from the page, answered as the server would, within the same bounds."""
        number = question.get("id") if isinstance(question, dict) else None
        try:
            kind, answer = QUESTIONS[question["path"]]
            found = answer(lambda: None, self._runs, kind.model_validate_json(json.dumps(question["body"])))
            self.send({"id": number, "answer": found.decode()})
        except ValidationError as error:
            self.send({"id": number, "error": str(error.errors()[0]["msg"])})
        except (KeyError, TypeError, ValueError) as error:
            self.send({"id": number, "error": str(error.args[0]) if error.args else str(error)})


def _has_an_opening(trace: Trace) -> bool:
    """Whether there are ribbons and next words to draw."""
    return "probabilities" in trace.steps and any(step.name.endswith("weights") for step in trace.forward)
