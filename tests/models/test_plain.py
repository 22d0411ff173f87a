"""Plain computes what Glass computes, all at once and word by word, on every pair of variants."""

import numpy as np
import pytest

from regard.attending.masks import causal
from regard.models.parameters import checked
from regard.models.plain import Memory, Plain, laid_out
from regard.models.transformer import at_places, every_next_word, next_word, predicted_logits, transformer

LIMITS = {np.float64: 1e-9, np.float32: 1e-4}
TOKENS = 5
PLACES = [TOKENS - 2, 0]


def error(found, expected) -> float:
    """The largest difference over the largest value."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def parameters_of(variant, arrays, precision):
    return laid_out(checked(variant.settings(), arrays), precision)


@pytest.mark.parametrize("precision", LIMITS)
def test_logits_and_loss_equal_those_of_glass(variant, trace_of, arrays_of, precision):
    trace, settings = trace_of(variant, TOKENS), variant.settings()
    ids, do, parameters = trace.info["ids"], Plain(), parameters_of(variant, arrays_of(variant, 1), precision)
    segments = [t % 2 for t in range(TOKENS)] if variant["segments"] else None
    x = transformer(do, ids, parameters, settings, variant["mask"], segments)
    logits = predicted_logits(do, x, parameters, settings.logit_cap)
    targets = [(5 * i + 2) % settings.writes for i in ids]
    if variant["task"] == "every":
        position, loss = slice(None), every_next_word(do, x, parameters, targets, settings.logit_cap)
    elif variant["task"] == "places":
        position, loss = PLACES, at_places(do, x, parameters, PLACES, [targets[p] for p in PLACES], settings.logit_cap)
    else:
        position = TOKENS - 3
        loss = next_word(do, x, parameters, position, targets[position], settings.logit_cap)
        shares = next_word(do, x, parameters, position, None, settings.logit_cap)
        assert error(shares, trace.array("probabilities")) <= LIMITS[precision]
    assert logits.dtype == precision
    assert error(logits[position], trace.array("logits")) <= LIMITS[precision]
    assert error(loss, trace.array("loss")) <= LIMITS[precision]


@pytest.mark.parametrize("precision", LIMITS)
def test_word_by_word_it_remembers_what_it_read(variant, trace_of, arrays_of, precision):
    """Two words at once, then one by one: the same as reading all of them again."""
    variant = variant.but(task="every", segments="one-text", mask="causal")
    settings, memory = variant.settings(), Memory()
    parameters = parameters_of(variant, arrays_of(variant, 1), precision)
    trace = trace_of(variant, 7)
    ids, expected = trace.info["ids"], trace.array("logits")
    for start, end in ((0, 2), (2, 3), (3, 4), (4, 6), (6, 7)):
        do = Plain(memory, start)
        x = transformer(do, ids[start:end], parameters, settings, causal)
        logits = predicted_logits(do, x, parameters, settings.logit_cap)
        assert error(logits, expected[start:end]) <= LIMITS[precision], (start, end)


def test_one_word_obeys_the_mask(plain_variant, trace_of, arrays_of):
    """The last word alone, under masks that hide some of the words before, or all of them."""
    for mask in ("window", "padding"):
        variant = plain_variant.but(mask=mask, heads="6of3", layers="1layer", task="every")
        parameters = parameters_of(variant, arrays_of(variant, 1), np.float64)
        trace, memory = trace_of(variant, 7), Memory()
        ids = trace.info["ids"]
        transformer(Plain(memory), ids[:6], parameters, variant.settings(), variant["mask"](7)[:6, :6])
        do = Plain(memory, 6)
        x = transformer(do, ids[6:], parameters, variant.settings(), variant["mask"])
        assert error(predicted_logits(do, x, parameters), trace.array("logits")[6:]) <= 1e-9


def test_a_text_that_is_too_long_is_told_where_it_ends(plain_variant, arrays_of):
    variant = plain_variant.but(positions="learned")
    parameters = parameters_of(variant, arrays_of(variant, 1), np.float64)
    with pytest.raises(ValueError, match="this model reads at most 17 tokens, got 18"):
        transformer(Plain(start=16), [1, 2], parameters, variant.settings(), causal)
