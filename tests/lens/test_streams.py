"""The stream between the layers, on every pair of variants: it is all that the rest of the model reads."""

import numpy as np
import pytest

from regard.lens.gravity import gravity
from regard.lens.streams import streams


def test_the_stream_after_a_layer_is_all_that_follows_reads(variant, trace_of):
    trace = trace_of(variant)
    found = streams(trace)
    layers = variant.settings().layers
    assert [name for name, _ in found] == ["embedding", *(f"layer{n}" for n in range(layers))]
    for number, (_, step) in enumerate(found):
        # with the stream replaced by itself, everything before it may be replaced by nonsense
        kept = trace.pin(step.name, step.value)
        for _, earlier in found[:number]:
            kept = kept.pin(earlier.name, np.full(earlier.shape, 7.0))
        assert np.array_equal(kept.array("loss"), trace.array("loss"))
        moved = trace.pin(step.name, step.value + np.linspace(0, 1, step.value.size).reshape(step.shape))
        assert moved.array("loss") != trace.array("loss")


def test_pulls_and_the_rest_make_the_whole_way(variant, trace_of):
    trace = trace_of(variant)
    if trace.array("x").shape[-1] != streams(trace)[-1][1].shape[-1]:
        with pytest.raises(ValueError, match="differs in width from the words"):
            gravity([trace], "cat")
        return
    (sentence,) = gravity([trace], "cat").sentences
    parts = [*sentence.pulls, sentence.rest]
    assert abs(sum(p.along.value for p in parts) - 1) < 1e-9
    assert np.allclose(np.sum([p.arrow for p in parts], axis=0), np.subtract(sentence.contextual, sentence.static))
