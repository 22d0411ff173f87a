"""Traces as .npz files: numbers exactly, operations by name, nothing that could run.

A file is a zip of plain NumPy arrays: `header` is JSON (trace/wire.py), `step3` the numbers of the fourth step, if it
is given, `edit0` those of a first pin. All other numbers follow from these. Parameters of a model that can be found
again are named (trace/named.py); rows that an edit had computed apart stand as `rows5`, for the sake of their last
digits (trace/rerun.py). Nothing is compressed, so that a file
cannot unfold into more than its own size.
"""

import math
import os
import re
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from regard.ops import Given
from regard.replacing import replacing
from regard.trace.drafts import KINDS_OF_NUMBER, MOST_STEPS
from regard.trace.fields import MOST_AXES
from regard.trace.header import file_header, trace_from
from regard.trace.named import Models, found, sources_of
from regard.trace.strict_json import compact, plain_data, reading
from regard.trace.trace import Trace

MOST_HEADER = 4_000_000  # bytes
MOST_BYTES = 2**26  # of a file whose maker is not known
CHUNK = 2**20
TYPES = {dtype.newbyteorder("<").str: dtype for dtype in map(np.dtype, KINDS_OF_NUMBER)}
NPY = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '(.{3})', 'fortran_order': False, 'shape': \(([0-9, ]{0,200})\), \} *\n",
    re.DOTALL,
)


