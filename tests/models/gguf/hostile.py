"""GGUF files that mean harm, or are broken, written byte by byte. Also run alone, to measure time and memory."""

import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

WHOLE, SINGLE, TRUTH, TEXT, LIST, LONG = 4, 6, 7, 8, 9, 10  # kinds of values
F32, Q8_0 = 0, 8  # kinds of numbers
H, G, D, C, F, V = 2, 1, 4, 32, 64, 11
SIZES = {
    "token_embd.weight": (V, C),
    "output_norm.weight": (C,),
    "blk.0.attn_norm.weight": (C,),
    "blk.0.attn_q.weight": (H * D, C),
    "blk.0.attn_k.weight": (G * D, C),
    "blk.0.attn_v.weight": (G * D, C),
    "blk.0.attn_output.weight": (C, H * D),
    "blk.0.ffn_norm.weight": (C,),
    "blk.0.ffn_gate.weight": (F, C),
    "blk.0.ffn_up.weight": (F, C),
    "blk.0.ffn_down.weight": (C, F),
}
TOKENS = [*"abcdefgh", "ab", "<s>", "Ġ"]
Raw = bytes


def text(written: str | bytes, length: int | None = None) -> Raw:
    data = written.encode() if isinstance(written, str) else written
    return struct.pack("<Q", len(data) if length is None else length) + data


def whole(number: int) -> Raw:
    return struct.pack("<II", WHOLE, number)


def texts(items: list[str], count: int | None = None) -> Raw:
    return struct.pack("<IIQ", LIST, TEXT, len(items) if count is None else count) + b"".join(map(text, items))


def values() -> dict[str, Raw]:
    return {
        "general.architecture": struct.pack("<I", TEXT) + text("llama"),
        "llama.block_count": whole(1),
        "llama.context_length": whole(64),
        "llama.embedding_length": whole(C),
        "llama.feed_forward_length": whole(F),
        "llama.attention.head_count": whole(H),
        "llama.attention.head_count_kv": whole(G),
        "llama.attention.key_length": whole(D),
        "llama.attention.value_length": whole(D),
        "llama.attention.layer_norm_rms_epsilon": struct.pack("<If", SINGLE, 1e-5),
        "tokenizer.ggml.model": struct.pack("<I", TEXT) + text("gpt2"),
        "tokenizer.ggml.pre": struct.pack("<I", TEXT) + text("gpt-2"),
        "tokenizer.ggml.tokens": texts(TOKENS),
        "tokenizer.ggml.merges": texts(["a b"]),
        "tokenizer.ggml.token_type": struct.pack("<IIQ", LIST, 5, V) + np.ones(V, "<i4").tobytes(),
        "tokenizer.ggml.add_bos_token": struct.pack("<IB", TRUTH, 0),
    }


def entry(name: str, shape: tuple[int, ...], offset: int, kind: int = F32, axes: int | None = None) -> Raw:
    sizes = struct.pack(f"<{len(shape)}Q", *shape[::-1])
    return (
        text(name) + struct.pack("<I", len(shape) if axes is None else axes) + sizes + struct.pack("<IQ", kind, offset)
    )


class File:
    """A sound file in parts, each of which may be exchanged."""

    def __init__(self) -> None:
        self.magic, self.version, self.tensors, self.count = b"GGUF", 3, None, None
        self.values = list(values().items())
        self.alignment, self.after, self.entries = 32, b"", []
        generator, offset, self.numbers = np.random.default_rng(1), 0, []
        for name, shape in SIZES.items():
            array = generator.normal(0, 0.2, shape).astype("<f4")
            self.entries.append(entry(name, shape, offset))
            self.numbers.append(array)
            offset += array.nbytes + -array.nbytes % 32

    def value(self, name: str, raw: Raw) -> None:
        self.values = [(n, r) for n, r in self.values if n != name] + [(name, raw)]

    def made(self) -> bytes:
        tensors = len(self.entries) if self.tensors is None else self.tensors
        count = len(self.values) if self.count is None else self.count
        head = self.magic + struct.pack("<IQQ", self.version, tensors, count)
        head += b"".join(text(name) + raw for name, raw in self.values) + b"".join(self.entries)
        body = b"".join(array.tobytes() + b"\0" * (-array.nbytes % 32) for array in self.numbers)
        return head + b"\0" * (-len(head) % 32) + body + self.after


def with_value(name: str, raw: Raw) -> Callable[[File], None]:
    return lambda file: file.value(name, raw)


def with_entry(place: int, raw: Raw) -> Callable[[File], None]:
    return lambda file: file.entries.__setitem__(place, raw)


def with_parts(**parts: Any) -> Callable[[File], None]:
    return lambda file: file.__dict__.update(parts)


