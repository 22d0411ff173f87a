"""What a switch would do to the loss: the loss of the model built that way, less the loss of this one."""

from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.models.catalogue import find_model

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
