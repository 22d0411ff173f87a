"""`regard train PATH`: a small model learns your text; then look inside it."""

import os
from pathlib import Path
from typing import Annotated

import typer


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
    from regard.cli.training import Wish

    folder = out or Path("runs") / (paths[0].resolve().name.split(".")[0] or "text")
    wish = Wish(paths, folder, preset, set or [], task, resume, tensorboard, plain)
    if processes > 1:
        from regard.training.launch import launch

        wish.planned()  # what is wrong with it is said once, and now
        raise typer.Exit(launch(_in_each_process(context.obj), processes))
    raise typer.Exit(wish.carried_out())


def _in_each_process(arguments: list[str]) -> list[str]:
    """The command as each process is started with it.

    >>> _in_each_process(["train", "--processes", "2", "notes.txt", "--resume"])
    ['train', 'notes.txt', '--resume']
    """
    joined = [a for a in arguments if not a.startswith("--processes=")]
    at = joined.index("--processes") if "--processes" in joined else len(joined)
    return joined[:at] + joined[at + 2 :]
