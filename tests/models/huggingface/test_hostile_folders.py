"""Folders that mean harm are refused in one line, run nothing, and cost little memory."""

import importlib.util
import json
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regard.cli.main import run
from regard.models.catalogue import find_model

FILE = Path(__file__).with_name("hostile.py")


def _module():
    spec = importlib.util.spec_from_file_location("hostile", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hostile = _module()


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    return hostile.sound(tmp_path_factory.mktemp("sound") / "good")


def test_the_sound_one_can_be_used(good, capsys):
    assert run(["explain", "the fox", "--model", str(good)]) == 0
    assert "good (Llama, Hugging Face)" in capsys.readouterr().out


@pytest.mark.parametrize("case", hostile.HOSTILE)
def test_it_is_refused_in_one_line_and_nothing_is_run(good, tmp_path, capfd, case):
    folder = hostile.made(case, good, tmp_path / "folder")
    assert run(["explain", "the fox", "--model", str(folder)]) == 2
    out, err = capfd.readouterr()  # of the process, so that what a library writes by itself is seen too
    assert hostile.HOSTILE[case][1] in err and len(err.splitlines()) == 1 and len(err) < 500 and not out
    assert run(["convert", str(folder), str(tmp_path / "there")]) == 2
    assert not (folder / hostile.CANARY).exists() and not (tmp_path / "there").exists()


@pytest.mark.parametrize("case", hostile.SOUND_AFTER_ALL)
def test_what_is_asked_for_is_not_done(good, tmp_path, case):
    folder = hostile.made(case, good, tmp_path / "folder")
    model = find_model(str(folder))
    assert model.tokenizer.encode("the fox jumps") == find_model(str(good)).tokenizer.encode("the fox jumps")
    assert model.run("the fox jumps").predicted in model.writes
    assert not (folder / hostile.CANARY).exists()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from Linux's /proc")
def test_all_of_them_together_cost_little(good, figure):
    code = [sys.executable, str(FILE), str(good)]
    said = subprocess.run(code, capture_output=True, text=True, check=True, timeout=120).stdout
    assert f"{len(hostile.HOSTILE)} refused" in said
    megabytes = int(said.split()[-4])
    assert megabytes < 200, said
    figure(megabytes=float(megabytes))


def test_a_folder_that_is_there_is_not_written_over(good, capsys):
    before = {file.name: file.read_bytes() for file in good.iterdir()}
    assert run(["convert", "english", str(good)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert {file.name: file.read_bytes() for file in good.iterdir()} == before


def test_a_full_disk_leaves_nothing(good, tmp_path, capsys, monkeypatch):
    from regard.models.huggingface import writing

    def full(path: Path, pieces: list[bytes]) -> None:
        path.write_bytes(pieces[0][:100])
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(writing, "write", full)
    assert run(["convert", str(good), str(tmp_path / "there")]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


ODD = (None, True, 0, -1, 2**31, 2**63, 0.5, 1e308, "", "\ud800", "[X]", "▁" * 99, [], [[]], {}, {"type": "Sequence"},
       {"Regex": "(a*)*b"}, ["a", "b"], {"id": "A"}, "bert", "gpt2")  # fmt: skip


def changed_somewhere(value: Any, chance: random.Random) -> Any:
    """The same data with something odd at a random place, or something missing."""
    inside = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    if not inside or chance.random() < 0.15:
        return chance.choice(ODD)
    key = chance.choice(inside)
    if isinstance(value, dict) and chance.random() < 0.1:
        return {name: item for name, item in value.items() if name != key}
    copy = value.copy()
    copy[key] = changed_somewhere(value[key], chance)
    return copy


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_random_changes_are_refused_or_do_no_harm(good, tmp_path, capfd, name):
    folder = shutil.copytree(good, tmp_path / "folder")
    whole = (good / name).read_bytes()
    chance, said = random.Random(name), []
    for _ in range(150):
        if chance.random() < 0.3:
            data = bytearray(whole)
            data[chance.randrange(min(len(data), 3000))] = chance.randrange(256)
        elif name == "model.safetensors":
            length = int.from_bytes(whole[:8], "little")
            header = json.dumps(changed_somewhere(json.loads(whole[8 : 8 + length]), chance)).encode()
            data = struct.pack("<Q", len(header)) + header + whole[8 + length :]
        else:
            data = json.dumps(changed_somewhere(json.loads(whole), chance)).encode()
        (folder / name).write_bytes(data)
        try:
            model = find_model(str(folder))
            assert np.isfinite(model.run("the foxes, é 👍🏽").array("logits")).all()
        except ValueError as error:
            said.append(str(error))
    assert 20 < len(said) < 150
    assert all("\n" not in line and len(line) < 500 for line in said)
    assert capfd.readouterr().err == ""  # no library complained by itself
