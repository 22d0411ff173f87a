"""Folders that mean harm are refused in one line, run nothing, and cost little memory."""

import importlib.util
import subprocess
import sys
from pathlib import Path

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
def test_all_of_them_together_cost_little(good):
    code = [sys.executable, str(FILE), str(good)]
    said = subprocess.run(code, capture_output=True, text=True, check=True, timeout=120).stdout
    assert f"{len(hostile.HOSTILE)} refused" in said
    assert int(said.split()[-4]) < 200, said


def test_a_folder_that_is_there_is_not_written_over(good, capsys):
    before = {file.name: file.read_bytes() for file in good.iterdir()}
    assert run(["convert", "english", str(good)]) == 2
    assert "is there already" in capsys.readouterr().err
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
