"""What is free goes back to the system: glibc keeps it otherwise, a heap for each thread, each with its own holes."""

import contextlib
import ctypes

MMAP_THRESHOLD = -3  # of mallopt, in malloc.h
LARGE = (
    4 * 2**20
)  # bytes from which an array is mapped by itself, so that it leaves no hole; a smaller one is quicker so


def map_large_arrays() -> None:
    """Without this, glibc moves the threshold up to the largest array that was ever freed."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another libc
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
