"""What a switch would do to the loss: the loss of the model built that way, less the loss of this one."""

from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.attending.positions import LearnedPositions, NoPositions, RotaryPositions, SinusoidalPositions
from regard.models.catalogue import find_model
from regard.models.joining import Added
from regard.models.roles import KeysAreValues, QueriesAreKeys
from regard.suggestions import NotFound
from regard.trace.switches import silenced, switch_named

TEXTS = {"fox": ("The quick brown fox", "jumps"), "two-heads": ("On the mat a cat sat", "purring"),
         "untrained": ("The quick brown fox", "jumps"), "english": ("Once upon a time", "there")}  # fmt: skip


@pytest.mark.parametrize("model", TEXTS)
@pytest.mark.parametrize("scaling", ["root", "width", "none"])
def test_another_scaling_is_the_model_that_scales_so(model, scaling):
    found, trace = find_model(model), regard.explain(*TEXTS[model], model)
    other = replace(found, settings=replace(found.settings, scaling=scaling)).run(*TEXTS[model])
    assert trace[f"instead.{scaling}.loss"] == pytest.approx(other["loss"], rel=1e-12)
    assert trace[f"instead.{scaling}.change"] == pytest.approx(other["loss"] - trace["loss"], abs=1e-12)


@pytest.mark.parametrize("model", TEXTS)
@pytest.mark.parametrize("mask", ["causal", "both"])
def test_another_mask_is_the_run_under_it_and_a_hidden_word_stays_hidden(model, mask):
    trace, other = regard.explain(*TEXTS[model], model), find_model(model).run(*TEXTS[model], mask)
    assert trace[f"instead.{mask}.loss"] == pytest.approx(other["loss"], rel=1e-12)
    assert trace.hide(1)[f"instead.{mask}.loss"] == pytest.approx(other.hide(1)["loss"], rel=1e-12)


def test_the_bias_by_distance_is_left_out_and_put_back():
    trace = regard.explain(*TEXTS["fox"], "fox")
    without = trace.pin("bias", np.zeros(trace.step("bias").shape))
    assert trace["instead.unbiased.loss"] == without["loss"] != trace["loss"]
    assert without["instead.biased.loss"] == trace["loss"]
    assert "instead.biased.loss" not in trace and "instead.unbiased.loss" not in without
    assert "instead.unbiased.loss" not in regard.explain(*TEXTS["untrained"], "untrained")


def test_a_scaling_that_was_set_by_hand_is_not_switched():
    trace = regard.explain(*TEXTS["fox"], "fox").edit("scaled[fox,The]", 0.3)
    assert "instead.none.loss" not in trace
    assert "instead.both.loss" in trace


def test_the_other_run_is_named_also_under_edits_and_after_updates():
    trace = regard.explain(*TEXTS["fox"], "fox").edit("weights[fox,The]", 0.3)
    assert trace.why("instead.both.loss").symbols() == "loss (if words read all words)"
    assert trace.update().why("instead.none.loss").symbols() == "loss (if scores are not divided)"
    other = trace.cell("instead.both.loss:loss").run
    assert other.why("without.logits[quick,jumps]").symbols() == "logits[jumps] (without quick)"
    assert other.why("after.loss").symbols() == "loss (after one update)"


def built(model, **settings):
    """The model described otherwise, with the numbers that it has."""
    found = find_model(model)
    return replace(found, settings=replace(found.settings, **settings))


@pytest.mark.parametrize("model", TEXTS)
@pytest.mark.parametrize(
    "name, roles, unused", [("keys-are-values", KeysAreValues(), "V"), ("queries-are-keys", QueriesAreKeys(), "K")]
)
def test_one_map_for_two_roles_is_the_model_that_was_built_so(model, name, roles, unused):
    trace, other = regard.explain(*TEXTS[model], model), built(model, roles=roles)
    fewer = {n: a for n, a in other.parameters.items() if not n.endswith((f"W_{unused}", f"b_{unused}"))}
    expected = replace(other, parameters=fewer).run(*TEXTS[model])
    assert trace[f"instead.{name}.loss"] == pytest.approx(expected["loss"], rel=1e-12)


