"""The bill of a request: what it has cost so far, in cells, and where it ends.

Whoever does work for a request puts it on the bill. Outside of a request nothing is billed.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from regard.session import limits
from regard.session.refusal import TooLarge
from regard.trace.keeping import Forgettable, Keeper, watched_by

Wanted = Callable[[], None]
NUMBER = 8  # bytes


class Bill:
    """
    >>> bill = Bill(lambda: None, most=1000)
    >>> bill.charge(700)
    >>> bill.charge(700)
    Traceback (most recent call last):
        ...
    regard.session.refusal.TooLarge: one request computes at most 1,000 numbers; pass a shorter text, or ask for less
    """

    def __init__(self, wanted: Wanted, most: float = limits.WORK):
        self.wanted, self.most, self.left = wanted, most, most

    def charge(self, cells: float) -> None:
        """Stops the work if nobody waits for it any more, or if it has cost too much."""
        self.wanted()
        self.left -= cells
        if self.left < 0:
            raise TooLarge(
                f"one request computes at most {self.most:,.0f} numbers; pass a shorter text, or ask for less"
            )


BILL: ContextVar[Bill | None] = ContextVar("bill", default=None)


def charge(cells: float) -> None:
    """To whichever request this is done for."""
    bill = BILL.get()
    if bill is not None:
        bill.charge(cells)


@contextmanager
def billed(bill: Bill, keeper: Keeper) -> Generator[None]:
    """Every step that is computed in here is put on the bill, and left to the keeper."""

    def computed(step: Forgettable, size: int) -> None:
        bill.charge(size / NUMBER + limits.STEP_WORK)
        keeper.keep(step, size)

    before = BILL.set(bill)
    try:
        with watched_by(computed):
            yield
    finally:
        BILL.reset(before)
