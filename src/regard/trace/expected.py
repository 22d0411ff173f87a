"""What is asked for a trace and is handed something else says how to get one."""

from typing import Any

from regard.trace.trace import Trace


def one_trace(given: Any) -> Trace:
    """A trace as it is; for anything else, an error that says how to get one.

    >>> one_trace("The fox")
    Traceback (most recent call last):
    ValueError: expected a trace, got a str; regard.explain("The quick brown fox") gives one
    """
    if isinstance(given, Trace):
        return given
    raise ValueError(f'expected a trace, got a {type(given).__name__}; regard.explain("The quick brown fox") gives one')
