"""Folders that mean harm, or are broken: each changes one file of a sound one. Also run alone, to measure memory."""

import json
import os
import pickle
import shutil
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regard.attending.positions import RotaryPositions
from regard.models.huggingface.writing import save_as_huggingface
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import GatedMLP, RMSNorm
from regard.models.settings import Settings
from regard.text.bpe import BPE

Change = Callable[[Path], Any]
CANARY = "canary"  # is written into the folder by code that is run


def sound(folder: Path) -> Path:
    """A small Llama that can be used."""
    bpe = BPE.learned(["the quick brown fox jumps over the lazy dog"] * 3, 280)
    settings = Settings(8, 2, bpe.size, bpe.size, 2, positions=RotaryPositions(), norm=RMSNorm(), mlp=GatedMLP(12))
    arrays = random_parameters(settings, 1)
    words = bpe.vocabulary
    save_as_huggingface(Model("a", "a", settings, arrays, words, words, tokenizer=bpe), folder)
    return folder


def config(**values: Any) -> Change:
    return lambda folder: _change(folder / "config.json", lambda data: data | values)


def tokenizer(**values: Any) -> Change:
    return lambda folder: _change(folder / "tokenizer.json", lambda data: data | values)


def model_of_tokenizer(**values: Any) -> Change:
    return lambda folder: _change(folder / "tokenizer.json", lambda data: data | {"model": data["model"] | values})


def _change(file: Path, change: Callable[[Any], Any]) -> None:
    file.write_text(json.dumps(change(json.loads(file.read_text(encoding="utf-8")))), encoding="utf-8")


def content(name: str, data: bytes) -> Change:
    return lambda folder: (folder / name).write_bytes(data)


def much(name: str, before: bytes, repeated: bytes, times: int, after: bytes) -> Change:
    """A large file, made only when it is asked for, and piece by piece."""

    def apply(folder: Path) -> None:
        with open(folder / name, "wb") as file:
            file.write(before)
            for _ in range(times // 1000):
                file.write(repeated * 1000)
            file.write(after)

    return apply


def header(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """The header of the weights, changed."""

    def apply(folder: Path) -> None:
        data = (folder / "model.safetensors").read_bytes()
        length = int.from_bytes(data[:8], "little")
        new = json.dumps(change(json.loads(data[8 : 8 + length]))).encode()
        (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(new)) + new + data[8 + length :])

    return apply


def entry(**values: Any) -> Change:
    return header(lambda found: found | {"model.norm.weight": found["model.norm.weight"] | values})


def index(weight_map: Any) -> Change:
    def apply(folder: Path) -> None:
        os.rename(folder / "model.safetensors", folder / "model-00001.safetensors")
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))

    return apply


def the_same_bytes(folder: Path) -> None:
    """A small file that would be read as a large model: every tensor begins at the first byte."""

    def from_the_first(found: dict[str, Any]) -> dict[str, Any]:
        tensors = {name: entry for name, entry in found.items() if name != "__metadata__"}
        sizes = {name: entry["data_offsets"][1] - entry["data_offsets"][0] for name, entry in tensors.items()}
        return {name: entry | {"data_offsets": [0, sizes[name]]} for name, entry in tensors.items()}

    header(from_the_first)(folder)
    data = (folder / "model.safetensors").read_bytes()
    os.truncate(folder / "model.safetensors", 8 + int.from_bytes(data[:8], "little") + 280 * 8 * 4)


def no_number(folder: Path) -> None:
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-4:] = struct.pack("<f", float("nan"))
    (folder / "model.safetensors").write_bytes(data)


def a_pipe(name: str) -> Change:
    def apply(folder: Path) -> None:
        os.unlink(folder / name)
        os.mkfifo(folder / name)

    return apply


def a_link(name: str, target: str) -> Change:
    def apply(folder: Path) -> None:
        os.unlink(folder / name)
        os.symlink(target, folder / name)

    return apply


class Touch:
    """Unpickled, it writes the canary."""

    def __init__(self, file: str):
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.file, "w")


