"""A request's body, checked: before it is known to be small and in order, nothing else sees it.

Checking a large body takes its time, so that happens in a thread; and it takes no more than its size, since it ends
at the first thing that is wrong with a list, and a body with more names than any question has is not looked at.
"""

import asyncio
from typing import TypeVar

from pydantic import ValidationError

from regard.server import limits
from regard.server.problem import Problem
from regard.session.bounded import Strict

Question = TypeVar("Question", bound=Strict)


async def checked(kind: type[Question], body: bytes, content_type: str) -> Question:
    """The question that a body asks."""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type not in ("", "application/json"):
        raise Problem(422, f"a question is sent as application/json, got {media_type[:80]!r}")
    if len(body) <= limits.CHECKED_AT_ONCE:
        return question(kind, body)
    return await asyncio.to_thread(question, kind, body)


def question(kind: type[Question], body: bytes) -> Question:
    """
    >>> from regard.session.state import State
    >>> question(State, b'{"text": "The fox"}').text
    'The fox'
    """
    names = body.count(b'":')
    if names > limits.NAMES:
        raise Problem(413, f"a request has at most {limits.NAMES:,} names and values, got {names:,}")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise _told(error) from None


def _told(error: ValidationError) -> Problem:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return Problem(400, "the request is not JSON")
    place = ".".join(str(part) for part in first["loc"])[:200]
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return Problem(413 if "too_long" in first["type"] else 422, f"{place or 'the request'}: {first['msg']}{more}")
