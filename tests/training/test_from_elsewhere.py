"""Texts and run folders from elsewhere: packed texts are bounded, and nothing is read or written through a trap."""

import io
import lzma
import os
import shutil
import threading

import pytest

from regard.cli.main import run
from regard.training import corpus, unpacking
from regard.training.labelled import read_labelled

MANY = 300
BOMB = lzma.compress(b"x" * 2**20) * MANY  # streams one after the other: 300 MB in some 60 kB


def unpacked(data: bytes, most: int = 2**32) -> bytes:
    return unpacking.unpacked(io.BufferedReader(io.BytesIO(data)), "a.xz", len(data), most)


def test_a_packed_text_is_what_was_packed():
    """Several streams, zeros between them as xz allows, and a text of more than one piece."""
    prose = bytes(i * i % 251 for i in range(3 * unpacking.PIECE + 17))
    for parts in ([prose], [b""], [prose[:99], b"b"], [b"a", b"", prose]):
        assert unpacked(b"".join(lzma.compress(part) + bytes(8) for part in parts)) == b"".join(parts)
    assert unpacked(lzma.compress(b"the old format", lzma.FORMAT_ALONE)) == b"the old format"
    with pytest.raises(ValueError, match="can be unpacked"):
        unpacked(lzma.compress(b"a") + b"and something else")


def test_a_packed_text_of_more_than_any_text_has_is_not_unpacked(monkeypatch):
    made = 0
    decompressor = lzma.LZMADecompressor

    class Counting:
        def __init__(self, **options):
            self.inner = decompressor(**options)

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def decompress(self, *arguments):
            nonlocal made
            piece = self.inner.decompress(*arguments)
            made += len(piece)
            return piece

    monkeypatch.setattr(lzma, "LZMADecompressor", Counting)
    with pytest.raises(ValueError, match=rf"a\.xz has {len(BOMB):,} bytes packed and more than 67,108,864 unpacked"):
        unpacked(BOMB)
    assert unpacking.FREE < made <= unpacking.FREE + unpacking.PIECE  # it stopped there
    with pytest.raises(ValueError, match="more than 1,000 unpacked"):
        unpacked(lzma.compress(bytes(1001)), most=1000)


def test_a_large_packed_text_may_have_as_much_as_texts_have(monkeypatch):
    monkeypatch.setattr(unpacking, "FREE", 100)
    data = lzma.compress(bytes(5000))
    monkeypatch.setattr(unpacking, "MOST_RATIO", -(-5000 // len(data)))
    assert len(unpacked(data)) == 5000
    monkeypatch.setattr(unpacking, "MOST_RATIO", 4999 // len(data))
    with pytest.raises(ValueError, match="packed and more than"):
        unpacked(data)


def test_a_packed_text_may_not_ask_for_all_the_memory(monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_MEMORY", 2**20)
    with pytest.raises(ValueError, match=r"can be unpacked: .*[Mm]emory"):
        unpacked(lzma.compress(b"x", preset=9))


def test_the_command_says_so_in_one_line(tmp_path, capsys):
    (tmp_path / "bomb.txt.xz").write_bytes(BOMB)
    assert run(["train", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert "bomb.txt.xz has" in told and told.count("\n") == 1 and not (tmp_path / "run").exists()


def test_a_device_is_no_text(capsys):
    assert run(["train", "/dev/zero", "--out", "nowhere"]) == 2
    assert "not a plain file" in capsys.readouterr().err


def test_a_folder_of_texts_leads_to_no_other_folder(tmp_path):
    """A link inside it is a text like any other; one that leads out is told, and whoever means it names it."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private/diary.txt").write_text("dear diary", encoding="utf-8")
    texts = tmp_path / "texts"
    (texts / "more").mkdir(parents=True)
    (texts / "more/a.txt").write_text("one text", encoding="utf-8")
    (texts / "again.txt").symlink_to(texts / "more/a.txt")
    assert corpus.read([texts]).documents == ("one text", "one text")
    (texts / "notes.txt").symlink_to(tmp_path / "private/diary.txt")
    with pytest.raises(ValueError, match=r"notes\.txt is a link that leads out of .*texts; remove it, or name"):
        corpus.read([texts])
    assert corpus.read([texts / "notes.txt"]).documents == ("dear diary",)
    classes = tmp_path / "classes"
    classes.mkdir()
    (classes / "good").symlink_to(tmp_path / "private")
    with pytest.raises(ValueError, match="good is a link that leads out"):
        read_labelled([classes])


def test_whoever_names_a_pipe_means_to_read_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe.txt").write_text("from a command"), daemon=True)
    writer.start()
    assert corpus.read([tmp_path / "pipe.txt"]).documents == ("from a command",)
    writer.join()


@pytest.mark.parametrize(
    "name", ["losses.jsonl", ".losses.jsonl", "tokens", "tokens/learned.npy", "checkpoints", ".shards"]
)
def test_resuming_writes_through_no_link(name, trained_run, tmp_path, capsys):
    folder, precious = tmp_path / "run", tmp_path / "precious"
    shutil.copytree(trained_run, folder)
    precious.write_text("mine")
    if (folder / name).is_dir():
        (folder / name).rename(tmp_path / "elsewhere")
        precious = tmp_path / "elsewhere"
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(precious)
    before = sorted((p, p.stat().st_mtime_ns) for p in (precious, *precious.rglob("*")))
    assert run(["train", "--resume", str(folder), "--set", "updates=8"]) == 2
    told = capsys.readouterr().err
    assert f"{name} is a link, a pipe or a device" in told and told.count("\n") == 1
    assert sorted((p, p.stat().st_mtime_ns) for p in (precious, *precious.rglob("*"))) == before


def test_weights_of_more_than_the_model_has_are_not_read(trained_run, tmp_path):
    """A manifest may list a file of a terabyte, with its digest: its size is compared before it is in memory."""
    from regard.checkpoints import reading
    from regard.models.trained import trained

    shutil.copytree(trained_run, tmp_path / "run")
    place = max((tmp_path / "run/checkpoints").iterdir())
    listed = reading.listed_in(place, int(place.name))
    with (place / "model.safetensors").open("r+b") as file:
        file.truncate(2**40)  # a hole, which takes no room on disk
    listed["model.safetensors"]["size"] = 2**40
    (place / "manifest.json").write_bytes(reading.manifest_of(int(place.name), listed))
    for other in (tmp_path / "run/checkpoints").iterdir():
        if other.is_dir() and other != place:
            shutil.rmtree(other)
    with pytest.raises(ValueError, match=r"model\.safetensors has 1099511627776 bytes; at most"):
        trained(tmp_path / "run")
