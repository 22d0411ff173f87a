"""A long text is read part by part: the same weights as at once, in memory that does not grow with the square."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
import torch

import regard
from regard.cli.main import run
from regard.watching.loading import loaded
from regard.watching.running import read_on
from regard.watching.telling import telling

TEXT = "The animal didn't cross the street because it was too tired. " * 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("long") / "english"
    assert run(["convert", "english", str(there)]) == 0
    return there


@pytest.fixture(scope="module")
def watched(folder):
    return loaded(folder)


def seen_in_parts(watched, part, told=None):
    model, tokenizer = watched
    given = tokenizer(TEXT, return_tensors="pt")
    with torch.inference_mode(), regard.watch(model, tokenizer, layers=[1, 4]) as seen:
        output = read_on(model, given, told or (lambda *_: None), part)
    return seen, output, given["input_ids"].shape[1]


@pytest.mark.parametrize("part", [1, 7, 16, 1000])
def test_in_parts_it_is_what_it_is_at_once(watched, part):
    model, tokenizer = watched
    at_once = seen_in_parts(watched, 10**6)[0]
    seen, output, count = seen_in_parts(watched, part)
    assert [layer.number for layer in seen.layers] == [1, 4]
    for layer in (1, 4):
        assert seen[layer].shape == (5, count, count)
        assert np.abs(seen[layer].dense() - at_once[layer].dense()).max() < 1e-5
    assert seen.verify().worst < 1e-4
    with torch.no_grad():
        expected = model(**tokenizer(TEXT, return_tensors="pt")).logits[0, -1]
    assert (output.logits[0, -1] - expected).abs().max() < 1e-3
    assert output.logits.shape[1] == (1 if part < count else count)


def test_progress_goes_from_part_to_part_by_the_work_that_is_done(watched):
    told = []
    _, _, count = seen_in_parts(watched, 16, lambda *said: told.append(said))
    assert [done for done, _, _ in told] == [*range(16, count, 16), count]
    shares = [share for _, _, share in told]
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert all(share <= done / count for done, _, share in told)  # later tokens read more


def test_the_time_left_follows_from_the_work(monkeypatch):
    now, lines = [0.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    tell = telling(lines.append)
    now[0] = 30.0
    tell(1024, 4096, 0.25)
    now[0] = 31.0
    tell(2048, 4096, 0.5)  # too soon for another line
    now[0] = 120.0
    tell(4096, 4096, 1.0)
    assert lines == ["  1,024 of 4,096 tokens read, 1 min 30 s left", "  4,096 of 4,096 tokens read, in 2 min 0 s"]


def test_the_command_draws_chosen_layers(folder, tmp_path, capsys):
    out = tmp_path / "maps.png"
    assert run(["watch", str(folder), TEXT, "--layers", "1,4", "--map", str(out)]) == 0
    said = capsys.readouterr().out
    assert "maps.png: 2 layers" in said and "2 layers compared with the model's own output" in said
    assert out.read_bytes().startswith(b"\x89PNG")
    assert run(["watch", str(folder), TEXT, "--layers", "1,x"]) == 2
    assert "--layers expects numbers such as 17,18, got '1,x'" in capsys.readouterr().err


def test_a_text_beyond_what_a_model_was_trained_on_is_said(folder, capsys):
    assert run(["watch", str(folder), "a dog " * 200, "--layers", "0", "--top", "1"]) == 0
    assert "tokens are beyond the 256 that this model was trained on" in capsys.readouterr().err


def test_a_packed_model_is_watched_too(tmp_path, capsys):
    spec = spec_from_file_location("hostile_gguf", Path(__file__).parents[1] / "models/gguf/hostile.py")
    hostile = module_from_spec(spec)
    spec.loader.exec_module(hostile)
    (tmp_path / "tiny.gguf").write_bytes(hostile.File().made())
    assert run(["watch", str(tmp_path / "tiny.gguf"), "abcab", "--layer", "0", "--head", "1", "--json"]) == 0
    weights = np.array(json.loads(capsys.readouterr().out)["weights"])
    ours = regard.explain("abcab", model=tmp_path / "tiny.gguf").array("layer0.weights")[1]
    assert np.abs(weights - ours).max() < 1e-5
