"""The options that make a run again from the command line, change by change."""

import os

from regard.models.catalogue import MODELS
from regard.trace import Trace
from regard.trace.whatif import MASKED


def options_of(trace: Trace) -> list[str] | None:
    """What `regard why CELL` needs to be about this very run; None where no command can express what was done.

    >>> import regard
    >>> options_of(regard.explain("The quick brown fox", next="jumps").move("weights[fox,fox]", 0.2).hide("The"))
    ['--move', 'layer0.weights[0,3,3]=0.2', '--hide', '0']
    """
    info = trace.info
    model = info.get("model")
    if not isinstance(model, str) or not (model in MODELS or os.path.exists(model)):
        return None
    is_switched = trace.switched is not None and trace.switched[0] != MASKED  # a mask is an option
    if has_learned(trace) or info.get("scaling") or is_switched or any(edit.kind == "pin" for edit in trace.edits):
        return None
    options: list[str] = ["--as-written"] if info.get("as_written") else []
    is_own = (info["text"], info["next"]) == (info["own"]["text"], info["own"]["next"])
    if model != "fox" or not is_own:
        options += ["--model", model]
    if not is_own:
        options += _option("text", info["text"]) + (_option("next", info["next"]) if info["next"] else [])
    if info["mask"] != info["own"]["mask"]:
        options += ["--mask", info["mask"]]
    is_usual = info["query"] == len(info["tokens"]) - 1 and info["own"].get("query") is None
    if info["task"] == "masked" or not is_usual:  # where words are hidden, the first of them is asked for anyway
        options += ["--query", str(info["query"])]
    for edit in trace.edits:
        at = ",".join(map(str, edit.at))
        options += [f"--{edit.kind}", at if edit.kind == "hide" else f"{edit.step}[{at}]={edit.number!r}"]
    return options


def _option(name: str, value: str) -> list[str]:
    """An option and its value: as one word, where the value itself begins like an option."""
    return [f"--{name}={value}"] if value.startswith("-") else [f"--{name}", value]


def has_learned(trace: Trace) -> bool:
    """Whether a parameter is no longer the model's own."""
    before = trace.parent
    while before is not None:
        if before.learned:
            return True
        before = before.parent
    return bool(trace.info.get("updates"))
