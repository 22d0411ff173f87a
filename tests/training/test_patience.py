"""Early stopping: by its definition, through a kill, and the best model is the one that is opened."""

import json
import random
import shutil
from pathlib import Path

import pytest

from regard.checkpoints.places import DamagedCheckpoint, newest_first
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.training import checkpoint
from regard.training import run as runs
from regard.training.patience import Patience

RESTLESS = ["updates=60", "rate=0.1", "evaluate_every=2", "save_every=5", "patience=3", "dropout=0.1"]


def losses(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "losses.jsonl").read_text().splitlines()]


def expected(evaluations: list[tuple[int, float]], patience: int) -> tuple[int, int]:
    """The best update, and the one after which this many evaluations in a row were no better."""
    for i in range(len(evaluations)):
        best = min(evaluations[: i + 1], key=lambda pair: pair[1])
        if i - evaluations.index(best) == patience:
            return best[0], evaluations[i][0]
    pytest.fail("it never stopped getting better; the test needs a more restless run")


def test_by_its_definition_also_when_evaluations_are_equal():
    chance = random.Random(7)
    for _ in range(200):
        evaluations = [(10 * i, chance.randrange(4) + 0.5) for i in range(1, 60)]
        patience = Patience(most=chance.randrange(1, 5))
        for update, loss in evaluations:
            patience = Patience.of(patience.most, json.loads(json.dumps(patience.data())))  # as a run that goes on
            patience.better(update, loss)
            if patience.over:
                break
        assert (patience.best, update) == expected(evaluations, patience.most)


@pytest.fixture(scope="module")
def command(text_file, tiny, set_options):
    return ["train", str(text_file), *tiny, *set_options(RESTLESS)]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory, command) -> Path:
    folder = tmp_path_factory.mktemp("stopped") / "notes"
    assert run([*command, "--out", str(folder)]) == 0
    return folder


def test_it_stops_by_the_definition_and_says_so(stopped, command, tmp_path, capsys):
    evaluations = [(each["update"], each["held_out"]) for each in losses(stopped) if "held_out" in each]
    best, last = expected(evaluations, patience=3)
    assert losses(stopped)[-1]["update"] == last < 60
    assert next(step for step, _ in newest_first(stopped / "checkpoints")) == last
    assert best in [step for step, _ in newest_first(stopped / "checkpoints")]
    assert run([*command, "--out", str(tmp_path / "again")]) == 0
    said = capsys.readouterr().out
    assert f"stopped early, after 3 evaluations that were not better; update {best} is the best, held out" in said
    assert (tmp_path / "again/losses.jsonl").read_bytes() == (stopped / "losses.jsonl").read_bytes()


def test_the_best_is_looked_into_and_a_damaged_one_is_passed_over(stopped, tmp_path):
    state = checkpoint.load(stopped).state["patience"]
    model = find_model(str(stopped))
    assert f"{state['best']:,} updates" in model.title
    last = checkpoint.load(stopped).step
    assert model.notes[0] == f"the best of {last} updates, by held-out loss"
    folder = tmp_path / "copy"
    shutil.copytree(stopped, folder)
    file = folder / f"checkpoints/{state['best']:08d}/model.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.warns(DamagedCheckpoint, match=f"update {last} is used instead"):
        model = find_model(str(folder))
    assert f"{last:,} updates" in model.title and "the best" in model.notes[0] and "damaged" in model.notes[0]


@pytest.mark.parametrize("where", ["after an evaluation", "between"])
def test_interrupted_it_stops_at_the_same_update_bit_for_bit(stopped, command, tmp_path, monkeypatch, where):
    """As a kill would leave it: the process is gone after an update, whether or not that one was saved."""
    _, last = (losses(stopped)[i]["update"] for i in (0, -1))
    gone_after = {"after an evaluation": last - 2, "between": last - 3}[where]
    made = runs.TrainingRun.reports

    def cut_off(self):
        for report in made(self):
            yield report
            if report.update == gone_after:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(runs.TrainingRun, "reports", cut_off)
        assert run([*command, "--out", str(tmp_path / "run")]) == 130
    assert run([*command, "--out", str(tmp_path / "run"), "--resume"]) == 0
    assert (tmp_path / "run/losses.jsonl").read_bytes() == (stopped / "losses.jsonl").read_bytes()
    one, two = checkpoint.load(tmp_path / "run"), checkpoint.load(stopped)
    assert one.step == two.step and one.state["patience"] == two.state["patience"]
    assert all(one.model[name].equal(two.model[name]) for name in two.model)


def test_a_run_that_has_stopped_goes_on_only_with_more_patience(stopped, command, tmp_path, capsys):
    folder = tmp_path / "copy"
    shutil.copytree(stopped, folder)
    capsys.readouterr()
    assert run([*command, "--out", str(folder), "--resume"]) == 2
    assert "--set patience=6 continues" in capsys.readouterr().err
    before = len(losses(folder))
    assert run([*command, "--out", str(folder), "--resume", "--set", "patience=4"]) == 0
    assert len(losses(folder)) > before


def test_without_patience_nothing_stops_and_the_newest_is_opened(trained_run):
    saved = checkpoint.load(trained_run)
    assert saved.state["patience"]["best"] is None and saved.step == 6
    assert "6 updates" in find_model(str(trained_run)).title
