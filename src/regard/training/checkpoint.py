"""Checkpoints of a run: whole or not at all, and never believed without looking.

    FOLDER/checkpoints/00001200/
        config.json           what was trained, as the caller describes it
        model.safetensors     the parameters
        tokenizer.json        where there is one
        training.safetensors  the optimiser's numbers, the states of random generators
        training-00001-of-00002.safetensors  the optimiser's numbers of one process, where each has a part of the model
        training.json         the step, and the caller's state: position in the data, losses, …
        manifest.json         size and SHA-256 of every other file

A checkpoint is written beside the others under another name, forced to the disk and then renamed, so a numbered folder
is a finished one. A disk can still lose or change bits later, and neither safetensors nor torch would notice; so all
is compared with the manifest when it is read, and the newest checkpoint that is whole is used. Nothing in it is run.
"""

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from regard.checkpoints.places import newest, put, refuse_to_go_back, remove_leftovers, remove_older
from regard.checkpoints.reading import MOST_TOKENIZER, SHARD, Damage, compare, listed_in, parsed, verified
from regard.checkpoints.writing import MOST_JSON, Listed, a_dict, json_bytes
from regard.replacing import sync_folder
from regard.training.lock import folder_lock
from regard.training.tensors import Tensors, safetensors_pieces, small_tensors, tensors_of

# isort: split
# what stood in this file before it was split; its tests still find it here
from regard.checkpoints.places import newest_first as _newest_first  # noqa: F401
from regard.checkpoints.places import remove as _remove  # noqa: F401
from regard.checkpoints.reading import NEEDED  # noqa: F401
from regard.checkpoints.reading import Damage as _Damage  # noqa: F401
from regard.checkpoints.reading import is_whole as _is_whole  # noqa: F401
from regard.checkpoints.writing import manifest_of as _manifest  # noqa: F401
from regard.training.randomness import random_state, restore_random_state  # noqa: F401
from regard.training.tensors import TYPES  # noqa: F401
from regard.training.tensors import safetensors_pieces as _safetensors  # noqa: F401
from regard.training.tensors import tensors_of as _tensors  # noqa: F401


@dataclass(frozen=True)
class Checkpoint:
    """What was saved at one step, and which newer checkpoints were passed over because they are damaged."""

    step: int
    config: dict[str, Any]
    model: Tensors
    training: Tensors
    state: dict[str, Any]
    tokenizer: bytes | None
    path: Path
    passed_over: tuple[str, ...] = ()


def save(
    folder: str | os.PathLike[str],
    step: int,
    config: Mapping[str, Any],
    model: Mapping[str, torch.Tensor],
    training: Mapping[str, torch.Tensor],
    state: Mapping[str, Any],
    tokenizer: bytes | None = None,
    keep: int = 2,
    shards: Sequence[Path] = (),
    best: int | None = None,
) -> Path:
    """Keep a run at one step, and return where. When this returns, a crash or a power cut no longer loses it.

    The `keep` newest whole checkpoints stay; older ones go once this one is in place. If anything fails, the ones
    before are untouched. `config` and `state` are plain data as JSON has it; tuples come back as lists. `shards` are
    safetensors files that the processes of a run wrote on the same disk; they are moved in. The step `best` stays too.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = save(folder, 1200, {"width": 2}, {"E": torch.ones(3, 2)}, {}, {"loss": 0.5})
    ...     again = load(folder)
    >>> path.name, again.step, again.state, again.model["E"].shape
    ('00001200', 1200, {'loss': 0.5}, torch.Size([3, 2]))
    """
    _check_arguments(step, keep, tokenizer)
    contents: dict[str, Iterable[bytes | memoryview]] = {
        "config.json": [json_bytes(a_dict(config, "config"), "config")],
        "model.safetensors": safetensors_pieces(model, "model"),
        "training.safetensors": safetensors_pieces(training, "training"),
        "training.json": [json_bytes({"step": step, "state": a_dict(state, "state")}, "training")],
    }
    if tokenizer is not None:
        contents["tokenizer.json"] = [tokenizer]
    home = Path(folder) / "checkpoints"
    saved = False
    try:
        if not home.is_dir():
            os.makedirs(home)
            sync_folder(home.parent)
            sync_folder(home.parent.parent)
        with folder_lock(home):
            refuse_to_go_back(home, step)
            remove_leftovers(home)
            place = put(home, step, contents, shard_names(shards))
            saved = True
            remove_older(home, step, keep, best)
            remove_leftovers(home)
    except OSError as error:
        raise OSError(error.errno or errno.EIO, _failure(folder, step, saved, error)) from error
    return place


