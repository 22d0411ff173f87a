"""The folder of a run: which one is meant, whether it holds a run, and that nothing of anybody else's is touched."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

CHECKPOINTS, TOKENS, LOSSES = "checkpoints", "tokens", "losses.jsonl"
FILM = "film.safetensors"
SHARDS = ".shards"  # where several processes write their parts before the first moves them into a checkpoint
# all that a run, its lock, its logs and the server that started it write there
OWN = {CHECKPOINTS, TOKENS, LOSSES, f".{LOSSES}", FILM, SHARDS, ".lock", "tensorboard", "train.log"}


def chosen(paths: Sequence[Path], out: Path | None, resume: bool) -> tuple[tuple[Path, ...], Path]:
    """The texts and the folder that a command line means; to resume, the folder alone is enough, as a path or `out`.

    >>> [str(part) for part in chosen([Path("books/notes.txt")], None, resume=False)[1].parts]
    ['runs', 'notes']
    """
    if out is None and resume and len(paths) == 1 and holds_a_run(paths[0]):
        return (), paths[0]
    if out is None and not paths:
        what = "run to resume: regard train --resume runs/NAME" if resume else "text to learn from: regard train PATH"
        raise ValueError(f"give the {what}")
    if not paths and not resume:
        raise ValueError("give the text to learn from: regard train PATH; or --resume a run that has one")
    return tuple(paths), out or Path("runs") / (paths[0].resolve().name.split(".")[0] or "text")


def holds_a_run(folder: Path) -> bool:
    home = folder / CHECKPOINTS
    return home.is_dir() and any(name[0] != "." for name in os.listdir(home))


def refuse_what_is_not_ours(folder: Path, texts: Sequence[Path], own: Collection[str] = OWN) -> None:
    """A new run begins in a folder that holds nothing, except what an earlier start left and the texts themselves."""
    if holds_a_run(folder):
        raise ValueError(f"{folder} already holds a run; resume it with --resume, or choose another folder with --out")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, and a run needs a folder; choose another one with --out")
    there = set(os.listdir(folder)) if folder.is_dir() else set()
    texts_there = {text.name for text in texts if text.resolve().parent == folder.resolve()}
    if foreign := sorted(there - set(own) - texts_there):
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise ValueError(
            f"{folder} holds files that are not of a run ({foreign[0][:60]!r}{more}), so nothing is written there; "
            f"a run's folder holds what the run wrote alone: choose a new or empty one with --out"
        )
