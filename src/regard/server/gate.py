"""The one door: nothing gets past it, HTTP or WebSocket, unless every check says yes.

1. Host is exactly one of our own names: a foreign name made to point here (DNS rebinding) is refused.
2. Origin and Sec-Fetch-Site, where a browser sends them, are our own: another site's page is refused.
3. The token is there: as our cookie, or as `Authorization: Bearer …` from a program. A cookie travels with whatever a
   browser sends, so whoever shows only a cookie must also show its Origin when asking for more than a page.
4. The body is within its bound and arrives in time; only then does anything else see the request.

Every answer, every refusal included, leaves with the same security headers and without a CORS header.
"""

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

import h11

from regard.server import limits
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
SAFE = ("GET", "HEAD")
OWN_SITES = (b"same-origin", b"none")  # none: typed or clicked outside of any page
HOURS = 3600


class Gate:
    """Deny by default. What the application sees has passed every check, and has its whole body."""

    def __init__(self, application: Application, token: str, port: int):
        self.application, self.token = application, token
        self.hosts = frozenset(f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost", "[::1]"))
        self.cookie = f"regard_{port}"  # cookies ignore ports: two servers must not take each other's

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
            if scope["path"] == "/" and scope["method"] in SAFE and b"token=" in scope["query_string"]:
                await self._swap_token_for_cookie(scope, send)
                return
            self._check_token(scope, headers, is_safe=scope["method"] in SAFE)
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
            self._check_token(scope, self._checked_names(scope), is_safe=False)
        except Problem as problem:
            await _refuse_websocket(scope, send, problem)
            return
        first = iter([{"type": "websocket.connect"}])

        async def again() -> Message:
            return next(first, None) or await receive()

        await self.application(scope, again, send)

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
            if site not in OWN_SITES:
                raise Problem(403, "requests from other sites are refused")
        return headers

    def _check_token(self, scope: Scope, headers: dict[bytes, list[bytes]], is_safe: bool) -> None:
        bearer = headers.get(b"authorization", [])
        if bearer:
            if len(bearer) != 1 or not self._is_token(bearer[0].removeprefix(b"Bearer ")):
                raise Problem(403, "wrong token; it is in the address that this server printed")
            return
        shown = [value for line in headers.get(b"cookie", []) for value in _cookies(line, self.cookie)]
        if not shown:
            raise Problem(401, "open the address that `regard open` printed; it holds the token that lets you in")
        if len(shown) != 1 or not self._is_token(shown[0]):
            raise Problem(403, "this server was restarted; open the address that it printed this time")
        if not is_safe and not headers.get(b"origin"):
            raise Problem(403, "a request with a cookie must send its Origin; programs use Authorization: Bearer TOKEN")

    def _is_token(self, shown: bytes) -> bool:
        return hmac.compare_digest(shown, self.token.encode())

    async def _swap_token_for_cookie(self, scope: Scope, send: Send) -> None:
        """Take the token out of the address, where histories and screenshots would keep it."""
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if len(shown) != 1 or not self._is_token(shown[0].encode("utf-8", "replace")):
            raise Problem(403, "wrong token; open the address that this server printed this time")
        cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={30 * 24 * HOURS}"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"cache-control", b"no-store")]
        await _answer(send, 303, [*headers, (b"content-length", b"0")], b"")


def _cookies(line: bytes, name: str) -> list[bytes]:
    pairs = (part.strip().partition(b"=") for part in line.split(b";"))
    return [value for key, _, value in pairs if key == name.encode()]


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in SECURITY_HEADERS}
            kept = [(n, v) for n, v in message["headers"] if n not in own and not n.startswith(b"access-control-")]
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
