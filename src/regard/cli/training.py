"""What `regard train` does, in each of its processes: plan, begin or go on, update, stop."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from regard.cli.progress import Progress
from regard.training.lock import folder_lock
from regard.training.logs import check_logs, logs
from regard.training.loop import NotANumber
from regard.training.presets import Plan, preset, values_of
from regard.training.processes import Lost, Processes, found, joined, launched_here, restarts
from regard.training.run import Run, begin, begin_together, go_on, holds_a_run
from regard.training.stopping import stopping
from regard.training.tasks import task_of

INTERRUPTED, MISUSED = 130, 2


@dataclass(frozen=True)
class Wish:
    """What was asked for on the command line."""

    paths: list[Path]
    folder: Path
    preset: str | None
    settings: list[str]
    task: str | None
    resume: bool
    tensorboard: bool
    plain: bool

    def planned(self) -> tuple[dict[str, Any], Plan, bool]:
        """The settings, and whether a run goes on: also when torchrun has started it anew."""
        goes_on = self.resume or (restarts() > 0 and holds_a_run(self.folder))
        values = values_of(self.settings)
        if goes_on and self.preset is not None:
            values = preset(self.preset).data() | values
        sizes = task_of(self.task or "next").sizes
        plan = preset(self.preset or "small").changed(sizes).changed({} if goes_on else values)
        if not goes_on and holds_a_run(self.folder):
            raise ValueError(f"{self.folder} holds a run; --resume goes on with it, --out chooses another folder")
        check_logs(self.tensorboard)
        return values, plan, goes_on

    def carried_out(self) -> int:
        """Train to the end, or until somebody stops it; the exit code."""
        good = f"what {self.folder} holds was saved before and is good"
        try:
            with joined() as us, ExitStack() as held:
                return self._updated(self._started(us, held), us)
        except KeyboardInterrupt:  # the second Ctrl-C
            if found().first:
                typer.echo(f"regard: stopped at once; {good}", err=True)
            return INTERRUPTED
        except NotANumber as error:  # in all processes at once, since they have the same numbers
            if not found().first:
                return MISUSED
            raise ValueError(f"{error}; {good}") from error
        except Lost as error:
            if launched_here():
                return MISUSED
            raise ValueError(f"{error}; {good}, and --resume goes on") from error

    def _started(self, us: Processes, held: ExitStack) -> Run:
        """A new run, or the one that was stopped; nobody else may train in its folder meanwhile."""
        values, plan, goes_on = us.agreed(self.planned)
        learns = task_of(self.task or "next")
        text = None if goes_on else us.first_does(lambda: learns.read(self.paths))
        us.first_does(lambda: held.enter_context(folder_lock(self.folder)))
        if goes_on:
            run = go_on(self.paths, self.folder, values, us)
            us.first_does(lambda: self._check_task(run))
            return run
        if us.count > 1 or not text:
            return begin_together(learns, text, self.paths, self.folder, plan, us)
        return begin(learns, text, self.folder, plan)

    def _updated(self, run: Run, us: Processes) -> int:
        with (
            stopping() as stop,
            Progress(run, self.plain) as progress,
            logs(self.folder, self.tensorboard and us.first, run.updates) as log,
        ):
            for report in run.reports():
                progress.show(report)
                log.write(report)
                stop.signal = us.most(stop.signal)
                if stop:
                    break
            if stop and not run.ended:
                run.save()
        progress.end(bool(stop))
        return stop.exit_code if stop and not run.ended else 0

    def _check_task(self, run: Run) -> None:
        if self.task not in (None, run.task.name):
            raise ValueError(
                f"{self.folder} learns the task {run.task.name}; {self.task} needs a folder of its own (--out)"
            )
