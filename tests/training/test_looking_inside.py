"""A trained run is a model like the toys: explained, asked why, edited, and equal to what was trained."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.attending.masks import causal
from regard.checkpoints.writing import manifest_of
from regard.cli.main import run
from regard.models.catalogue import explain, find_model
from regard.models.network import Network
from regard.training import checkpoint


def test_explain_and_why_work_on_a_run(trained_run, capsys):
    model = ["--model", str(trained_run)]
    assert run(["explain", "the fox sees a cat.", *model, "--next", "cat"]) == 0
    screen = capsys.readouterr().out
    assert "trained here, 6 updates" in screen and "12 UPDATE" in screen and "finite differences" in screen
    # a long command goes on after a backslash
    again = " ".join(screen[screen.index(" next ") :].replace("\\\n", "").split())
    assert again.endswith(f"--model {trained_run} --text 'the fox sees a cat.' --next cat")
    assert run(["why", "weights[0,fox,the]", *model, "--text", "the fox"]) == 0
    assert "exps" in capsys.readouterr().out
    assert run(["why", "logits[fox]", *model]) == 0
    assert run(["explain", "the fox", *model, "--json"]) == 0
    capsys.readouterr()


def test_glass_computes_what_was_trained(trained_run):
    model = find_model(str(trained_run))
    saved = checkpoint.load(trained_run)
    network = Network(model.settings, {n: t.numpy() for n, t in saved.model.items()}, causal)
    trace = model.run("the fox sees Anna.")
    ids = trace.array("tokens")
    assert [model.reads[i] for i in ids] == trace.info["tokens"]
    with torch.no_grad():
        logits = network(torch.tensor(ids)[None])[0, -1].numpy()
    assert np.abs(logits - trace.array("logits")).max() <= 4e-5
    assert explain("the fox", next="sees", model=str(trained_run)).update(0.1).predicted in model.writes


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["explain", "word " * 99], "reads at most 16"),
        (["explain", "   "], "no words"),
        (["explain", "the fox", "--query", "dog"], "no query 'dog'"),
    ],
)
def test_misuse_of_a_run(trained_run, capsys, arguments, said):
    assert run([*arguments, "--model", str(trained_run)]) == 2
    err = capsys.readouterr().err
    assert said in err and len(err.splitlines()) == 1


def test_folders_that_are_no_runs(tmp_path, capsys):
    for folder, said in (
        (tmp_path, "nor a Hugging Face model; a model's folder is one that regard train wrote, or one in"),
        (tmp_path / "absent", "nor a folder of that name"),
    ):
        assert run(["explain", "a", "--model", str(folder)]) == 2
        assert said in capsys.readouterr().err


def forged(run_folder: Path, to: Path, name: str, data: bytes) -> Path:
    """A copy with one checkpoint, a file of it replaced, and a manifest that fits."""
    place = checkpoint.load(run_folder).path
    copy = to / "checkpoints" / place.name
    shutil.copytree(place, copy)
    (copy / name).write_bytes(data)
    files = [p for p in sorted(copy.iterdir()) if p.name != "manifest.json"]
    listed = {p.name: {"sha256": hashlib.sha256(p.read_bytes()).hexdigest(), "size": p.stat().st_size} for p in files}
    (copy / "manifest.json").write_bytes(manifest_of(int(place.name), listed))
    return to


def changed_config(run_folder: Path, **model) -> bytes:
    config = checkpoint.load(run_folder).config
    return json.dumps(config | {"model": {**config["model"], **model}}).encode()


HOSTILE = {
    "no settings": lambda r: ("config.json", b"{}"),
    "settings of a number": lambda r: ("config.json", b'{"model": 3}'),
    "another width": lambda r: ("config.json", changed_config(r, width=32)),
    "a width to fill the memory": lambda r: ("config.json", changed_config(r, width=2**24, head_width=2**23)),
    "layers to fill the memory": lambda r: ("config.json", changed_config(r, layers=2**24)),
    "a width of text": lambda r: ("config.json", changed_config(r, width="16")),
    "no width": lambda r: ("config.json", changed_config(r, width=None)),
    "a truth for a number": lambda r: ("config.json", changed_config(r, heads=True)),
    "a norm of another kind": lambda r: ("config.json", changed_config(r, norm={"kind": "os.system"})),
    "a norm with more": lambda r: ("config.json", changed_config(r, norm={"kind": "layer", "call": "x"})),
    "an unknown field": lambda r: ("config.json", changed_config(r, auto_map="x")),
    "no tokenizer": lambda r: ("tokenizer.json", b"{}"),
    "a pickle": lambda r: ("model.safetensors", b"\x80\x04\x95" + bytes(100)),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_runs_are_refused_in_one_line(trained_run, tmp_path, capsys, case):
    folder = forged(trained_run, tmp_path, *HOSTILE[case](trained_run))
    assert run(["explain", "the fox", "--model", str(folder)]) == 2
    err = capsys.readouterr().err
    assert "is intact; tried 00000006" in err and len(err.splitlines()) == 1
