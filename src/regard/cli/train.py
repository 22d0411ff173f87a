"""`regard train PATH`: a small GPT learns your text; then look inside it."""

import os
from pathlib import Path
from typing import Annotated

import typer


def command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Texts (.txt, .md, .xz) or folders of them.")],
    preset: Annotated[str | None, typer.Option(help="toy, small (if nothing is said) or gpt2.")] = None,
    set: Annotated[list[str] | None, typer.Option(help="Change a setting: width=64, updates=2000, rate=1e-3.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/NAME, if nothing is said.")] = None,
    task: Annotated[str, typer.Option(help="What it learns to predict; so far only next, the next word.")] = "next",
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the run in this folder was stopped.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="No colour and no bar, only lines.")] = False,
) -> None:
    """Train a model on your own text, with checkpoints, samples and a held-out part."""
    if task != "next":
        raise ValueError(f"no task {task!r} yet; there is next, which predicts the next word")
    # threads that wait for each other by spinning make a shared core twenty times slower; must be said before torch
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import torch as _  # noqa: F401
    except ImportError:
        raise ValueError("training needs torch; install it with: pip install 'regard[train]'") from None
    from regard.cli.progress import Progress
    from regard.training import corpus
    from regard.training.lock import folder_lock
    from regard.training.loop import NotANumber
    from regard.training.presets import preset as preset_of
    from regard.training.presets import values_of
    from regard.training.run import begin, go_on, holds_a_run
    from regard.training.stopping import stopping

    values = values_of(set or ())
    folder = out or Path("runs") / (paths[0].resolve().name.split(".")[0] or "text")
    if resume and preset is not None:
        values = preset_of(preset).data() | values
    plan = preset_of(preset or "small").changed({} if resume else values)
    if not resume and holds_a_run(folder):
        raise ValueError(f"{folder} holds a run; --resume goes on with it, --out chooses another folder")
    text = None if resume else corpus.read(paths)
    with folder_lock(folder):
        run = go_on(paths, folder, values) if text is None else begin(text, folder, plan)
        with Progress(run, plain) as progress, stopping() as stop:
            try:
                for report in run.reports():
                    progress.show(report)
                    if stop:
                        break
                if stop and run.updates < run.plan.training.updates:
                    run.save()
            except NotANumber as error:
                raise ValueError(f"{error}; what {folder} holds was saved before and is good") from error
        progress.end(bool(stop))
    if stop and run.updates < run.plan.training.updates:
        raise typer.Exit(stop.exit_code)
