"""What is written takes the old file's place whole or not at all: on a full disk the old file stays."""

import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import regard
from regard.cli.main import run
from regard.replacing import replacing
from regard.views import offline

OLD = b"the old file, which is precious"
SOURCE = str(Path(regard.__file__).parents[1])
FOX = ["The quick brown fox", "--model", "fox"]


def written(path: Path, data: bytes = b"new") -> None:
    with replacing(path) as file:
        file.write(data)


@pytest.fixture
def old(tmp_path) -> Path:
    (tmp_path / "file").write_bytes(OLD)
    return tmp_path / "file"


def is_as_before(path: Path) -> bool:
    return path.read_bytes() == OLD and os.listdir(path.parent) == [path.name]


def test_the_name_is_taken_over_at_the_end(old):
    with replacing(old) as file:
        file.write(b"new")
        file.flush()
        assert old.read_bytes() == OLD
    assert old.read_bytes() == b"new" and os.listdir(old.parent) == [old.name]


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_whichever_call_fails_the_old_file_stays(call, old, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device")

    def write() -> None:
        with replacing(old) as file:
            file.write(b"new")
            if call == "write":
                fails()
            monkeypatch.setattr(os, call, fails)

    with pytest.raises(OSError, match="No space left on device; it was not written") as caught:
        write()
    assert caught.value.filename == str(old) and is_as_before(old)


def test_what_was_written_is_on_disk_before_it_has_the_name(old, monkeypatch):
    calls = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, real=real: (calls.append(name), real(*a))[1])
    written(old)
    assert calls == ["fsync", "replace", "fsync"]  # the file, its name, and the folder that holds the name


def test_an_error_of_whoever_writes_is_told_as_it_is(old):
    with pytest.raises(TypeError), replacing(old) as file:
        print("a text", file=file)
    assert is_as_before(old)


def test_rights_and_links_stay(old, tmp_path):
    old.chmod(0o640)
    (tmp_path / "link").symlink_to("file")
    written(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and old.read_bytes() == b"new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_not_replaced(old, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everything
    with pytest.raises(PermissionError):
        written(old)
    assert is_as_before(old)


def test_no_folder(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        written(tmp_path / "none/file")
    assert caught.value.filename == str(tmp_path / "none/file")


def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    written(tmp_path / "pipe")
    reader.join()
    assert found == [b"new"] and stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


# whoever writes a file for somebody


def saved(path: Path) -> list[str]:
    return ["-c", f"import regard; regard.explain('The fox').save({str(path)!r})"]


def page(path: Path) -> Path:
    written = path.parent.with_name("page.md")
    written.write_text("2 + 2 = 4")
    return written


COMMANDS = {
    "regard.html": lambda path: ["-m", "regard", "export", *FOX, "-o", str(path)],
    "regard.svg": lambda path: ["-m", "regard", "figure", *FOX, "-o", str(path)],
    "regard.png": lambda path: ["-m", "regard", "figure", *FOX, "-o", str(path)],
    "read.html": lambda path: ["-m", "regard", "read", str(page(path)), "-o", str(path)],
    "regard.npz": saved,
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path):
    """A process that may write 4,000 bytes to a file, as on a disk with no more room."""
    if name.endswith(".html") and not (offline.BUNDLE / "regard.js").is_file():
        pytest.skip("the page has not been built")
    place = tmp_path / "out" / name
    place.parent.mkdir()
    place.write_bytes(OLD)
    ran = subprocess.run(
        [sys.executable, *COMMANDS[name](place)],
        env={**os.environ, "PYTHONPATH": SOURCE, "MPLCONFIGDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ran.returncode != 0 and "it was not written" in ran.stderr, ran.stderr
    assert is_as_before(place)
    if name != "regard.npz":
        said = ran.stderr.splitlines()[-1]  # before it, matplotlib may mourn its cache
        assert said.startswith(f"regard: {place}: File too large;") and "Traceback" not in ran.stderr


def test_tokens_are_replaced_too(tmp_path, monkeypatch):
    from regard.text.bpe import BPE
    from regard.training import corpus

    text = corpus.Corpus("x", ("the fox and the dog " * 40,))
    bpe = BPE.learned(text.documents, 300)
    before = corpus.tokens_of(text, bpe, tmp_path, window=4)
    monkeypatch.setattr(np, "save", lambda file, *_, **__: (file.write(b"half"), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        corpus.tokens_of(text, bpe, tmp_path, window=4)
    assert corpus.opened(tmp_path).digest == before.digest


def test_the_figure_is_the_same_as_before(tmp_path, monkeypatch):
    """Byte for byte what matplotlib writes to a path."""
    from regard.views import figure

    monkeypatch.chdir(tmp_path)
    assert run(["figure", *FOX, "-o", "ours.svg"]) == 0
    drawn = figure.figure(regard.explain(FOX[0], model="fox"))
    figure.write(drawn, "theirs.svg", "svg")
    assert Path("ours.svg").read_bytes() == Path("theirs.svg").read_bytes()


@pytest.mark.parametrize("inside", ["", "fonts"])
def test_a_folder_that_cannot_be_written_is_told_by_its_own_name(inside, tmp_path, capsys, monkeypatch):
    """Not by the name of the one beside it, which is gone by then."""

    def full(self, *_, **__):
        raise OSError(28, "No space left on device", str(self / inside))

    monkeypatch.setattr(Path, "mkdir", full)
    assert run(["site", str(tmp_path / "site")]) == 2
    assert capsys.readouterr().err == f"regard: {tmp_path}/site: No space left on device\n"
