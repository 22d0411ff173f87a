"""Heavy work off the event loop: a few threads, a short queue, and nothing computed for a client that left.

Requests about one model go to one thread, so that no trace is ever computed by two at once.
"""

import asyncio
import zlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from regard.server import limits
from regard.server.problem import Problem

Result = TypeVar("Result")


class Abandoned(Exception):
    """The client left: nobody is waiting for the rest."""


class Wanted:
    """Checked now and then by long work; raises when nobody is waiting any more."""

    def __init__(self) -> None:
        self.given_up = False

    def __call__(self) -> None:
        if self.given_up:
            raise Abandoned


class Work:
    """
    >>> work = Work()
    >>> asyncio.run(work.run("a run", lambda wanted, n: n + 1, 1))
    2
    >>> work.close()
    """

    def __init__(self, threads: int = limits.THREADS, waiting: int = limits.WAITING):
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="regard") for _ in range(threads)]
        self._most = threads + waiting
        self._open: set[Wanted] = set()

    @property
    def pending(self) -> int:
        """Requests being computed, or waiting to be."""
        return len(self._open)

    async def run(self, key: str, function: Callable[..., Result], *arguments: Any) -> Result:
        if self.pending >= self._most:
            raise Problem(503, "too much is being computed already; try again in a moment", retry_after=1)
        wanted = Wanted()
        self._open.add(wanted)
        loop = asyncio.get_running_loop()
        thread = self._threads[zlib.crc32(key.encode()) % len(self._threads)]

        def computed() -> Result:
            wanted()
            return function(wanted, *arguments)

        def ended(_: Future[Result]) -> None:
            loop.call_soon_threadsafe(self._open.discard, wanted)

        future = thread.submit(computed)
        future.add_done_callback(ended)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            wanted.given_up = True
            raise

    def close(self) -> None:
        """Abandon what is open, and wait for the threads."""
        for wanted in list(self._open):
            wanted.given_up = True
        for thread in self._threads:
            thread.shutdown(cancel_futures=True)