def nan(file: File) -> None:
    file.numbers[3][2, 5] = np.nan


def twice(file: File) -> None:
    file.values.append(file.values[1])


def nested(depth: int) -> Raw:
    return struct.pack("<I", LIST) + struct.pack("<IQ", LIST, 1) * depth + struct.pack("<IQB", 0, 1, 1)


def last_of(file: File) -> None:
    file.entries[1] = file.entries[0]


FIRST, SHAPE = "token_embd.weight", SIZES["token_embd.weight"]
SECOND = V * C * 4
HOSTILE: dict[str, tuple[Callable[[File], None], str]] = {
    "another magic": (with_parts(magic=b"GGML"), "begins with b'GGML'"),
    "version 1": (with_parts(version=1), "version 1"),
    "big-endian": (with_parts(version=0x03000000), "little-endian"),
    "a huge version": (with_parts(version=2**32 - 1), "version 4,294,967,295"),
    "2^63 tensors": (with_parts(tensors=2**63), "claims 9,223,372,036,854,775,808 tensors"),
    "2^64 - 1 values": (with_parts(count=2**64 - 1), "which is not possible"),
    "one value more than there are": (with_parts(count=17), ""),
    "one tensor more than there are": (with_parts(tensors=12), ""),
    "one tensor less than there are": (with_parts(tensors=10), ""),
    "a name of 2^63 bytes": (with_parts(values=[("", b"")], count=2**12), ""),
    "a string of 2^63 bytes": (
        with_value("x", struct.pack("<I", TEXT) + text("", 2**63)), "a string of 9,223,372,036,854,775,808 bytes"),
    "a string of 2^64 - 1 bytes": (with_value("x", struct.pack("<I", TEXT) + text("", 2**64 - 1)), "a string of"),
    "a string past the end": (with_value("x", struct.pack("<I", TEXT) + text("", 2**20)), "inside its header"),
    "a string that is not UTF-8": (with_value("x", struct.pack("<I", TEXT) + text(b"\xff\xfe")), "is not UTF-8"),
    "a name that is not UTF-8": (lambda file: file.entries.__setitem__(0, text(b"\xff") + entry("", SHAPE, 0)[8:]),
                                 "is not UTF-8"),
    "a list of 2^63 numbers": (with_value("x", struct.pack("<IIQ", LIST, LONG, 2**63)), "a list of 9,223,"),
    "a list of 2^61 numbers, whose bytes overflow": (with_value("x", struct.pack("<IIQ", LIST, LONG, 2**61)), "a list"),
    "a list of 2^40 strings": (with_value("x", texts([], 2**40)), "a list of 1,099,511,627,776 items"),
    "a list of lists": (with_value("x", nested(1)), "is a list of lists"),
    "lists nested 100,000 deep": (with_value("x", nested(100_000)), "is a list of lists"),
    "a value of no kind": (with_value("x", struct.pack("<I", 13)), "of the kind 13"),
    "a truth that is 2": (with_value("x", struct.pack("<IB", TRUTH, 2)), "must be true or false, got 2"),
    "a value twice": (twice, "has the value llama.block_count twice"),
    "a tensor twice": (last_of, "has the tensor token_embd.weight twice"),
    "no axes": (with_entry(0, entry(FIRST, (), 0)), "has 0 axes"),
    "2^31 axes": (with_entry(0, entry(FIRST, SHAPE, 0, axes=2**31)), "has 2,147,483,648 axes"),
    "sizes whose product overflows": (with_entry(0, entry(FIRST, (2**32, 2**32), 0)), "which is not possible"),
    "sizes whose product overflows to the right one": (
        with_entry(0, entry(FIRST, (2**63, 2, V * C), 0)), "which is not possible"),
    "a size of 0": (with_entry(0, entry(FIRST, (V, 0), 0)), "which is not possible"),
    "numbers of an unknown kind": (with_entry(0, entry(FIRST, SHAPE, 0, 10)), "of the kind 10; regard reads F32"),
    "a row that is no whole number of blocks": (
        with_entry(0, entry(FIRST, (C, V), 0, Q8_0)), "not possible for Q8_0"),
    "a place that is not aligned": (
        with_entry(1, entry("output_norm.weight", (C,), SECOND + 4)), "does not begin where"),
    "tensors that overlap": (with_entry(1, entry("output_norm.weight", (C,), 0)), "does not begin where"),
    "a tensor outside the file": (with_entry(1, entry("output_norm.weight", (C,), 2**40)), "does not begin where"),
    "a place of 2^64 - 1": (with_entry(1, entry("output_norm.weight", (C,), 2**64 - 1)), "does not begin where"),
    "a gap": (with_entry(1, entry("output_norm.weight", (C,), SECOND + 32)), "does not begin where"),
    "a tensor longer than the file": (
        with_entry(10, entry("blk.0.ffn_down.weight", (C, 4 * F), SECOND + 25984)), ""),
    "another kind, with fewer bytes": (with_entry(0, entry(FIRST, SHAPE, 0, Q8_0)), "does not begin where"),
    "bytes after the end": (with_parts(after=b"x"), "bytes after its last tensor"),
    "an alignment of 0": (with_value("general.alignment", whole(0)), "multiple of 8"),
    "an alignment of 7": (with_value("general.alignment", whole(7)), "multiple of 8"),
    "an alignment of 2^31": (with_value("general.alignment", whole(2**31)), "multiple of 8"),
    "an alignment in words": (with_value("general.alignment", texts(["32"])), "multiple of 8"),
    "another alignment": (with_value("general.alignment", whole(64)), ""),
    "NaN": (nan, "blk.0.attn_q.weight holds NaN"),
    "no heads": (with_value("llama.attention.head_count", whole(0)), "head_count must be a whole number"),
    "a head count per layer": (
        with_value("llama.attention.head_count", struct.pack("<IIQI", LIST, WHOLE, 1, 2)), "got a list"),
    "2^32 - 1 layers": (with_value("llama.block_count", whole(2**32 - 1)), "must be a whole number from 1"),
    "2^23 layers": (with_value("llama.block_count", whole(2**23)), "but there are only 11 tensors"),
    "another width": (with_value("llama.embedding_length", whole(2**20)), "has the shape (11, 32), but"),
    "an epsilon of NaN": (
        with_value("llama.attention.layer_norm_rms_epsilon", struct.pack("<If", SINGLE, float("nan"))), "above 0"),
    "a base that is infinite": (
        with_value("llama.rope.freq_base", struct.pack("<If", SINGLE, float("inf"))), "a number above 0, got inf"),
    "no tokens": (with_value("tokenizer.ggml.tokens", whole(3)), "lacks tokenizer.ggml.tokens"),
    "a token too few": (with_value("tokenizer.ggml.tokens", texts(TOKENS[1:])), "10 pieces, but the model has 11"),
    "a token twice": (with_value("tokenizer.ggml.tokens", texts([*TOKENS[1:], "b"])), "the same piece twice"),
    "merges of what is not there": (with_value("tokenizer.ggml.merges", texts(["x y"])), ""),
    "a merge of three": (with_value("tokenizer.ggml.merges", texts(["a b c d"])), ""),
    "kinds of too few tokens": (
        with_value("tokenizer.ggml.token_type", struct.pack("<IIQi", LIST, 5, 1, 3)), "does not say of each piece"),
    "a million empty tokens": (
        with_value("tokenizer.ggml.tokens", texts([""] * (2**20 - 50))), "1,048,526 pieces, but the model has 11"),
    "a list with a string of 2^63 bytes": (
        with_value("x", struct.pack("<IIQ", LIST, TEXT, 2) + text("a") + text("", 2**63)), "a string of 9,223,"),
    "a list with a string that is not UTF-8": (
        with_value("x", struct.pack("<IIQ", LIST, TEXT, 2) + text("é") + text(b"\xff")), "is not UTF-8"),
    "more strings than are read": (with_value("x", texts([""] * (2**20 + 1))), "a list of 1,048,577 items"),
    "a million numbers": (
        with_value("x", struct.pack("<IIQ", LIST, LONG, 2**20 + 1) + bytes(8 * 2**20 + 8)), "a list of 1,048,577"),
}  # fmt: skip


def hostile_file(name: str, folder: Path) -> tuple[Path, str]:
    change, said = HOSTILE[name]
    file = File()
    change(file)
    path = folder / "hostile.gguf"
    path.write_bytes(file.made())
    return path, said


def main() -> None:
    """Every file once: how many were refused, the slowest, and the memory that all of them cost together."""
    from regard.models.catalogue import find_model

    with tempfile.TemporaryDirectory() as folder:
        find_model(_sound(Path(folder)))
        before, refused, slowest = _peak(), 0, 0.0
        for name in HOSTILE:
            path, _ = hostile_file(name, Path(folder))
            start = time.perf_counter()
            try:
                find_model(path)
            except ValueError:
                refused += 1
            slowest = max(slowest, time.perf_counter() - start)
            os.unlink(path)
    print(f"{refused} refused, {slowest:.2f} s at most, {_peak() - before} MB more in all", file=sys.stdout)  # noqa: T201


def _sound(folder: Path) -> Path:
    (folder / "sound.gguf").write_bytes(File().made())
    return folder / "sound.gguf"


def _peak() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
