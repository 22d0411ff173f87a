"""Heavy work off the event loop: a few threads, a short queue, and nothing computed for a client that left.

Work of one kind is done one after the other: requests about one model, so that no trace is computed by two at once;
requests about deep models, whichever, so that only one of them needs its memory. Clients take turns, whoever asked for
how much, and none of them has all threads or all places in the queue.
"""

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from regard.server import limits
from regard.server.memory import give_back
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


@dataclass(eq=False)
class Task:
    """One piece of work, until it is done."""

    client: str
    key: str
    function: Callable[[Wanted], Any]
    wanted: Wanted = field(default_factory=Wanted)
    future: "Future[Any]" = field(default_factory=Future)

    def run(self) -> Callable[[], None]:
        """Do it; what is returned tells whoever waits how it ended."""
        if not self.future.set_running_or_notify_cancel():
            return lambda: None  # given up before it began
        try:
            self.wanted()
            return partial(self.future.set_result, self.function(self.wanted))
        except BaseException as error:
            return partial(self.future.set_exception, error)


class Work:
    """
    >>> work = Work()
    >>> asyncio.run(work.run("somebody", "a run", lambda wanted, n: n + 1, 1))
    2
    >>> work.close()
    """

    def __init__(self, threads: int = limits.THREADS, waiting: int = limits.WAITING, frees: Collection[str] = ()):
        self._frees = frees  # the kinds of work after which much memory is free
        self._most, self._most_of_one = threads + waiting, threads + waiting - waiting // 4
        self._threads_of_one = max(1, threads - 1)
        self._waiting: OrderedDict[str, deque[Task]] = OrderedDict()  # by client; the first was served longest ago
        self._running: list[Task] = []
        self._changed, self._closed = threading.Condition(), False
        self._threads = [threading.Thread(target=self._serve, name=f"regard-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def pending(self) -> int:
        """Requests being computed, or waiting to be."""
        with self._changed:
            return len(self._tasks())

    def _tasks(self) -> list[Task]:
        return [*self._running, *(task for tasks in self._waiting.values() for task in tasks)]

    async def run(self, client: str, key: str, function: Callable[..., Result], *arguments: Any) -> Result:
        task = Task(client, key, lambda wanted: function(wanted, *arguments))
        with self._changed:
            tasks = self._tasks()
            if len(tasks) >= self._most or sum(other.client == client for other in tasks) >= self._most_of_one:
                raise Problem(503, "too much is being computed already; try again in a moment", retry_after=1)
            self._waiting.setdefault(client, deque()).append(task)
            self._wake_if_due()
        try:
            return await asyncio.wrap_future(task.future)
        except asyncio.CancelledError:
            self._give_up(task)
            raise

    def _give_up(self, task: Task) -> None:
        """What has begun stops by itself; what has not never will."""
        task.wanted.given_up = True
        with self._changed:
            self._forget(task)

    def _serve(self) -> None:
        while (task := self._taken()) is not None:
            tell = task.run()
            with self._changed:
                self._running.remove(task)  # first: whoever is told may ask again at once, and needs its place
            tell()
            if task.key in self._frees:
                give_back()

    def _taken(self) -> Task | None:
        """The next task, once there is one that may be done; None at the end."""
        with self._changed:
            while not self._closed:
                task = self._due()
                if task is not None:
                    self._take(task)
                    self._wake_if_due()
                    return task
                self._changed.wait()
        return None

    def _due(self) -> Task | None:
        """Of the client that was served longest ago, the first task whose kind of work nobody is doing."""
        keys, clients = [task.key for task in self._running], [task.client for task in self._running]
        for client, tasks in self._waiting.items():
            if clients.count(client) < self._threads_of_one:
                for task in tasks:
                    if task.key not in keys:
                        return task
        return None

    def _wake_if_due(self) -> None:
        """One thread for one task: a thread that wakes for nothing takes its turn from one that has something to do."""
        if self._due() is not None:
            self._changed.notify()

    def _take(self, task: Task) -> None:
        self._forget(task)
        if task.client in self._waiting:
            self._waiting.move_to_end(task.client)
        self._running.append(task)

    def _forget(self, task: Task) -> None:
        tasks = self._waiting.get(task.client, deque())
        if task in tasks:
            tasks.remove(task)
            if not tasks:
                del self._waiting[task.client]

    def close(self) -> None:
        """Abandon what is open, and wait for the threads."""
        with self._changed:
            self._closed = True
            for task in self._tasks():
                task.wanted.given_up = True
            for tasks in self._waiting.values():
                for task in tasks:
                    task.future.cancel()
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
