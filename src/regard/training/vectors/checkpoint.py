"""Checkpoints of word vectors: the project's own, whole or not at all, without torch."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.numpy

from regard.checkpoints.places import newest, put, refuse_to_go_back, remove_leftovers, remove_older
from regard.checkpoints.reading import MOST_JSON, listed_in, parsed, tensors_in, verified
from regard.checkpoints.writing import json_bytes
from regard.replacing import sync_folder
from regard.training.folder import CHECKPOINTS
from regard.training.lock import folder_lock
from regard.training.vectors.tables import Table

KEPT = 2  # so that one may be damaged


@dataclass(frozen=True)
class Checkpoint:
    """What was saved when so many blocks had been learned."""

    blocks: int
    config: dict[str, Any]
    tables: dict[str, Table]
    passed_over: tuple[str, ...]


def save(folder: Path, blocks: int, config: Mapping[str, Any], tables: Mapping[str, Table]) -> Path:
    """Keep the tables; when this returns, a crash no longer loses them."""
    home = folder / CHECKPOINTS
    if not home.is_dir():
        os.makedirs(home)
        sync_folder(folder)
    with folder_lock(home):
        refuse_to_go_back(home, blocks)
        remove_leftovers(home)
        contents = {
            "config.json": [json_bytes(config, "config")],
            "model.safetensors": _pieces({"vectors": tables["vectors"]}),
            "training.safetensors": _pieces({name: table for name, table in tables.items() if name != "vectors"}),
            "training.json": [json_bytes({"step": blocks, "state": {}}, "training")],
        }
        place = put(home, blocks, contents)
        remove_older(home, blocks, KEPT)
        remove_leftovers(home)
    return place


def load(folder: Path) -> Checkpoint:
    """The newest whole one."""
    return newest(folder, _read)


def _read(place: Path, step: int, passed_over: tuple[str, ...]) -> Checkpoint:
    listed = listed_in(place, step)
    config = parsed(verified(place, "config.json", listed, MOST_JSON), "config.json")
    tables: dict[str, Table] = {}
    for name in ("model.safetensors", "training.safetensors"):
        tables |= tensors_in(verified(place, name, listed), name, safetensors.numpy.load)
    return Checkpoint(step, config, tables, passed_over)


def _pieces(tables: Mapping[str, Table]) -> Iterator[bytes | memoryview]:
    """A safetensors file; the library would need all of it in memory once more."""
    header, end = {}, 0
    for name, table in tables.items():
        header[name] = {"dtype": "F32", "shape": list(table.shape), "data_offsets": [end, end + table.nbytes]}
        end += table.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little")
    yield text
    for table in tables.values():
        yield table.reshape(-1).data.cast("B")
