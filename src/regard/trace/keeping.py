"""How many bytes of computed numbers are kept. Beyond a bound, some are forgotten, and computed again when asked for.

Forgetting costs time and never an answer, if what is forgotten is chosen well: what can be had again by one operation,
because its inputs are there, before what would need a whole chain of them; and among these, the oldest. Only large
values count. Numbers that were given, and those that took further runs, are not the keeper's to forget.
"""

import math
import random
import threading
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from regard.ops import Operation

LARGE = 32_768  # bytes
LOOKED_AT = 8  # candidates, chosen at random: enough to find a good one, and a scan of all would cost more


class Forgettable(Protocol):
    """What a keeper needs to know of a step."""

    @property
    def op(self) -> Operation: ...
    @property
    def inputs(self) -> "Sequence[Forgettable]": ...
    @property
    def is_computed(self) -> bool: ...
    def forget(self) -> None: ...


class Keeper:
    """Keeps the values of steps up to so many bytes; the one made last is kept whatever its size."""

    def __init__(self, most: int):
        self.most, self.held = most, 0
        self._kept: list[tuple[weakref.ref[Forgettable], int]] = []  # the last made is the last
        self._any_gone = False  # steps that nobody has any more
        self._random, self._lock = random.Random(0), threading.Lock()

    def keep(self, step: Forgettable, size: int) -> None:
        if size < LARGE or step.op.is_dear:
            return
        with self._lock:
            if self.held + size > self.most and self._any_gone:
                self._any_gone = False
                self._kept = [(there, size) for there, size in self._kept if there() is not None]
                self.held = sum(size for _, size in self._kept)
            while self.held + size > self.most and self._kept:
                self._forget_one()
            self._kept.append((weakref.ref(step, self._gone), size))
            self.held += size

    def _gone(self, _: object) -> None:
        self._any_gone = True

    def _forget_one(self) -> None:
        places = (self._random.randrange(len(self._kept)) for _ in range(LOOKED_AT))
        there, size = self._kept.pop(min(places, key=self._dearness))
        self.held -= size
        step = there()
        if step is not None:
            step.forget()

    def _dearness(self, place: int) -> tuple[int, int]:
        """How many of its inputs would have to be computed first; then, how long ago it was made."""
        step = self._kept[place][0]()
        if step is None or not step.is_computed:
            return -1, place
        return sum(not i.is_computed for i in step.inputs), place


def is_forgettable(step: Any) -> bool:
    """Whether a keeper may forget the value of a step, once it is computed."""
    return bool(step.inputs) and not step.op.is_dear and 8 * math.prod(step.shape) >= LARGE


# told of every step that is computed, with its bytes: a keeper's `keep`, or whatever else bounds a piece of work
WATCHING: ContextVar[Callable[[Forgettable, int], None] | None] = ContextVar("watching", default=None)


@contextmanager
def watched_by(told: Callable[[Forgettable, int], None]) -> Generator[None]:
    """Whatever is computed in here is told.

    >>> from regard.models.catalogue import find_model
    >>> names = []
    >>> with watched_by(lambda step, size: names.append(step.name)):
    ...     trace = find_model("fox").run("The quick brown fox")
    ...     weights = trace.array("q")
    >>> names
    ['x', 'layer0.q']
    """
    before = WATCHING.set(told)
    try:
        yield
    finally:
        WATCHING.reset(before)
