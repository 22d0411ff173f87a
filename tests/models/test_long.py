"""A long text read tile by tile is the text read whole: every number, every weight, on every pair of variants."""

from dataclasses import replace

import numpy as np

from regard.attending.positions import RotaryPositions
from regard.models.catalogue import find_model
from regard.models.long import Long, read_long
from regard.models.parameters import checked
from regard.models.transformer import next_word, transformer
from regard.trace.names import layer_of


def test_every_number_is_that_of_glass(variant, trace_of, arrays_of):
    settings = variant.settings()
    tokens = 5
    glass = trace_of(variant.but(task="next"), tokens)
    do = Long()
    parameters = do.parameters(checked(settings, arrays_of(variant)))
    visible = variant["mask"](tokens)
    segments = glass.array("segments") if "segments" in glass.steps else None
    x = transformer(do, glass.info["ids"], parameters, settings, visible, segments)
    next_word(do, x, parameters, max(tokens - 3, 0), None, settings.logit_cap)
    compared = 0
    for step in do.steps:
        if step.name in glass.steps and step.shape == glass.steps[step.name].shape:
            assert np.allclose(step.value, glass.array(step.name), rtol=0, atol=1e-12), step.name
            compared += 1
    assert {"logits", "probabilities", "layer0.q", "layer0.context"} <= {s.name for s in do.steps} and compared > 10
    assert not [s.name for s in do.steps if s.axes[-2:] == "QK"], "nothing of tokens × tokens"
    layers = [s for s in glass.forward if s.name == f"{layer_of(s.name)}.weights"]
    assert len(layers) == len(do.weights) == settings.layers
    for step, weights in zip(layers, do.weights):
        assert np.allclose(weights.dense(), step.value, rtol=0, atol=1e-12)


def test_a_text_of_more_than_one_tile():
    """700 words: two tiles of rows, one of keys; a mask, positions by rotation and grouped heads come in between."""
    model = find_model("untrained")
    settings = replace(model.settings, positions=RotaryPositions(), max_tokens=1000)
    arrays = {name: array for name, array in model.parameters.items() if name != "position"}
    model = replace(model, settings=settings, parameters=arrays)
    text = " ".join(model.reads[n * n % len(model.reads)] for n in range(700))
    for mask in ("causal", "both"):
        trace, weights = read_long(model, text, mask)
        whole = model.run(text, None, mask)
        assert np.allclose(trace.array("logits"), whole.array("logits"), atol=1e-12)
        for layer in (0, 1):
            expected = whole.array(f"layer{layer}.weights")
            assert np.allclose(weights[layer].tile((600, 640), (0, 700)), expected[:, 600:640], atol=1e-13)
