"""An answer within bounds: nothing is computed once its client has left, nor more than takes a few seconds.

It is charged for what it computes, step by step, wherever that happens: in its changes, in a measurement, or in the
further runs that a measurement needs. What it leaves behind is bounded by the traces that it is about.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from regard.session.charging import Bill, Wanted, billed
from regard.session.traces import Traces

Asked = ParamSpec("Asked")
Found = TypeVar("Found")


def bounded(
    answer: Callable[Concatenate[Wanted, Traces, Asked], Found],
) -> Callable[Concatenate[Wanted, Traces, Asked], Found]:
    @wraps(answer)
    def within_bounds(wanted: Wanted, traces: Traces, *asked: Asked.args, **named: Asked.kwargs) -> Found:
        try:
            with billed(Bill(wanted), traces.keeper):
                return answer(wanted, traces, *asked, **named)
        finally:
            traces.settle()

    return within_bounds
