"""From the options of a command to a trace: model, text, mask, edits."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regard.trace import Trace


def trace_for(
    text: str | None,
    next: str | None,
    model: str,
    mask: str | None = None,
    query: str | None = None,
    edits: list[str] | None = None,
    moves: list[str] | None = None,
) -> "Trace":
    """The run that the options ask for. Without a text: the model's own sentence and next word."""
    from regard.models.catalogue import find_model

    found = find_model(model)
    if text is None:
        text, next = found.sentence, next or found.next
    trace = found.run(text, next, mask, query)
    trace = trace.backward() if "loss" in trace.steps else trace
    for change in edits or ():
        trace = trace.edit(*_change(change))
    for change in moves or ():
        trace = trace.move(*_change(change))
    return trace


def _change(written: str) -> tuple[str, float]:
    cell, sign, value = written.rpartition("=")
    if not sign:
        raise ValueError(f"cannot read the change {written!r}; write it like weights[fox,fox]=0.2")
    try:
        return cell.strip(), float(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a number; write the change like weights[fox,fox]=0.2") from None
