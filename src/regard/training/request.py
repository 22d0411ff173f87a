"""What somebody asks to be trained, and the plan it makes: checked before anything is read, written or computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.strangers import refuse_all_but_files_and_folders
from regard.training.embeddings import check_width
from regard.training.folder import OWN, holds_a_run, refuse_what_is_not_ours
from regard.training.logs import check_logs
from regard.training.memory import check_that_it_fits
from regard.training.presets import Plan, preset, values_of
from regard.training.processes import ALONE, Processes, restarts
from regard.training.tasks import task_of
from regard.vectors.finding import find_vectors
from regard.vectors.wordvectors import WordVectors

PRESET, TASK = "small", "next"  # unless others are asked for


@dataclass(frozen=True)
class Request:
    """A text, a folder, and how the model is to be trained. Nobody asked for what is None."""

    paths: tuple[Path, ...]
    folder: Path
    preset: str | None = None
    settings: tuple[str, ...] = ()  # as they are written: "width=64"
    task: str | None = None
    resume: bool = False
    tensorboard: bool = False
    embeddings: Path | None = None  # word vectors to begin with

    @property
    def resumes(self) -> bool:
        """Whether a run goes on: it was asked to, or torchrun has started it again."""
        return self.resume or (restarts() > 0 and holds_a_run(self.folder))

    def check(self, processes: Processes = ALONE) -> None:
        """Say what is wrong with it, if anything is."""
        check_logs(self.tensorboard)
        refuse_all_but_files_and_folders(self.folder, sorted(OWN))
        learned = task_of(self.task or TASK)
        if self.resumes:
            self.changes()
        else:
            refuse_what_is_not_ours(self.folder, self.paths)
            check_that_it_fits(self.plan(), learned, processes)
            if (vectors := self.vectors()) is not None:
                check_width(vectors, self.plan().sizes.width)

    def vectors(self) -> WordVectors | None:
        """The word vectors that a new run begins with, if any are named."""
        return None if self.embeddings is None else find_vectors(self.embeddings)

    def plan(self) -> Plan:
        """The plan of a new run."""
        return planned(self.preset, self.task, self.settings)

    def changes(self) -> Mapping[str, Any]:
        """What a resumed run is asked to be from now on."""
        asked = values_of(self.settings)
        return asked if self.preset is None else {**preset(self.preset).data(), **asked}


def planned(name: str | None, task: str | None, settings: Sequence[str]) -> Plan:
    """The preset, what the task needs, what was set: each changes what stands before it."""
    return preset(name or PRESET).changed(task_of(task or TASK).sizes).changed(values_of(settings))
