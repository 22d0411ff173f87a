"""A state as one offline file: a small run with every number, a large one rounded to eight bits."""

import json
from collections.abc import Callable
from typing import Any

from regard.lessons.beside import claims_of
from regard.server import answers, lenses, limits
from regard.server.problem import Problem
from regard.server.state import Explain, Lens, State
from regard.server.traces import Traces
from regard.views.offline import NotBuilt, cells_of, held_by, offline_page
from regard.views.rounded import rounded_steps

Wanted = Callable[[], None]
ROUNDED = 3_600_000  # characters of rounded numbers; with the page itself less than 5 MB
NOTE = "in this file numbers are rounded to eight bits; regard open shows them exactly"


def export(wanted: Wanted, traces: Traces, asked: State) -> bytes:
    data = answers.state_data(asked)
    begun = traces.of(asked.model_copy(update={"changes": []}), wanted)
    if begun.is_long:
        raise Problem(413, "a text of this length is too much for one file; use a shorter one")
    if cells_of(begun.trace) <= limits.WHOLE_TRACE:  # changes are made again by the page in the file
        held = held_by(begun.trace, claims_of(begun.trace) if asked.scaling is None else [], data)
    else:
        held = {"recorded": recorded(wanted, traces, State(**data)), "state": {**data, "changes": []}}
    try:
        return offline_page(held, " ".join(begun.trace.info["tokens"])).encode()
    except NotBuilt as error:
        raise Problem(404, str(error)) from None


def recorded(wanted: Wanted, traces: Traces, asked: State) -> dict[str, Any]:
    """The answers that a page without a server can be drawn from: those about the state as it was changed."""
    data = answers.state_data(asked)
    explained = json.loads(answers.explain(wanted, traces, Explain(**data)))
    explained["explanation"]["notes"] = [*explained["explanation"]["notes"], NOTE]
    explained["outline"]["info"]["notes"] = [*explained["outline"]["info"]["notes"], NOTE]
    wanted()
    lens = json.loads(lenses.lens(wanted, traces, Lens(**data, kind="logit_lens")))
    wanted()
    return {"explained": explained, "logit_lens": lens, "rounded": rounded_steps(traces.of(asked).trace, ROUNDED)}
