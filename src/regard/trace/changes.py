"""One change to a run, and what each kind of it means: whoever holds a change as data asks here.

A person's changes come from the session by address, a measurement's by place; both become the same.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regard.trace.switches import silenced, switch_named

if TYPE_CHECKING:
    from regard.trace.trace import Trace

KINDS: "dict[str, Callable[[Trace, str, Any], Trace]]" = {
    "edit": lambda trace, address, number: trace.edit(address, number),
    "move": lambda trace, address, number: trace.move(address, number),
    "pin": lambda trace, step, array: trace.pin(step, array),
    "hide": lambda trace, word, _: trace.hide(word),
    "update": lambda trace, _, rate: trace.update(rate),
    "switch": lambda trace, name, value: switch_named(name).thrown(trace, value),
    "silence": lambda trace, _, head: silenced(trace, *head),
}


def after(trace: "Trace", change: tuple[Any, ...]) -> "Trace":
    """The run after one change by place: (kind, step, place, number).

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> after(trace, ("move", "layer0.weights", (0, 3, 3), 0.2)).predicted
    'jumps'
    """
    kind, step, at, number = change
    place = ",".join(map(str, at))
    return KINDS[kind](trace, place if kind == "hide" else f"{step}[{place}]" if at else step, number)
