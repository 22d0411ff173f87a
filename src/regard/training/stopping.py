"""Ctrl-C and SIGTERM while training: the first asks to save and stop, the second stops at once."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


@dataclass
class Stop:
    """Whether somebody asked to stop, and by which signal."""

    signal: int = 0

    def __bool__(self) -> bool:
        return bool(self.signal)

    @property
    def exit_code(self) -> int:
        """As shells count: 130 after Ctrl-C, 143 after SIGTERM."""
        return 128 + self.signal


@contextmanager
def stopping() -> Iterator[Stop]:
    stop = Stop()

    def asked(number: int, _frame: FrameType | None) -> None:
        if stop:
            raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
        stop.signal = number

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
