"""The documents' whys as switches of training: each run is what was asked for, and can be looked into."""

import numpy as np
import pytest
import torch

from regard.attending.masks import causal
from regard.cli.main import run
from regard.models.catalogue import find_model
from regard.models.joining import Added
from regard.models.network import Network
from regard.models.roles import KeysAreValues, QueriesAreKeys
from regard.training import checkpoint
from regard.training.presets import PRESETS, SINCE, Plan, Sizes

SWITCHES = {
    "roles=keys-are-values": ("roles", KeysAreValues()),
    "roles=queries-are-keys": ("roles", QueriesAreKeys()),
    "joining=added": ("joining", Added()),
    "scaling=none": ("scaling", "none"),
    "scaling=width": ("scaling", "width"),
}


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_is_trained_saved_and_seen(switch, text_file, tiny, set_options, tmp_path, capsys):
    folder = tmp_path / "run"
    settings = [*tiny, *set_options([switch, "updates=2"])]
    assert run(["train", str(text_file), "--out", str(folder), *settings]) == 0
    model = find_model(str(folder))
    name, part = SWITCHES[switch]
    assert getattr(model.settings, name) == part
    network = Network(model.settings, {n: t.numpy() for n, t in checkpoint.load(folder).model.items()}, causal)
    trace = model.run("the fox sees a", next=" cat")
    with torch.no_grad():
        logits = network(torch.tensor(trace.array("tokens"))[None])[0, -1].numpy()
    assert np.abs(logits - trace.array("logits")).max() <= 4e-5
    capsys.readouterr()
    assert run(["explain", "the fox", "--model", str(folder), "--next", " sees"]) == 0
    assert "12 UPDATE" in capsys.readouterr().out


def test_a_run_that_was_saved_before_the_switches_opens():
    plan = PRESETS["toy"]
    older = {name: value for name, value in plan.data().items() if name not in SINCE}
    assert Plan.of(older) == plan
    with pytest.raises(ValueError, match="not those of this version"):
        Plan.of({name: value for name, value in older.items() if name != "width"})


@pytest.mark.parametrize("name, wrong", [("roles", "none"), ("joining", "concat"), ("scaling", "cube")])
def test_an_unknown_switch_is_answered_with_those_there_are(name, wrong):
    with pytest.raises(KeyError, match=f"no {name} '{wrong}'"):
        Sizes(**{name: wrong})
