"""Whole runs: repeatable to the last bit, resumed after kill -9 as if nothing had happened, on one thread."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from regard.cli.main import run as regard
from regard.training.vectors import checkpoint, glove, predicting
from regard.training.vectors.run import begin, resumed
from regard.training.vectors.settings import KINDS, Settings
from regard.vectors.wordvectors import WordVectors

SMALL = {"width": 11, "window": 3, "epochs": 3, "least": 1}


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Path:
    """Two worlds of words that never meet."""
    random = np.random.default_rng(3)
    worlds = [["king", "queen", "prince", "palace", "crown"], ["bread", "butter", "cheese", "apple", "kitchen"]]
    lines = [" ".join(random.choice(worlds[i % 2], size=9)) for i in range(400)]
    file = tmp_path_factory.mktemp("text") / "worlds.txt"
    file.write_text("\n".join(lines))
    return file


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(predicting.Predicting.__init__, "__defaults__", (300,))
    monkeypatch.setattr(glove.GloVe.__init__, "__defaults__", (7,))


def trained(text, folder, kind, **settings):
    run = begin([text], folder, Settings.of(kind, **{**SMALL, **settings}))
    reports = list(run.reports())
    assert reports[-1].done == reports[-1].total
    return run


@pytest.mark.parametrize("kind", KINDS)
def test_words_of_one_world_come_near(text, tmp_path, kind):
    run = trained(text, tmp_path / "run", kind, epochs=60, rate=0.1, sample=0.0)
    vectors = WordVectors.open(run.result_file)
    assert set(vectors.near("king", 4).words) == {"queen", "prince", "palace", "crown"}
    assert np.array_equal(vectors["king"], run.learner.vectors()[run.text.words.index("king")])
    assert vectors.counts is not None and vectors.counts.sum() == 3600


@pytest.mark.parametrize("kind", KINDS)
def test_one_thread_makes_the_same_vectors_every_time(text, tmp_path, kind):
    first, second, other = (
        trained(text, tmp_path / name, kind, seed=seed).learner.vectors()
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert np.array_equal(first, second) and not np.array_equal(first, other)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_stops_anywhere_goes_on_as_if_it_had_not(text, tmp_path, kind, monkeypatch):
    monkeypatch.setattr("regard.training.vectors.loop.PER_THREAD", 2)
    whole = trained(text, tmp_path / "whole", kind)
    stopped = begin([text], tmp_path / "stopped", Settings.of(kind, **SMALL))
    for _ in stopped.reports(save_every=0):
        if stopped.blocks >= 5:
            break
    again = resumed(tmp_path / "stopped")
    assert 0 < again.blocks < whole.blocks
    list(again.reports())
    for name, table in whole.learner.tables.items():
        assert np.array_equal(table, again.learner.tables[name])
    assert (tmp_path / "whole/vectors.vectors").read_bytes()[-400:] == again.result_file.read_bytes()[-400:]


KILLED = """
import sys
from pathlib import Path
from regard.checkpoints import places
from regard.training.vectors import glove, loop, predicting
from regard.training.vectors.run import begin
from regard.training.vectors.settings import Settings

text, folder, kind, where = sys.argv[1:]
predicting.Predicting.__init__.__defaults__ = (300,)
glove.GloVe.__init__.__defaults__ = (7,)
loop.PER_THREAD = 1
write = places.write

def killed():
    print("now", flush=True)
    sys.stdin.read()  # until it is killed

def half(path, pieces):
    if path.name == where and "00000007" in path.parent.name:
        path.write_bytes(b"".join(map(bytes, pieces))[:50])
        killed()
    return write(path, pieces)

