"""JSON from outside: strict, of a size that is safe to hold, and every mistake told in one line."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

MOST_TEXT = 10_000_000  # characters; as Python objects, JSON takes up to twelve times its length
MOST_CONTAINERS = 250_000  # lists and objects, of which an empty one takes sixty bytes


def compact(data: Any) -> str:
    try:
        return json.dumps(data, allow_nan=False, separators=(",", ":"))
    except TypeError as error:
        raise ValueError(f"the trace's info holds what JSON cannot: {error}") from None


def plain_data(text: object, most: int = MOST_TEXT) -> Any:
    """Strict JSON: no NaN, no key twice, and of a size that is safe to hold."""
    if not isinstance(text, str):
        raise ValueError(f"expected text, got {type(text).__name__}")
    if len(text) > most:
        raise ValueError(f"at most {most:,} characters are read, got {len(text):,}")
    if text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise ValueError(f"at most {MOST_CONTAINERS:,} lists and objects are read; there are more")
    return json.loads(text, parse_constant=_refused, object_pairs_hook=_once)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key appears twice in one object")
    return result


@contextmanager
def reading(what: str) -> Generator[None]:
    """Whatever goes wrong with data from outside becomes a one-line ValueError."""
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if len(reason) > 300:
            reason = f"{reason[:300]} …"
        raise ValueError(f"{what} cannot be read as a trace: {reason}") from None
