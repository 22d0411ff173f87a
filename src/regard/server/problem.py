"""What is sent when something cannot be answered: one JSON shape, no traceback, no path on this machine."""

import json
from dataclasses import dataclass

from regard.session.refusal import TooLarge
from regard.suggestions import NotFound
from regard.views.offline import NotBuilt

# a domain error → its HTTP status; a subclass uses its own row, or that of its base class
STATUS: dict[type[Exception], int] = {NotFound: 404, NotBuilt: 404, TooLarge: 413, ValueError: 422}
KINDS = {
    400: "broken",
    401: "no_token",
    403: "refused",
    404: "not_found",
    405: "no_such_method",
    408: "too_slow",
    409: "in_use",
    413: "too_large",
    422: "invalid",
    500: "failed",
    503: "busy",
}


@dataclass
class Problem(Exception):
    """A refusal: its HTTP status and a sentence.

    >>> Problem(404, "no model 'foxx'; did you mean fox?").body()
    b'{"error":{"kind":"not_found","message":"no model \\'foxx\\'; did you mean fox?"}}'
    """

    status: int
    message: str
    retry_after: int | None = None  # seconds

    def body(self) -> bytes:
        kind = KINDS.get(self.status, "broken")
        # ASCII: half a surrogate pair in somebody's JSON must not break the answer that refuses it
        return json.dumps({"error": {"kind": kind, "message": self.message[:2000]}}, separators=(",", ":")).encode()

    @property
    def headers(self) -> dict[str, str]:
        return {"retry-after": str(self.retry_after)} if self.retry_after is not None else {}


def problem_of(error: Exception) -> Problem:
    """What a domain error means in HTTP.

    >>> problem_of(TooLarge("ask for fewer")).status, problem_of(ValueError("no number")).status
    (413, 422)
    """
    return Problem(next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), str(error))
