"""`regard open --again`: how another terminal of the same person gets a fresh login value from a running server.

The server listens on a socket in a folder that only its owner may enter, and says a new value to whoever connects.
Nothing secret lies on the disk; a socket that nobody answers belongs to a server that was killed.
"""

import asyncio
import contextlib
import logging
import os
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger("regard.server")
ENDING = ".sock"
SECONDS = 10.0  # for an answer from this machine


class Doorbell:
    """Says a fresh login value to whoever rings. Where it cannot hang, the server runs without."""

    def __init__(self, port: int, fresh: Callable[[], str]):
        self.port, self._fresh = port, fresh
        self._server: asyncio.AbstractServer | None = None

    async def hang_up(self) -> None:
        try:
            place = _place(self.port)
            self._server = await asyncio.start_unix_server(self._answer, place)
        except (OSError, ValueError) as error:
            log.warning("`regard open --again` will not find this server: %s", error)

    async def take_down(self) -> None:
        if self._server is not None:
            self._server.close()
            _place(self.port).unlink(missing_ok=True)

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(self._fresh().encode())
            await writer.drain()
            writer.close()
            await writer.wait_closed()


def ring(port: int | None) -> tuple[int, str]:
    """The port of a running server, and a fresh login value of it."""
    answers = {found: login for found in ([port] if port else _ports()) if (login := _asked(found))}
    if not answers:
        where = f"on port {port}" if port else "here"
        raise ValueError(f"regard is not running {where}; start it with: regard open")
    if len(answers) > 1:
        raise ValueError(f"several are running; choose one with --port: {', '.join(map(str, sorted(answers)))}")
    return next(iter(answers.items()))


def _ports() -> list[int]:
    return [int(file.stem) for file in sorted(_folder().glob(f"*{ENDING}")) if file.stem.isdecimal()]


def _asked(port: int) -> str:
    place = _place(port)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(SECONDS)
            line.connect(str(place))
            return line.makefile().read(100)
    except OSError:
        return ""


def _place(port: int) -> Path:
    return _folder() / f"{port}{ENDING}"


def _folder() -> Path:
    """A folder that is ours alone; one that somebody else has put in its place is refused."""
    if not hasattr(socket, "AF_UNIX") or not hasattr(os, "getuid"):
        raise ValueError("this system has no sockets in folders; end regard open with Ctrl-C and start it again")
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    # after `su`, the variable may still name the folder of somebody else
    is_ours = os.path.isdir(given) and os.stat(given).st_uid == os.getuid()
    folder = Path(given, "regard") if is_ours else Path(tempfile.gettempdir()) / f"regard-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise ValueError(f"{folder} is not a private folder of yours; remove it")
    return folder
