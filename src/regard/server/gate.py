"""The one door: nothing gets past it, HTTP or WebSocket, unless every check says yes.

1. Host is exactly one of our own names: a foreign name made to point here (DNS rebinding) is refused.
2. Origin and Sec-Fetch-Site, where a browser sends them, are our own: another site's page is refused. A link from
   anywhere may open the page; that is its files, which hold no data.
3. The session's value is there, as `Authorization: Bearer …` or, from a page's WebSocket, as a subprotocol. It is never
   a cookie: cookies do not know ports, so any other server on this machine would be sent it, and could overwrite it.
   A login value is exchanged for it here, once.
4. The body is within its bound and arrives in time; only then does anything else see the request.

Every answer, every refusal included, leaves with the same security headers and without a CORS header.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import h11

from regard.server import limits
from regard.server.entry import Entry
from regard.server.problem import Problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("regard.server")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
OWN_HEADERS = frozenset(name for name, _ in SECURITY_HEADERS)
SAFE = ("GET", "HEAD")
OWN_SITES = (b"same-origin", b"none")  # none: typed or clicked outside of any page
EXCHANGE = "/api/session"
LOGIN, SESSION = b"Login ", b"Bearer "
SUBPROTOCOL, OFFERED = "regard", b"session."  # a page offers both; only the first is repeated in the answer
HOW = "`regard open --again` prints a fresh address; paste it into the address bar of this tab"


class Gate:
    """Deny by default. What the application sees has passed every check, and has its whole body."""

    def __init__(self, application: Application, entry: Entry, port: int, without_session: frozenset[str]):
        self.application, self.entry, self.without_session = application, entry, without_session
        self.hosts = frozenset(f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost", "[::1]"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "lifespan":
                await self.application(scope, receive, send)
            elif scope["type"] == "websocket":
                await self._websocket(scope, receive, send)
            elif scope["type"] == "http":
                await self._http(scope, receive, _with_headers(send))
        except h11.LocalProtocolError:
            raise  # the client left in a way that leaves nothing to answer; not worth a line in the terminal
        except Exception as error:
            log.error("%s %r failed", scope["type"], scope.get("path"), exc_info=error)
            raise

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = self._checked_names(scope)
            if scope["path"] == EXCHANGE and scope["method"] == "POST":
                await self._exchange(headers, send)
                return
            if scope["path"] not in self.without_session or scope["method"] not in SAFE:
                self._check_session(headers, [])
            body = b"" if scope["method"] in SAFE else await _whole_body(headers, receive)
        except Problem as problem:
            await _refuse(scope, send, problem)
            return
        if body is None:  # the client left before it had finished
            return
        if scope["method"] in SAFE:
            await self.application(scope, receive, send)
        else:
            await _while_wanted(self.application, scope, body, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        try:
            self._check_session(self._checked_names(scope), scope["subprotocols"])
        except Problem as problem:
            await _refuse_websocket(scope, send, problem)
            return
        first = iter([{"type": "websocket.connect"}])

        async def again() -> Message:
            return next(first, None) or await receive()

        async def answered(message: Message) -> None:
            if message["type"] == "websocket.accept" and SUBPROTOCOL in scope["subprotocols"]:
                message["subprotocol"] = SUBPROTOCOL  # browsers end a connection whose offer is not taken up
            await send(message)

        await self.application(scope, again, answered)

    def _checked_names(self, scope: Scope) -> dict[bytes, list[bytes]]:
        """The headers, once the host is ours and no other site is behind the request."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value)
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            raise Problem(403, "this server answers only to its own names, such as localhost; use the printed address")
        for origin in headers.get(b"origin", []):
            if origin != b"http://" + hosts[0]:
                raise Problem(403, "requests from other sites are refused")
        for site in headers.get(b"sec-fetch-site", []):
            if site not in OWN_SITES and not _opens_the_page(scope, headers):
                raise Problem(403, "requests from other sites are refused")
        return headers

    def _check_session(self, headers: dict[bytes, list[bytes]], subprotocols: list[str]) -> None:
        shown = [_after(SESSION, value) for value in headers.get(b"authorization", [])]
        shown += [_after(OFFERED, value.encode()) for value in subprotocols if value != SUBPROTOCOL]
        if not shown:
            raise Problem(401, f"this tab is not let in: an address works once, in one tab. {HOW}")
        if len(shown) != 1 or not self.entry.is_session(shown[0]):
            raise Problem(403, f"this is not the session of the server that is running now. {HOW}")

    async def _exchange(self, headers: dict[bytes, list[bytes]], send: Send) -> None:
        """A login value for the session's. It stands in a header, which no form of another site can send."""
        shown = headers.get(b"authorization", [])
        session = self.entry.exchanged(_after(LOGIN, shown[0])) if len(shown) == 1 else None
        if session is None:
            raise Problem(403, f"this address was used already, or is of another server. {HOW}")
        body = json.dumps({"session": session}).encode()
        kind = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"connection", b"close")]
        await _answer(send, 200, [*kind, (b"content-length", str(len(body)).encode())], body)


