"""Ctrl-C, SIGTERM and a closed terminal (SIGHUP) while training: save and stop; Ctrl-C or SIGTERM again: at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

AT_ONCE = (signal.SIGINT, signal.SIGTERM)  # the second time


@dataclass
class Stop:
    """Whether somebody asked to stop, and by which signal."""

    signal: int = 0

    def ask(self, number: int) -> None:
        self.signal = self.signal or number

    def agreed(self, most: Callable[[int], int]) -> bool:
        """Whether the processes of a run, which `most` asks, stop now. All of them get the same answer.

        A signal that comes while they are asked is kept for the next time: the others know nothing of it yet.
        """
        told = most(self.signal)
        if told:
            self.signal = told
        return bool(told)

    def __bool__(self) -> bool:
        return bool(self.signal)

    @property
    def exit_code(self) -> int:
        """As shells count: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP."""
        return 128 + self.signal


def _that_stop() -> list[int]:
    """Whoever starts a command with nohup wants it to outlive the terminal; Windows has no SIGHUP."""
    hangup = [signal.SIGHUP] if hasattr(signal, "SIGHUP") else []
    return [*AT_ONCE, *(number for number in hangup if signal.getsignal(number) != signal.SIG_IGN)]


@contextmanager
def stopping() -> Iterator[Stop]:
    stop = Stop()
    came = False  # a signal, to this process itself: what another process of the run told it does not count

    def asked(number: int, _frame: FrameType | None) -> None:
        nonlocal came
        if came and number in AT_ONCE:  # the system and the shell both tell of one closed terminal
            raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
        came = True
        stop.ask(number)

    before = {number: signal.signal(number, asked) for number in _that_stop()}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
