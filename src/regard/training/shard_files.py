"""What several processes hold, each its part, as safetensors files: written and read by torch.distributed.checkpoint.

Its usual files are pickles, which may run anything when they are read; it can also write safetensors, and so it does
here. Every process writes its own file at the same time, and reads whatever parts it needs, however many wrote them.
"""

import errno
import math
import shutil
import warnings
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

import torch
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageReader, HuggingFaceStorageWriter
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save

from regard.checkpoints.reading import Damage
from regard.training.processes import Processes
from regard.training.tensors import Tensors


def write_shards(folder: Path, tensors: Mapping[str, torch.Tensor], processes: Processes) -> list[Path]:
    """Every process writes its parts into the folder, which is made anew. The first is told all the files."""
    processes.first_does(lambda: _made_anew(folder))
    if not tensors:
        return []
    try:
        writer = HuggingFaceStorageWriter(str(folder), save_distributed=True)
        save(dict(tensors), storage_writer=writer)
    except CheckpointException as error:  # on every process, whichever of them could not write
        causes = {rank: cause for rank, (cause, _) in error.failures.items()}
        processes.first_does(lambda: _give_up(folder, causes))
    return processes.first_does(lambda: _files(folder, tensors)) or []


def _made_anew(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def _give_up(folder: Path, causes: Mapping[int, BaseException]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    rank, cause = min(causes.items(), key=lambda one: one[0])
    why = f"process {rank} could not write its part: {getattr(cause, 'strerror', None) or cause}"
    raise OSError(getattr(cause, "errno", None) or errno.EIO, f"{why}; what was saved before is untouched")


def _files(folder: Path, tensors: Mapping[str, torch.Tensor]) -> list[Path]:
    found = sorted(folder.glob("*.safetensors"))
    sizes = described(folder)
    if missing := [name for name, t in tensors.items() if name not in sizes or not _is_covered(sizes[name], t.shape)]:
        raise ValueError(
            f"the parts of {missing[0]} are not all in {folder}; the run's folder must lie on a disk that every "
            f"machine shares"
        )
    return found


def described(folder: Path) -> dict[str, TensorStorageMetadata]:
    """The tensors that lie in the files of a folder: their sizes, and the parts they come in."""
    entries = HuggingFaceStorageReader(str(folder)).read_metadata().state_dict_metadata
    return {name: entry for name, entry in entries.items() if isinstance(entry, TensorStorageMetadata)}


def _is_covered(entry: TensorStorageMetadata, shape: Sequence[int]) -> bool:
    parts = sum(math.prod(chunk.sizes) for chunk in entry.chunks)
    return tuple(entry.size) == tuple(shape) and parts == math.prod(entry.size)


def put_together(place: Path, known: Container[str]) -> Tensors:
    """The whole tensors of a checkpoint that lie in shards, for a process that takes all of them."""
    split = {name: entry for name, entry in _described(place).items() if name not in known}
    for name, entry in split.items():  # sizes are compared before anything of these sizes is made
        if not _is_covered(entry, entry.size):
            raise Damage(f"the parts of {name[:60]} do not make a whole")
    tensors = {name: torch.empty(entry.size, dtype=entry.properties.dtype) for name, entry in split.items()}
    _read(place, tensors)
    return tensors


def read_parts(place: Path, parameters: Mapping[str, torch.Tensor]) -> tuple[Tensors, Tensors]:
    """This process's parts of the parameters and of what the optimiser remembered, split as the parameters are."""
    model: Tensors = {}
    training: Tensors = {}
    for written, entry in _described(place).items():
        name = written.removeprefix("optimiser.").rpartition(".")[0] if written.startswith("optimiser.") else written
        if name not in parameters or not len(entry.size):
            continue
        if tuple(entry.size) != tuple(parameters[name].shape):
            raise ValueError(f"{written} was saved as {tuple(entry.size)}; this model has {parameters[name].shape}")
        target = model if name == written else training
        target[written] = torch.empty_like(parameters[name], dtype=entry.properties.dtype)
    _read(place, {**model, **training})
    return model, training


def _described(place: Path) -> dict[str, TensorStorageMetadata]:
    try:
        return described(place)
    except Exception as error:  # as many kinds as the safetensors library has
        raise Damage(f"its tensors cannot be read: {str(error)[:80]}") from error


def _read(place: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    with warnings.catch_warnings():  # it warns when there is only one process, which is how it may be
        warnings.filterwarnings("ignore", message="torch.distributed is disabled")
        load(dict(tensors), storage_reader=HuggingFaceStorageReader(str(place)))
