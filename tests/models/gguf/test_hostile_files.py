"""A file that is broken or means harm is refused in words, at once, and costs little; a sound one is not."""

import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from regard.models.catalogue import find_model
from regard.models.gguf.file import read

FILE = Path(__file__).with_name("hostile.py")
spec = spec_from_file_location("hostile_gguf", FILE)
hostile = module_from_spec(spec)
spec.loader.exec_module(hostile)
MUTATIONS = 300


@pytest.fixture(scope="module")
def sound() -> bytes:
    return hostile.File().made()


def opened(path: Path, data: bytes):
    path.write_bytes(data)
    return find_model(path)


def test_the_sound_file_can_be_used(sound, tmp_path):
    model = opened(tmp_path / "sound.gguf", sound)
    assert model.run("ab cab").predicted in model.writes
    assert np.array_equal(model.parameters["E"], hostile.File().numbers[0])


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_a_hostile_file_is_refused(name, tmp_path):
    path, said = hostile.hostile_file(name, tmp_path)
    with pytest.raises(ValueError, match="cannot be used") as refusal:
        find_model(path)
    assert said in str(refusal.value) and len(str(refusal.value)) < 1000


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from Linux's /proc")
def test_all_of_them_together_cost_little(figure):
    said = subprocess.run([sys.executable, str(FILE)], capture_output=True, text=True, check=True, timeout=120).stdout
    refused, megabytes = (int(number) for number in re.findall(r"(\d+) (?:refused|MB)", said))
    assert refused == len(hostile.HOSTILE) and megabytes < 200, said
    figure(megabytes=float(megabytes))


def test_cut_anywhere_it_is_noticed(sound, tmp_path):
    """Every size tells: no shorter file is sound."""
    for length in [*range(60), *range(60, len(sound), 97), *range(len(sound) - 40, len(sound))]:
        with pytest.raises(ValueError, match="cannot be used"):
            opened(tmp_path / "cut.gguf", sound[:length])


def mutated(sound: bytes, generator: np.random.Generator) -> tuple[str, bytes]:
    """Somewhere in the file, most often in its header, something is changed, put in or left out."""
    kind = str(generator.choice(["flip", "byte", "number", "insert", "delete", "swap"]))
    end = len(sound) if generator.random() < 0.2 else 1600
    at, count = int(generator.integers(end)), int(generator.integers(1, 40))
    data = bytearray(sound)
    if kind == "flip":
        data[at] ^= 1 << int(generator.integers(8))
    elif kind == "byte":
        data[at] = int(generator.integers(256))
    elif kind == "number":
        data[at : at + 8] = [0, 2**31, 2**32 - 1, 2**63, 2**64 - 1][int(generator.integers(5))].to_bytes(8, "little")
    elif kind == "insert":
        data[at:at] = generator.bytes(count)
    elif kind == "delete":
        del data[at : at + count]
    else:
        other = int(generator.integers(end))
        data[at : at + 8], data[other : other + 8] = data[other : other + 8], data[at : at + 8]
    return kind, bytes(data)


def test_three_hundred_mutations_crash_nothing(sound, tmp_path, figure):
    generator, refused = np.random.default_rng(13), 0
    for number in range(MUTATIONS):
        kind, data = mutated(sound, generator)
        try:
            model = opened(tmp_path / "mutated.gguf", data)
        except ValueError:
            refused += 1
            continue
        assert len(data) == len(sound), f"mutation {number}, {kind}: its size tells that it is another file"
        file = read(tmp_path / "mutated.gguf")
        places = sorted((tensor.start, tensor.start + tensor.bytes) for tensor in file.tensors.values())
        assert all(end <= start for (_, end), (start, _) in pairwise(places)) and places[-1][1] <= len(data)
        assert len(model.read(model.reads[:3]).array("logits")) == len(model.writes)
    assert refused > MUTATIONS / 2
    figure(mutations=MUTATIONS)


def test_only_a_plain_file_is_opened(sound, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("the system has no named pipes")
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ValueError, match=r"pipe\.gguf is not a plain file"):
        find_model(tmp_path / "pipe.gguf")
    (tmp_path / "linked").mkdir()
    (tmp_path / "sound.gguf").write_bytes(sound)
    (tmp_path / "linked/model.gguf").symlink_to(tmp_path / "sound.gguf")  # as a download cache is made
    assert find_model(tmp_path / "linked/model.gguf").run("ab").predicted