places.write = half
run = begin([text], Path(folder), Settings.of(kind, width=11, window=3, epochs=3, least=1))
for report in run.reports(save_every=0):
    if where == "between" and report.blocks == 7:
        killed()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(
    "kind, where",
    [
        *((kind, "between") for kind in KINDS),
        ("cbow", "model.safetensors"),
        ("glove", "training.json"),
    ],
)
def test_killed_and_resumed_it_is_the_same_to_the_last_bit(text, tmp_path, kind, where):
    """Between two checkpoints, and inside the seventh: in the middle of a large file, and of the last one."""
    whole = trained(text, tmp_path / "whole", kind)
    command = [sys.executable, "-c", KILLED, str(text), str(tmp_path / "killed"), kind, where]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "now\n"
        process.send_signal(signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
    again = resumed(tmp_path / "killed")
    assert again.blocks == (7 if where == "between" else 6)
    list(again.reports())
    for name, table in whole.learner.tables.items():
        assert np.array_equal(table, again.learner.tables[name])
    left = {place.name for place in (tmp_path / "killed/checkpoints").iterdir() if not place.name.isdigit()}
    assert left <= {".lock"}


def test_a_damaged_checkpoint_is_passed_over_and_said(text, tmp_path):
    run = begin([text], tmp_path / "run", Settings.of("skipgram", **SMALL))
    run.blocks = 3
    run.save()
    newest = tmp_path / "run/checkpoints/00000003/model.safetensors"
    newest.write_bytes(newest.read_bytes()[:-1] + b"x")
    again = resumed(tmp_path / "run")
    assert again.blocks == 0 and "damaged checkpoint 00000003" in again.notes[0]


def test_another_text_is_refused(text, tmp_path):
    begin([text], tmp_path / "run", Settings.of("skipgram", **SMALL))
    file = tmp_path / "run/text.int32"
    file.write_bytes(file.read_bytes()[4:])
    with pytest.raises(ValueError, match="is not the text"):
        resumed(tmp_path / "run")


def test_numbers_that_have_gone_wrong_are_not_kept(text, tmp_path):
    run = begin([text], tmp_path / "run", Settings.of("skipgram", **SMALL))
    run.learner.tables["vectors"][0, 0] = np.nan
    with pytest.raises(ValueError, match="lower --rate"):
        run.save()
    assert np.isfinite(checkpoint.load(tmp_path / "run").tables["vectors"]).all()


def test_what_a_killed_start_left_is_not_taken_for_this_text(text, tmp_path):
    whole = trained(text, tmp_path / "whole", "glove")
    left = tmp_path / "left"
    left.mkdir()
    for name in ("pairs.bin", ".bucket-00000", ".pairs-00000.keys", ".first.int32"):
        (left / name).write_bytes(b"123456789012" * 50)
    again = trained(text, left, "glove")
    assert np.array_equal(whole.learner.vectors(), again.learner.vectors())
    assert not [file.name for file in left.iterdir() if file.name.startswith((".pairs", ".bucket", ".first"))]


def test_files_of_others_are_not_overwritten(text, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/words.doc").write_text("mine")
    with pytest.raises(ValueError, match="holds files that are not of a run"):
        begin([text], tmp_path / "notes", Settings.of("skipgram"))


def test_two_threads_learn_the_same_worlds(text, tmp_path):
    run = trained(text, tmp_path / "run", "skipgram", threads=2, epochs=60, rate=0.1, sample=0.0)
    assert set(run.result().near("bread", 4).words) == {"butter", "cheese", "apple", "kitchen"}


def test_the_command(text, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["vectors", "train", str(text), "--width", "5", "--epochs", "2", "--least", "1", "--phrases", "99"]
    assert regard(command) == 0
    said = capsys.readouterr().out
    assert "3,600 words, 10 different ones; skipgram, width 5, window 5, 2 epochs" in said
    assert "words/s  0:00 left" in said and "runs/worlds-vectors/vectors.vectors" in said
    assert regard(command) == 2 and "already holds a run" in capsys.readouterr().err
    assert regard(["vectors", "train", "--resume", "runs/worlds-vectors"]) == 2
    assert "has learned all" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["nowhere.txt"], "there is no nowhere.txt"),
        (["x.txt", "--kind", "lsa"], "kind expects skipgram, cbow or glove, got 'lsa'"),
        (["x.txt", "--rate", "0"], "rate expects a number between 0 and 10"),
        ([], "give the text to learn from"),
        (["--resume"], "give the run to resume"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert regard(["vectors", "train", *arguments]) == 2
    assert said in capsys.readouterr().err
