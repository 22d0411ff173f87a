"""One process at a time in a folder: the second is told who is there.

The lock belongs to the process, not to a file that lies about: it is gone when the process is, even after kill -9.
"""

import functools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from regard.strangers import Refused, opened

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

NAME = ".lock"
_held: set[int] = set()  # the open lock files of this process


@contextmanager
def folder_lock(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a folder, which is made if there is none; a second holder on this machine is refused with a ValueError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with folder_lock(folder), folder_lock(folder):
    ...         pass
    Traceback (most recent call last):
    ...
    ValueError: ... is in use by process ...; wait until it has ended, stop it, or choose another folder

    The file `.lock` stays behind with the number of its last holder; what counts is the lock on it, not the file.
    On a system without fcntl the file itself is the lock: it goes when the holder leaves, but stays if it is killed.
    """
    if not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
    file = Path(folder) / NAME
    with _system_lock(file) if fcntl else _file_as_lock(file):
        yield


@contextmanager
def _system_lock(file: Path) -> Iterator[None]:
    assert fcntl
    _leave_locks_to_the_parent()
    # a link planted in a folder from elsewhere must not make us write into the file it points to
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    _held.add(handle)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError(f"{file} is not a plain file, so nobody can hold {file.parent}; remove it")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(_refusal(file)) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        if handle in _held:  # not in a forked child, where it was closed already
            _held.discard(handle)
            os.close(handle)


@functools.cache
def _leave_locks_to_the_parent() -> None:
    """Forked children (workers that load data) must not keep the lock alive after the trainer was killed."""
    os.register_at_fork(after_in_child=_close_all)


def _close_all() -> None:
    while _held:
        os.close(_held.pop())


@contextmanager
def _file_as_lock(file: Path) -> Iterator[None]:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        remedy = f"if that process is gone, delete {file} (this system cannot tell: it has no fcntl)"
        raise ValueError(f"{_refusal(file)}; {remedy}") from None
    try:
        try:
            os.write(handle, f"{os.getpid()}\n".encode())
        finally:
            os.close(handle)
        yield
    finally:
        os.unlink(file)


def _refusal(file: Path) -> str:
    try:
        with opened(file.parent, file.name) as (lock, _):
            number = _number(lock)
    except (OSError, Refused):
        number = None
    holder = f"process {number}" if number else "another process"
    return f"{file.parent} is in use by {holder}; wait until it has ended, stop it, or choose another folder"


def holder(folder: str | os.PathLike[str]) -> int | None:
    """The process that holds a folder; None where nobody does.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     before = holder(folder)
    ...     with folder_lock(folder):
    ...         print(before, holder(folder) == os.getpid())
    None True
    """
    try:
        with opened(folder, NAME) as (file, _):
            return _number(file) if fcntl is None or _is_held(file) else None
    except (OSError, Refused):  # nobody holds what cannot be a lock
        return None


def _is_held(file: BufferedReader) -> bool:
    assert fcntl
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _number(file: BufferedReader) -> int | None:
    """The process that wrote itself down."""
    number = file.read(20).strip()
    return int(number) if number.isdigit() and int(number) else None
