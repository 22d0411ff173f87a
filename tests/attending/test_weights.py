"""Weights by their definition, one number at a time; the same answers from a matrix as from q, k and log-sum-exp."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regard.attending.blockwise
import regard.attending.weights
from regard.attending.bias import ByDistance, alibi
from regard.attending.blockwise import attend_in_tiles
from regard.attending.masks import both, causal, first, padding, window, within
from regard.attending.weights import Weights

B, H, G, Q, K, D, E = 2, 6, 3, 11, 13, 5, 7


@pytest.fixture(autouse=True)
def _small_tiles(monkeypatch):
    """Tiles that do not divide the sizes, so that every answer is put together from several of unequal size."""
    for module in (regard.attending.blockwise, regard.attending.weights):
        monkeypatch.setattr(module, "ROWS", 3)
        monkeypatch.setattr(module, "KEYS", 5)


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def by_definition(q, k, v, may_look, scale, added):
    """Weights, contexts and log-sum-exps, one number at a time; two query heads share a key head."""
    weights, context = np.zeros((B, H, Q, K)), np.zeros((B, H, Q, E))
    lse = np.full((B, H, Q), -math.inf)
    for b, h, i in np.ndindex(B, H, Q):
        exps = {}
        for j in range(K):
            if may_look(i + K - Q, j):
                score = sum(q[b, h, i, d] * k[b, h // 2, j, d] for d in range(D)) * scale
                exps[j] = math.exp(score + added(h, i + K - Q, j))
        if exps:
            lse[b, h, i] = math.log(math.fsum(exps.values()))
        for j, power in exps.items():
            weights[b, h, i, j] = power / math.fsum(exps.values())
            context[b, h, i] += weights[b, h, i, j] * v[b, h // 2, j]
    return weights, context, lse


TABLE = numbers(H, 4, seed=9)
MASKS = {
    "none": (None, lambda i, j: True),
    "both": (both, lambda i, j: True),
    "causal": (causal, lambda i, j: j <= i),
    "window": (causal & within(4), lambda i, j: 0 <= i - j < 4),
    "padding": (first(9), lambda i, j: i < 9 and j < 9),
    "either": (first(3) | within(1), lambda i, j: (i < 3 and j < 3) or i == j),
    "array": (window(K, 3)[K - Q :], lambda i, j: abs(i - j) < 3),
    "function": (lambda n: padding(n, 8), lambda i, j: i < 8 and j < 8),
    "nothing": (np.zeros((Q, K), dtype=bool), lambda i, j: False),
}
BIASES = {
    "unbiased": (None, lambda h, i, j: 0.0),
    "by distance": (ByDistance(TABLE), lambda h, i, j: TABLE[h, min(abs(i - j), 3)]),
    "array": (numbers(H, Q, K, seed=8), lambda h, i, j: numbers(H, Q, K, seed=8)[h, i - (K - Q), j]),
}


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("mask", MASKS)
def test_every_answer_equals_the_definition(mask, bias):
    (visible, may_look), (added, number) = MASKS[mask], BIASES[bias]
    q, k, v = numbers(B, H, Q, D), numbers(B, G, K, D, seed=1), numbers(B, G, K, E, seed=2)
    expected, expected_context, expected_lse = by_definition(q, k, v, may_look, 0.7, number)
    context, lse = attend_in_tiles(q, k, v, visible, 0.7, added)
    np.testing.assert_allclose(context, expected_context, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-12, atol=1e-13)
    hidden = np.isneginf(expected_lse)
    assert not context[hidden].any() and np.isneginf(lse[hidden]).all()
    for weights in (
        Weights.from_matrix(expected),
        Weights.from_queries(q, k, lse, visible, 0.7, added),
        Weights.from_queries(q, k, None, visible, 0.7, added),
    ):
        check_answers(weights, expected)
        check_answers(weights[1], expected[1])
        check_answers(weights[0, 4], expected[0, 4])
        assert not weights.entropy()[hidden].any() and not weights.mean_distance()[hidden].any()


def check_answers(weights: Weights, p: np.ndarray) -> None:
    """Each answer, from the matrix as the definition gives it."""
    queries, keys = p.shape[-2:]
    assert weights.shape == p.shape

    def equal(found, expected):
        assert found.shape == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)

    equal(weights.dense(), p)
    equal(weights.tile((2, 9), slice(4, -2)), p[..., 2:9, 4:-2])
    equal(weights.tile(range(5), (12, 12)), p[..., :5, :0])
    for i in (0, queries - 1, -2):
        equal(weights.row(i), p[..., i, :])
    equal(weights.received(), p.sum(-2))
    equal(weights.given(), p.sum(-1))
    logarithms = np.log(np.where(p > 0, p, 1.0))
    equal(weights.entropy(), -(p * logarithms).sum(-1))
    assert (weights.entropy() >= 0).all()
    apart = np.abs(np.arange(queries)[:, None] + keys - queries - np.arange(keys))
    equal(weights.mean_distance(), (p * apart).sum(-1))
    equal(weights.on([0, -1, 4]), p[..., [0, -1, 4]])
    for back in (0, 1, -2, keys - 1, keys + 3):
        expected = np.zeros(p.shape[:-1])
        for i in range(queries):
            if 0 <= (key := i + keys - queries - back) < keys:
                expected[..., i] = p[..., i, key]
        equal(weights.back([back])[..., 0], expected)
    for height, width in ((1, 1), (2, 3), (4, 11), (queries, keys), (50, 60)):
        for by in ("mean", "max", "mass"):
            equal(weights.pooled(height, width, by), pooled_one_by_one(p, height, width, by))
    equal(weights.pooled(3, 2, "max", rows=(1, 8), keys=(3, 12)), pooled_one_by_one(p[..., 1:8, 3:12], 3, 2, "max"))


def pooled_one_by_one(p, height, width, by):
    queries, keys = p.shape[-2:]
    height, width = min(height, queries), min(width, keys)
    picture = np.zeros((*p.shape[:-2], height, width))
    for r, c in np.ndindex(height, width):
        part = p[..., r * queries // height : (r + 1) * queries // height, c * keys // width : (c + 1) * keys // width]
        if by == "max":
            picture[..., r, c] = part.max((-1, -2))
        else:
            picture[..., r, c] = part.mean((-1, -2)) * (part.shape[-1] if by == "mass" else 1)
    return picture


@pytest.mark.parametrize("count", [1, 3, 7, 20])
def test_the_top_keys_are_those_of_a_sorted_row(count):
    p = np.round(np.random.default_rng(3).dirichlet(np.ones(K), (H, Q)), 2)  # rounded: equal weights are common
    p[2, 4] = 0.0
    found = Weights.from_matrix(p).top(count)
    assert found.keys.shape == found.weights.shape == (H, Q, count)
    for h, i in np.ndindex(H, Q):
        order = sorted((-share, j) for j, share in enumerate(p[h, i]) if share)[:count]
        order += [(0.0, -1)] * (count - len(order))
        assert found.keys[h, i].tolist() == [j for _, j in order]
        assert found.weights[h, i].tolist() == [-share for share, _ in order]


@pytest.mark.parametrize("count", [1, 8, 64, 65])
def test_the_top_keys_of_long_rows(count, monkeypatch):
    """Wide tiles, in which most numbers are left out by a bound; many equal ones, and many that are 0."""
    monkeypatch.setattr(regard.attending.weights, "KEYS", 150)
    p = np.round(np.random.default_rng(4).random((Q, 401)) ** 9, 2)
    found = Weights.from_matrix(p).top(count)
    for i in range(Q):
        order = sorted((-share, j) for j, share in enumerate(p[i]) if share)[:count]
        assert found.keys[i].tolist() == [j for _, j in order] + [-1] * (count - len(order))
        assert found.weights[i].tolist() == [-share for share, _ in order] + [0.0] * (count - len(order))


@st.composite
def problems(draw: st.DrawFn) -> dict:
    heads, queries, keys, width = (draw(st.integers(1, n)) for n in (3, 9, 12, 4))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([1e-8, 0.1, 1.0, 30.0, 300.0]))
    return {
        "q": generator.normal(0, spread, (heads, queries, width)),
        "k": generator.normal(0, 1, (heads, keys, width)),
        "visible": generator.random((queries, keys)) < draw(st.sampled_from([0.0, 0.3, 0.8, 1.0])),
    }


@settings(max_examples=400)
@given(problems(), st.integers(1, 15), st.integers(1, 15), st.integers(1, 6))
def test_what_holds_of_all_weights(problem, height, width, count):
    weights = Weights.from_queries(**problem)
    visible = problem["visible"]
    seen = visible.any(axis=1)
    heads, queries, keys = weights.shape
    p = weights.dense()
    assert (p >= 0).all() and np.isfinite(p).all() and not p[:, ~visible].any()
    np.testing.assert_allclose(weights.given(), np.broadcast_to(seen.astype(float), (heads, queries)), atol=1e-9)
    # what is received is what was given, by every row that sees anything
    np.testing.assert_allclose(weights.received().sum(-1), seen.sum(), atol=1e-8)
    entropy = weights.entropy()
    assert (entropy >= 0).all() and (entropy <= np.log(np.maximum(visible.sum(1), 1)) + 1e-9).all()
    assert (weights.mean_distance() <= max(queries, keys)).all()
    mass = weights.pooled(height, width, "mass")
    shares = [seen[a:b].mean() for a, b in zip(*_cells(queries, height))]
    np.testing.assert_allclose(mass.sum(-1), np.broadcast_to(shares, mass.shape[:2]), atol=1e-9)
    assert (weights.pooled(height, width) <= weights.pooled(height, width, "max") + 1e-15).all()
    top = weights.top(count)
    assert (np.diff(top.weights, axis=-1) <= 0).all()
    assert np.array_equal(top.keys < 0, top.weights == 0)
    np.testing.assert_allclose(top.weights[..., 0], p.max(-1), rtol=1e-9)


def _cells(length, cells):
    cells = min(cells, length)
    edges = [i * length // cells for i in range(cells + 1)]
    return edges[:-1], edges[1:]


@settings(max_examples=200)
@given(problems(), st.integers(0, 2**32 - 1), st.floats(-1e3, 1e3))
def test_order_and_shift_of_keys(problem, seed, shift):
    """Keys in another order are read by the same shares; a number added to all scores of a row changes nothing."""
    order = np.random.default_rng(seed).permutation(problem["k"].shape[1])
    plain = Weights.from_queries(**problem)
    mixed = Weights.from_queries(problem["q"], problem["k"][:, order], visible=problem["visible"][:, order])
    np.testing.assert_allclose(mixed.dense(), plain.dense()[:, :, order], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mixed.received(), plain.received()[:, order], rtol=1e-9, atol=1e-12)
    shifted = Weights.from_queries(**problem, bias=np.full(plain.shape, shift))
    np.testing.assert_allclose(shifted.dense(), plain.dense(), rtol=1e-8, atol=1e-11)


def test_heads_are_counted_like_a_list_of_them():
    weights = Weights.from_queries(numbers(H, Q, D), numbers(G, K, D))
    assert len(weights) == H and [w.shape for w in weights] == [(Q, K)] * H
    np.testing.assert_array_equal(weights[-1].row(2), weights.row(2)[-1])
    assert repr(weights) == "Weights of 6 heads, 11 queries × 13 keys"
    assert repr(weights[0]) == "Weights of one head, 11 queries × 13 keys"
    assert repr(Weights.from_matrix(np.ones((1, 1)))) == "Weights of one head, 1 query × 1 key"
    with pytest.raises(IndexError, match="no head 6; there are 6"):
        weights[6]
    with pytest.raises(IndexError, match="the heads are one"):
        weights[0][1]
    with pytest.raises(TypeError, match="one head"):
        len(weights[0])


def test_single_precision_and_alibi():
    q, k = numbers(H, Q, D), numbers(G, K, D)
    exact = Weights.from_queries(q, k, visible=causal, bias=alibi(H, K))
    single = Weights.from_queries(
        q.astype(np.float32), k.astype(np.float32), visible=causal, bias=ByDistance(alibi(H, K).table)
    )
    assert single.source.tile((0,), slice(0, 3), slice(0, 3)).dtype == np.float32
    np.testing.assert_allclose(single.dense(), exact.dense(), atol=1e-6)
    np.testing.assert_allclose(single.received(), exact.received(), atol=1e-5)


def test_large_scores_neither_overflow_nor_lose_the_sum():
    q, k = 1e4 * numbers(Q, D), 1e4 * numbers(K, D)
    weights = Weights.from_queries(q, k, visible=causal)
    np.testing.assert_allclose(weights.given(), 1.0, atol=1e-6)
    assert np.isfinite(weights.entropy()).all()


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: Weights.from_matrix([1.0, 2.0]), "a row per query"),
        (lambda: Weights.from_matrix([[1.0, math.nan]]), "must be finite"),
        (lambda: Weights.from_matrix([["a"]]), "expects numbers, got"),
        (lambda: Weights.from_queries(numbers(Q, D), numbers(K, D + 1)), r"got q \(11, 5\)"),
        (lambda: Weights.from_queries(numbers(4, Q, D), numbers(3, K, D)), "must divide"),
        (lambda: Weights.from_queries(numbers(Q, D) / 0.0, numbers(K, D)), "must be finite"),
        (lambda: Weights.from_queries(numbers(Q, D), numbers(K, D), lse=np.zeros(K)), r"expects the shape \(11,\)"),
        (lambda: Weights.from_queries(numbers(Q, D), numbers(K, D), visible=np.ones((Q, G), bool)), "visible expects"),
        (lambda: Weights.from_queries(numbers(Q, D), numbers(K, D), visible=np.ones((Q, K))), "True"),
        (
            lambda: Weights.from_queries(numbers(Q, D), numbers(K, D), bias=ByDistance(TABLE)),
            r"one row per head \(1\), got 6",
        ),
        (lambda: Weights.from_matrix(np.eye(3)).pooled(2, 2, by="median"), "got 'median'"),
        (lambda: Weights.from_matrix(np.eye(3)).pooled(0, 2), "at least 1 × 1"),
        (lambda: Weights.from_matrix(np.eye(3)).top(0), "at least 1"),
        (lambda: Weights.from_matrix(np.eye(3)).tile(slice(0, 3, 2)), "no gaps"),
        (lambda: Weights.from_matrix(np.eye(3)).dense(largest=8), "pass largest=9"),
        (lambda: attend_in_tiles(numbers(Q, D), numbers(K, D), numbers(Q, D)), "may differ only in the last size"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_cannot_be_is_told(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize("queries, keys", [(0, 0), (3, 0), (1, 1)])
def test_one_token_or_none(queries, keys):
    weights = Weights.from_queries(np.ones((2, queries, 4)), np.ones((2, keys, 4)), visible=causal)
    assert weights.received().tolist() == [[1.0] * keys] * 2
    assert weights.entropy().tolist() == weights.mean_distance().tolist() == [[0.0] * queries] * 2
    assert weights.pooled(5, 5).shape == weights.dense().shape == (2, queries, keys)
    assert weights.top(2).keys.shape == (2, queries, 2)
    context, lse = attend_in_tiles(np.ones((2, queries, 4)), np.ones((2, keys, 4)), np.ones((2, keys, 3)))
    assert context.tolist() == [[[1.0 if keys else 0.0] * 3] * queries] * 2
    assert np.isneginf(lse).all() == (keys == 0 or not queries)


def test_rows_are_whole_numbers_inside():
    weights = Weights.from_matrix(np.eye(3))
    with pytest.raises(IndexError, match="no query 3; there are 3"):
        weights.row(3)
    with pytest.raises(TypeError, match="whole number"):
        weights.row("fox")


def test_a_long_text_needs_tens_of_megabytes(monkeypatch):
    """16,384 tokens would be 2.1 GB as a matrix."""
    monkeypatch.undo()  # tiles as they are
    tokens = 16_384
    q, k = (numbers(tokens, 16, seed=seed).astype(np.float32) for seed in (0, 1))
    tracemalloc.start()
    try:
        weights = Weights.from_queries(q, k, visible=causal & within(4096))
        received, entropy, picture = weights.received(), weights.entropy(), weights.pooled(512, 512)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40e6 < tokens * tokens * 8 / 50
    assert received.sum() == pytest.approx(tokens, rel=1e-5)
    assert entropy[0] == 0 and entropy.max() < math.log(4096)
    assert picture.shape == (512, 512) and picture[-1, 0] == 0 and picture[-1, -1] > 0
    i = 12_345  # one row, by the definition
    exps = [math.exp(float(q[i].astype(float) @ k[j].astype(float)) / 4) for j in range(i - 4095, i + 1)]
    np.testing.assert_allclose(weights.row(i)[i - 4095 : i + 1], np.array(exps) / math.fsum(exps), rtol=1e-4)
    with pytest.raises(ValueError, match=r"16,384 × 16,384 weights are 2\.1 GB; ask for"):
        weights.dense()
