"""A state as one offline file: a small run with every number, a large one to be read, rounded to eight bits."""

import json
from collections.abc import Callable
from typing import Any

from regard.lessons.beside import claims_of
from regard.server import answers, lenses
from regard.server.problem import Problem
from regard.server.state import Explain, Lens, State
from regard.server.traces import Traces
from regard.views.offline import NotBuilt, held_by, is_live, offline_page
from regard.views.rounded import rounded_steps

Wanted = Callable[[], None]
ROUNDED = 3_600_000  # characters of rounded numbers; with the page itself less than 5 MB


def export(wanted: Wanted, traces: Traces, asked: State) -> bytes:
    data = answers.state_data(asked)
    begun = traces.of(asked.model_copy(update={"changes": []}), wanted)
    if begun.is_long:
        raise Problem(413, "a text of this length is too much for one file; use a shorter one")
    if is_live(begun.trace):  # changes are made again by the page in the file
        held = held_by(begun.trace, claims_of(begun.trace) if asked.scaling is None else [], data)
    else:
        held = {"recorded": recorded(wanted, traces, asked), "state": data}
    try:
        return offline_page(held, " ".join(begun.trace.labels.words.get("T", ()))).encode()
    except NotBuilt as error:
        raise Problem(404, str(error)) from None


def recorded(wanted: Wanted, traces: Traces, asked: State) -> dict[str, Any]:
    """The answers that a page without a server can be drawn from: those about the state as it was changed."""
    data = answers.state_data(asked)
    explained = json.loads(answers.explain(wanted, traces, Explain(**data)))
    wanted()
    steps = rounded_steps(traces.of(asked).trace, ROUNDED)
    outline = explained["outline"]
    outline |= {"steps": [step for step in outline["steps"] if step["name"] in steps], "parameters": []}
    wanted()
    lens = json.loads(lenses.lens(wanted, traces, Lens(**data, kind="logit_lens")))
    return {"explained": {**explained, "rounded": True}, "logit_lens": lens, "rounded": steps}