def pickled(folder: Path) -> bytes:
    return pickle.dumps({"transformer.wte.weight": Touch(str(folder / CANARY))})


def only_a_pickle(folder: Path) -> None:
    os.unlink(folder / "model.safetensors")
    (folder / "pytorch_model.bin").write_bytes(pickled(folder))


def code_beside(folder: Path) -> None:
    (folder / "modeling_evil.py").write_text(f"open({str(folder / CANARY)!r}, 'w')\n")
    config(auto_map={"AutoConfig": "modeling_evil.Evil", "AutoModelForCausalLM": "modeling_evil.Evil"})(folder)


def code_for_the_tokenizer(folder: Path) -> None:
    (folder / "tokenization_evil.py").write_text(f"open({str(folder / CANARY)!r}, 'w')\n")
    _change(
        folder / "tokenizer_config.json",
        lambda data: data | {"auto_map": {"AutoTokenizer": ["tokenization_evil.E", None]}},
    )


def split(pattern: str) -> Change:
    part = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return tokenizer(pre_tokenizer=part)


def replaced(content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": "x"}, "content": content}


def template(single: list[Any], special: dict[str, Any]) -> Change:
    return tokenizer(
        post_processor={"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": special}
    )


A, X = {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[X]", "type_id": 0}}
TRUNCATED = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 5}
SOUND_AFTER_ALL: dict[str, Change] = {
    # what these ask for is not done, and the rest can be used
    "a length that panics": tokenizer(truncation=TRUNCATED),
    "padding to a billion": tokenizer(
        padding={"strategy": {"Fixed": 10**9}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                 "pad_type_id": 0, "pad_token": "a"}
    ),
    "a pickle beside": lambda folder: (folder / "pytorch_model.bin").write_bytes(pickled(folder)),
    "code beside": lambda folder: (folder / "modeling.py").write_text(f"open({str(folder / CANARY)!r}, 'w')\n"),
    "an unknown setting": config(trust_remote_code=True),
}  # fmt: skip

HOSTILE: dict[str, tuple[Change, str]] = {
    # code
    "only a pickle": (only_a_pickle, "a pickle, which can run any code when read"),
    "code for the model": (code_beside, "regard never does"),
    "code for the tokenizer": (code_for_the_tokenizer, "regard never does"),
    "a pickle for the weights": (lambda f: (f / "model.safetensors").write_bytes(pickled(f)), "claims a header of"),
    "a pickle for the config": (lambda f: (f / "config.json").write_bytes(pickled(f)), "not valid JSON"),
    "a pickle for the tokenizer": (lambda f: (f / "tokenizer.json").write_bytes(pickled(f)), "not valid JSON"),
    # config.json
    "no config": (content("config.json", b""), "not valid JSON"),
    "a list": (content("config.json", b"[]"), "must be an object"),
    "an empty object": (content("config.json", b"{}"), "no model_type; regard reads gpt2, llama, bert"),
    "another model": (config(model_type="t5"), "the model_type 't5'; regard reads gpt2, llama, bert"),
    "a model type of a number": (config(model_type=3), "no model_type"),
    "not a number": (content("config.json", b'{"model_type": "llama", "hidden_size": NaN}'), "not valid JSON"),
    "deep": (content("config.json", b"[" * 100_000), "not valid JSON"),
    "deep objects": (content("config.json", b'{"a":' * 100_000), "not valid JSON"),
    "a large config": (much("config.json", b"", b" ", 5_000_000, b""), "at most 4,194,304 are read"),
    "lists upon lists": (much("config.json", b"[", b"[],", 1_300_000, b"[]]"), "must be an object"),
    "a width of text": (config(hidden_size="8"), "a whole number from 1 to 16,777,216, got '8'"),
    "a width of nothing": (config(hidden_size=0), "a whole number from 1 to 16,777,216, got 0"),
    "a width below nothing": (config(hidden_size=-8), "a whole number"),
    "a truth for a width": (config(hidden_size=True), "a whole number"),
    "a list for a width": (config(hidden_size=[8]), "got a list"),
    "a width to fill the memory": (config(hidden_size=2**24), "the weights have"),
    "a width beyond": (config(hidden_size=10**30), "a whole number"),
    "words to fill the memory": (config(vocab_size=2**24), "the weights have"),
    "layers to fill the memory": (config(num_hidden_layers=2**24), "16,777,216 layers; at most 1,024 are read"),
    "more layers than tensors": (config(num_hidden_layers=9), "9 layers, but the weights"),
    "positions without end": (config(max_position_embeddings=10**12), "a whole number"),
    "heads that do not divide": (config(num_attention_heads=3, head_dim=None), "cannot share"),
    "heads of one number": (config(head_dim=1), "turn pairs"),
    "key/value heads that do not divide": (config(num_key_value_heads=5), "cannot share"),
    "an unknown curve": (config(hidden_act="os.system"), "got 'os.system'"),
    "a curve of a list": (config(hidden_act=["silu"]), "hidden_act in config.json must be"),
    "an epsilon of text": (config(rms_norm_eps="1e-5"), "a number above 0"),
    "an epsilon below 0": (config(rms_norm_eps=-1.0), "a number above 0"),
    "another turning": (config(rope_parameters={"rope_type": "yarn", "factor": 8}),
                        "'yarn', which regard does not compute; it knows 'default' or 'linear' or 'llama3' or"),
    "an older other turning": (config(rope_parameters=None, rope_scaling={"type": "dynamic"}), "does not compute"),
    "a stretch by nothing": (config(rope_parameters=None, rope_scaling={"type": "linear"}), "factor in config.json"),
    "a stretch by text": (config(rope_parameters={"rope_type": "llama3", "factor": 8, "low_freq_factor": "1"}),
                          "low_freq_factor in config.json must be a number above 0, got '1'"),
    "a stretch the wrong way": (config(rope_parameters={"rope_type": "llama3", "factor": 8, "low_freq_factor": 4,
                                                        "high_freq_factor": 1, "original_max_position_embeddings": 9}),
                                "must turn more often"),
    "factors that change with the text": (
        config(rope_parameters={"rope_type": "longrope", "short_factor": [1.0], "long_factor": [2.0]}), "of a text"),
    "factors for other heads": (
        config(rope_parameters={"rope_type": "longrope", "short_factor": [1.0] * 99, "long_factor": [1.0] * 99,
                                "attention_factor": 1.0}), "99 of them have a factor"),
    "a factor of 0": (
        config(rope_parameters={"rope_type": "longrope", "short_factor": [0.0], "long_factor": [0.0],
                                "attention_factor": 1.0}), "short_factor in config.json must be a number above 0"),
    "factors for attention too": (
        config(rope_parameters={"rope_type": "longrope", "short_factor": [1.0], "long_factor": [1.0]}),
        "it knows attention_factor = 1.0"),
    "a turning of a list": (config(rope_parameters=[1]), "must be an object"),
    "tied by text": (config(tie_word_embeddings="no"), "true or false"),
    "a folder for a config": (lambda f: (os.unlink(f / "config.json"), os.mkdir(f / "config.json")), ""),
    # safetensors
    "no weights": (lambda f: os.unlink(f / "model.safetensors"), "it has no model.safetensors"),
    "empty weights": (content("model.safetensors", b""), "claims a header of"),
    "a header of 2^63 bytes": (content("model.safetensors", struct.pack("<Q", 2**63) + b"{}"), "does not fit"),
    "a header of nothing": (content("model.safetensors", struct.pack("<Q", 2) + b"[]"), "must be an object"),
    "a header of bytes": (content("model.safetensors", struct.pack("<Q", 3) + b"\xff\xfe{"), "not valid JSON"),
    "a deep header": (content("model.safetensors", struct.pack("<Q", 90_000) + b"[" * 90_000), "not valid JSON"),
    "a header that lies": (header(lambda h: h | {"model.norm.weight": 3}), "in a way that is not possible"),
    "places before the file": (entry(data_offsets=[-4, 28]), "in a way that is not possible"),
    "places after the file": (entry(data_offsets=[0, 10**12]), "in a way that is not possible"),
    "places backwards": (entry(data_offsets=[32, 0]), "in a way that is not possible"),
    "places of text": (entry(data_offsets=["0", "32"]), "in a way that is not possible"),
    "too few bytes": (entry(data_offsets=[0, 4]), "does not match its shape"),
    "a shape without end": (entry(shape=[2**40, 2**40]), "in a way that is not possible"),
    "a shape of many axes": (entry(shape=[1] * 60_000), "in a way that is not possible"),
    "another shape": (entry(shape=[4, 2]), "has the shape (4, 2), but config.json needs (8,)"),
    "numbers of another kind": (entry(dtype="I64"), "holds 'I64'; regard reads F64, F32, F16, BF16"),
    "numbers of no kind": (entry(dtype="os.system"), "regard reads"),
    "a tensor that lacks": (header(lambda h: {n: e for n, e in h.items() if "norm" not in n}), "the weights"),
    "a tensor too many": (header(lambda h: h | {"evil": h["model.norm.weight"]}), "the weights hold evil"),
    "layers too many": (config(num_hidden_layers=1), "the weights hold"),
    "the same bytes for all": (the_same_bytes, "the same bytes"),
    "a number that is none": (no_number, "NaN"),
    "cut": (lambda f: os.truncate(f / "model.safetensors", 9_000), "in a way that is not possible"),
    "a pipe for the weights": (a_pipe("model.safetensors"), "not a plain file"),
    "a device for the weights": (a_link("model.safetensors", "/dev/zero"), "not a plain file"),
    "a link to itself": (a_link("model.safetensors", "model.safetensors"), "cannot be read"),
    # several files
    "an index of nothing": (index(None), "does not say which file"),
    "an index of numbers": (index({"model.norm.weight": 3}), "does not say which file"),
    "an index that leaves": (index({"model.norm.weight": "../evil.safetensors"}), "not a safetensors file of"),
    "an index to the root": (index({"model.norm.weight": "/etc/passwd"}), "not a safetensors file of"),
    "an index to a pickle": (index({"model.norm.weight": "pytorch_model.bin"}), "not a safetensors file of"),
    "an index that lies": (index({"evil": "model-00001.safetensors"}), "does not hold evil"),
    "an index of few": (index({"model.norm.weight": "model-00001.safetensors"}), "layers, but the weights"),
    # tokenizer.json
    "no tokenizer": (lambda f: os.unlink(f / "tokenizer.json"), "tokenizer.json cannot be read"),
    "an empty tokenizer": (content("tokenizer.json", b""), "not valid JSON"),
    "a tokenizer of an object": (content("tokenizer.json", b"{}"), "it has no model"),
    "a deep tokenizer": (content("tokenizer.json", b'{"a":' * 100_000), "more than 16,384 of the sign {"),
    "a deep list": (content("tokenizer.json", b"[" * 200_000), "not valid JSON"),
    "a large tokenizer": (much("tokenizer.json", b"", b" ", 30_000_000, b""), "at most 20,971,520 are read"),
    "lists of lists": (much("tokenizer.json", b"[", b"[],", 6_000_000, b"[]]"), "more than 524,288 of the sign ["),
    "texts upon texts": (much("tokenizer.json", b"[", b'"ab",', 4_000_000, b"1]"), "more than"),
    "emoji": (much("tokenizer.json", b'{"a": "', "🙂".encode(), 5_000_000, b'"}'), "it has no model"),
    "as many texts as may be": (much("tokenizer.json", b"[", b'"abcd",', 1_500_000, b"1]"), "must be an object"),
    "as many lists as may be": (much("tokenizer.json", b"[", b"[1.5],", 500_000, b"1]"), "must be an object"),
    "one name twice": (content("tokenizer.json", b'{"model": {}, "model": 3}'), "the same name twice"),
    "another kind": (tokenizer(model={"type": "Unigram", "unk_id": 9, "vocab": [["a", -1.0]]}), "'Unigram'"),
    "no pieces": (model_of_tokenizer(vocab={}), "its vocabulary is not"),
    "pieces without numbers": (model_of_tokenizer(vocab={"a": "0"}), "not numbered"),
    "numbers below 0": (model_of_tokenizer(vocab={"a": -1}), "not numbered"),
    "merges of nothing": (model_of_tokenizer(merges=[["zq", "qz"]]), "the tokenizer cannot be used"),
    "merges of numbers": (model_of_tokenizer(merges=[[1, 2]]), "not pairs"),
    "cut at random": (model_of_tokenizer(dropout=0.5), "at random"),
    "merges that panic": (model_of_tokenizer(continuing_subword_prefix="##"), "have a prefix"),
    "a slow pattern": (split("(a+)+$"), "not GPT-2's, Llama 3's or Qwen2's"),
    "a pattern that is none": (split("("), "not GPT-2's, Llama 3's or Qwen2's"),
    "a normalizer that panics": (tokenizer(normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
                                 "'Precompiled'"),
    "a normalizer by a pattern": (tokenizer(normalizer={"type": "Replace", "pattern": {"Regex": "(a*)*b"},
                                                        "content": "x"}), "only fixed letters"),
    "a normalizer to fill the memory": (tokenizer(normalizer={"type": "Sequence", "normalizers": [
        replaced("x" * 50) for _ in range(6)]}), "by more letters"),
    "normalizers without end": (tokenizer(normalizer={"type": "Sequence", "normalizers": [
        {"type": "NFC"} for _ in range(999)]}), "short list"),
    "a long prefix": (tokenizer(normalizer={"type": "Prepend", "prepend": "x" * 10**6}), "more than 16 letters"),
    "a decoder to fill the memory": (tokenizer(decoder=replaced("x" * 99)), "by more letters"),
    "pieces of no letter": (tokenizer(pre_tokenizer={"type": "FixedLength", "length": 0}), "'FixedLength'"),
    "a template of unknown pieces": (template([X, A], {}), "not a short list"),
    "a template without numbers": (template([X, A], {"[X]": {"id": "[X]", "ids": [], "tokens": []}}), "a number"),
    "a template of the second text": (template([{"Sequence": {"id": "B", "type_id": 0}}], {}), "the text once"),
    "a template without the text": (template([], {}), "the text once"),
    "a template of many texts": (template([A] * 9, {}), "the text once"),
    "an added piece of nothing": (tokenizer(added_tokens=[{"id": 9, "content": ""}]), "added_tokens"),
    "added pieces of numbers": (tokenizer(added_tokens=[9]), "added_tokens"),
    "a pipe for a tokenizer": (a_pipe("tokenizer.json"), "not a plain file"),
}  # fmt: skip


def made(case: str, good: Path, folder: Path) -> Path:
    shutil.copytree(good, folder)
    change = HOSTILE[case][0] if case in HOSTILE else SOUND_AFTER_ALL[case]
    change(folder)
    return folder


def most_memory() -> int:
    """Megabytes of this program alone; what getrusage says begins with those of whoever started it."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024


def main() -> None:
    """Every case made of a sound folder, in one process: the slowest, and the memory needed at most."""
    from regard.models.catalogue import find_model

    with tempfile.TemporaryDirectory() as here:
        good, slowest = Path(sys.argv[1]), (0.0, "")
        find_model(str(good)).run("the fox")
        before = most_memory()
        for number, case in enumerate(HOSTILE):
            folder = made(case, good, Path(here) / str(number))
            began = time.perf_counter()
            try:
                find_model(str(folder)).run("the fox")
            except ValueError:
                pass
            else:
                sys.exit(f"{case} was accepted")
            slowest = max(slowest, (time.perf_counter() - began, case))
    sys.stdout.write(
        f"{len(HOSTILE)} refused; slowest {slowest[0]:.2f} s ({slowest[1]}); "
        f"{before} MB before, {most_memory()} MB at most\n"
    )


if __name__ == "__main__":
    main()
