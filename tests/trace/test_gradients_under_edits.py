"""Gradients stay right under edits: against central differences of the edited run, edits and all."""

import numpy as np
import pytest

from regard.ops import Scatter

LIMIT = 1e-6
SOFTMAX = ("exps", "total", "weights", "masked")


def assert_gradients_agree(trace, quotients, error_of, steps=()) -> None:
    trace = trace.backward() if trace.of is None else trace
    names = [*trace.parameters, *steps]
    for name in names:
        expected = quotients(trace, trace.step(name))
        if f"{name}.grad" not in trace.steps:
            assert np.abs(expected).max() < 1e-9, name
            continue
        assert error_of(trace.array(f"{name}.grad"), expected) <= LIMIT, name


EDITS = {
    "a weight": lambda t: t.edit("layer0.weights[1,2,0]", 0.9),
    "an exponential": lambda t: t.edit("layer0.exps[2,3,1]", 1.7),
    "a total": lambda t: t.edit("layer0.total[0,2]", 2.5),
    "a query": lambda t: t.edit("layer0.q[1,2,0]", 0.8),
    "a score": lambda t: t.edit("layer0.scores[1,2,1]", -0.6),
    "a hidden score": lambda t: t.edit("layer0.masked[2,1,4]", 0.5),
    "a seen score": lambda t: t.edit("layer0.masked[0,2,1]", 0.1),
    "a probability": lambda t: t.edit(_cell(t, "probabilities"), 0.3),
    "a logit": lambda t: t.edit(_cell(t, "logits"), 0.3),
    "a logit's exponential": lambda t: t.edit(_cell(t, "logit_exps"), 0.3),
    "a parameter": lambda t: t.edit("layer0.W_K[0,1,1]", 0.7),
    "an embedding": lambda t: t.edit("E[3,1]", 0.7),
    "a peak": lambda t: t.edit("layer0.peak[1,2]", 0.5),
    "a dragged weight": lambda t: t.move("layer0.weights[1,2,0]", 0.6),
    "a weight dragged to nothing": lambda t: t.move("layer0.weights[1,2,0]", 0.0),
    "a dragged probability": lambda t: t.move(_cell(t, "probabilities"), 0.6),
    "two dragged in one row": lambda t: t.move("layer0.weights[1,2,0]", 0.6).move("layer0.weights[1,2,1]", 0.3),
    "dragged, then typed": lambda t: t.move("layer0.weights[1,2,0]", 0.6).edit("layer0.weights[1,2,0]", 0.1),
    "the same cell twice": lambda t: t.edit("layer0.weights[1,2,0]", 0.9).edit("layer0.weights[1,2,0]", 0.4),
    "pinned weights": lambda t: t.pin("layer0.weights", np.linspace(0, 1, 75).reshape(3, 5, 5)),
    "pinned exponentials": lambda t: t.pin("layer0.exps", np.linspace(0.1, 1, 75).reshape(3, 5, 5)),
    "a pinned mask": lambda t: t.pin("visible", np.eye(5, dtype=bool)[::-1]),
    "weight, exponential and logit": lambda t: (
        t.edit("layer0.weights[0,2,1]", 0.2).edit("layer0.exps[0,2,0]", 3.0).edit(_cell(t, "logits"), -1.0)
    ),
}


def _cell(trace, name):
    return f"{name}[{','.join(str(min(2, size - 1)) for size in trace.step(name).shape)}]"


@pytest.mark.parametrize("change", EDITS)
@pytest.mark.parametrize("task", ["next", "every"])
def test_gradients_under_an_edit_agree_with_central_differences(
    change, task, plain_variant, trace_of, quotients, error_of
):
    variant = plain_variant.but(mlp="tanh", norm="layer", positions="distance", task=task)
    trace = EDITS[change](trace_of(variant))
    assert trace.edits
    steps = [f"layer0.{name}" for name in ("q", "k", "v", "scores", *SOFTMAX)] + [
        "logits",
        "logit_exps",
        "probabilities",
    ]
    steps += [
        s.name for s in trace.forward if s.name.endswith((".rescaled", ".others", ".left")) or ".original" in s.name
    ]
    steps = [n for n in steps if trace.step(n).value.dtype.kind == "f"]
    assert_gradients_agree(trace, quotients, error_of, steps)


def test_every_pair_of_variants_keeps_right_gradients_under_edits(variant, trace_of, quotients, error_of):
    trace = trace_of(variant)
    trace = trace.edit("layer0.exps[2,2,1]", 0.7).edit("layer0.q[1,2,0]", 0.4).edit("layer0.weights[0,2,1]", 0.9)
    cell = _cell(trace, "probabilities")
    assert_gradients_agree(trace.move(cell, 0.4), quotients, error_of)


