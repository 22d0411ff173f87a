"""What a training run shows while it goes: a bar in a terminal, and lines that stay."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from regard.suggestions import command

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from regard.training.loop import Report
    from regard.training.run import TrainingRun

EVERY = 2.0  # seconds between lines where there is no bar


class Shown:
    """A screen to write on while something takes long: a bar in a terminal, and lines that stay."""

    bar: "Bar | None" = None

    def __init__(self, plain: bool, quiet: bool = False):
        from regard.cli.output import console_for

        self.terminal = sys.stdout.isatty() and not plain and not quiet
        self.readers_left = False
        self.console = console_for(color=self.terminal, quiet=quiet)

    def _line(self, text: str, style: str = "") -> None:
        from rich.text import Text

        from regard.views.harmless import harmless

        with self._whatever_becomes_of_the_terminal():
            self.console.print(Text(harmless(text), style), soft_wrap=True)
            if not self.bar:
                self.console.file.flush()

    @contextmanager
    def _whatever_becomes_of_the_terminal(self) -> Iterator[None]:
        """A closed window, a full disk behind a log or a reader that left must not cost what was learned."""
        from regard.cli.output import NobodyReads

        try:
            yield
        except (NobodyReads, BrokenPipeError):
            self.readers_left = self.console.quiet = True
        except OSError:
            self.console.quiet = True

    def __enter__(self) -> Self:
        if self.bar:
            with self._whatever_becomes_of_the_terminal():
                self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar:
            with self._whatever_becomes_of_the_terminal():
                self.bar.stop()


class Progress(Shown):
    """Prints the run as it is made, every evaluation with a sample, and the speed and time left in between."""

    def __init__(self, run: "TrainingRun", plain: bool):
        super().__init__(plain, quiet=not run.trainer.processes.first)  # the others do the same in silence
        self.run, self.began, self.first = run, time.monotonic(), run.updates
        self.lined = 0.0
        self.bar = self._bar() if self.terminal else None
        self._say_what_begins()

    def _bar(self) -> "Bar":
        from rich import progress

        # short enough for the ^C that a terminal writes behind it: on a full line it would wrap, and the bar stay
        room = max(4, min(40, self.console.width - 56))
        bar = progress.Progress(
            progress.BarColumn(room), progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[said]}"), progress.TimeRemainingColumn(compact=True),
            progress.TextColumn("left"), console=self.console, transient=True,
        )  # fmt: skip
        bar.add_task("", total=self.run.plan.training.updates, completed=self.first, said="")
        return bar

    def _say_what_begins(self) -> None:
        run, sizes, training = self.run, self.run.plan.sizes, self.run.plan.training
        learned, held_out = (run.task.counted(side) for side in (run.tokens.learned, run.tokens.held_out))
        self._line(f"{run.source.name}: {learned} to learn from, {held_out} held out; vocabulary {run.bpe.size:,}")
        if run.classes:
            self._line(
                f"{len(run.classes)} classes: {', '.join(run.classes[:12])}{', …' if len(run.classes) > 12 else ''}"
            )
        self._line(
            f"{sizes.layers} layers × {sizes.heads} heads × width {sizes.width}: {run.trainer.network.size:,} numbers; "
            f"{training.updates:,} updates of {training.batch * training.accumulate:,} × {training.window} tokens"
            + (f", resumed after {self.first:,}" if self.first else "")
        )
        for note in run.notes:
            self._line(note)

    def show(self, report: "Report") -> None:
        with self._whatever_becomes_of_the_terminal():
            self._show(report)

    def _show(self, report: "Report") -> None:
        if self.bar:
            said = f"loss {report.loss:.3f}  {report.tokens_per_second:,.0f} tokens/s"
            self.bar.update(self.bar.task_ids[0], completed=report.update, said=said)
        due = not self.bar and time.monotonic() - self.lined >= EVERY
        if report.validation or due or report.update == self.first + 1:
            self.lined = time.monotonic()
            self._line(self._told(report))
        if report.validation:
            self._sample()

    def _told(self, report: "Report") -> str:
        updates = self.run.plan.training.updates
        passed = (time.monotonic() - self.began) / max(1, report.update - self.first)
        left = round(passed * (updates - report.update))
        held_out = "".join(f"  held out {self._measured(loss)}" for loss in report.validation.values())
        return (
            f"update {report.update:>{len(str(updates))}}/{updates}  loss {report.loss:.3f}{held_out}  "
            f"{report.tokens_per_second:,.0f} tokens/s  {left // 60}:{left % 60:02d} left"
        )

    def _measured(self, loss: float) -> str:
        bits = self.run.bits_per_character(loss)
        return f"{loss:.3f}" if bits is None else f"{loss:.3f} ({bits:.2f} bits per character)"

    def _sample(self) -> None:
        text = self.run.sample()
        self._line("  " + "".join(c if c.isprintable() else " " for c in text), "dim")

    def end(self, stopped: bool) -> None:
        run = self.run
        if stopped and not run.ended:
            resume = command("regard", "train", "--resume", str(run.folder))
            self._line(f"stopped after update {run.updates:,} and saved; continue with: {resume}")
            return
        patience = run.patience
        if patience.best is not None:
            early = f"stopped early, after {patience.since} evaluations that were not better; " if patience.over else ""
            measured = self._measured(patience.loss)
            self._line(f"{early}update {patience.best:,} is the best, held out {measured}: --model opens it")
        explain = command("regard", "explain", "--model", str(run.folder), "--", run.sentence)
        self._line(f"saved in {run.folder}; look inside with: {explain}")
