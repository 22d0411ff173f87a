"""Hardening 12: what must hold of attention for all numbers. 0 of 2,400 examples may fail."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.models.glass import Glass
from regard.ops.scaling import NONE, ROOT, WIDTH, Times

finite = st.floats(-700, 700, allow_nan=False, width=64)


@st.composite
def problems(draw: st.DrawFn, largest: float = 30.0) -> dict:
    heads, queries, keys, width = (draw(st.integers(1, n)) for n in (3, 5, 7, 4))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([1e-8, 0.1, 1.0, largest]))
    return {
        "q": generator.normal(0, spread, (heads, queries, width)),
        "k": generator.normal(0, 1, (heads, keys, width)),
        "v": generator.normal(0, 1, (heads, keys, width)),
        "visible": generator.random((queries, keys)) < draw(st.sampled_from([0.0, 0.3, 0.8, 1.0])),
        "order": generator.permutation(keys),
    }


def attend(q, k, v, visible, scaling=ROOT) -> dict[str, np.ndarray]:
    do = Glass()
    steps = (do.given("q", q, "HQD"), do.given("k", k, "HKD"), do.given("v", v, "HKD"))
    do.attend(*steps, visible, scaling, None)
    return {s.name: s.value for s in do.steps}


def softmax(scores: np.ndarray) -> np.ndarray:
    do = Glass()
    return do.softmax(do.given("scores", scores, "QK"), "peak", "exps", "total", "weights").value


@settings(max_examples=600)
@given(problems(largest=300.0))
def test_every_row_sums_to_one_or_sees_nothing(problem):
    problem.pop("order")
    steps = attend(**problem)
    weights = steps["weights"]
    seen = problem["visible"].any(axis=1)
    assert (weights >= 0).all() and np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(-1), np.broadcast_to(seen.astype(float), weights.shape[:-1]), atol=1e-13)
    assert not weights[:, ~problem["visible"]].any()
    # a context lies among the values that were seen
    for h, i in np.ndindex(weights.shape[:2]):
        values = problem["v"][h, problem["visible"][i]]
        if len(values):
            assert (steps["context"][h, i] <= values.max(axis=0) + 1e-12).all()
            assert (steps["context"][h, i] >= values.min(axis=0) - 1e-12).all()
        else:
            assert not steps["context"][h, i].any()


@settings(max_examples=600)
@given(st.lists(finite, min_size=1, max_size=11), st.floats(-500, 500))
def test_softmax_does_not_see_a_shift(scores, shift):
    row = np.array([scores])
    np.testing.assert_allclose(softmax(row + shift), softmax(row), rtol=1e-9, atol=1e-300)


@settings(max_examples=300)
@given(st.lists(finite, min_size=1, max_size=11))
def test_softmax_is_its_definition(scores):
    largest = max(scores)
    powers = [math.exp(s - largest) for s in scores]
    expected = [p / math.fsum(powers) for p in powers]
    np.testing.assert_allclose(softmax(np.array([scores]))[0], expected, rtol=1e-11, atol=1e-300)


@settings(max_examples=600)
@given(problems())
def test_attention_without_positions_does_not_see_the_order_of_the_keys(problem):
    order = problem.pop("order")
    plain = attend(**problem)
    mixed = attend(problem["q"], problem["k"][:, order], problem["v"][:, order], problem["visible"][:, order])
    np.testing.assert_allclose(mixed["weights"], plain["weights"][:, :, order], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(mixed["context"], plain["context"], rtol=1e-10, atol=1e-12)


@settings(max_examples=300)
@given(problems(), st.integers(0, 1000))
def test_shuffled_queries_give_shuffled_contexts(problem, seed):
    problem.pop("order")
    order = np.random.default_rng(seed).permutation(problem["q"].shape[1])
    plain = attend(**problem)
    mixed = attend(problem["q"][:, order], problem["k"], problem["v"], problem["visible"][order])
    np.testing.assert_allclose(mixed["context"], plain["context"][:, order], rtol=1e-10, atol=1e-12)


def test_attention_is_its_definition_one_number_at_a_time():
    H, Q, K, D = 2, 5, 7, 3
    generator = np.random.default_rng(1)
    q, k, v = (generator.normal(size=(H, n, D)) for n in (Q, K, K))
    visible = generator.random((Q, K)) < 0.7
    for scaling, divisor in ((ROOT, math.sqrt(D)), (WIDTH, D), (NONE, 1.0), (Times(0.25), 4.0)):
        steps = attend(q, k, v, visible, scaling)
        for h in range(H):
            for i in range(Q):
                powers = [math.exp(sum(q[h, i, d] * k[h, j, d] for d in range(D)) / divisor) for j in range(K)]
                whole = sum(p for j, p in enumerate(powers) if visible[i, j])
                for j in range(K):
                    expected = powers[j] / whole if visible[i, j] else 0.0
                    assert math.isclose(steps["weights"][h, i, j], expected, rel_tol=1e-12)
                for d in range(D):
                    mixed = sum(powers[j] / whole * v[h, j, d] for j in range(K) if visible[i, j])
                    assert math.isclose(steps["context"][h, i, d], mixed, rel_tol=1e-11, abs_tol=1e-13)


def test_there_are_as_many_examples_as_promised(figure):
    properties = [test for test in globals().values() if hasattr(test, "_hypothesis_internal_use_settings")]
    examples = sum(test._hypothesis_internal_use_settings.max_examples for test in properties)
    assert examples >= 2000
    figure(examples=examples)
