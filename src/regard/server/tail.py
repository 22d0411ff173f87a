"""A run's losses as they are written, for any number of watchers: one reader, a short memory, no queue.

The file is the truth. A watcher only has a place in what was read last; one that stalls falls behind, and when what it
missed is no longer remembered it is told so: a gap from this update to that. So a watcher costs nothing while it waits.
"""

import asyncio
import json
import math
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from regard import strangers
from regard.session.encode import encoded

LOSSES = "losses.jsonl"
REMEMBERED = 2_000  # messages
PIECE = 256 * 1024  # bytes read at once
LINE = 4_096  # bytes of one report
CURVE = 1_000  # points of a whole history
EVERY = 0.005  # seconds between looks at the file, while somebody is watching
QUIET = 1.0  # seconds of silence after which watchers check whether the trainer is alive
FIELDS = ("loss", "rate", "gradient", "held_out")
ANEW = '{"kind":"anew"}'
MOST_READ = 2**28  # bytes of a history, the newest: two million updates
UNREADABLE = (strangers.Refused, OSError)  # a run that has no losses yet, or whose folder is somebody's trap


@dataclass(frozen=True)
class Message:
    """One message of a run, ready to be sent, and the update it belongs to."""

    update: int
    text: str


@dataclass(frozen=True)
class News:
    """What a watcher has not received yet; `missed` are updates that are no longer remembered."""

    messages: tuple[Message, ...]
    end: int
    missed: tuple[int, int] | None = None


class Tail:
    """What was last written to a run's folder. `follow` keeps reading until it is cancelled."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.update = 0  # the newest
        self._messages: deque[Message] = deque(maxlen=REMEMBERED)
        self._first = 0  # the number of the oldest message that is remembered
        self._news = asyncio.Event()
        self._inode, self._offset = 0, 0
        self.read()

    @property
    def end(self) -> int:
        """The number that the next message will have."""
        return self._first + len(self._messages)

    def since(self, number: int, update: int, most: int) -> News:
        """Everything from a given message on; `update` is the last one that the watcher has received."""
        missed = None
        if number < self._first:
            number = self._first
            missed = (update + 1, self._messages[0].update - 1) if self._messages[0].update > update + 1 else None
        found = tuple(islice(self._messages, number - self._first, number - self._first + most))
        return News(found, number + len(found), missed)

    def put(self, update: int, text: str) -> None:
        self._first += len(self._messages) == REMEMBERED
        self._messages.append(Message(update, text))

    async def news(self) -> bool:
        """Wait until there is something new (True), or until there has been nothing for a while."""
        before = self.end
        await self._news.wait()
        return self.end > before

    def tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def follow(self) -> None:
        quiet = 0.0
        while True:
            quiet = 0.0 if self.read() else quiet + EVERY
            if not quiet or quiet >= QUIET:
                quiet = 0.0
                self.tell()
            await asyncio.sleep(EVERY)

    def read(self) -> bool:
        """Read what was written since; returns whether there was anything."""
        try:
            with strangers.opened(self.folder, LOSSES) as (file, _):
                found = os.fstat(file.fileno())
                if found.st_ino != self._inode or found.st_size < self._offset:
                    return self._begin(file, found)
                if found.st_size == self._offset:
                    return False
                file.seek(self._offset)
                piece = file.read(PIECE)
        except UNREADABLE:
            return False
        whole = piece[: piece.rfind(b"\n") + 1]
        self._offset += len(whole) if len(piece) - len(whole) <= LINE else len(piece)
        before = self.end
        for report in filter(None, map(report_of, whole.splitlines())):
            self.update = report["update"]
            self.put(self.update, encoded({"kind": "report", **report}).decode())
        return self.end > before

    def _begin(self, file: BinaryIO, found: os.stat_result) -> bool:
        """A file that is new, or was rewound to a checkpoint: continue from its end."""
        known = self._inode != 0
        file.seek(max(0, found.st_size - 2 * LINE))
        piece = file.read(2 * LINE)
        reports = [r for r in map(report_of, piece[: piece.rfind(b"\n") + 1].splitlines()) if r]
        self.update = reports[-1]["update"] if reports else 0
        self._inode = found.st_ino
        self._offset = max(0, found.st_size - 2 * LINE) + piece.rfind(b"\n") + 1
        if known:
            self.put(self.update, ANEW)
        return known


def report_of(line: bytes) -> dict[str, Any] | None:
    """One line of the file, if it is one: numbers under known names.

    >>> report_of(b'{"update": 3, "loss": 1.5, "rate": null, "other": 1}')
    {'update': 3, 'loss': 1.5, 'rate': None}
    >>> report_of(b'{"upd')
    """
    try:
        data = json.loads(line) if len(line) <= LINE else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or type(data.get("update")) is not int or not 0 <= data["update"] <= 2**40:
        return None
    return {"update": data["update"]} | {name: _number(data[name]) for name in FIELDS if name in data}


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and math.isfinite(value) else None


def history(folder: Path, first: int, last: int) -> dict[str, Any]:
    """The curve from one update to another: a bounded number of points, and every held-out loss."""
    thinned: list[dict[str, Any]] = []
    held_out: deque[dict[str, Any]] = deque(maxlen=CURVE)
    count, stride, newest = 0, 1, None
    for newest in _reports(folder, first, last):
        if count % stride == 0:
            thinned.append(newest)
        if len(thinned) > CURVE:  # every second one goes, so that a long history takes no more memory than a short one
            thinned, stride = thinned[::2], 2 * stride
        if newest.get("held_out") is not None:
            held_out.append({"update": newest["update"], "loss": newest["held_out"]})
        count += 1
    if newest is not None and thinned[-1] is not newest:
        thinned.append(newest)
    return {"kind": "history", "reports": thinned, "of": count, "held_out": list(held_out)}


def _reports(folder: Path, first: int, last: int) -> Iterator[dict[str, Any]]:
    try:
        with strangers.opened(folder, LOSSES) as (file, size):
            file.seek(max(0, size - MOST_READ))
            left = MOST_READ  # the file may grow while it is read
            while left > 0 and (line := file.readline(LINE + 1)):
                left -= len(line)
                report = report_of(line) if line.endswith(b"\n") else None
                if report and first <= report["update"] <= last:
                    yield report
    except UNREADABLE:
        return
