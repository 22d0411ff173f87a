"""A deep run in a file: how far its rounded numbers may be off, what is exact, and that it stays within its room."""

import base64
import json
import zlib

import numpy as np
import pytest

import regard
from regard.attending.positions import LearnedPositions
from regard.lens.explanation import explanation
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.trace import Trace
from regard.views.json import strict
from regard.views.packed import MOST_WEIGHTS, packed, rounded


def deep(words: list[str], layers: int = 3, heads: int = 2, width: int = 26, kv_heads: int | None = None) -> Trace:
    names = tuple(dict.fromkeys([*words, "so", "then"]))
    settings = Settings(
        width=width,
        heads=heads,
        kv_heads=kv_heads,
        layers=layers,
        reads=len(names),
        writes=len(names),
        positions=LearnedPositions(64),
        norm=LayerNorm(),
        mlp=MLP(31),
    )
    model = Model("deep", "random", settings, random_parameters(settings, 5, spread=0.4), names, names)
    return model.run(" ".join(words), next="so")


def unpacked(held: dict) -> dict[str, np.ndarray]:
    """The arrays of a file, read as its format says."""
    raw = zlib.decompress(base64.b64decode(held["numbers"]))
    found, place = {}, 0
    for array in held["arrays"]:
        *rows, last = array["shape"]
        count = int(np.prod(rows))
        scales = np.frombuffer(raw, "<f4", count, place).reshape(rows)
        codes = np.frombuffer(raw, "i1" if array["signed"] else "u1", count * last, place + 4 * count)
        found[array["name"]] = codes.reshape(array["shape"]) * scales[..., None].astype(np.float64)
        place += 4 * count + count * last
    assert place == len(raw)
    return found


@pytest.mark.parametrize("signed", [False, True])
def test_a_rounded_number_is_off_by_half_a_step_at_most_and_zero_stays_zero(signed):
    generator = np.random.default_rng(1)
    values = generator.exponential(size=(3, 5, 17)) * 10.0 ** generator.integers(-6, 7, size=(3, 5, 1))
    values *= generator.choice([-1, 1], size=values.shape) if signed else 1
    values[1, 2], values[0, 0, 3] = 0.0, 0.0
    found = rounded(values)
    step = np.abs(values).max(axis=-1, keepdims=True) / (127 if signed else 255)
    assert (np.abs(found.array - values) <= 0.5001 * step).all()
    assert (found.array[values == 0] == 0).all() and found.codes.dtype.itemsize == 1
    # the largest of each row is all but exact: the scale has 24 bits
    largest = np.abs(values).argmax(axis=-1)[..., None]
    assert np.allclose(np.take_along_axis(found.array, largest, -1), np.take_along_axis(values, largest, -1), rtol=1e-6)


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="not finite"):
        rounded(np.array([0.5, np.inf]))


def test_a_file_holds_all_weights_rounded_and_what_was_measured_exactly():
    trace = deep(["a", "fox", "and", "a", "dog", "run", "home"])
    held = json.loads(strict(packed(trace)))
    arrays = unpacked(held)
    for step in trace.forward:
        if step.name in arrays:
            assert np.abs(arrays[step.name] - step.value).max() <= 0.51 * np.abs(step.value).max() / 127, step.name
    for layer in range(3):
        exact = trace.array(f"layer{layer}.weights")
        assert (np.abs(arrays[f"layer{layer}.weights"] - exact) <= 0.51 * exact.max(axis=-1, keepdims=True) / 255).all()
    assert {f"layer{i}.{name}" for i in range(3) for name in ("scores", "q", "k", "v", "context", "mlp")} <= set(arrays)
    assert {step["name"] for step in held["outline"]["steps"]} == set(arrays) - {"patterns"}
    data = explanation(trace, check=False).data()
    assert held["explanation"]["candidates"] == data["candidates"]
    assert held["explanation"]["components"] == data["components"]
    last = held["lenses"]["logit_lens"]["layers"][-1]["candidates"][0]
    assert last["word"] == trace.predicted and last["probability"] == trace.array("probabilities").max()


def test_vectors_come_along_only_where_there_is_room_and_for_all_layers():
    trace = deep(["a", "fox", "and", "a", "dog", "run", "home"])
    weights = sum(trace.array(f"layer{i}.weights").size for i in range(3))
    names = {array["name"] for array in packed(trace, room=2 * weights)["arrays"]}
    assert names == {"patterns", *(f"layer{i}.weights" for i in range(3))}
    inside = {array["name"] for array in packed(trace, room=8000)["arrays"]} - names
    assert inside == {f"layer{i}.{name}" for i in range(3) for name in ("scores", "q", "k", "v", "context")}


def test_key_value_heads_that_are_shared_are_packed_as_they_are():
    trace = deep(["a", "fox", "and", "a", "dog"], heads=4, width=28, kv_heads=2)
    arrays = unpacked(packed(trace))
    assert np.abs(arrays["layer1.context"] - trace.array("layer1.context")).max() < 0.05


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("regard.views.packed.MOST_WEIGHTS", 100)
    with pytest.raises(ValueError, match="at most 100; pass a shorter text"):
        packed(deep(["a", "fox", "and", "a", "dog", "run", "home"]))
    assert MOST_WEIGHTS > 12 * 12 * 128**2


def test_an_edit_is_in_the_file():
    trace = regard.explain("Once upon a time", model="english").edit("layer2.weights[1,3,0]", 0.0)
    held = packed(trace)
    assert unpacked(held)["layer2.weights"][1, 3, 0] == 0.0
    assert held["outline"]["edits"][0]["step"] == "layer2.weights"