def _check_arguments(step: int, keep: int, tokenizer: bytes | None) -> None:
    if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step < 10**15:
        raise ValueError(f"a step expects a whole number from 0 on, got {step!r}")
    if keep < 2:
        raise ValueError(f"keep expects at least 2 checkpoints, so that one may be damaged, got {keep}")
    if tokenizer is not None and len(tokenizer) > MOST_TOKENIZER:
        raise ValueError(f"the tokenizer has {len(tokenizer)} bytes; at most {MOST_TOKENIZER} can be saved")


def shard_names(shards: Sequence[Path]) -> dict[str, Path]:
    return {f"training-{i:05d}-of-{len(shards):05d}.safetensors": shard for i, shard in enumerate(shards, start=1)}


def load(folder: str | os.PathLike[str]) -> Checkpoint:
    """The newest whole checkpoint of a run. `passed_over` says which newer ones are damaged, and how.

    If none is whole, a ValueError says what was tried. All tensors are on the CPU.
    """
    return newest(folder, _read)


def load_small(folder: str | os.PathLike[str]) -> Checkpoint:
    """The same, found whole, but without its large tensors: of these each process then reads its part."""
    return newest(folder, _read_small)


def _failure(folder: str | os.PathLike[str], step: int, saved: bool, error: OSError) -> str:
    cause = f"{error.strerror or error}" + (f" ({error.filename})" if error.filename else "")
    if saved:
        return f"step {step} is saved in {folder}, but an older checkpoint could not be removed: {cause}"
    return f"step {step} could not be saved in {folder}: {cause}; what was saved before is untouched"


def _read(place: Path, step: int, passed_over: tuple[str, ...]) -> Checkpoint:
    listed = listed_in(place, step)
    found = _read_plain(place, step, passed_over, listed)
    model = tensors_of(verified(place, "model.safetensors", listed), "model.safetensors")
    training = tensors_of(verified(place, "training.safetensors", listed), "training.safetensors")
    if shards := list(filter(SHARD.fullmatch, listed)):
        from regard.training.shard_files import put_together

        for name in shards:
            compare(place, name, listed)
        training |= put_together(place, {*model, *training})
    return replace(found, model=model, training=training)


def _read_small(place: Path, step: int, passed_over: tuple[str, ...]) -> Checkpoint:
    listed = listed_in(place, step)
    for name in listed:
        compare(place, name, listed)
    return replace(_read_plain(place, step, passed_over, listed), training=small_tensors(place, "training.safetensors"))


def _read_plain(place: Path, step: int, passed_over: tuple[str, ...], listed: Listed) -> Checkpoint:
    training = parsed(verified(place, "training.json", listed, MOST_JSON), "training.json")
    if set(training) != {"step", "state"} or training["step"] != step or not isinstance(training["state"], dict):
        raise Damage(f"training.json is not that of step {step}")
    return Checkpoint(
        step=step,
        config=parsed(verified(place, "config.json", listed, MOST_JSON), "config.json"),
        model={},
        training={},
        state=training["state"],
        tokenizer=verified(place, "tokenizer.json", listed, MOST_TOKENIZER) if "tokenizer.json" in listed else None,
        path=place,
        passed_over=passed_over,
    )
