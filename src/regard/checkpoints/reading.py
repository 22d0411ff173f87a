"""Files that are trusted only if they are what the manifest says was written."""

import gc
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from regard import strangers
from regard.checkpoints.writing import MOST_JSON, Listed, manifest_of

MANIFEST = "manifest.json"
NEEDED: tuple[str, ...] = ("config.json", "model.safetensors", "training.json", "training.safetensors")
OPTIONAL: tuple[str, ...] = ("tokenizer.json",)
SHARD = re.compile(r"training-\d{5}-of-\d{5}\.safetensors", re.ASCII)  # what some of the processes remembered
MOST_TOKENIZER = 2**26
MOST_AXES = 64


class Damage(ValueError):
    """What is wrong with one checkpoint."""


def is_whole(place: Path, step: int) -> bool:
    try:
        listed = listed_in(place, step)
        for name in listed:
            compare(place, name, listed)
    except Damage:
        return False
    return True


def compare(place: Path, name: str, listed: Listed) -> None:
    """Damage, unless a file is what was written; however large the file, little of it is in memory."""
    with _opened(place, name, listed[name]["size"]) as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != listed[name]["sha256"]:
            raise Damage(f"{name} is not what was written: its SHA-256 differs from manifest.json")


def listed_in(place: Path, step: int) -> Listed:
    """What the manifest says of each file, once the folder holds these files and no others."""
    if place.is_symlink() or not place.is_dir():
        raise Damage("it is not a folder")
    try:
        there = set(os.listdir(place))
    except OSError as error:
        raise Damage(f"it cannot be read: {error.strerror}") from error
    if MANIFEST not in there:
        raise Damage("it has no manifest.json")
    with _opened(place, MANIFEST, None) as file:
        data = file.read(MOST_JSON)
    listed = parsed(data, MANIFEST).get("files")
    sound = isinstance(listed, dict) and all(
        isinstance(entry, dict) and set(entry) == {"sha256", "size"} and type(entry["size"]) is int
        for entry in listed.values()
    )
    # byte for byte: whatever changed in it, even a space, is a sign of damage
    if not sound or not isinstance(listed, dict) or manifest_of(step, listed) != data:
        raise Damage(f"manifest.json was not written for step {step}")
    known = {*NEEDED, *OPTIONAL, *filter(SHARD.fullmatch, listed)}
    if unfit := sorted(set(NEEDED) - set(listed) | set(listed) - known):
        raise Damage(f"manifest.json does not list the files of a checkpoint: {few(unfit)}")
    if missing := sorted(set(listed) - there):
        raise Damage(f"missing: {few(missing)}")
    if extra := sorted(there - set(listed) - {MANIFEST}):
        raise Damage(f"not in manifest.json: {few(extra)}")
    return listed


def few(names: list[str]) -> str:
    """One short line, whatever the names."""
    shown = ", ".join(name[:40] if name.isprintable() else ascii(name)[:40] for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


@contextmanager
def _opened(place: Path, name: str, size: int | None) -> Iterator[BufferedReader]:
    """A plain file of the size it should have."""
    try:
        with strangers.opened(place, name) as (file, found):
            if size not in (None, found):
                raise Damage(f"{name} has {found} bytes; manifest.json says {few([str(size)])}")
            yield file
    except strangers.Refused as error:
        raise Damage(str(error)) from error
    except OSError as error:
        raise Damage(f"{name} cannot be read: {error.strerror}") from error


def verified(place: Path, name: str, listed: Listed, most: int | None = None) -> bytes:
    """The bytes of a file, if they are what was written."""
    size = listed[name]["size"]
    if most is not None and size > most:
        raise Damage(f"{name} has {size} bytes; at most {most} are read")
    try:
        with _opened(place, name, size) as file:
            data = file.read(size)
    except MemoryError:
        raise Damage(f"{name} has {size} bytes, more than this machine has memory for") from None
    if hashlib.sha256(data).hexdigest() != listed[name]["sha256"]:
        raise Damage(f"{name} is not what was written: its SHA-256 differs from manifest.json")
    return data


def parsed(data: bytes, name: str) -> dict[str, Any]:
    try:
        with _without_collecting():
            value = json.loads(data.decode(), parse_constant=int)  # NaN is not JSON: int refuses it
    except (ValueError, RecursionError):
        raise Damage(f"{name} is not valid JSON") from None
    if not isinstance(value, dict):
        raise Damage(f"{name} must be an object, got {type(value).__name__}")
    return value


def as_object(value: Any) -> dict[str, Any] | None:
    """A value of JSON, if it is an object."""
    return value if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any] | None:
    """A value of JSON, if it is a list."""
    return value if isinstance(value, list) else None


def tensors_in(data: bytes, name: str, load: Callable[[bytes], dict[str, Any]]) -> dict[str, Any]:
    """What `load`, of the safetensors library, makes of a file whose header is small and sound."""
    header = int.from_bytes(data[:8], "little")
    if len(data) < 8 or header > min(MOST_JSON, len(data) - 8):
        raise Damage(f"{name} claims a header of {header} bytes, which does not fit")
    if not all(len(entry.get("shape", ())) <= MOST_AXES for entry in _entries(data[8 : 8 + header], name)):
        raise Damage(f"{name} has a tensor of more than {MOST_AXES} axes")
    try:
        return load(data)
    except Exception as error:  # the library has many kinds: its own, KeyError for unknown types, torch's RuntimeError
        raise Damage(f"{name} is not a readable safetensors file:  {few([str(error)])}") from error


def _entries(header: bytes, name: str) -> list[dict[str, Any]]:
    found = list(parsed(header, name).values())
    if not all(isinstance(entry, dict) and isinstance(entry.get("shape", []), list) for entry in found):
        raise Damage(f"{name} has a header that does not describe tensors")
    return found


@contextmanager
def _without_collecting() -> Iterator[None]:
    """JSON holds no cycles; looking for them while a million lists are made takes ten times as long as parsing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
