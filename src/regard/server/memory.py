"""What is free goes back to the system: glibc keeps it otherwise, a heap for each thread, each with its own holes."""

import contextlib
import ctypes

MMAP_THRESHOLD = -3  # of mallopt, in malloc.h
LARGE = 4 * 2**20  # bytes from which an array is mapped by itself, and leaves no hole


def map_large_arrays() -> None:
    """Without this, the threshold moves up to the largest array that was ever freed."""
    with contextlib.suppress(AttributeError, OSError):  # another libc
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