def _after(prefix: bytes, value: bytes) -> bytes:
    return value[len(prefix) :] if value.startswith(prefix) else b""


def _opens_the_page(scope: Scope, headers: dict[bytes, list[bytes]]) -> bool:
    """Whether somebody follows a link to the page, in a tab: all that it gets is the page's own files."""
    mode, target = headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")
    is_link = scope["type"] == "http" and scope["path"] == "/" and scope["method"] in SAFE
    return is_link and mode == [b"navigate"] and target == [b"document"]


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [(name, value) for name, value in message["headers"] if name not in OWN_HEADERS]
            kept = [(name, value) for name, value in headers if not name.startswith(b"access-control-")]
            message["headers"] = [*kept, *SECURITY_HEADERS]
        await send(message)

    return with_headers


async def _whole_body(headers: dict[bytes, list[bytes]], receive: Receive) -> bytes | None:
    """The body, if it is not too large and not too slow; None if the client left."""
    announced = headers.get(b"content-length", [b"0"])[0]
    if not announced.isdigit() or int(announced[:20]) > MOST_READ:
        raise _too_large()
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.SECONDS_FOR_BODY):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                size += len(part)
                if size <= limits.BODY:
                    parts.append(part)
                elif size > MOST_READ:
                    raise _too_large()
                if not message.get("more_body"):
                    break
    except TimeoutError:
        raise Problem(408, f"the request did not arrive within {limits.SECONDS_FOR_BODY} seconds") from None
    if size > limits.BODY:  # read to its end and discarded: a client that is still writing would not see the refusal
        raise _too_large()
    return b"".join(parts)


MOST_READ = 4 * limits.BODY


def _too_large() -> Problem:
    return Problem(413, f"a request may have at most {limits.BODY:,} bytes")


async def _while_wanted(application: Application, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
    """Run the application with a body already read, and stop it when the client leaves."""
    left = asyncio.Event()
    first = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        message = next(first, None)
        if message is None:
            await left.wait()
        return message or {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    answering = asyncio.ensure_future(application(scope, again, send))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait((answering, watching), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
    finally:
        watching.cancel()
        answering.cancel()
    if not answering.cancelled() and (error := answering.exception()):
        raise error


async def _refuse(scope: Scope, send: Send, problem: Problem) -> None:
    body, kind = problem.body(), b"application/json"
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if not scope["path"].startswith("/api/") and b"text/html" in accepted:
        # for a person: the same sentence, as text
        body, kind = f"regard: {problem.message}\n".encode(), b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    headers += [(name.encode(), value.encode()) for name, value in problem.headers.items()]
    if scope["method"] not in SAFE:
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    await _answer(send, problem.status, headers, b"" if scope["method"] == "HEAD" else body)


async def _refuse_websocket(scope: Scope, send: Send, problem: Problem) -> None:
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    body = problem.body()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *SECURITY_HEADERS]
    await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
