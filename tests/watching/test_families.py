"""Every family: the model's outputs stay bit for bit what they were, and the weights are those it would have shown."""

from typing import Any

import numpy as np
import pytest
import torch
from tests.watching.families import FAMILIES, Family

from regard.attending.weights import Weights
from regard.watching.watch import watch

# the weights of models that compute in single precision
CLOSE = 1e-5


def outputs(answer: Any) -> list[torch.Tensor]:
    return [x for x in answer.to_tuple() if isinstance(x, torch.Tensor)]


def attentions(answer: Any) -> list[np.ndarray]:
    """What a model shows when asked, in the order in which its layers run: (heads, queries, keys) each."""
    own = getattr(answer, "attentions", None) or ()
    read = getattr(answer, "encoder_attentions", None) or ()
    written = getattr(answer, "decoder_attentions", None) or ()
    across = getattr(answer, "cross_attentions", None) or ()
    woven = [x for pair in zip(written, across) for x in pair]
    return [x[0].detach().numpy() for x in (*own, *read, *woven)]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@torch.no_grad()
def test_outputs_do_not_change_and_weights_are_those_of_the_formula(family: Family):
    model, inputs = family.made(), family.inputs()
    before = model(**inputs)
    with watch(model) as seen:
        during = model(**inputs)
    after = model(**inputs)
    assert len(outputs(before)) >= 1
    for x, y, z in zip(outputs(before), outputs(during), outputs(after), strict=True):
        assert torch.equal(x, y) and torch.equal(x, z)
    assert len(seen) == family.layers and not seen.missed
    assert seen.verify().worst <= CLOSE
    shown = attentions(family.made("eager")(**inputs, output_attentions=True))
    assert len(shown) == family.layers
    for layer, expected in enumerate(shown):
        compare(seen[layer], expected)


def compare(weights: Weights, expected: np.ndarray) -> None:
    """Everything that can be asked of the weights, against the matrix."""
    heads, queries, keys = expected.shape
    by_hand = Weights.from_matrix(expected.astype(np.float64))
    found = weights.dense()
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= CLOSE
    assert (found[expected == 0.0] == 0.0).all()  # no weight where the mask forbids one
    last = heads - 1
    for ask in (
        lambda w: w[last].row(queries - 1),
        lambda w: w[0].tile((1, queries), (0, keys - 1)),
        lambda w: w.received(),
        lambda w: w.given(),
        lambda w: w.entropy(),
        lambda w: w.pooled(3, 5),
        lambda w: w.pooled(3, 5, by="max"),
        lambda w: w.top(2).weights,
    ):
        assert np.abs(ask(weights) - ask(by_hand)).max() <= CLOSE * keys
    assert np.abs(weights.mean_distance() - by_hand.mean_distance()).max() <= CLOSE * keys**2
