"""What lets a client in: login values, each worth one session, and the session's own value.

A login value stands in an address, where histories, screenshots and copied links keep it; once exchanged it is worth
nothing. The session's value never stands in an address: a client keeps it for itself, and sends it with every request.
"""

import hmac
import secrets
from collections.abc import Callable

MOST_WAITING = 16  # login values that nobody has used yet; beyond that the oldest are forgotten


class Entry:
    """The session of one server, and the login values that it is given for.

    >>> entry = Entry()
    >>> login = entry.login()
    >>> entry.is_session(entry.exchanged(login.encode()).encode()), entry.exchanged(login.encode())
    (True, None)
    """

    def __init__(self) -> None:
        self._session = new_value()
        self._waiting: dict[str, Callable[[], object]] = {}

    def login(self, when_used: Callable[[], object] = lambda: None) -> str:
        """A new value for one address."""
        while len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        value = new_value()
        self._waiting[value] = when_used
        return value

    def exchanged(self, shown: bytes) -> str | None:
        """The session for a login value, once; None for anything else."""
        for value in list(self._waiting):
            if hmac.compare_digest(shown, value.encode()):
                self._waiting.pop(value)()
                return self._session
        return None

    def is_session(self, shown: bytes) -> bool:
        return hmac.compare_digest(shown, self._session.encode())


def new_value() -> str:
    return secrets.token_urlsafe(32)
