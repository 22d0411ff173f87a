"""A GGUF file as a Model, as the Hugging Face folder of the same model would be one."""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regard.checkpoints.reading import few
from regard.models.gguf.file import Gguf, Tensor, read
from regard.models.gguf.llama import FACTORS, config_of, is_turned, name_of
from regard.models.gguf.packed import Packed
from regard.models.gguf.words import pieces_of
from regard.models.huggingface.layout import Row
from regard.models.huggingface.llama import LLAMA
from regard.models.model import Model
from regard.models.parameters import shapes
from regard.models.settings import Settings
from regard.ops.narrow import Narrow
from regard.text.tokenizer import END

LONGEST_NAME = 60
MOST_FACTORS = 2**12


def gguf(path: str | os.PathLike[str]) -> Model:
    """The model of a file of llama.cpp's. Nothing of it is run."""
    try:
        return _model(Path(path), read(path))
    except FileNotFoundError:
        raise
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} cannot be used: {error}") from error


def _model(path: Path, file: Gguf) -> Model:
    settings = LLAMA.settings(config_of(file.values, file.tensors, _factors(file)))
    parameters = _parameters(file, settings)
    pieces = pieces_of(file.values, settings.reads)
    return Model(
        name=str(path),
        title=f"{_called(file.values, path)} ({LLAMA.said}, GGUF)",
        settings=settings,
        parameters=parameters,
        reads=pieces.vocabulary,
        writes=pieces.vocabulary,
        mask=LLAMA.mask,
        notes=(_said(file.tensors),),
        sentence="The quick brown fox",
        tokenizer=pieces,
        is_found_again=True,
        end=pieces.special.get("eos_token", END),
    )


def _factors(file: Gguf) -> list[float] | None:
    """By which each pair of a head turns slower, where the file says it; few, in single precision."""
    tensor = file.tensors.get(FACTORS)
    if tensor is None:
        return None
    if len(tensor.shape) != 1 or tensor.shape[0] > MOST_FACTORS:
        raise ValueError(f"{FACTORS} has the shape {tensor.shape}; expected a number for each pair of a head")
    return [float(str(factor)) for factor in tensor.kind.unpack(file.blocks(tensor)).ravel()]


def _called(values: Mapping[str, Any], path: Path) -> str:
    name = values.get("general.name")
    return name if isinstance(name, str) and name.isprintable() and 0 < len(name) <= LONGEST_NAME else path.stem


def _said(tensors: Mapping[str, Tensor]) -> str:
    """How its numbers are packed, by how many there are of each kind."""
    counts: dict[str, int] = {}
    for tensor in tensors.values():
        counts[tensor.kind.name] = counts.get(tensor.kind.name, 0) + math.prod(tensor.shape)
    shares = sorted(counts.items(), key=lambda item: -item[1])
    return f"numbers as packed in the file: {', '.join(f'{count:,} as {kind}' for kind, count in shares)}"


def _parameters(file: Gguf, settings: Settings) -> dict[str, Narrow]:
    """Our parameters as views of the file: nothing is copied, and numbers are unpacked where they are read."""
    wanted = shapes(settings)
    held = {row: name_of(row.theirs) for row in LLAMA.rows(settings)}
    if missing := [name for name in held.values() if name not in file.tensors]:
        raise ValueError(f"it lacks {few(missing)}")
    if extra := sorted(file.tensors.keys() - held.values() - {FACTORS}):
        raise ValueError(f"it holds {few(extra)}, which is no part of {LLAMA.said} as regard computes it")
    parameters: dict[str, Narrow] = {}
    for row, name in held.items():
        tensor, shape = file.tensors[name], row.shape(wanted)
        if tensor.shape != shape:
            raise ValueError(f"{few([name])} has the shape {tensor.shape}, but its description needs {shape}")
        numbers = file.blocks(tensor)
        if not tensor.kind.are_finite(numbers):
            raise ValueError(f"{few([name])} holds NaN or infinite numbers")
        parameters[row.names[0]] = _parameter(row, name, tensor, numbers, settings)
    return {name: parameters[name] for name in wanted}


def _parameter(row: Row, name: str, tensor: Tensor, numbers: np.ndarray, settings: Settings) -> Narrow:
    """One of theirs with the axes of ours; where both lie alike, as any other file's numbers."""
    wanted = shapes(settings)
    ((ours, theirs),) = row.ours
    at = _halves(tensor.shape[0], settings.head_width) if is_turned(name) else None
    if len(tensor.shape) == 1:  # a vector is small
        vector = tensor.kind.unpack(numbers).ravel()
        return Narrow(row.to_ours(vector if at is None else vector[at], wanted)[ours])
    if tensor.kind.length == 1 and at is None:
        return Narrow(row.to_ours(numbers.reshape(tensor.shape), wanted)[ours])
    axes, sizes = "".join(theirs), dict(zip(*wanted[ours]))
    rows, columns = (tuple(sizes[letter] for letter in group) for group in ("".join(theirs[:-1]), theirs[-1]))
    order = tuple(axes.index(letter) for letter in wanted[ours][0])
    return Packed(numbers, tensor.kind, rows, columns, order, at)


def _halves(rows: int, head_width: int) -> np.ndarray:
    """Where each row lies in the file, whose heads hold 0, D/2, 1, D/2 + 1, … in that order.

    >>> _halves(8, 4).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    return np.arange(rows).reshape(-1, head_width // 2, 2).swapaxes(1, 2).ravel()
