"""A run while it is trained: alone in its folder, and connected to the other processes where there are several."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from regard.training.lock import folder_lock
from regard.training.vectors.run import Run, begin, resumed
from regard.training.vectors.settings import Settings


@dataclass(frozen=True)
class Request:
    """A text, a folder and how to learn; or the folder of a run to resume, which knows the rest."""

    paths: Sequence[Path | str]
    folder: Path
    settings: Settings
    resume: bool = False

    def run(self) -> Run:
        return resumed(self.folder) if self.resume else begin(self.paths, self.folder, self.settings)


@contextmanager
def underway(request: Request) -> Iterator[Run]:
    """Begin what is asked for, or resume it. What each of several processes needs, it reads from the run's folder."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        with folder_lock(request.folder):
            yield request.run()
        return
    from regard.training.processes import joined
    from regard.training.vectors.together import share_of

    with joined() as processes, ExitStack() as held:
        processes.first_does(lambda: (held.enter_context(folder_lock(request.folder)), request.run()))
        run = processes.each_does(lambda: resumed(request.folder))
        run.share = share_of(processes, run.learner)
        yield run
