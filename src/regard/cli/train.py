"""`regard train PATH`: a small model learns your text; then look inside it."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from regard.training.presets import Plan


def command(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Texts (.txt, .md, .xz) or folders of them.")],
    preset: Annotated[str | None, typer.Option(help="toy, small (if nothing is said) or gpt2.")] = None,
    set: Annotated[list[str] | None, typer.Option(help="Change a setting: width=64, updates=2000, rate=1e-3.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/NAME, if nothing is said.")] = None,
    task: Annotated[str | None, typer.Option(help="next word (if nothing is said), masked words, or classify.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the run in this folder was stopped.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="So many processes on this machine; one for each GPU.")] = 1,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write logs for TensorBoard.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="No colour and no bar, only lines.")] = False,
) -> None:
    """Train a model on your own text, with checkpoints, samples and a held-out part."""
    # threads that wait for each other by spinning make a shared core twenty times slower; must be said before torch
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import torch as _  # noqa: F401
    except ImportError:
        raise ValueError("training needs torch; install it with: pip install 'regard[train]'") from None
    from regard.cli.progress import Progress
    from regard.training.lock import folder_lock
    from regard.training.logs import check_logs, logs
    from regard.training.loop import NotANumber
    from regard.training.presets import preset as preset_of
    from regard.training.presets import values_of
    from regard.training.processes import Lost, found, joined, launched_here, restarts
    from regard.training.run import begin, begin_together, go_on, holds_a_run
    from regard.training.stopping import stopping
    from regard.training.tasks import task_of

    folder = out or Path("runs") / (paths[0].resolve().name.split(".")[0] or "text")

    def planned() -> "tuple[dict[str, Any], Plan, bool]":
        """The settings, and whether a run goes on: also when torchrun has started it anew."""
        values, goes_on = values_of(set or ()), resume or (restarts() > 0 and holds_a_run(folder))
        if goes_on and preset is not None:
            values = preset_of(preset).data() | values
        learns = task_of(task or "next")
        plan = preset_of(preset or "small").changed(learns.sizes).changed({} if goes_on else values)
        if not goes_on and holds_a_run(folder):
            raise ValueError(f"{folder} holds a run; --resume goes on with it, --out chooses another folder")
        check_logs(tensorboard)
        return values, plan, goes_on

    if processes > 1:
        from regard.training.launch import launch

        planned()  # what is wrong with it is said once, and now
        raise typer.Exit(launch(_in_each_process(context.obj), processes))
    good = f"what {folder} holds was saved before and is good"
    try:
        with joined() as us, ExitStack() as held:
            values, plan, goes_on = us.agreed(planned)
            learns = task_of(task or "next")
            text = None if goes_on else us.first_does(lambda: learns.read(paths))
            us.first_does(lambda: held.enter_context(folder_lock(folder)))
            if goes_on:
                run = go_on(paths, folder, values, us)
                us.first_does(lambda: _check_task(task, run.task.name, folder))
            else:
                run = (
                    begin_together(learns, text, paths, folder, plan, us)
                    if us.count > 1 or not text
                    else begin(learns, text, folder, plan)
                )
            with (
                stopping() as stop,
                Progress(run, plain) as progress,
                logs(folder, tensorboard and us.first, run.updates) as log,
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
    except KeyboardInterrupt:  # the second Ctrl-C
        if found().first:
            typer.echo(f"regard: stopped at once; {good}", err=True)
        raise typer.Exit(130) from None
    except NotANumber as error:  # in all processes at once, since they have the same numbers
        if not found().first:
            raise typer.Exit(2) from error
        raise ValueError(f"{error}; {good}") from error
    except Lost as error:
        if launched_here():
            raise typer.Exit(2) from error
        raise ValueError(f"{error}; {good}, and --resume goes on") from error
    if stop and not run.ended:
        raise typer.Exit(stop.exit_code)


def _check_task(wanted: str | None, learned: str, folder: Path) -> None:
    if wanted not in (None, learned):
        raise ValueError(f"{folder} learns the task {learned}; {wanted} needs a folder of its own (--out)")


def _in_each_process(arguments: list[str]) -> list[str]:
    """The command as each process is started with it.

    >>> _in_each_process(["train", "--processes", "2", "notes.txt", "--resume"])
    ['train', 'notes.txt', '--resume']
    """
    joined = [a for a in arguments if not a.startswith("--processes=")]
    at = joined.index("--processes") if "--processes" in joined else len(joined)
    return joined[:at] + joined[at + 2 :]