@pytest.mark.parametrize("model", ["two-heads", "untrained", "english"])
def test_added_heads_are_the_model_that_adds_them_through_the_average_of_w_o(model):
    trace, other = regard.explain(*TEXTS[model], model), built(model, joining=Added())
    shared = {n: np.asarray(a).mean(axis=0) if n.endswith("W_O") else a for n, a in other.parameters.items()}
    expected = replace(other, parameters=shared).run(*TEXTS[model])
    assert trace["instead.heads-added.loss"] == pytest.approx(expected["loss"], rel=1e-9)
    assert "instead.heads-added.loss" not in regard.explain(*TEXTS["fox"]), "one head has nothing to be added to"


@pytest.mark.parametrize("positions", [LearnedPositions(16), SinusoidalPositions(), RotaryPositions()])
def test_without_places_it_is_the_model_that_knows_none(positions):
    settings = replace(find_model("untrained").settings, positions=positions)
    rows = {"position": np.random.default_rng(3).normal(size=(16, settings.width))}
    rows = rows if isinstance(positions, LearnedPositions) else {}
    others = {n: a for n, a in find_model("untrained").parameters.items() if n != "position"}
    placed = replace(find_model("untrained"), settings=settings, parameters={**others, **rows})
    plain = replace(placed, settings=replace(settings, positions=NoPositions()), parameters=others)
    trace, expected = placed.run(*TEXTS["untrained"]), plain.run(*TEXTS["untrained"])
    assert trace["instead.unplaced.loss"] == pytest.approx(expected["loss"], rel=1e-12) != trace["loss"]


def test_a_knob_for_d_k_and_one_for_temperature():
    trace = regard.explain(*TEXTS["fox"], "fox")
    assert switch_named("d_k").thrown(trace, 2)["loss"] == pytest.approx(trace["loss"], rel=1e-14), "its own width"
    wide = switch_named("d_k").thrown(trace, 64)
    assert np.allclose(wide.array("scaled"), trace.array("scores") / 8)
    hot = switch_named("temperature").thrown(trace, 4)
    shares = np.exp(trace.array("logits") / 4)
    assert np.allclose(hot.array("probabilities"), shares / shares.sum())
    assert hot["loss"] == pytest.approx(-np.log(hot["probabilities[jumps]"]))
    assert np.array_equal(hot.array("logits.original"), trace.array("logits"))
    twice = switch_named("temperature").thrown(hot, 0.25)
    assert twice["loss"] == pytest.approx(trace["loss"])
    assert hot.update()["loss"] < hot["loss"], "and it still learns"


def test_what_cannot_be_switched_says_so():
    trace = regard.explain(*TEXTS["fox"], "fox")
    for name, value, said in (
        ("heads-added", None, "nothing to be switched"),
        ("d_k", None, "expects a head width"),
        ("none", 3.0, "expects no number"),
        ("temperature", 0.0, "from 0.001 to"),
    ):
        with pytest.raises(ValueError, match=said):
            switch_named(name).thrown(trace, value)
    with pytest.raises(NotFound, match="did you mean"):
        switch_named("keys-are-value")


def test_a_silenced_head_adds_nothing():
    trace = regard.explain(*TEXTS["two-heads"], "two-heads")
    other = silenced(trace, 0, 1)
    assert not np.any(other.array("by_head")[1]) and np.array_equal(
        other.array("by_head")[0], trace.array("by_head")[0]
    )
    with pytest.raises(NotFound, match="no head 2"):
        silenced(trace, 0, 2)
    with pytest.raises(ValueError, match="no W_O"):
        silenced(regard.explain(*TEXTS["fox"]), 0, 0)
