"""The server on this machine: loopback sockets, and an end to clients that stall."""

import asyncio
import contextlib
import itertools
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from regard.server import limits
from regard.server.doorbell import Doorbell
from regard.server.gate import Application

PORT = 4725
SWEEP = 1.0  # seconds
# asyncio takes one number for both: how many connections may wait, and how many of them are accepted before anything
# else is done. A crowd may wait, but must not keep those who are inside waiting.
ACCEPTED_AT_ONCE, WAITING_TO_BE_ACCEPTED = 8, 512


def loopback(port: int | None) -> list[socket.socket]:
    """Sockets on 127.0.0.1 and, where there is one, on ::1. Without a port: our own, or any free one.

    >>> sockets = loopback(0)
    >>> {s.getsockname()[0] for s in sockets} <= {"127.0.0.1", "::1"}
    True
    >>> for s in sockets: s.close()
    """
    try:
        first = _bound(socket.AF_INET, "127.0.0.1", PORT if port is None else port)
    except OSError:
        if port is not None:
            raise ValueError(f"port {port} is in use or not allowed; choose another with --port") from None
        first = _bound(socket.AF_INET, "127.0.0.1", 0)
    sockets = [first]
    with contextlib.suppress(OSError):  # no IPv6 here
        sockets.append(_bound(socket.AF_INET6, "::1", first.getsockname()[1]))
    return sockets


def _bound(family: int, address: str, port: int) -> socket.socket:
    # declared as TCP: otherwise asyncio keeps the delay that makes every answer wait 40 ms
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made


class Server(uvicorn.Server):
    """uvicorn, with patience only for well-behaved clients."""

    def __init__(
        self, application: Application, doorbell: Doorbell, on_start: Callable[[], None], on_end: Callable[[], None]
    ):
        def connection(*arguments: Any, **named: Any) -> asyncio.Protocol:
            return Connection(self._sweeper, *arguments, **named)

        super().__init__(
            uvicorn.Config(
                application,  # pyright: ignore[reportArgumentType]
                http=connection,  # pyright: ignore[reportArgumentType]
                ws="websockets-sansio",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                h11_max_incomplete_event_size=65_536,
                timeout_keep_alive=15,
                timeout_graceful_shutdown=2,
                ws_max_size=limits.BODY,
                ws_per_message_deflate=False,
                ws_ping_interval=20,
                ws_ping_timeout=60,
                backlog=ACCEPTED_AT_ONCE,
            )
        )
        self._doorbell, self._on_start, self._on_end = doorbell, on_start, on_end
        self._sweeper = Sweeper(self.server_state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(WAITING_TO_BE_ACCEPTED)
        self._sweeping = asyncio.create_task(self._sweeper.run())
        await self._doorbell.hang_up()
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._sweeping.cancel()
        await self._doorbell.take_down()
        self._on_end()
        await super().shutdown(sockets)


@dataclass
class Since:
    """When a connection last made progress, and how far it got."""

    time: float
    progress: tuple[Any, ...]


@dataclass
class Sweeper:
    """Ends connections that make no progress: a header that never ends, an answer or a stream that nobody takes."""

    state: Any  # uvicorn's ServerState
    seen: dict[Any, Since] = field(default_factory=dict)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep(time.monotonic())

    def sweep(self, now: float) -> None:
        self.seen = {c: self.seen.get(c) or Since(now, ()) for c in list(self.state.connections)}
        waiting: list[tuple[float, Any]] = []
        for connection, since in self.seen.items():
            cycle, unsent = getattr(connection, "cycle", None), connection.transport.get_write_buffer_size()
            is_stream = not hasattr(connection, "cycle")
            answering = is_stream or (cycle is not None and not cycle.response_complete)
            progress = (answering, unsent, id(cycle))
            if progress != since.progress:
                since.time, since.progress = now, progress
            if answering and not unsent:
                continue  # we are the slow ones, or there is nothing to send; bodies have their own clock
            allowed = limits.SECONDS_FOR_ANSWER if unsent else limits.SECONDS_FOR_HEADERS
            if getattr(connection, "timeout_keep_alive_task", None) is None and now - since.time > allowed:
                connection.transport.abort()
            elif not answering:
                waiting.append((since.time, connection))
        too_many = max(0, len(self.seen) - limits.CONNECTIONS)
        for _, connection in sorted(waiting, key=lambda pair: pair[0])[:too_many]:
            connection.transport.abort()

    def came(self, connection: "Connection") -> None:
        """Where there are too many, the one goes at once that has been silent longest, first those who never spoke.

        Waiting for the next sweep would use up the files that a process may open, and then nobody gets in.
        """
        if len(self.state.connections) <= limits.CONNECTIONS:
            return
        open = [c for c in self.state.connections if not c.transport.is_closing()]
        if len(open) > limits.CONNECTIONS:
            silent = [c for c in open if isinstance(c, Connection) and c.is_silent]
            min(silent, key=lambda c: (c.cycle is not None, c.number), default=connection).transport.abort()


class Connection(H11Protocol):
    """One of uvicorn's, counted when it begins."""

    transport: asyncio.Transport
    numbers: ClassVar[Iterator[int]] = itertools.count()

    def __init__(self, sweeper: Sweeper, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.sweeper, self.number = sweeper, next(self.numbers)

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self.sweeper.came(self)

    @property
    def is_silent(self) -> bool:
        return self.cycle is None or self.cycle.response_complete
