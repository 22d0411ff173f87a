"""After an edit of a large run, rows that did not change are kept, and the others are what a whole run gives."""

import numpy as np
import pytest

from regard.attending.masks import both, causal, window
from regard.attending.positions import DistanceBias, LearnedPositions, RotaryPositions
from regard.models.glass import Glass
from regard.models.parameters import checked, random_parameters
from regard.models.parts import MLP, GatedMLP, LayerNorm, RMSNorm
from regard.models.settings import Settings
from regard.models.transformer import every_next_word, transformer
from regard.trace import Step, Trace

T, H, D, C, V, LAYERS = 67, 3, 22, 61, 31, 3
EDITS = ("layer0.weights[1,40,7]", "layer1.q[2,50,3]", "x[33,5]", "layer1.exps[0,60,60]", "layer2.hidden[45,9]")


def run(mask, positions, norm, mlp, kv_heads=None):
    settings = Settings(
        width=C, heads=H, head_width=D, kv_heads=kv_heads, reads=V, writes=V, layers=LAYERS, positions=positions,
        norm=norm, mlp=mlp, biases=True,
    )  # fmt: skip
    generator = np.random.default_rng(2)
    do = Glass()
    parameters = do.parameters(checked(settings, random_parameters(settings, seed=1)))
    x = transformer(do, generator.integers(0, V, T), parameters, settings, mask)
    every_next_word(do, x, parameters, generator.integers(0, V, T))
    trace = Trace(tuple(do.steps))
    for step in trace.forward:
        _ = step.value
    return trace


def computed_whole(trace: Trace) -> dict[str, np.ndarray]:
    """Every step of a trace from its given numbers, each computed whole."""
    fresh: dict[Step, Step] = {}
    for step in trace.forward:
        fresh[step] = Step(step.name, step.op, tuple(fresh[i] for i in step.inputs))
    return {step.name: step.value for step in fresh.values()}


CASES = {
    "causal": (causal(T), LearnedPositions(T), LayerNorm(), MLP(131), None),
    "both ways": (both(T), RotaryPositions(), RMSNorm(), GatedMLP(97), 1),
    "a window": (causal(T) & window(T, 9), DistanceBias(11), LayerNorm(), MLP(131, "gelu_tanh"), None),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("cell", EDITS)
def test_an_edited_run_is_what_a_whole_run_gives(case, cell):
    trace = run(*CASES[case]).edit(cell, 0.37)
    whole = computed_whole(trace)
    for step in trace.forward:
        np.testing.assert_allclose(step.value, whole[step.name], rtol=1e-11, atol=1e-12, err_msg=step.name)


def test_words_before_an_edit_keep_their_numbers_to_the_last_digit():
    trace = run(*CASES["causal"])
    edited = trace.edit("layer0.weights[1,40,7]", 0.5)
    for layer in range(LAYERS):
        before, after = trace.array(f"layer{layer}.residual"), edited.array(f"layer{layer}.residual")
        assert np.array_equal(before[:40], after[:40])
        assert not np.array_equal(before[40], after[40])


def test_edits_of_edits_and_undo():
    trace = run(*CASES["causal"])
    twice = trace.edit("layer0.weights[1,40,7]", 0.5).edit("layer1.v[0,20,2]", -1.0)
    whole = computed_whole(twice)
    assert float(twice.array("loss")) == pytest.approx(float(whole["loss"]), abs=1e-12)
    assert twice.undo().undo() is trace or np.array_equal(twice.undo().undo().array("loss"), trace.array("loss"))


def test_gradients_of_an_edited_run_agree_with_central_differences():
    trace = run(*CASES["causal"]).edit("layer1.weights[1,40,7]", 0.5).backward()
    for cell in ("layer0.W_Q[0,3,2]", "layer2.W_down[7,9]", "E[4,4]"):
        value = trace[cell]
        up, down = (float(trace.edit(cell, value + h).array("loss")) for h in (1e-5, -1e-5))
        name, _, place = cell.partition("[")
        assert (up - down) / 2e-5 == pytest.approx(trace[f"{name}.grad[{place}"], abs=1e-8)
