"""Hardening 9 and 10: the future cannot reach the past; rows that see nothing give zeros, never NaN."""

import numpy as np
import pytest

from regard.attending.masks import causal, window

TOKENS, SEEN = 7, 3  # the first three stay, the last four are poisoned


def rows_of_the_past(step):
    """The part of a step that belongs to the words that stay: by its axis of tokens or queries."""
    if any(a in step.axes for a in "TQ") and step.axes != "QK":
        return step.value[tuple(slice(0, SEEN) if a in "TQ" else slice(None) for a in step.axes)]
    if "K" in step.axes and step.axes != "QK":  # keys and values, before they are looked at
        return step.value[tuple(slice(0, SEEN) if a == "K" else slice(None) for a in step.axes)]
    return None


@pytest.mark.parametrize("visible", [causal(TOKENS), causal(TOKENS) & window(TOKENS, 2)], ids=["causal", "and window"])
def test_poison_in_the_future_leaves_the_past_bit_for_bit(variant, visible, trace_of, arrays_of):
    variant = variant.but(mask="causal", tied="untied", task="every")
    arrays = arrays_of(variant)
    plain = trace_of(variant, arrays=arrays, ids=[3, 0, 3, 11, 5, 1, 7], visible=visible)
    poison = arrays | {"E": arrays["E"] * np.where(np.isin(np.arange(13), [2, 4, 6, 8]), 1e6, 1.0)[:, None]}
    poisoned = trace_of(variant, arrays=poison, ids=[3, 0, 3, 2, 4, 8, 6], visible=visible)
    compared = 0
    for step in plain.forward:
        rows = rows_of_the_past(step)
        if (
            rows is None
            or step.name in ("tokens", "target")
            or step.name.endswith(("scores", "scaled", "capped", "bias", "biased", "near"))
        ):
            continue  # scores of hidden keys are still there; they are hidden one step later
        assert np.array_equal(rows, rows_of_the_past(poisoned.step(step.name))), step.name
        compared += 1
    assert compared > 8
    assert not np.array_equal(plain.array("probabilities")[SEEN:], poisoned.array("probabilities")[SEEN:])


def test_the_future_gets_no_blame_for_the_past(variant, trace_of):
    """The loss at one position has no gradient in later words, of x and of every key and value."""
    trace = trace_of(variant.but(mask="causal", task="next"), tokens=7).backward()
    position = 4
    v = "layer0.v.grad" if "layer0.v" in trace.steps else "layer0.k.grad"  # where keys are values there is one step
    for name in ("x.grad", v, "layer0.k.grad"):
        gradient = trace.array(name)
        later = gradient[position + 1 :] if gradient.ndim == 2 else gradient[:, position + 1 :]
        assert later.size and not later.any(), name
    assert trace.array(v)[:, : position + 1].any()


def test_rows_that_see_nothing_give_zeros_and_finite_gradients(variant, trace_of):
    visible = np.tri(7, dtype=bool)
    visible[2] = visible[5] = False  # two words that may look at nothing
    visible[:, 6] = False  # and one that nobody may look at
    trace = trace_of(variant, ids=[3, 0, 3, 11, 5, 1, 7], visible=visible).backward()
    for layer in range(variant["layers"]):
        for row in (2, 5):
            for name in ("exps", "weights", "context"):
                assert not trace.array(f"layer{layer}.{name}")[:, row].any(), name
            assert not trace.array(f"layer{layer}.total")[:, row].any()
        assert not trace.array(f"layer{layer}.weights")[:, :, 6].any()
        others = [0, 1, 3, 4, 6]
        np.testing.assert_allclose(trace.array(f"layer{layer}.weights")[:, others].sum(-1), 1.0, rtol=1e-14)
    for step in trace.steps.values():
        assert not np.isnan(step.value).any(), step.name
        if ".grad" in step.name:
            assert np.isfinite(step.value).all(), step.name


def test_nothing_visible_at_all(variant, trace_of):
    trace = trace_of(variant, ids=[3, 0, 3], visible=np.zeros((3, 3), dtype=bool)).backward()
    assert not trace.array("layer0.weights").any() and not trace.array("layer0.context").any()
    assert np.isfinite(trace.array("loss"))
    for name in trace.parameters:
        assert np.isfinite(trace.array(f"{name}.grad")).all()
    for role in variant["roles"].learned:
        assert not trace.array(f"layer0.W_{role}.grad").any()


def test_gradients_beside_hidden_rows_agree_with_central_differences(variants, trace_of, quotients, error_of):
    visible = np.tri(5, dtype=bool)
    visible[2] = False
    for variant in variants[::3]:
        trace = trace_of(variant.but(task="every"), visible=visible).backward()
        for name, step in trace.parameters.items():
            assert error_of(trace.array(f"{name}.grad"), quotients(trace, step)) <= 1e-6, (str(variant), name)
