"""What is free goes back to the system: glibc keeps it otherwise, a heap for each thread, all of them with holes."""

import contextlib
import ctypes

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # of mallopt, in malloc.h
LARGE = 4 * 2**20  # bytes from which an array is mapped by itself, and leaves no hole


def waste_little() -> None:
    """One heap for all threads that begin from now on, and large arrays outside of it.

    Otherwise each thread has its own, with holes that no other can use; and the size from which arrays are mapped moves
    up to the largest that was ever freed.
    """
    with contextlib.suppress(AttributeError, OSError):  # another libc
        libc = ctypes.CDLL(None)
        libc.mallopt(MMAP_THRESHOLD, LARGE)
        libc.mallopt(ARENA_MAX, 1)


def give_back() -> None:
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
