"""The numbered folders of a run's checkpoints: put in place complete, newest first, older ones removed."""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from regard.checkpoints.reading import MANIFEST, Damage, is_whole
from regard.checkpoints.writing import manifest_of, take, write
from regard.replacing import sync_folder

NUMBERED = re.compile(r"(\d{8,15})(\.old)?", re.ASCII)
PARTIAL = ".partial-"  # prefix of folders that are being written or removed

Found = TypeVar("Found")


def newest(folder: str | os.PathLike[str], read: Callable[[Path, int, tuple[str, ...]], Found]) -> Found:
    """What `read` makes of a run's newest intact checkpoint, and which newer ones are damaged, and how."""
    home = Path(folder) / "checkpoints"
    while True:
        places, passed_over = newest_first(home), []
        for step, place in places:
            try:
                return read(place, step, tuple(passed_over))
            except Damage as damage:
                passed_over.append(f"{place.name}: {damage}")
        if newest_first(home) == places:  # otherwise a trainer moved on while we were reading: look again
            break
    if not places:
        raise ValueError(f"there is no checkpoint in {folder}; training a model writes one there")
    tried = "; ".join(passed_over)
    raise ValueError(f"no checkpoint in {folder} is intact; tried {tried}; restore one from a copy, or train again")


class DamagedCheckpoint(UserWarning):
    """A run is opened at another update than it should be, because that update's checkpoint is damaged."""


def fallback_notes(passed_over: Iterable[str], step: int) -> tuple[str, ...]:
    """What to say about damaged checkpoints when another one is used.

    >>> fallback_notes(["00000006: missing: model.safetensors"], 4)
    ('damaged checkpoint 00000006: missing: model.safetensors; update 4 is used instead',)
    """
    return tuple(f"damaged checkpoint {line}; update {step:,} is used instead" for line in passed_over)


def newest_first(home: Path) -> list[tuple[int, Path]]:
    """Every numbered folder with its step. `.old` is one that a second save of the same step was about to replace."""
    if not home.is_dir():
        return []
    matches = [match for name in os.listdir(home) if (match := NUMBERED.fullmatch(name))]
    found = [(int(m[1]), not m[2], m[0]) for m in matches if m[1] == name_of(int(m[1]))]
    return [(step, home / name) for step, _, name in sorted(found, reverse=True)]


def name_of(step: int) -> str:
    return f"{step:08d}"


def refuse_to_go_back(home: Path, step: int) -> None:
    """A new run in a used folder would be lost: the old run's higher steps would be loaded instead."""
    for later, place in newest_first(home):
        if later > step and is_whole(place, later):
            raise ValueError(
                f"{home} holds step {later}, so step {step} would never be loaded again; "
                "resume from there, or choose another folder"
            )


def put(
    home: Path,
    step: int,
    contents: Mapping[str, Iterable[bytes | memoryview]],
    shards: Mapping[str, Path] | None = None,
) -> Path:
    """Write a folder beside the others, force it to disk, then name it. Shards are files already written elsewhere."""
    place, partial = home / name_of(step), home / f"{PARTIAL}{name_of(step)}"
    try:
        os.mkdir(partial)
        listed = {name: write(partial / name, pieces) for name, pieces in contents.items()}
        listed |= {name: take(partial / name, written) for name, written in (shards or {}).items()}
        write(partial / MANIFEST, [manifest_of(step, listed)])
        sync_folder(partial)
        if os.path.lexists(place):
            _step_aside(place, step)
        os.rename(partial, place)
        sync_folder(home)
    finally:
        if os.path.lexists(partial):
            with suppress(OSError):  # report the error that brought us here; the next save tries again
                remove(partial)
    return place


def _step_aside(place: Path, step: int) -> None:
    """Make room for a second save of one step, removing nothing yet: `load` knows the name of what was set aside."""
    old = place.with_name(f"{place.name}.old")
    if not os.path.lexists(old):
        os.rename(place, old)
    elif is_whole(place, step):
        remove(old)
        os.rename(place, old)
    else:  # the one set aside before may be the better one
        os.rename(place, place.with_name(f"{PARTIAL}damaged-{place.name}"))


def remove_older(home: Path, step: int, keep: int, best: int | None = None) -> None:
    """Rename what can go; the best may stay. Only intact ones count as kept, so they are read: one may be damaged."""
    whole = 1
    for earlier, place in newest_first(home):
        if earlier > step or place.name == name_of(step) or earlier == best != step:
            continue
        if earlier == step or whole >= keep:
            # renamed first, so that a half-removed folder is never taken for a damaged checkpoint
            os.rename(place, home / f"{PARTIAL}{place.name}")
        elif is_whole(place, earlier):
            whole += 1


def remove_leftovers(home: Path) -> None:
    """What dead writers left behind (we hold the lock, so none is alive), and what we have just renamed."""
    for name in os.listdir(home):
        if name.startswith(PARTIAL):
            remove(home / name)


def remove(place: Path) -> None:
    if place.is_symlink() or not place.is_dir():
        os.unlink(place)
        return
    for entry in list(os.scandir(place)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
    os.rmdir(place)
