"""Tensors of torch as safetensors files, and back."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch

from regard.checkpoints.reading import MOST_AXES, Damage, few, tensors_in
from regard.checkpoints.writing import MOST_JSON

Tensors = dict[str, torch.Tensor]
TYPES = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16",
    torch.float8_e4m3fn: "F8_E4M3", torch.float8_e5m2: "F8_E5M2",
    torch.int64: "I64", torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip


def safetensors_pieces(tensors: Mapping[str, torch.Tensor], what: str) -> Iterator[bytes | memoryview]:
    """A safetensors file in pieces, one tensor in memory at a time; refused now if it could not be read back.

    The library would need all of it in memory once more, and does not take tensors that share theirs (tied weights).
    """
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    # the widest first, so that each begins at a multiple of its numbers' size
    order = sorted(tensors, key=lambda name: (-_checked(tensors[name], what, name).itemsize, name))
    end = 0
    for name in order:
        tensor, start = tensors[name], end
        end += tensor.numel() * tensor.itemsize
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > MOST_JSON:
        raise ValueError(f"the names and shapes of {what} take {len(text)} bytes, at most {MOST_JSON} are saved")
    return _pieces(text, [tensors[name] for name in order])


def _pieces(header: bytes, tensors: list[torch.Tensor]) -> Iterator[bytes | memoryview]:
    yield len(header).to_bytes(8, "little")
    yield header
    for tensor in tensors:
        yield tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data


def _checked(tensor: Any, what: str, name: Any) -> torch.Tensor:
    where = f"{what}[{name!r}]"
    if not isinstance(name, str) or name == "__metadata__":
        raise ValueError(f"{where}: names of tensors are text, other than __metadata__")
    if not isinstance(tensor, torch.Tensor):
        raise ValueError(f"{where} is a {type(tensor).__name__}; tensors are expected here, plain data in the state")
    if tensor.dtype not in TYPES:
        raise ValueError(f"{where} holds {tensor.dtype}, which is not saved; there are {', '.join(map(str, TYPES))}")
    if tensor.layout != torch.strided or tensor.is_meta:
        raise ValueError(f"{where} is sparse or has no numbers; make it dense first")
    if tensor.dim() > MOST_AXES:
        raise ValueError(f"{where} has {tensor.dim()} axes; at most {MOST_AXES} are saved")
    return tensor


def tensors_of(data: bytes, name: str) -> Tensors:
    return tensors_in(data, name, safetensors.torch.load)


def small_tensors(place: Path, name: str) -> Tensors:
    """What a file holds besides tensors of a parameter's size: counts, and the states of random generators."""
    try:
        with safetensors.safe_open(place / name, framework="pt") as file:
            return {n: file.get_tensor(n) for n in file.keys() if n.startswith("random.") or not _shape(file, n)}  # noqa: SIM118
    except Exception as error:  # the library has many kinds
        raise Damage(f"{name} is not a safetensors file that can be read: {few([str(error)])}") from error


def _shape(file: Any, name: str) -> list[int]:
    return file.get_slice(name).get_shape()
