"""Which folder is meant, and that a run is never begun among the files of somebody else."""

from pathlib import Path

import pytest

from regard.cli.main import run
from regard.training.folder import chosen, refuse_what_is_not_ours


def test_a_folder_with_other_files_is_not_written_into(text_file, tmp_path, tiny, capsys):
    folder = tmp_path / "photos"
    (folder / "tokens").mkdir(parents=True)
    (folder / "summer.jpg").write_bytes(b"x")
    (folder / "winter.jpg").write_bytes(b"y")
    assert run(["train", str(text_file), "--out", str(folder), *tiny]) == 2
    out, err = capsys.readouterr()
    assert "holds files that are not of a run ('summer.jpg' and 1 more)" in err and "--out" in err
    assert len(err.splitlines()) == 1 and not out
    assert sorted(p.name for p in folder.rglob("*")) == ["summer.jpg", "tokens", "winter.jpg"]
    file = tmp_path / "file"
    file.write_text("kept")
    assert run(["train", str(text_file), "--out", str(file), *tiny]) == 2
    assert "is a file, and a run needs a folder" in capsys.readouterr().err and file.read_text() == "kept"


def test_what_an_earlier_start_left_and_the_text_itself_may_lie_there(tmp_path):
    """As when the page starts a run: its folder holds the text and the log before training begins."""
    for name in ("notes.txt", "train.log", ".lock", "losses.jsonl"):
        (tmp_path / name).write_text("")
    refuse_what_is_not_ours(tmp_path, [tmp_path / "notes.txt"])
    with pytest.raises(ValueError, match=r"notes\.txt"):
        refuse_what_is_not_ours(tmp_path, [Path("notes.txt")])
    refuse_what_is_not_ours(tmp_path / "new", [])


def test_which_folder_is_meant(trained_run, tmp_path):
    text = tmp_path / "notes.txt"
    assert chosen([text], None, resume=False) == ((text,), Path("runs/notes"))
    assert chosen([text], None, resume=True) == ((text,), Path("runs/notes"))
    assert chosen([trained_run], None, resume=True) == ((), trained_run)
    assert chosen([], trained_run, resume=True) == ((), trained_run)
    assert chosen([text], trained_run, resume=True) == ((text,), trained_run)
    for paths, out, resume, said in (
        ([], None, False, "give the text to learn from"),
        ([], tmp_path, False, "give the text to learn from"),
        ([], None, True, "give the run to resume: regard train --resume runs/NAME"),
    ):
        with pytest.raises(ValueError, match=said):
            chosen(paths, out, resume)
