"""What is free goes back to the system: glibc keeps it otherwise, a heap for each thread, each with its own holes."""

import contextlib
import ctypes
import gc

MMAP_THRESHOLD = -3  # of mallopt, in malloc.h
PACE = (700, 10, 10)  # Python's own, at which cycles are looked for; a command that ends soon has a slower one
LARGE = 4 * 2**20  # bytes from which an array is mapped by itself, and leaves no hole


def map_large_arrays() -> None:
    """Without this, the threshold moves up to the largest array that was ever freed."""
    with contextlib.suppress(AttributeError, OSError):  # another libc
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def settle() -> None:
    """What stands before the first request stays, and is not looked through again: looking at the rest is quick."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*PACE)


def give_back() -> None:
    gc.collect()  # a run in a cycle holds its arrays
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
