"""A run rebuilt another way is the run that the model itself makes that way."""

from dataclasses import replace

import numpy as np
import pytest

import regard
from regard.models.catalogue import find_model
from regard.trace.whatif import masked_by, scaled_by

TEXTS = [
    ("fox", "The quick brown fox", "jumps"),
    ("two-heads", "On the mat a cat sat", "purring"),
    ("untrained", "The fox", "jumps"),
]


@pytest.mark.parametrize("name, text, following", TEXTS)
@pytest.mark.parametrize("mask", ["causal", "both"])
def test_another_mask_is_the_models_own(name, text, following, mask):
    trace = regard.explain(text, following, name)
    other = masked_by(trace, getattr(regard, mask)(len(text.split())))
    expected = regard.explain(text, following, name, mask=mask)
    for step in expected.steps.values():
        assert np.array_equal(other.array(step.name), step.value), step.name


@pytest.mark.parametrize("name, text, following", TEXTS)
@pytest.mark.parametrize("scaling", ["root", "width", "none"])
def test_another_scaling_is_the_models_own(name, text, following, scaling):
    model = find_model(name)
    expected = replace(model, settings=replace(model.settings, scaling=scaling)).run(text, following)
    other = scaled_by(model.run(text, following), scaling)
    for step in expected.forward:
        assert np.array_equal(other.array(step.name), step.value), step.name


def test_an_unknown_scaling_is_told():
    with pytest.raises(ValueError, match="root, width, none"):
        scaled_by(regard.explain("The fox"), "half")
