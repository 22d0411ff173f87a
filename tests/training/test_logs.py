"""TensorBoard's logs: what it reads is what the run wrote down, also after a kill; without the library, one line."""

import json
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from regard.cli.main import run


def curves(folder) -> dict[str, list[tuple[int, float]]]:
    seen = EventAccumulator(str(folder / "tensorboard")).Reload()
    return {name: [(e.step, e.value) for e in seen.Scalars(name)] for name in seen.Tags()["scalars"]}


def test_tensorboard_reads_what_was_written_down(text_file, tmp_path, tiny):
    command = ["train", str(text_file), "--out", str(tmp_path), *tiny, "--tensorboard"]
    assert run(command) == 0
    assert run([*command, "--resume", "--set", "updates=8"]) == 0
    lines = [json.loads(line) for line in (tmp_path / "losses.jsonl").read_text().splitlines()]
    found = curves(tmp_path)
    assert found["loss"] == [(line["update"], pytest.approx(line["loss"])) for line in lines] and len(lines) == 8
    held_out = [(line["update"], pytest.approx(line["held_out"])) for line in lines if "held_out" in line]
    assert found["held out/text"] == held_out
    assert {"rate", "tokens per second", "gradient/all", "gradient/W_Q", "gradient/W_O", "gradient/E"} <= set(found)
    assert all(len(points) == 8 for name, points in found.items() if name.startswith("gradient/"))


def test_updates_that_a_kill_undid_are_not_shown_twice(text_file, tmp_path, tiny, monkeypatch):
    from regard.training import run as runs

    made = runs.TrainingRun.reports

    def cut_off(self):
        for report in made(self):
            yield report
            if report.update == 5:  # the last save was after update 4
                raise KeyboardInterrupt

    command = ["train", str(text_file), "--out", str(tmp_path), *tiny, "--tensorboard"]
    with monkeypatch.context() as patch:
        patch.setattr(runs.TrainingRun, "reports", cut_off)
        assert run(command) == 130
    assert run([*command, "--resume"]) == 0
    assert [update for update, _ in curves(tmp_path)["loss"]] == [1, 2, 3, 4, 5, 6]


def test_without_tensorboard_it_is_said_before_anything_is_trained(text_file, tmp_path, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith(("tensorboard", "torch.utils.tensorboard"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    assert run(["train", str(text_file), "--out", str(tmp_path / "run"), "--tensorboard"]) == 2
    err = capsys.readouterr().err
    assert "pip install 'regard[tensorboard]'" in err and len(err.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_nothing_is_logged_unless_asked_for(trained_run):
    assert not (trained_run / "tensorboard").exists()
