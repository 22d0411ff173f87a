"""Contributions sum exactly, and each is what its definition says."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from regard.attending.masks import causal
from regard.attending.positions import LearnedPositions, RotaryPositions
from regard.lens.contributions import contributions
from regard.lens.importance import importance
from regard.models.glass import Glass
from regard.models.parameters import checked, random_parameters
from regard.models.parts import MLP, GatedMLP, LayerNorm, NoMLP, NoNorm, RMSNorm, Transform
from regard.models.settings import Settings
from regard.models.transformer import next_word, transformer
from regard.toys.shipped import shipped
from regard.trace import Labels, Trace

T, H, D, C, V = 5, 2, 3, 7, 11
WORDS = tuple("abcdefghijk")


def random_trace(
    norm=None, order="before", mlp=None, positions=None, biases=True, residual=True, kv_heads=None, **parts
):
    settings = Settings(
        width=C, heads=H, head_width=4 if isinstance(positions, RotaryPositions) else D, reads=V, writes=V, layers=3,
        norm=norm or NoNorm(), norm_order=order, mlp=mlp or NoMLP(), positions=positions or LearnedPositions(T),
        biases=biases, residual=residual, kv_heads=kv_heads, **parts,
    )  # fmt: skip
    arrays = random_parameters(settings, seed=3)
    generator = np.random.default_rng(4)
    arrays = {n: a + generator.normal(0, 0.3, a.shape) for n, a in arrays.items()}
    do = Glass()
    parameters = do.parameters(checked(settings, arrays))
    x = transformer(do, [1, 4, 2, 4, 7], parameters, settings, causal(T))
    next_word(do, x, parameters, T - 1, 5)
    labels = Labels({**dict.fromkeys("TQK", ("b", "e", "c", "e", "h")), "V": WORDS, "I": WORDS})
    return Trace(tuple(do.steps), labels, {"tokens": list("becch"), "query": T - 1, "next": "f"})


VARIANTS = list(
    itertools.product(
        (NoNorm(), LayerNorm(), RMSNorm()), ("before", "after"), (NoMLP(), MLP(13), GatedMLP(13, "silu")), (True, False)
    )
)


@pytest.mark.parametrize("norm, order, mlp, biases", VARIANTS, ids=str)
def test_components_sum_exactly_to_the_difference(norm, order, mlp, biases):
    trace = random_trace(norm, order, mlp, biases=biases)
    shares = contributions(trace, "f", "c")
    logits = trace.array("logits")
    assert shares.difference == pytest.approx(logits[WORDS.index("f")] - logits[WORDS.index("c")], abs=1e-12)
    assert abs(shares.rest) < 1e-11
    heads = [c for c in shares.components if c.head is not None]
    assert len(heads) == 3 * H


def test_a_transform_before_the_vocabulary_is_walked_through():
    """As BERT: everything is found in heads, MLPs, words, places and biases, those of the vocabulary too."""
    parts = {"segments": 2, "embedding_norm": LayerNorm(), "transform": Transform()}
    trace = random_trace(LayerNorm(), "after", MLP(13), **parts)
    shares = contributions(trace, "f", "c")
    bias = trace.array("b_out")
    found = {c.name: c.contribution for c in shares.components}
    assert abs(shares.rest) < 1e-11
    assert found["b_out"] == pytest.approx(bias[WORDS.index("f")] - bias[WORDS.index("c")], abs=1e-11)
    assert len([c for c in shares.components if c.head is not None]) == 3 * H
    assert {"embedding", "position", "segment"} <= {c.name for c in shares.components}
    assert "transform.activated" in shares.held


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("kv_heads", [None, 1])
def test_words_sum_to_their_head(residual, kv_heads):
    trace = random_trace(LayerNorm(), mlp=NoMLP(), residual=residual, kv_heads=kv_heads)
    compared = replace(trace, compared=("f", "c"))
    shares = contributions(compared)
    for component in shares.components:
        if component.head is not None:
            rows = importance(compared, component, leave_out=False)
            assert sum(r.contribution.value for r in rows) == pytest.approx(component.contribution, abs=1e-12)
            weights = trace.array(f"{component.layer}.weights")[component.head, T - 1]
            assert [r.weight.value for r in rows] == pytest.approx(weights.tolist())


def test_a_component_is_its_dot_product_with_the_direction_of_the_final_norm():
    """Written out by hand for the MLP of layer 1 of a model with layer norm before."""
    trace = random_trace(LayerNorm(), mlp=MLP(13))
    direction = trace.array("W_out")[5] - trace.array("W_out")[2]
    direction = direction * trace.array("norm.gain") / trace.array("norm.deviation")[T - 1]
    direction = direction - direction.mean()
    expected = float(trace.array("layer1.mlp.product")[T - 1] @ direction)
    found = {c.name: c.contribution for c in contributions(trace, "f", "c").components}
    assert found["layer1.mlp"] == pytest.approx(expected, abs=1e-12)


def test_an_edit_of_the_logits_is_a_component():
    trace = random_trace(LayerNorm()).edit("logits[f]", 3.0)
    shares = contributions(trace, "f", "c")
    assert abs(shares.rest) < 1e-11
    found = {c.name: c.contribution for c in shares.components}
    assert found["edit of logits"] == pytest.approx(3.0)


def test_without_a_word_its_weight_is_zero_for_others_and_rows_sum_to_1():
    trace = random_trace(RMSNorm(), mlp=MLP(13))
    gone = trace.hide(1)
    for layer in range(3):
        weights = gone.array(f"layer{layer}.weights")
        assert np.all(weights[:, [0, 2, 3, 4], 1] == 0)
        assert weights.sum(-1) == pytest.approx(np.ones((H, T)))
    assert np.all(trace.hide(T - 1).array("layer2.weights")[:, T - 1, T - 1] == 0)


def test_without_fox_the_toy_says_jumps():
    trace = shipped("fox").run("The quick brown fox", next="jumps")
    assert [trace.hide(i).predicted for i in range(4)] == ["fox", "fox", "fox", "jumps"]
