"""Vectors as safetensors: `vectors`, one row per word; `words`, UTF-8 bytes with a line end between words; and, where
they are known, `counts`."""

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.checkpoints.reading import few
from regard.models.huggingface.files import TYPES, Tensor, mapped, opened, tensors_of
from regard.ops.narrow import Narrow
from regard.replacing import replacing
from regard.vectors.formats.rows import MOST_WIDTH
from regard.vectors.problem import Unreadable, Unwritable
from regard.vectors.scanning import blocks

if TYPE_CHECKING:
    from regard.vectors.wordvectors import WordVectors

HELD = {"format": "regard.vectors", "version": "1"}


def is_tensors(beginning: bytes, size: int) -> bool:
    """Eight bytes that say how long the header is, then the header, which is JSON."""
    return 2 <= int.from_bytes(beginning[:8], "little") <= size - 8 and beginning[8:9] == b"{"


def read(folder: Path, file: str, **about: Any) -> "WordVectors":
    """The table stays in the file, in the type of the file; the words are read."""
    from regard.vectors.wordvectors import WordVectors

    tensors = tensors_of(folder, file)
    if missing := {"vectors", "words"} - set(tensors):
        raise Unreadable(
            f"it holds {few(sorted(tensors)) or 'no tensors'}, and word vectors need {' and '.join(sorted(missing))}; "
            "if it is part of a model, give the model's folder"
        )
    table, words = tensors["vectors"], tensors["words"]
    _check(table, tuple(TYPES), 2)
    _check(words, ("U8",), 1)
    rows, width = table.shape
    if not 0 < width <= MOST_WIDTH:
        raise Unreadable(f"vectors has the shape {table.shape}; between 1 and {MOST_WIDTH:,} numbers per word are read")
    numbers = next(mapped(folder, [table]))
    kept = numbers if numbers.dtype.itemsize >= 4 else Narrow(numbers)
    if not Narrow(numbers).is_finite:
        raise Unreadable("vectors holds NaN or infinite numbers")
    found = [word.decode(errors="replace") for word in _bytes(folder, words).split(b"\n")] if rows else []
    if len(found) != rows:
        raise Unreadable(f"vectors has {rows:,} rows, but there are {len(found):,} words; one word per row is expected")
    return WordVectors(found, kept, _counts(folder, tensors, rows), **about)


def _counts(folder: Path, tensors: dict[str, Tensor], rows: int) -> "np.ndarray | None":
    if "counts" not in tensors:
        return None
    _check(tensors["counts"], ("I64",), 1)
    found = np.frombuffer(_bytes(folder, tensors["counts"]), "<i8")
    if len(found) != rows:
        raise Unreadable(f"vectors has {rows:,} rows, but there are {len(found):,} counts; one per row is expected")
    return found


def _check(tensor: Tensor, kinds: tuple[str, ...], axes: int) -> None:
    if tensor.kind not in kinds or len(tensor.shape) != axes:
        raise Unreadable(
            f"a tensor of {' or '.join(kinds)} and {axes} axes is expected, got {tensor.kind[:10]!r} {tensor.shape}"
        )
    size = {"U8": 1, "I64": 8}.get(tensor.kind) or np.dtype(TYPES[tensor.kind]).itemsize
    if tensor.bytes != math.prod(tensor.shape) * size:
        raise Unreadable(f"a tensor of shape {tensor.shape} has {tensor.bytes:,} bytes, which does not match")


def _bytes(folder: Path, tensor: Tensor) -> bytes:
    with opened(folder, tensor.file) as (file, _):
        file.seek(tensor.start)
        return file.read(tensor.bytes)


def write(path: str | os.PathLike[str], vectors: "WordVectors") -> None:
    words = "\n".join(vectors.words)
    if words.count("\n") != max(0, len(vectors) - 1):
        odd = next(word for word in vectors.words if "\n" in word)
        raise Unwritable(f"the word {odd!r:.60} has a line end in it, which ends a word in this format; leave it out")
    text = words.encode(errors="surrogatepass")
    parts = {"vectors": ("F32", [len(vectors), vectors.width], 4 * len(vectors) * vectors.width)}
    if vectors.counts is not None:
        parts["counts"] = ("I64", [len(vectors)], 8 * len(vectors))
    parts["words"] = ("U8", [len(text)], len(text))
    header: dict[str, dict[str, Any]] = {"__metadata__": HELD}
    end = 0
    for name, (kind, shape, size) in parts.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [end, end + size]}
        end += size
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 8)
    with replacing(path) as file:
        file.write(len(written).to_bytes(8, "little") + written)
        for part in blocks(len(vectors), vectors.width):
            file.write(np.ascontiguousarray(vectors.vectors[part], "<f4").data)
        if vectors.counts is not None:
            file.write(np.ascontiguousarray(vectors.counts, "<i8").data)
        file.write(text)