def test_no_gradient_goes_through_an_edited_cell(plain_variant, trace_of):
    trace = trace_of(plain_variant).backward()
    assert trace.array("layer0.weights.grad")[1, 2, 0] != 0
    edited = trace.edit("layer0.weights[1,2,0]", 0.9)
    assert edited.array("layer0.weights.original.grad")[1, 2, 0] == 0
    assert edited.array("layer0.weights.original.grad")[1, 2, 1] == edited.array("layer0.weights.grad")[1, 2, 1] != 0
    parameter = trace.edit("layer0.W_K[0,1,1]", 0.7)
    assert parameter.array("layer0.W_K.original.grad")[0, 1, 1] == 0
    assert parameter.array("layer0.W_K.grad")[0, 1, 1] != 0


def test_a_pinned_step_has_a_gradient_and_cuts_what_lies_before_it(plain_variant, trace_of):
    trace = trace_of(plain_variant).pin("layer0.weights", np.full((3, 5, 5), 0.2)).backward()
    assert trace.array("layer0.weights.grad").any()
    assert "layer0.W_Q.grad" not in trace.steps and "layer0.scores.grad" not in trace.steps
    assert "layer0.W_V.grad" in trace.steps
    assert "layer0.weights.original" in trace.steps


def test_closed_forms_are_used_where_a_softmax_is_whole_and_only_there(plain_variant, trace_of):
    trace = trace_of(plain_variant).backward()

    def formula(trace, name):
        return trace.step(name).op.formula

    assert formula(trace, "layer0.masked.grad") == "softmax_blame"
    assert formula(trace, "logits.grad") == "logit_blame"
    for change in ("layer0.exps[1,2,0]", "layer0.total[1,2]"):
        assert formula(trace.edit(change, 0.7), "layer0.masked.grad") == "product"
    assert formula(trace.edit("layer0.weights[1,2,0]", 0.7), "layer0.masked.grad") == "softmax_blame"
    for change in ("probabilities[3]", "chosen", "logit_total", "log_sum"):
        edited = trace.edit(change, 0.7)  # the loss reads the logits twice: as shares, and where those are lost
        assert formula(edited, "logits.grad.via.logit_exps") == "product", change
        assert isinstance(edited.step("logits.grad.via.chosen_logit").op, Scatter), change
    assert formula(trace.edit("logit_exps[3]", 0.7), "logits.grad.via.logit_exps.original") == "product"
    assert formula(trace.edit("logits[3]", 0.7), "logits.grad") == "logit_blame"


def test_closed_forms_equal_the_primitive_steps_beside_them(variant, trace_of):
    trace = trace_of(variant).backward()
    exps, blame = trace.array("layer0.exps"), trace.array("layer0.exps.grad")
    np.testing.assert_allclose(trace.array("layer0.masked.grad"), exps * blame, rtol=1e-9, atol=1e-14)
    exps, blame = trace.array("logit_exps"), trace.array("logit_exps.grad")
    np.testing.assert_allclose(trace.array("logits.grad"), exps * blame, rtol=1e-9, atol=1e-14)


def test_what_serves_several_steps_has_a_share_via_each(plain_variant, trace_of):
    trace = trace_of(plain_variant.but(layers="2layers", tied="tied", positions="distance")).backward()
    x = [trace.array(f"x.grad.via.{name}") for name in ("layer0.q", "layer0.k", "layer0.v", "layer0.residual")]
    np.testing.assert_allclose(trace.array("x.grad"), sum(x), atol=1e-15)
    tied = trace.array("E.grad.via.x") + trace.array("E.grad.via.logits")
    np.testing.assert_allclose(trace.array("E.grad"), tied, atol=1e-15)
    shared = trace.array("position.grad.via.layer0.bias") + trace.array("position.grad.via.layer1.bias")
    np.testing.assert_allclose(trace.array("position.grad"), shared, atol=1e-15)
    assert all(part.any() for part in x)


@pytest.mark.parametrize("of", ["loss", "chosen", "logit_total"])
def test_the_gradient_of_any_one_number(of, plain_variant, trace_of, quotients, error_of):
    trace = trace_of(plain_variant.but(norm="rms")).backward(of)
    assert trace.of == of
    for name, step in trace.parameters.items():
        assert error_of(trace.array(f"{name}.grad"), quotients(trace, step, of)) <= LIMIT, name
