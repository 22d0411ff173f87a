"""Files forced to disk, their digests, and plain data as JSON that reads back unchanged."""

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FORMAT = "regard checkpoint 1"
MOST_JSON = 2**22  # bytes; parsed, JSON can take forty times its size in memory
CHUNK = 2**24

Listed = dict[str, dict[str, Any]]  # by file: its size and SHA-256


def write(path: Path, pieces: Iterable[bytes | memoryview]) -> dict[str, Any]:
    """Write a file through to disk; the digest is of what was meant, not of what can be read back."""
    digest, size = hashlib.sha256(), 0
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
    try:
        for piece in map(memoryview, pieces):
            for start in range(0, len(piece), CHUNK):
                rest = piece[start : start + CHUNK]
                digest.update(rest)
                size += len(rest)
                while rest:
                    rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    return {"sha256": digest.hexdigest(), "size": size}


def take(path: Path, written: Path) -> dict[str, Any]:
    """Move in a file that other processes wrote, and force it to disk; the digest is of what can be read now."""
    os.rename(written, path)
    with path.open("rb") as file:
        os.fsync(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"sha256": digest, "size": os.fstat(file.fileno()).st_size}


def manifest_of(step: int, listed: Listed) -> bytes:
    return (json.dumps({"files": listed, "format": FORMAT, "step": step}, indent=1, sort_keys=True) + "\n").encode()


def json_bytes(value: Mapping[str, Any], what: str) -> bytes:
    try:
        data = json.dumps(_plain(value, what), indent=1, allow_nan=False).encode()
    except RecursionError:
        raise ValueError(f"{what} is nested too deeply, or contains itself; give plain data") from None
    if len(data) > MOST_JSON:
        raise ValueError(
            f"{what} takes {len(data)} bytes as JSON, but at most {MOST_JSON} are saved; "
            "give numbers as tensors, and keep long histories in a file of their own"
        )
    return data


def a_dict(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a dict, got {type(value).__name__}")
    return value


def _plain(value: Any, where: str) -> Any:
    """The same data, if JSON would return it unchanged. An error names the place of what it would change."""
    if isinstance(value, Mapping):
        if odd := [key for key in value if not isinstance(key, str)]:
            raise ValueError(f"{where} has the key {odd[0]!r}; keys must be text, since JSON has no others")
        return {key: _plain(item, f"{where}[{key!r}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} is {value}, which JSON cannot hold; give None, or save before numbers go wrong")
    if value is None or type(value) in (bool, int, str) or isinstance(value, float):
        return value
    raise ValueError(f"{where} must be plain data (numbers, text, lists, dicts), got {type(value).__name__}")
