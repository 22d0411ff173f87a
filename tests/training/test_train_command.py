"""`regard train`: it resumes bit for bit after a kill, stops when asked, and says in one line what it cannot do."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.machine import needs_proc

import regard
from regard.cli.main import run
from regard.training import checkpoint

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(regard.__file__).parents[1]), "COLUMNS": "120"}


def weights(folder: Path) -> str:
    return hashlib.sha256((checkpoint.load(folder).path / "model.safetensors").read_bytes()).hexdigest()


def losses(folder: Path) -> list[dict]:
    lines = (folder / "losses.jsonl").read_text().splitlines()
    return [json.loads(line, parse_constant=lambda x: pytest.fail(f"{x} is not JSON")) for line in lines]


def train(arguments: list[str]) -> subprocess.Popen:
    command = [sys.executable, "-m", "regard", "train", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def wait_for(folder: Path, update: int) -> None:
    """Until this many updates have been made."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        file = folder / "losses.jsonl"
        if file.exists() and file.read_bytes().count(b"\n") >= update:
            return
        time.sleep(0.01)
    pytest.fail("the run did not come that far")


def test_a_run_prints_losses_and_a_sample_and_leaves_a_whole_folder(text_file, tmp_path, tiny, capsys):
    assert run(["train", str(text_file), "--out", str(tmp_path / "run"), *tiny]) == 0
    said = capsys.readouterr().out
    assert re.search(r"tokens to learn from, [\d,]+ tokens held out; vocabulary 300", said)
    assert re.search(
        r"update 6/6  loss \d\.\d+  held out \d\.\d+ \(\d\.\d\d bits per character\)  [\d,]+ tokens/s  0:00 left", said
    )
    assert f"--model {tmp_path}/run" in said.splitlines()[-1]
    found = losses(tmp_path / "run")
    assert [each["update"] for each in found] == [1, 2, 3, 4, 5, 6]
    assert [each["update"] for each in found if "held_out" in each] == [3, 6]
    sample = said[said.index("update 6/6") :].splitlines()[1]
    assert len(sample.split()) > 5
    assert not [p for p in (tmp_path / "run").rglob("*") if p.suffix in (".pkl", ".pt", ".pth", ".bin")]


def test_the_same_command_makes_the_same_run(text_file, tmp_path, tiny, trained_run):
    assert run(["train", str(text_file), "--out", str(tmp_path), *tiny]) == 0
    assert weights(tmp_path) == weights(trained_run)
    assert (tmp_path / "losses.jsonl").read_bytes() == (trained_run / "losses.jsonl").read_bytes()
    assert run(["train", str(text_file), "--out", str(tmp_path / "2"), *tiny, "--set", "seed=1"]) == 0
    assert weights(tmp_path / "2") != weights(trained_run)


def test_killed_in_a_step_it_goes_on_bit_for_bit(text_file, tmp_path, tiny, set_options):
    arguments = [str(text_file), *tiny, *set_options(["updates=60", "save_every=7", "width=32"])]
    assert run(["train", *arguments, "--out", str(tmp_path / "whole")]) == 0
    broken = tmp_path / "broken"
    for kill_at, more in ((12, []), (30, ["--resume"])):
        with train([*arguments, "--out", str(broken), *more]) as process:
            wait_for(broken, kill_at)
            process.kill()
        assert checkpoint.load(broken).step < 60, "the kill came too late"
    with (broken / "losses.jsonl").open("ab") as file:
        file.write(b'{"update": 4')  # as a kill inside a write leaves it
    assert run(["train", *arguments, "--out", str(broken), "--resume"]) == 0
    assert weights(broken) == weights(tmp_path / "whole")
    assert (broken / "losses.jsonl").read_bytes() == (tmp_path / "whole/losses.jsonl").read_bytes()


@needs_proc
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_asked_to_stop_it_saves_and_says_so(text_file, tmp_path, tiny, set_options, number, code):
    many = set_options(["updates=100000", "save_every=100000", "evaluate_every=100000"])
    with train([str(text_file), "--out", str(tmp_path), *tiny, *many]) as process:
        wait_for(tmp_path, 5)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == code, err
    saved = checkpoint.load(tmp_path)
    assert saved.step == len(losses(tmp_path)) >= 5
    assert f"stopped after update {saved.step:,} and saved" in out and not err


def test_a_second_trainer_is_refused_while_the_first_goes_on(text_file, tmp_path, tiny, set_options, capsys):
    many = set_options(["updates=100000", "save_every=100000", "evaluate_every=100000"])
    with train([str(text_file), "--out", str(tmp_path), *tiny, *many]) as process:
        wait_for(tmp_path, 2)
        for more in (["--resume"], []):
            assert run(["train", str(text_file), "--out", str(tmp_path), *more]) == 2
            assert re.search(rf"in use by process {process.pid}|holds a run", capsys.readouterr().err)
        process.kill()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_a_loss_that_is_no_number_stops_and_the_good_checkpoint_stays(text_file, tmp_path, tiny, capsys):
    assert run(["train", str(text_file), "--out", str(tmp_path), *tiny, "--set", "rate=1e30"]) == 2
    err = capsys.readouterr().err
    assert "try a lower rate" in err and "is good" in err and len(err.splitlines()) == 1
    saved = checkpoint.load(tmp_path)
    assert saved.step == 0 and all(t.isfinite().all() for t in saved.model.values())
    losses(tmp_path)
    assert run(["explain", "the fox", "--model", str(tmp_path)]) == 0


