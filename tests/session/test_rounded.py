"""Numbers at eight bits: how far they may be off, what stays exact, and what a file holds of a deep run."""

import json

import numpy as np
import pytest

from regard.attending.positions import LearnedPositions
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.session.answers import is_live
from regard.session.recording import recorded
from regard.session.rounded import restored, rounded, rounded_steps
from regard.session.single_run import SingleRun, state_of
from regard.session.state import State
from regard.trace import Trace
from regard.views.offline import offline_file

LAYERS = 3


def deep(words: list[str], heads: int = 2, width: int = 134, kv_heads: int | None = None) -> Trace:
    """A run with more numbers than a file holds exactly."""
    names = tuple(dict.fromkeys([*words, "so", "then"]))
    settings = Settings(
        width=width,
        heads=heads,
        kv_heads=kv_heads,
        layers=LAYERS,
        reads=len(names),
        writes=len(names),
        positions=LearnedPositions(64),
        norm=LayerNorm(),
        mlp=MLP(331),
    )
    model = Model("deep", "random", settings, random_parameters(settings, 5, spread=0.4), names, names)
    trace = model.run(" ".join(words))
    assert not is_live(trace)
    return trace


@pytest.mark.parametrize("signed", [False, True])
def test_a_rounded_number_is_off_by_half_a_step_at_most_and_zero_stays_zero(signed):
    generator = np.random.default_rng(1)
    values = generator.exponential(size=(3, 5, 17)) * 10.0 ** generator.integers(-6, 7, size=(3, 5, 1))
    values *= generator.choice([-1, 1], size=values.shape) if signed else 1
    values[1, 2], values[0, 0, 3] = 0.0, 0.0
    found = restored(rounded(values))
    step = np.abs(values).max(axis=-1, keepdims=True) / (127 if signed else 254)
    assert (np.abs(found - values) <= 0.5001 * step).all()
    assert (found[values == 0] == 0).all()
    # the largest of each row is all but exact: the scale has 24 bits
    largest = np.abs(values).argmax(axis=-1)[..., None]
    assert np.allclose(np.take_along_axis(found, largest, -1), np.take_along_axis(values, largest, -1), rtol=1e-6)


@pytest.mark.parametrize("array", [[[2.5, 2.5]], [[-np.inf, -np.inf]], [[0.0]], 7.0, [[-np.inf, 1.0], [-1.0, 0.0]]])
def test_numbers_that_are_all_the_same_hidden_or_alone(array):
    assert np.allclose(restored(rounded(np.array(array))), np.array(array), rtol=1e-7, atol=0)


def test_a_file_holds_all_weights_rounded_and_what_was_measured_exactly():
    trace = deep(["a", "fox", "and", "a", "dog", "run", "home"])
    held = recorded(lambda: None, SingleRun(trace), State(**state_of(trace)))
    arrays = {name: restored(found) for name, found in held["rounded"].items()}
    for layer in range(LAYERS):
        exact = trace.array(f"layer{layer}.weights")
        assert (np.abs(arrays[f"layer{layer}.weights"] - exact) <= 0.51 * exact.max(axis=-1, keepdims=True) / 254).all()
        assert (arrays[f"layer{layer}.weights"][exact == 0] == 0).all()
    for name, array in arrays.items():
        assert np.abs(array - trace.array(name)).max() <= 0.51 * np.abs(trace.array(name)).max() / 127, name
    assert {f"layer{i}.{name}" for i in range(LAYERS) for name in ("scores", "q", "k", "v", "context", "mlp")} <= set(
        arrays
    )
    assert {step["name"] for step in held["explained"]["outline"]["steps"]} == set(arrays)
    assert held["explained"]["rounded"] is True
    shares = {c["word"]: c["probability"] for c in held["explained"]["explanation"]["candidates"]}
    best = trace.predicted
    assert shares[best] == trace.array("probabilities").max()
    last = held["logit_lens"]["layers"][-1]["candidates"][0]
    assert last["word"] == best and last["probability"] == trace.array("probabilities").max()


def test_vectors_come_along_only_where_there_is_room_and_for_all_layers():
    trace = deep(["a", "fox", "and", "a", "dog", "run", "home"])
    weights = {f"layer{i}.weights" for i in range(LAYERS)}
    inside = {f"layer{i}.{name}" for i in range(LAYERS) for name in ("scores", "q", "k", "v", "context")}
    assert set(rounded_steps(trace, 10)) == weights
    sizes = {name: len(found["numbers"]) for name, found in rounded_steps(trace, 10**9).items()}
    exactly = sum(sizes[name] for name in weights | inside)
    assert set(rounded_steps(trace, exactly)) == weights | inside
    assert set(rounded_steps(trace, exactly - 1)) & inside == set()
    assert {"layer0.residual", f"layer{LAYERS - 1}.mlp"} <= set(sizes)


def test_key_value_heads_that_are_shared_are_rounded_as_they_are():
    trace = deep(["a", "fox", "and", "a", "dog"], heads=4, width=128, kv_heads=2)
    found = rounded_steps(trace, 10**9)
    assert np.abs(restored(found["layer1.context"]) - trace.array("layer1.context")).max() < 0.05


def test_a_file_of_a_changed_run_says_what_was_changed():
    trace = deep(["a", "fox", "and", "a", "dog", "run", "home"])
    change = {"kind": "edit", "cell": "layer2.weights[1,6,0]", "value": 0.0}
    asked = State(**{**state_of(trace), "changes": [change]})
    page = offline_file(lambda: None, SingleRun(trace), asked).decode()
    held = json.loads(page.partition('id="held">')[2].partition("</script>")[0])
    assert restored(held["recorded"]["rounded"]["layer2.weights"])[1, 6, 0] == 0.0
    assert held["state"]["changes"] == [change]
    assert held["recorded"]["explained"]["outline"]["edits"][0]["step"] == "layer2.weights"
