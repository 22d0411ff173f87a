"""A run while it is trained: connected to its processes, alone in its folder, and saved when somebody stops it.

with underway(request) as training:
    for report in training.reports():
        print(report.update, report.loss)
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from regard.training.lock import folder_lock
from regard.training.logs import Logs, logs
from regard.training.loop import NotANumber, Report
from regard.training.processes import Lost, Processes, found, joined, launched_here
from regard.training.request import TASK, Request
from regard.training.run import TrainingRun, begin, begin_together, resumed
from regard.training.stopping import Stop, stopping
from regard.training.tasks import task_of

INTERRUPTED, MISUSED = 130, 2  # exit codes of processes that leave it to another one to say why


class StoppedAtOnce(Exception):
    """Ctrl-C for the second time: nothing more is saved."""


@dataclass(frozen=True)
class Underway:
    """A run, and whether somebody has asked it to stop."""

    run: TrainingRun
    stop: Stop
    log: Logs

    def reports(self) -> Iterator[Report]:
        """One for each update, until the run ends or is stopped; what a stopped run has learned is saved."""
        for report in self.run.reports():
            self.log.write(report)
            yield report
            if self.stop.agreed(self.run.trainer.processes.most):
                break
        if self.stopped:
            self.run.save()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before its end."""
        return bool(self.stop) and not self.run.ended

    @property
    def exit_code(self) -> int:
        return self.stop.exit_code if self.stopped else 0


@contextmanager
def underway(request: Request) -> Iterator[Underway]:
    """Begin what is asked for, or resume it, in each process of the run. Errors say what the folder still holds."""
    good = f"what {request.folder} holds was saved before and is good"
    try:
        with joined() as us, ExitStack() as held:
            run = _started(request, us, held)
            log = held.enter_context(logs(request.folder, request.tensorboard and us.first, run.updates))
            yield Underway(run, held.enter_context(stopping()), log)
    except KeyboardInterrupt as error:
        if not found().first:
            raise SystemExit(INTERRUPTED) from error
        raise StoppedAtOnce(f"stopped at once; {good}") from error
    except NotANumber as error:  # in all processes at once, since they have the same numbers
        if not found().first:
            raise SystemExit(MISUSED) from error
        raise ValueError(f"{error}; {good}") from error
    except Lost as error:
        if launched_here():
            raise SystemExit(MISUSED) from error
        raise ValueError(f"{error}; {good}, and --resume continues from there") from error


def _started(request: Request, us: Processes, held: ExitStack) -> TrainingRun:
    """A new run, or the one that was stopped; nobody else may train in its folder meanwhile."""
    us.first_does(lambda: request.check(us))
    resumes = us.told(request.resumes)
    if resumes:
        us.first_does(lambda: held.enter_context(folder_lock(request.folder)))
        return resumed(request.folder, request.paths, request.task, request.changes(), us)
    task, plan = task_of(request.task or TASK), request.plan()
    text = us.first_does(lambda: task.read(request.paths))
    us.first_does(lambda: held.enter_context(folder_lock(request.folder)))
    vectors = us.first_does(request.vectors)
    if us.count > 1:
        return begin_together(task, text, request.paths, request.folder, plan, us, vectors)
    assert text is not None
    return begin(task, text, request.paths, request.folder, plan, embeddings=vectors)
