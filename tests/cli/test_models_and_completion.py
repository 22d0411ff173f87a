"""What there is to open, and how the shell and the help say it."""

import json
import os
import re
import subprocess
import sys

import pytest

from regard.cli.main import app, run
from regard.models.catalogue import find_model
from regard.models.listing import built_in
from regard.models.names import MODELS

COMMANDS = [command.name for command in app.registered_commands]


def test_every_model_is_listed_as_it_is():
    for listed in built_in():
        model = find_model(listed.name)
        assert listed.parameters == sum(array.size for array in model.parameters.values())
        assert (listed.layers, listed.heads) == (model.settings.layers, model.settings.heads)
        assert listed.sentence == model.sentence
        assert listed.origin in model.title


def test_models_and_runs_are_listed_without_their_parameters(tmp_path, monkeypatch, capsys, write_run):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("safetensors.numpy.load_file", lambda *_: pytest.fail("parameters were loaded"))
    monkeypatch.setattr("safetensors.numpy.load", lambda *_: pytest.fail("parameters were loaded"))
    write_run(tmp_path / "runs/stories", text="a book", sentence="Once there was")
    write_run(tmp_path / "runs/reviews", classes=("good", "bad"), sentence="It was fine")
    broken = write_run(tmp_path / "runs/broken")
    (broken / "checkpoints/00000007/config.json").write_text("{}")
    (tmp_path / "runs/empty").mkdir()
    assert run(["models"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in (*MODELS, "runs/stories", "runs/reviews"))
    assert "Once there was" in out and "class of a text" in out and "7 updates" in out
    assert "runs/broken cannot be opened" in out and "runs/empty" not in out
    assert "hf download" in out and "downloads nothing" in " ".join(out.split())
    assert run(["models", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [model["name"] for model in data["built_in"]] == list(MODELS)
    told = {run["name"]: run for run in data["runs"]}
    assert "config.json" in told["runs/broken"]["problem"]
    monkeypatch.undo()
    stories = find_model(tmp_path / "runs/stories")
    assert told["runs/stories"]["parameters"] == sum(array.size for array in stories.parameters.values())


@pytest.mark.parametrize("name, own", [("gpt2", "gpt2"), ("HuggingFaceTB/SmolLM2-135M", "SmolLM2-135M")])
def test_a_name_of_others_is_told_what_a_folder_is(name, own, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "The fox", "--model", name]) == 2
    err = capsys.readouterr().err
    assert "config.json, tokenizer.json, *.safetensors" in err and "regard downloads nothing" in err
    assert f"`hf download {name} --local-dir {own}`" in err and f"--model ./{own}" in err
    assert len(err.splitlines()) == 1 and not list(tmp_path.iterdir())


def test_other_mistakes_in_a_models_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights.bin").write_bytes(b"")
    (tmp_path / "runs").mkdir()
    for name, said, unsaid in (
        ("foxx", "did you mean fox?", "hf download"),
        ("runs/absent", "no model 'runs/absent', nor a folder of that name", "hf download"),
        ("weights.bin", "weights.bin is a file", "hf download"),
    ):
        assert run(["explain", "The fox", "--model", name]) == 2
        err = capsys.readouterr().err
        assert said in err and unsaid not in err


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_is_short_to_ask_for_and_plain(command, capsys):
    before = [] if command is None else [command]
    assert run([*before, "-h"]) == 0
    short = capsys.readouterr().out
    assert run([*before, "--help"]) == 0
    assert capsys.readouterr().out == short and "-h, --help" in short
    assert short.isascii()  # typer writes it as UTF-8, wherever it goes


def completed(words: str, shell: str = "bash", folder: str | None = None) -> list[str]:
    asked = {"_REGARD_COMPLETE": f"complete_{shell}", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    asked |= {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    command = [sys.executable, "-X", "importtime", "-m", "regard"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | asked, cwd=folder, check=False)
    assert " numpy\n" not in done.stderr  # a key is pressed, and somebody waits
    return re.findall(r"[\w./-]+", done.stdout)


def test_the_shell_completes_commands_options_and_models(tmp_path):
    assert completed("regard mo") == ["models"]
    assert "--model" in completed("regard explain --mo")
    assert completed("regard explain --model th") == ["three-words"]
    (tmp_path / "runs/stories").mkdir(parents=True)
    assert completed("regard explain --model ru", folder=str(tmp_path)) == ["runs/stories"]
    assert "masked" in completed("regard open m", "zsh")
    assert "masked" in completed("regard open m", "fish")


def test_completion_can_be_shown_and_installed(tmp_path):
    environment = os.environ | {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "regard"]
    shown = subprocess.run([*command, "--show-completion", "bash"], capture_output=True, text=True, env=environment)
    assert "_REGARD_COMPLETE=complete_bash" in shown.stdout
    done = subprocess.run([*command, "--install-completion", "bash"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and any(tmp_path.rglob("*regard*"))


@pytest.mark.parametrize("arguments", [[], ["--layer", "1", "--head", "0"], ["--layer", "0"], ["--head", "1"]])
def test_explain_shows_the_head_that_is_asked_for(arguments, capsys):
    command = ["explain", "The dog sat on the mat", "--model", "untrained", *arguments]
    assert run([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert run(command) == 0
    shown = f"shown: layer {data['layer'].removeprefix('layer')} head {data['head']}"
    assert shown in capsys.readouterr().out
    for option, value in zip(arguments[::2], arguments[1::2]):
        assert str(data[option.removeprefix("--")]).removeprefix("layer") == value


def test_a_head_that_is_not_there(capsys):
    for arguments, said in (
        (["--layer", "2"], "no layer 2; there are 2 layers, 0 to 1"),
        (["--layer", "1", "--head", "2"], "no head 2; there are 2 heads, 0 to 1 in layer 1"),
    ):
        assert run(["explain", "The dog sat", "--model", "untrained", *arguments]) == 2
        assert said in capsys.readouterr().err