def test_a_finished_run_can_be_made_longer_and_keeps_what_it_is(text_file, tmp_path, tiny, capsys):
    command = ["train", str(text_file), "--out", str(tmp_path)]
    assert run([*command, *tiny]) == 0
    assert run(command) == 2 and "holds a run" in capsys.readouterr().err
    assert run([*command, "--resume"]) == 2 and "updates=12 continues" in capsys.readouterr().err
    assert run([*command, "--resume", "--set", "width=32"]) == 2
    assert "width was 16 when the run began" in capsys.readouterr().err
    (tmp_path / "tokens/learned.npy").unlink()  # can be made again from the text
    assert run([*command, "--resume", "--set", "updates=8"]) == 0
    assert [each["update"] for each in losses(tmp_path)] == list(range(1, 9))
    text_file_2 = tmp_path / "other.txt"
    text_file_2.write_text(text_file.read_text() * 2)
    (tmp_path / "tokens/held_out.npy").write_bytes(b"")
    assert run(["train", str(text_file_2), "--out", str(tmp_path), "--resume", "--set", "updates=9"]) == 2
    assert "is not the text that the run in" in capsys.readouterr().err


def test_a_damaged_checkpoint_is_passed_over_and_said(text_file, tmp_path, tiny, capsys):
    assert run(["train", str(text_file), "--out", str(tmp_path), *tiny]) == 0
    newest = checkpoint.load(tmp_path).path / "model.safetensors"
    data = bytearray(newest.read_bytes())
    data[-1] ^= 1
    newest.write_bytes(data)
    capsys.readouterr()
    assert run(["train", str(text_file), "--out", str(tmp_path), "--resume"]) == 0
    assert "damaged checkpoint 00000006: model.safetensors is not what was written" in capsys.readouterr().out


MISUSE = {
    "another task": (["--task", "mask"], "no task 'mask'; did you mean masked?"),
    "unknown preset": (["--preset", "smal"], "did you mean small?"),
    "unknown setting": (["--set", "widht=3"], "did you mean width"),
    "no value": (["--set", "width"], "write it like width=64"),
    "no number": (["--set", "width=wide"], "width expects a whole number, got 'wide'"),
    "a broken number": (["--set", "updates=1.5"], "updates expects a whole number"),
    "NaN": (["--set", "rate=nan"], "rate expects a number above 0, got nan"),
    "no truth": (["--set", "compile=maybe"], "compile expects yes or no, got 'maybe'"),
    "heads that do not fit": (["--set", "width=30"], "the width 30 cannot be divided among 4 heads"),
    "no heads": (["--set", "heads=0"], "heads must be at least 1"),
    "key/value heads that do not fit": (["--set", "kv_heads=3"], "cannot share 3 key/value heads"),
    "a huge width": (["--set", "width=1000000"], "this run needs at least 577 TB of memory"),
    "a huge window": (["--set", "window=1000000000"], "lower batch, window or vocabulary with --set"),
    "a tiny vocabulary": (["--set", "vocabulary=10"], "vocabulary expects at least 258"),
    "unknown positions": (["--set", "positions=rotery"], "did you mean rotary?"),
    "odd heads for rotary": (["--set", "positions=rotary", "--set", "width=20"], "the head width 5 is odd"),
    "nothing to resume from": (["--resume"], "there is no checkpoint in"),
    "a window longer than the text": (["--set", "window=10000"], "give more text, or set a smaller window"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse_is_told_in_one_line(text_file, tmp_path, capsys, case):
    arguments, said = MISUSE[case]
    assert run(["train", str(text_file), "--out", str(tmp_path / "run"), *arguments]) == 2
    out, err = capsys.readouterr()
    assert said in err and len(err.splitlines()) == 1 and not out
    assert not list((tmp_path / "run").rglob("*.safetensors"))


@pytest.mark.parametrize(
    "data, said",
    [(b"", "is empty"), (b"ab\0c", "is not text"), (b"\xff", "not UTF-8"), (b"one line", "the text has")],
)
def test_texts_that_cannot_be_learned(tmp_path, capsys, data, said):
    (tmp_path / "a.txt").write_bytes(data)
    assert run(["train", str(tmp_path / "a.txt"), "--out", str(tmp_path / "run")]) == 2
    out, err = capsys.readouterr()
    assert said in err and len(err.splitlines()) == 1 and not out
