"""A file is written beside the old one and takes its place once it is complete and on disk: never half a file."""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Generator[BinaryIO]:
    """A new file to write to, which takes the name when the block ends; if anything fails, the old file stays.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/fox.html") as file:
    ...         before = os.path.exists(f"{folder}/fox.html"), file.write(b"the page")
    ...     before, os.listdir(folder)
    ((False, 8), ['fox.html'])
    """
    given = Path(path)
    if given.exists() and not given.is_file():  # a pipe or /dev/stdout has no name that could be taken over
        with given.open("wb") as file:
            yield file
        return
    place = Path(os.path.realpath(given))  # a link stays, and leads to the new file
    partial = place.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        with _new(partial, place) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, place)
        sync_folder(place.parent)
    except OSError as error:
        if error.filename not in (None, str(partial)):
            raise
        told = f"{error.strerror or error}; it was not written, and a file that was there before is as it was"
        raise OSError(error.errno or errno.EIO, told, str(given)) from error
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: str | os.PathLike[str], kept: str) -> Generator[Path]:
    """The same for a folder of files: a new one to write into. An old one is replaced if its list of files, `.written`,
    names all that it holds; `kept` is a file that every such folder has.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing_folder(f"{folder}/site", "index.html") as place:
    ...         before = os.path.exists(f"{folder}/site"), (place / "index.html").write_bytes(b"the page")
    ...     before, sorted(os.listdir(f"{folder}/site"))
    ((False, 8), ['.written', 'index.html'])
    """
    place = Path(os.path.realpath(path))
    _check_replaceable(place, Path(path), kept)
    name = secrets.token_hex(8)
    partial, old = place.with_name(f".{name}.partial"), place.with_name(f".{name}.old")
    try:
        partial.mkdir(parents=True)
        yield partial
        (partial / LIST).write_text("\n".join([*_inside(partial), LIST, ""]), encoding="utf-8")
        if place.exists():
            os.replace(place, old)
        os.replace(partial, place)
    except OSError as error:
        if error.filename is None or not Path(error.filename).is_relative_to(partial):
            raise
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from error
    finally:
        for left in (partial, old):
            shutil.rmtree(left, ignore_errors=True)


LIST = ".written"


def _inside(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def _check_replaceable(place: Path, given: Path, kept: str) -> None:
    """Refuse a folder that holds what we did not write: it would be gone."""
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return
    if not place.is_dir():
        raise ValueError(f"{given} is a file; give the name of a folder")
    listed = (place / LIST).read_text(encoding="utf-8").split("\n") if (place / LIST).is_file() else []
    others = [name for name in _inside(place) if name not in listed]
    if kept not in listed or others:
        what = f" such as {others[0]}" if others else ""
        raise ValueError(f"{given} holds files{what} that would be gone; give another folder, or empty this one first")


def _new(partial: Path, place: Path) -> BinaryIO:
    """With the rights of the file that it will replace, if there is one that may be written."""
    if not place.exists():
        return partial.open("xb")
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    file = partial.open("xb")
    os.chmod(partial, stat.S_IMODE(place.stat().st_mode))
    return file


def sync_folder(folder: Path) -> None:
    """File names belong to folders, and reach the disk only with them."""
    if os.name == "nt":  # which cannot open folders, and writes names at once
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
