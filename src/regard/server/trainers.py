"""Training from the page: `regard train` as a process of its own, in a folder of its own.

The trainer knows nothing of the server, and the server nothing of the trainer but the folder: kill either, and the
other keeps running.
"""

import subprocess
import sys
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from regard import strangers
from regard.server import limits
from regard.server.problem import Problem
from regard.session.bounded import Strict
from regard.training.running import running

LOG = "train.log"
LAST = 4096  # bytes of it that are read
LONGEST = 34  # letters of a name before its number
RunName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
Setting = Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
Word = Annotated[str, Field(pattern=r"^[a-z0-9]{1,20}$")]
Bounded = Annotated[float, Field(ge=-1e9, le=1e9)]
Whole = Annotated[int, Field(ge=0, le=10**9)]


class Start(Strict):
    """Train a new model on a text."""

    kind: Literal["start"]
    name: RunName
    text: Annotated[str, Field(min_length=1, max_length=limits.BODY)]
    preset: Literal["toy", "small"] = "toy"
    settings: Annotated[dict[Setting, Whole | Bounded | Word], Field(max_length=30, default_factory=dict)]


class Watch(Strict):
    """Follow a run, from a given update on."""

    kind: Literal["watch"]
    name: RunName
    first: Annotated[int, Field(alias="from", ge=0, le=2**40)] = 0


class Stop(Strict):
    """Ask the trainer of the watched run to save and stop."""

    kind: Literal["stop"]


class Trainers:
    """The training processes of one folder of runs."""

    def __init__(self, runs: Path):
        self.runs = runs
        self._begun: dict[str, subprocess.Popen[bytes]] = {}

    def folder(self, name: str) -> Path:
        return self.runs / name

    def is_running(self, name: str) -> bool:
        begun = self._begun.get(name)
        if begun is not None and begun.poll() is None:
            return True
        return running(self.folder(name)) is not None

    def start(self, asked: Start) -> str:
        """Train in a folder of the name that was asked for, or the first free one like it, which is returned."""
        if any(process.poll() is None for process in self._begun.values()):
            raise Problem(409, "another model is being trained; wait for it, or stop it")
        folder = self._new_folder(asked.name)
        text = folder / f"{asked.name}.txt"
        text.write_text(asked.text, encoding="utf-8")
        settings = [part for name, value in asked.settings.items() for part in ("--set", f"{name}={_written(value)}")]
        command = [sys.executable, "-m", "regard", "train", str(text), "--out", str(folder), "--preset", asked.preset]
        with (folder / LOG).open("wb") as log:
            self._begun[folder.name] = subprocess.Popen(
                [*command, *settings, "--plain"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the server's terminal is not meant for it
            )
        return folder.name

    def _new_folder(self, name: str) -> Path:
        names = chain([name], (f"{name[:LONGEST]}-{number}" for number in count(2)))
        return next(folder for folder in map(self.folder, names) if _is_made(folder))

    def stop(self, name: str) -> None:
        if found := running(self.folder(name)):
            found.stop()

    def said_last(self, name: str) -> str:
        """Why a trainer ended, in its own words: its last line, if that is one of our messages."""
        try:
            with strangers.opened(self.folder(name), LOG) as (file, size):
                file.seek(max(0, size - LAST))
                lines = file.read(LAST).decode("utf-8", "replace").strip().splitlines()
        except (OSError, strangers.Refused):
            return ""
        last = lines[-1] if lines else ""
        return last.replace(str(self.runs.resolve()), "runs")[:300] if last.startswith("regard: ") else ""


def _is_made(folder: Path) -> bool:
    """Whether a folder is new: it may lie there already, with or without a model in it."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    return True


def _written(value: float | str) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
