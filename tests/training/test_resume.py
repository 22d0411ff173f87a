"""A resumed run needs no text, knows its own again, and says when an older checkpoint has to do."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from regard.checkpoints.places import DamagedCheckpoint
from regard.checkpoints.writing import manifest_of
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.training import checkpoint, computing
from regard.training.corpus import Corpus
from regard.training.labelled import Labelled
from regard.training.processes import ALONE
from regard.training.source import Source

LONGER = ["--resume", "--set", "updates=8"]


@pytest.fixture
def stopped(trained_run, tmp_path) -> Path:
    """A copy of a finished run, to be made longer."""
    shutil.copytree(trained_run, tmp_path / "runs/notes")
    return tmp_path / "runs/notes"


def updates(folder: Path) -> int:
    return checkpoint.load(folder).step


@pytest.mark.parametrize("spelling", ["--out", "path", "both"])
def test_the_folder_alone_is_enough(stopped, text_file, spelling, capsys):
    where = {"--out": ["--out", str(stopped)], "path": [str(stopped)]}
    where["both"] = [str(text_file), *where["--out"]]
    assert run(["train", *where[spelling], *LONGER]) == 0
    assert "resumed after 6" in capsys.readouterr().out and updates(stopped) == 8


def test_the_text_is_found_again_where_the_tokens_are_damaged(text_file, tmp_path, tiny, capsys, monkeypatch):
    text = tmp_path / "texts/notes.txt"
    text.parent.mkdir()
    shutil.copy(text_file, text)
    monkeypatch.chdir(text.parent)
    assert run(["train", "notes.txt", "--out", "../runs/notes", *tiny]) == 0
    monkeypatch.chdir("/")
    (tmp_path / "runs/notes/tokens/learned.npy").write_bytes(b"")
    moved = shutil.move(tmp_path, tmp_path.with_name(f"{tmp_path.name}-moved"))  # the run and its text together
    assert run(["train", str(Path(moved) / "runs/notes"), *LONGER]) == 0
    assert updates(Path(moved) / "runs/notes") == 8
    capsys.readouterr()


def test_a_text_that_is_gone_is_asked_for(stopped, text_file, capsys):
    (stopped / "tokens/learned.npy").unlink()  # and from here the text lies elsewhere
    assert run(["train", str(stopped), *LONGER]) == 2
    err = capsys.readouterr().err
    assert "has lost its tokens" in err and f"regard train PATH --resume --out {stopped}" in err
    assert len(err.splitlines()) == 1
    assert run(["train", str(text_file), "--out", str(stopped), *LONGER]) == 0
    with pytest.raises(ValueError, match="/dev/zero"):
        Source("x", ("/dev/zero",), "0").files(stopped)


def test_another_text_is_refused_although_the_tokens_are_there(stopped, text_file, tmp_path, capsys):
    other = tmp_path / "other.txt"
    other.write_text(text_file.read_text().replace("fox", "box"))
    assert run(["train", str(other), "--out", str(stopped), *LONGER]) == 2
    err = capsys.readouterr().err
    assert f"{other} is not the text that the run in {stopped} began with ({text_file})" in err
    assert len(err.splitlines()) == 1 and updates(stopped) == 6
    other.write_text("\n" + text_file.read_text())  # the same words, from another place
    assert run(["train", str(other), "--out", str(stopped), *LONGER]) == 0


def without_fingerprint(folder: Path) -> None:
    """As a run of the first edition is: its checkpoints know the name of the text only."""
    for place in (folder / "checkpoints").iterdir():
        if place.name.startswith("."):
            continue
        config = json.loads((place / "config.json").read_text())
        del config["paths"], config["fingerprint"]
        (place / "config.json").write_text(json.dumps(config))
        listed = json.loads((place / "manifest.json").read_text())["files"]
        data = (place / "config.json").read_bytes()
        listed["config.json"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        (place / "manifest.json").write_bytes(manifest_of(int(place.name), listed))


def test_a_run_of_the_first_edition_says_that_it_cannot_compare(stopped, text_file, capsys):
    without_fingerprint(stopped)
    assert run(["train", str(text_file), "--out", str(stopped), *LONGER]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if "cannot be checked" in line]
    assert len(said) == 1 and "kept no fingerprint" in said[0] and str(text_file) in said[0]
    assert run(["train", str(stopped), "--resume", "--set", "updates=9"]) == 0
    assert "fingerprint" not in capsys.readouterr().out


def test_a_fingerprint_is_of_the_documents_and_their_classes():
    one = Corpus("a", ("ab", "c")).fingerprint
    assert one == Corpus("b", ("ab", "c")).fingerprint
    assert one != Corpus("a", ("a", "bc")).fingerprint
    labelled = Labelled("a", ("ab", "c"), (0, 1), ("x", "y")).fingerprint
    assert labelled not in (one, Labelled("a", ("ab", "c"), (1, 0), ("x", "y")).fingerprint)


def test_an_older_checkpoint_is_said_on_resuming_and_on_looking_inside(stopped, capsys):
    newest = checkpoint.load(stopped).path / "model.safetensors"
    newest.write_bytes(newest.read_bytes()[:-1] + b"\x7f")
    damaged = "damaged checkpoint 00000006: model.safetensors is not what was written"
    for arguments in (["explain", "the fox"], ["why", "logits[fox]"]):
        assert run([*arguments, "--model", str(stopped)]) == 0
        out, err = capsys.readouterr()
        assert err.startswith(f"regard: {damaged}") and err.endswith("update 4 is used instead\n"), arguments
        assert len(err.splitlines()) == 1 and (arguments[0] != "explain" or "damaged checkpoint 00000006" in out)
    with pytest.warns(DamagedCheckpoint, match="update 4 is used instead"):
        assert find_model(str(stopped)).notes[0].startswith(damaged)
    assert run(["train", str(stopped), "--resume"]) == 0
    said = capsys.readouterr().out
    assert damaged in said and "update 4 is used instead" in said and "resumed after 4" in said


def test_another_task_needs_another_folder(stopped, capsys):
    assert run(["train", str(stopped), "--resume", "--task", "masked"]) == 2
    assert "learns the task next; masked needs another folder" in capsys.readouterr().err


def test_a_run_that_is_moved_says_that_its_bits_may_differ_and_remembers_both(stopped, capsys):
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    try:
        assert run(["train", str(stopped), *LONGER]) == 0
    finally:
        torch.set_num_threads(threads)
    told = capsys.readouterr().out
    was = f"until update 6 it was computed with {threads} thread{'s' * (threads > 1)}, from here on with {threads + 1}"
    assert was in told and "the last bits of its numbers may differ" in told
    computed = checkpoint.load(stopped).state["computed"]
    assert [(each["update"], each["threads"], each["torch"]) for each in computed] == [
        (0, threads, torch.__version__),
        (6, threads + 1, torch.__version__),
    ]
    assert run(["train", str(stopped), "--resume", "--set", "updates=9"]) == 0  # back again: three stretches
    assert [each["update"] for each in checkpoint.load(stopped).state["computed"]] == [0, 6, 8]


def test_a_run_that_stays_says_nothing_of_it(stopped, capsys):
    assert run(["train", str(stopped), *LONGER]) == 0
    assert "computed with" not in capsys.readouterr().out
    assert len(checkpoint.load(stopped).state["computed"]) == 1


@pytest.mark.parametrize("name, other", [("torch", "1.0"), ("machine", "another"), ("processes", 7), ("threads", 0)])
def test_whatever_differs_is_named(name, other):
    here = computing.computed_here(5, ALONE)
    (note,) = computing.continued([replace(here, update=0, **{name: other})], here)[1]
    assert str(other) in note and here.parts[name] in note
    assert all(here.parts[unchanged] not in note for unchanged in here.parts if unchanged != name)


def test_what_a_stranger_wrote_there_is_not_believed():
    here = computing.data([computing.computed_here(5, ALONE)])
    assert computing.data(computing.remembered(here)) == here
    for strange in (None, {}, [1], [{}], [{**here[0], "threads": "9"}], [{**here[0], "torch": "x" * 9999}]):
        assert computing.remembered(strange) == ()
    assert len(computing.remembered(here * 5000)) == computing.MOST
