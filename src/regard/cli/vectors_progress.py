"""What training word vectors shows while it goes: words per second, and the time that is left."""

import time
from typing import TYPE_CHECKING

from regard.cli.progress import EVERY, Shown
from regard.suggestions import command

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from regard.training.vectors.loop import Report
    from regard.training.vectors.run import Run


class VectorsProgress(Shown):
    """Prints what is learned from, how fast, and where the vectors are in the end."""

    def __init__(self, run: "Run", plain: bool):
        super().__init__(plain, quiet=run.share.rank > 0)
        self.run, self.lined = run, 0.0
        settings, text = run.settings, run.text
        self.bar = self._bar() if self.terminal else None
        self._line(
            f"{text.length:,} words, {len(text.words):,} different ones; {settings.kind}, width {settings.width}, "
            f"window {settings.window}, {settings.epochs} epochs"
            + (f", resumed after block {run.blocks:,}" if run.blocks else "")
        )
        for note in run.notes:
            self._line(note)

    def _bar(self) -> "Bar":
        from rich import progress

        return progress.Progress(
            progress.BarColumn(max(4, min(40, self.console.width - 56))), progress.TaskProgressColumn(),
            progress.TextColumn("{task.fields[said]}"), console=self.console, transient=True,
        )  # fmt: skip

    def show(self, report: "Report") -> None:
        with self._whatever_becomes_of_the_terminal():
            said = self._told(report)
            if self.bar:
                if not self.bar.task_ids:
                    self.bar.add_task("", total=report.total, said="")
                self.bar.update(self.bar.task_ids[0], completed=report.done, said=said)
            elif time.monotonic() - self.lined >= EVERY or report.done == report.total:
                self.lined = time.monotonic()
                self._line(f"{100 * report.done / report.total:5.1f} %  {said}")

    def _told(self, report: "Report") -> str:
        left = round((report.total - report.done) / report.per_second)
        return f"{report.per_second:,.0f} {self.run.unit}/s  {left // 60}:{left % 60:02d} left"

    def end(self) -> None:
        run = self.run
        if run.ended:
            look = command("regard", "vectors", "near", str(run.folder), run.text.words[0])
            self._line(f"saved in {run.result_file}; look inside with: {look}")
        else:
            again = command("regard", "vectors", "train", "--resume", str(run.folder))
            self._line(f"stopped and saved; continue with: {again}")
