"""What one offline file holds of a state: a small run with every number, a large one to read, rounded to eight bits.

views/offline.py puts it into a file, with the page to read it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from regard.lessons.claim import Checked
from regard.lessons.claims_of_run import claims_of
from regard.session import answers, lenses
from regard.session.bounding import bounded
from regard.session.questions import ExplainQuestion, LensQuestion
from regard.session.refusal import TooLarge
from regard.session.rounded import rounded_steps
from regard.session.state import State
from regard.session.traces import Traces
from regard.trace import Trace

Wanted = Callable[[], None]
ROUNDED = 3_600_000  # characters of rounded numbers; with the page itself less than 5 MB


@bounded
def held_for(wanted: Wanted, traces: Traces, asked: State) -> dict[str, Any]:
    """What the file of a state holds."""
    begun = traces.of(asked.model_copy(update={"changes": []}), wanted)
    if begun.is_long:
        raise TooLarge("a text of this length is too long for one file; use a shorter one")
    traces.of(asked, wanted)  # what cannot be done is said now, not in the file
    if answers.is_live(begun.trace):  # the page in the file applies the changes again
        return held_by(begun.trace, claims_of(begun.trace) if asked.scaling is None else [], asked.data)
    return {"recorded": recorded(wanted, traces, asked), "state": asked.data}


def held_by(trace: Trace, claims: Sequence[Checked], state: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a file of a small run holds: every number. `state` says what was done to it; the page applies it again."""
    held = {"trace": json.loads(trace.json()), "claims": [asdict(claim) for claim in claims]}
    return held | ({"state": state} if state else {})


def recorded(wanted: Wanted, traces: Traces, asked: State) -> dict[str, Any]:
    """The answers that a page without a server is drawn from: those about the state with its changes."""
    explained = json.loads(answers.explain(wanted, traces, ExplainQuestion(**asked.data)))
    wanted()
    steps = rounded_steps(traces.of(asked).trace, ROUNDED)
    outline = explained["outline"]
    left_out = [step["name"] for step in outline["steps"] if step["name"] not in steps]  # of the model, not of the file
    outline |= {"steps": [step for step in outline["steps"] if step["name"] in steps], "parameters": []}
    outline["left_out"] = left_out
    wanted()
    lens = json.loads(lenses.lens(wanted, traces, LensQuestion(**asked.data, kind="logit_lens")))
    return {"explained": {**explained, "rounded": True}, "logit_lens": lens, "rounded": steps}
