"""Logs that TensorBoard shows: curves of a run, beside those of other runs. Made on request only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.utils.tensorboard.writer import SummaryWriter

    from regard.training.loop import Report

FOLDER = "tensorboard"  # in the run's folder: `tensorboard --logdir runs` shows all runs


class Logs:
    """Writes every report of a run; without a writer, nothing."""

    def __init__(self, writer: "SummaryWriter | None" = None):
        self.writer = writer

    def write(self, report: "Report") -> None:
        if self.writer is None:
            return
        numbers = {"loss": report.loss, "rate": report.rate, "tokens per second": report.tokens_per_second}
        numbers |= {f"held out/{name}": loss for name, loss in report.validation.items()}
        numbers |= {"gradient/all": report.gradient}
        numbers |= {f"gradient/{role}": size for role, size in report.roles.items()}
        for name, number in numbers.items():
            self.writer.add_scalar(name, number, report.update)


@contextmanager
def logs(folder: Path, wanted: bool, update: int) -> Iterator[Logs]:
    """Logs of a run that stands at an update: what was logged of later ones, before a kill, is no longer shown."""
    if not wanted:
        yield Logs()
        return
    writer = _writer_class()(str(folder / FOLDER), purge_step=update + 1)
    try:
        yield Logs(writer)
    finally:
        writer.close()


def check_logs(wanted: bool) -> None:
    """Say before anything is trained that the library is missing."""
    if wanted:
        _writer_class()


def _writer_class() -> "type[SummaryWriter]":
    try:
        from torch.utils.tensorboard.writer import SummaryWriter
    except ImportError:
        raise ValueError(
            "--tensorboard needs tensorboard; install it with: pip install 'regard[tensorboard]'"
        ) from None
    return SummaryWriter
