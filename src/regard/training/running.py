"""Runs that are being trained now, whoever started them: found by the locks on their folders. Needs no torch."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regard.suggestions import command
from regard.training.lock import holder

LOOKS = 0.05  # seconds between two looks at a run that was asked to stop


@dataclass(frozen=True)
class Running:
    folder: Path
    process: int

    @property
    def told(self) -> str:
        stop = command("regard", "train", "--stop", str(self.folder))
        return f"{self.folder} is being trained by process {self.process}; stop it with: {stop}"

    def stop(self) -> None:
        """Ask it to save and stop, as Ctrl-C does."""
        os.kill(self.process, signal.SIGTERM)

    def wait(self) -> None:
        """Until it has let its folder go; it may have an update to finish."""
        while holder(self.folder) == self.process:
            time.sleep(LOOKS)


def running(folder: Path) -> Running | None:
    """Who trains in a folder, if anybody does."""
    process = holder(folder)
    return None if process is None else Running(folder, process)


def running_in(runs: Path) -> Iterator[Running]:
    """The folder itself, if it is one that is trained in, or all runs inside it that are."""
    if found := running(runs):
        yield found  # what it holds inside, such as checkpoints while it saves, is no other run
        return
    for folder in sorted(runs.iterdir()) if runs.is_dir() else ():
        if found := running(folder):
            yield found