def save(trace: Trace, path: str | os.PathLike[str]) -> None:
    """Save a trace: every number that was given, every operation, label, edit and note, exactly.

    The file is written beside the old one and replaces it once complete, so a failed write changes nothing.
    The traces that this one was made from are not in the file; see `load`.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of a file, such as {path / 'trace.npz'}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent}; create it first")
    arrays = _arrays(trace)
    header = compact(file_header(trace))
    # what could not be read back is not written
    named = {f"step{i}": (source, trace.forward[i].stored) for i, source in sources_of(trace.forward).items()}
    trace_from(plain_data(header, MOST_HEADER), arrays, arrays.__getitem__, any_size=True, named=named)
    with replacing(path) as file:
        _write(file, {"header": np.frombuffer(header.encode(), np.uint8), **arrays})


def load(path: str | os.PathLike[str], any_size: bool = False, models: Models | None = None) -> Trace:
    """A trace from a file, ready to be asked, edited and differentiated: every number is the one that was saved.

    Nothing in the file is run, and a file that does not fit together is refused with a ValueError. `any_size` lifts
    the bounds on size, for large files that you made yourself. `models` finds the parameters of a model by its name.
    The traces it was made from are not in the file: `undo` takes back its edits, but not what it has learned.

    >>> import tempfile
    >>> from regard.trace import Step
    >>> trace = Trace((Step("x", Given([1.0, 2.0], "T")),)).edit("x[1]", 5.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(trace, f"{folder}/trace.npz")
    ...     again = load(f"{folder}/trace.npz")
    >>> again.array("x").tolist(), again.undo().array("x").tolist()
    ([1.0, 5.0], [1.0, 2.0])
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of a file that was saved")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    if not path.is_file():
        raise ValueError(f"{path} is not a plain file")
    with open(path, "rb") as file, reading(str(path)):
        if not any_size:
            _check_size(file)
        with zipfile.ZipFile(file) as archive:
            return _read(archive, any_size, models)


def _arrays(trace: Trace) -> dict[str, np.ndarray]:
    given = {i: s.op for i, s in enumerate(trace.forward) if isinstance(s.op, Given)}
    arrays = {f"step{i}": np.asarray(op.array) for i, op in given.items() if op.source is None}
    parts = {f"rows{i}": (s, s.apart) for i, s in enumerate(trace.forward)}
    arrays |= {name: step.value[rows.within(step.axes)] for name, (step, rows) in parts.items() if rows is not None}
    arrays |= {f"edit{i}": e.array for i, e in enumerate(trace.edits) if e.array is not None}
    return {name: np.asarray(a, a.dtype.newbyteorder("<"), order="C") for name, a in arrays.items()}


def _write(file: BinaryIO, arrays: Mapping[str, np.ndarray]) -> None:
    """As numpy.savez does, and the same bytes for the same trace."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def _check_size(file: BinaryIO) -> None:
    """The file and its table of contents, before anything of it is held in memory."""
    size = file.seek(0, os.SEEK_END)
    if size > MOST_BYTES:
        raise ValueError(
            f"it has {size:,} bytes; files are read up to {MOST_BYTES:,} bytes, or in full with any_size=True"
        )
    file.seek(max(0, size - 42))
    tail = file.read()
    locator, end = tail[:-22], tail[-22:]
    if len(end) < 22 or not end.startswith(b"PK\x05\x06") or locator.startswith(b"PK\x06\x07"):
        raise ValueError("it does not end like an .npz file; it is another kind of file, or was cut off")
    _, _, _, _, members, length, _, comment = struct.unpack("<4s4H2LH", end)
    if members > 2 * MOST_STEPS or length > 200 * members or comment:
        raise ValueError(f"its table of contents has {members:,} entries in {length:,} bytes")


@dataclass(frozen=True)
class Member:
    """One array of a file: what it is, and where its numbers begin."""

    info: zipfile.ZipInfo
    start: int
    sketch: np.ndarray  # its shape and type, without numbers


def _read(archive: zipfile.ZipFile, any_size: bool, models: Models | None) -> Trace:
    infos = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    _check_members(archive, infos)
    if "header" not in infos or infos["header"].file_size > MOST_HEADER:
        raise ValueError(f"it has no header, or one of more than {MOST_HEADER:,} bytes")
    members = {name: _member(archive, info) for name, info in infos.items()}
    header = members.pop("header")
    if header.sketch.dtype != np.uint8 or header.sketch.ndim != 1:
        raise ValueError("its header is not text")
    text = _numbers(archive, header).tobytes().decode()
    sketches = {name: member.sketch for name, member in members.items()}
    data = plain_data(text)
    named = found(data["named"], models) if isinstance(data, dict) and "named" in data else {}
    return trace_from(data, sketches, lambda name: _numbers(archive, members[name]), any_size, named)


def _check_members(archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo]) -> None:
    if len(infos) != len(archive.infolist()) or any(not i.filename.endswith(".npy") for i in infos.values()):
        raise ValueError("its members are not arrays with distinct names")
    for info in infos.values():
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size or info.flag_bits & 1:
            raise ValueError(f"{info.filename!r} is compressed or locked; write the file with save")
    assert archive.fp is not None
    if sum(info.file_size for info in infos.values()) > archive.fp.seek(0, os.SEEK_END):
        raise ValueError("its members are larger than the file")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    """What the array's own header says; read as a fixed pattern, not as Python."""
    with archive.open(info) as member:
        found = NPY.match(member.read(512))
    if not found or struct.unpack("<H", found[1])[0] != found.end() - 10:
        raise ValueError(f"{info.filename!r} is not an array as save writes it")
    dtype = TYPES.get(found[2].decode("latin-1"))
    if dtype is None:
        raise ValueError(f"{info.filename!r} has the type {found[2]!r}, not one of {', '.join(KINDS_OF_NUMBER)}")
    shape = tuple(int(n) for n in re.findall(rb"\d+", found[3]))
    if len(shape) > MOST_AXES or math.prod(shape) * dtype.itemsize + found.end() != info.file_size:
        raise ValueError(f"{info.filename!r} does not have the size that its shape {list(shape)} needs")
    return Member(info, found.end(), np.broadcast_to(np.zeros((), dtype), shape))


def _numbers(archive: zipfile.ZipFile, member: Member) -> np.ndarray:
    """The numbers, piece by piece, so that they are held only once; the zip's checksum is compared at the end."""
    array = np.empty(member.sketch.shape, member.sketch.dtype)
    room = array.reshape(-1).view(np.uint8)
    with archive.open(member.info) as file:
        file.read(member.start)
        for place in range(0, room.size, CHUNK):
            piece = file.read(CHUNK)
            room[place : place + len(piece)] = np.frombuffer(piece, np.uint8)
    if array.dtype == bool and room.max(initial=0) > 1:
        raise ValueError(f"{member.info.filename!r} has cells that are neither True nor False")
    return array if np.little_endian else array.byteswap()
