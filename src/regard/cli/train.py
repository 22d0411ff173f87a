"""`regard train PATH`: a small model learns your text; then look inside it."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import RUNS
from regard.cli.output import CLOSED_PIPE, ink_for, outlive_the_reader, say, write
from regard.suggestions import command as command_for


def command(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Texts (.txt, .md, .xz) or folders of them.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Model size: toy, small or gpt2.  [default: small]")] = None,
    set: Annotated[list[str] | None, typer.Option(help="Change a setting: width=64, updates=2000, rate=1e-3.")] = None,
    settings: Annotated[bool, typer.Option("--settings", help="List every setting with its value, and stop.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder of the run.  [default: runs/NAME]")] = None,
    task: Annotated[str | None, typer.Option(help="What to learn: next, masked or classify.  [default: next]")] = None,
    embeddings: Annotated[
        Path | None, typer.Option(help="Word vectors to begin with: a file, or a run of regard vectors train.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in this folder.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="Processes on this machine, usually one per GPU.")] = 1,
    film: Annotated[
        bool, typer.Option("--film", help="Look at all heads every 50 updates; regard film shows it.")
    ] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write logs for TensorBoard.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print plain lines, without colour or a bar.")] = False,
    list: Annotated[bool, typer.Option("--list", help="List what is being trained in ./runs, and stop.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Ask the trainer of this run to save and stop.")] = False,
) -> None:
    """Train a model on your own text, with checkpoints, samples and a held-out part."""
    if list or stop:
        for line in _stopped(paths or ()) if stop else _listed(paths or [Path(RUNS)]):
            say(line)
        return
    # threads that wait for each other by spinning make a shared core twenty times slower; must be said before torch
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import torch as _  # noqa: F401
    except ImportError:
        raise ValueError("training needs torch; install it with: pip install 'regard[train]'") from None
    from regard.cli.progress import Progress
    from regard.training.folder import chosen
    from regard.training.presets import settings_listed
    from regard.training.processes import Processes
    from regard.training.request import Request, planned
    from regard.training.underway import INTERRUPTED, StoppedAtOnce, underway

    outlive_the_reader()
    set = [*(["film_every=50"] if film else []), *(set or ())]
    if settings:
        from regard.views.layout import beside

        ink = ink_for(None, plain)
        for name, value, about in settings_listed(planned(preset, task, set)):
            write(beside((f"{name:<17} {value:<12} ", ""), about, ink), plain)
        return
    texts, folder = chosen(paths or (), out, resume)
    request = Request(texts, folder, preset, tuple(set), task, resume, tensorboard, embeddings)
    if processes > 1:
        from regard.training.launch import launch

        request.check(Processes(count=processes, here=processes))  # what is wrong with it is said once, and now
        raise typer.Exit(launch(in_each_process(context.obj), processes))
    try:
        with underway(request) as training:
            with Progress(training.run, plain) as progress:
                for report in training.reports():
                    progress.show(report)
                    if progress.readers_left:
                        training.stop.ask(CLOSED_PIPE)
            progress.end(training.stopped)
    except StoppedAtOnce as stopped:
        say(f"regard: {stopped}", error=True)
        raise typer.Exit(INTERRUPTED) from None
    raise typer.Exit(training.exit_code)


def _listed(folders: Sequence[Path]) -> Iterator[str]:
    from regard.training.running import running_in

    found = [running.told for folder in folders for running in running_in(folder)]
    yield from found or [f"nothing is being trained in {', '.join(map(str, folders))}"]


def _stopped(folders: Sequence[Path]) -> Iterator[str]:
    from regard.training.running import running

    if not folders:
        raise ValueError("say which run to stop: regard train --stop runs/NAME; regard train --list lists them")
    for folder in folders:
        found = running(folder)
        if found is None:
            raise ValueError(f"nobody is training in {folder}; regard train --list says what is being trained")
        found.stop()
        yield f"process {found.process} saves {folder} and stops"
        found.wait()
        yield f"it has stopped; continue with: {command_for('regard', 'train', '--resume', str(folder))}"


def in_each_process(arguments: list[str]) -> list[str]:
    """The command as each process is started with it.

    >>> in_each_process(["train", "--processes", "2", "notes.txt", "--resume"])
    ['train', 'notes.txt', '--resume']
    """
    joined = [a for a in arguments if not a.startswith("--processes=")]
    at = joined.index("--processes") if "--processes" in joined else len(joined)
    return joined[:at] + joined[at + 2 :]
