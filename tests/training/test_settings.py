"""Every setting is listed with its value and what it is, and takes that value back."""

from dataclasses import fields

import pytest

from regard.cli.main import run
from regard.training.presets import PRESETS, Sizes, settings_listed, values_of
from regard.training.settings import TrainingSettings


@pytest.fixture(autouse=True)
def a_line_for_each(monkeypatch):
    """On a screen that is wide enough; on others, what is said of a setting goes on below it."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_setting_is_listed_with_the_value_it_has(preset, capsys):
    assert run(["train", "--settings", "--preset", preset]) == 0
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    names = [field.name for part in (Sizes, TrainingSettings) for field in fields(part)]
    assert [name for name, _, _ in lines] == names
    assert values_of([f"{name}={value}" for name, value, _ in lines]) == PRESETS[preset].data()
    assert all(len(about) > 8 and about[-1] != "." for _, _, about in lines)


def test_the_list_is_of_the_preset_the_task_and_what_is_set(capsys):
    assert run(["train", "--settings", "--task", "masked", "--set", "width=76"]) == 0
    listed = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert listed["width"] == "76" and listed["norm_order"] == "after" and listed["transform"] == "yes"
    assert listed["updates"] == {n: v for n, v, _ in settings_listed(PRESETS["small"])}["updates"]
    assert run(["train", "--settings", "--preset", "smal"]) == 2
    assert "did you mean small?" in capsys.readouterr().err
