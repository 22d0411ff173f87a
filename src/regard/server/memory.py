"""What is free goes back to the system: glibc keeps it otherwise, a heap for each thread, each with its own holes."""

import contextlib
import ctypes
import os
from pathlib import Path

MMAP_THRESHOLD = -3  # of mallopt, in malloc.h
LARGE = 4 * 2**20  # bytes from which an array is mapped by itself, and leaves no hole
GROWTH = 128 * 2**20  # bytes: to give back less would cost more than it saves


class Returning:
    """Gives free memory back, once the process has grown by so much since it last did."""

    def __init__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):  # another libc
            # otherwise the threshold moves up to the largest array that was ever freed
            ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)
        self._smallest = _resident()

    def __call__(self) -> None:
        now = _resident()
        if now - self._smallest > GROWTH:
            with contextlib.suppress(AttributeError, OSError):
                ctypes.CDLL(None).malloc_trim(0)
            now = _resident()
        self._smallest = min(self._smallest, now) if now - self._smallest < GROWTH else now


def _resident() -> int:
    """Bytes; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
