"""A run's weights, asked as Weights: those of the layer that is meant, with what was changed by hand."""

import numpy as np
import pytest

import regard
from regard.lens.weights import weights_of
from regard.suggestions import NotFound


def test_the_weights_of_a_run_are_those_of_its_layer(variant, trace_of):
    trace = trace_of(variant)
    for layer in range(variant["layers"]):
        np.testing.assert_array_equal(weights_of(trace, layer).dense(), trace.array(f"layer{layer}.weights"))
    if variant["layers"] == 1:
        assert weights_of(trace).shape == (*trace.array("q").shape[:1], 5, 5)
    else:
        with pytest.raises(NotFound, match=r"there are 2 layers; .* weights_of\(trace, layer=0\)"):
            weights_of(trace)
        with pytest.raises(NotFound, match="no layer 2; there are 2 layers, 0 to 1"):
            weights_of(trace, 2)


def test_a_changed_weight_is_the_one_that_is_asked():
    trace = regard.explain("The quick brown fox", next="jumps")
    edited = weights_of(trace.edit("weights[fox,fox]", 0.05))
    assert edited[0].row(3)[3] == 0.05 and weights_of(trace)[0].row(3)[3] == pytest.approx(0.75, abs=1e-4)
    assert edited.given()[0, 3] == pytest.approx(0.30, abs=1e-4)  # no longer 1, and not hidden from whoever asks
    assert edited[0].top(1).keys[3] == [0]
