"""Opening a file of a folder that somebody else made: a plain file that lies there and is not too large.

A named pipe would be waited for, a device never ends, a link may lead to any file of this machine. Whoever reads the
folder of a run or of a Hugging Face model opens its files here.
"""

import os
import stat
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
SNAPSHOTS, BLOBS = "snapshots", "blobs"  # of Hugging Face's download cache: links, and what they lead to


class Refused(ValueError):
    """Why a file is not opened."""


@contextmanager
def opened(
    folder: str | os.PathLike[str], name: str, most: int | None = None, links_into: Iterable[Path] = ()
) -> Generator[tuple[BufferedReader, int]]:
    """A file and its size in bytes, at most `most`; a missing one is a FileNotFoundError.

    Links are refused, unless they lead into one of the folders `links_into`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.symlink("/etc/hosts", f"{folder}/losses.jsonl")
    ...     with opened(folder, "losses.jsonl"): pass
    Traceback (most recent call last):
    regard.strangers.Refused: losses.jsonl is a link that leads out of its folder
    """
    path = Path(folder, name)
    roots = [Path(os.path.realpath(root)) for root in links_into]
    _check_place(path, Path(folder), name, roots)
    handle = os.open(path, READ if roots else READ | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        _check_kind(found, name)  # once more: it may have been exchanged in between
        if most is not None and found.st_size > most:
            raise Refused(f"{name} has {found.st_size:,} bytes; at most {most:,} are read")
        yield file, found.st_size


def reachable(folder: Path) -> Iterator[Path]:
    """Where links of a Hugging Face folder may lead: to its own files, and in the download cache to those that all
    versions share."""
    yield folder
    if folder.resolve().parent.name == SNAPSHOTS:
        yield folder.resolve().parents[1] / BLOBS


def _check_place(path: Path, folder: Path, name: str, roots: Iterable[Path]) -> None:
    """Before anything is opened: opening some devices already does something."""
    if os.path.basename(name) == name and stat.S_ISREG(os.lstat(path).st_mode):
        return  # the usual case, which a server meets two hundred times a second
    _check_kind(os.stat(path), name)
    real = Path(os.path.realpath(path))
    inside = real.is_relative_to(os.path.realpath(folder))
    if not any(real.is_relative_to(root) for root in roots) and (path.is_symlink() or not inside):
        raise Refused(f"{name} is a link{'' if inside else ' that leads out of its folder'}")


def _check_kind(found: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{name} is not a plain file")


def refuse_all_but_files_and_folders(folder: Path, names: Iterable[str]) -> None:
    """Before something is written into a folder from elsewhere: none of these entries leads out of it."""
    for name in names:
        path = folder / name
        for found in (path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())):
            if os.path.lexists(found) and not _is_plain(os.lstat(found).st_mode):
                raise Refused(
                    f"{found} is a link, a pipe or a device, which no run has: nothing is written there; "
                    "remove it, or choose another folder"
                )


def _is_plain(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
