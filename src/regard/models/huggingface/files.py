"""Reading the files of a folder in Hugging Face's layout: plain files of bounded size, never run.

Links are followed within the folder and its download cache, which is made of them.
"""

import mmap
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np

from regard import strangers
from regard.checkpoints.reading import as_list, as_object, few, parsed
from regard.checkpoints.writing import MOST_JSON

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # as ops/narrow.py keeps them
MOST_FILES, MOST_AXES = 1000, 8
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")


@contextmanager
def opened(folder: Path, name: str, most: int | None = None) -> Generator[tuple[BufferedReader, int]]:
    """A plain file of the folder and its size, for as long as it is read."""
    try:
        with strangers.opened(folder, name, most, links_into=strangers.reachable(folder)) as found:
            yield found
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from error


def small_file(folder: Path, name: str, most: int = MOST_JSON) -> bytes:
    with opened(folder, name, most) as (file, _):
        return file.read(most)


def json_file(folder: Path, name: str) -> dict[str, Any]:
    return parsed(small_file(folder, name), name)


@dataclass(frozen=True)
class Tensor:
    """Where the numbers of one tensor are."""

    file: str
    kind: str
    shape: tuple[int, ...]
    start: int  # in the file
    bytes: int


def mapped(folder: Path, tensors: Iterable[Tensor]) -> Iterator[np.ndarray]:
    """The numbers in place, in the type of the file (`TYPES`); each file is opened once."""
    files: dict[str, mmap.mmap] = {}
    for tensor in tensors:
        if tensor.file not in files:
            with opened(folder, tensor.file) as (file, _):
                files[tensor.file] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if tensor.start + tensor.bytes > len(files[tensor.file]):
            raise ValueError(f"{tensor.file} ends before its last tensor")
        kind = np.dtype(TYPES[tensor.kind])
        flat = np.frombuffer(files[tensor.file], kind, tensor.bytes // kind.itemsize, tensor.start)
        yield flat.reshape(tensor.shape)


def tensors_in(folder: Path) -> dict[str, Tensor]:
    """Every tensor of a folder's safetensors, in one file or several; none is read yet."""
    there = os.listdir(folder)
    if WEIGHTS in there:
        return tensors_of(folder, WEIGHTS)
    if INDEX not in there:
        if pickles := sorted(name for name in there if name.endswith(PICKLES)):
            raise ValueError(
                f"its weights are {few(pickles)}, a pickle, which can run any code when read; "
                "if you trust it, save it as safetensors first, with transformers' save_pretrained"
            )
        raise ValueError(f"it has no {WEIGHTS}; save the model there with transformers' save_pretrained")
    listed = as_object(json_file(folder, INDEX).get("weight_map"))
    if listed is None or not all(isinstance(file, str) for file in listed.values()):
        raise ValueError(f"{INDEX} does not say which file holds which tensor")
    files = sorted(set(listed.values()))
    if len(files) > MOST_FILES:
        raise ValueError(f"{INDEX} names {len(files):,} files; at most {MOST_FILES:,} are read")
    tensors: dict[str, Tensor] = {}
    for file in files:
        if file not in there or not file.endswith(".safetensors"):
            raise ValueError(f"{INDEX} names {few([file])}, which is not a safetensors file of this folder")
        found = tensors_of(folder, file)
        if missing := [name for name in listed if listed[name] == file and name not in found]:
            raise ValueError(f"{file} does not hold {few(missing)}, although {INDEX} says so")
        tensors |= {name: tensor for name, tensor in found.items() if listed.get(name) == file}
    return tensors


def tensors_of(folder: Path, name: str) -> dict[str, Tensor]:
    """Every tensor of one file: eight bytes that say how long the header is, the header as JSON, then the numbers."""
    with opened(folder, name) as (file, size):
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(MOST_JSON, size - 8):
            raise ValueError(f"{name} claims a header of {length:,} bytes, which does not fit")
        header = parsed(file.read(length), name)
    header.pop("__metadata__", None)
    return {tensor: _entry(name, tensor, entry, 8 + length, size) for tensor, entry in header.items()}


def _entry(file: str, name: str, entry: Any, start: int, size: int) -> Tensor:
    held = as_object(entry) or {}
    kind, shape, offsets = held.get("dtype"), as_list(held.get("shape")), as_list(held.get("data_offsets"))
    if isinstance(kind, str) and shape is not None and offsets is not None and len(offsets) == 2:
        first, end = offsets
        sound = len(shape) <= MOST_AXES and all(type(n) is int and 0 <= n <= size for n in (*shape, first, end))
        if sound and first <= end <= size - start:
            return Tensor(file, kind, tuple(shape), start + first, end - first)
    raise ValueError(f"{file} describes {few([name])} in a way that is not possible")
