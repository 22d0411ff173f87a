"""Attention on your own arrays, against loops over single numbers; sizes are different primes."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regard.arrays
from regard.arrays import MultiHead, attention
from regard.attending.masks import causal
from regard.attending.weights import Weights
from regard.trace import Trace
from regard.trace.files import load, save
from regard.trace.wire import from_json, to_json

B, H, Q, K, D, E = 2, 3, 5, 7, 11, 13
C, OUT = 17, 19
STEPS = ["q", "k", "v", "scores", "scaled", "visible", "masked", "peak", "exps", "total", "weights", "context"]


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def by_definition(q: np.ndarray, k: np.ndarray, v: np.ndarray, visible: np.ndarray, scale: float) -> np.ndarray:
    """One query of one head at a time; key/value heads serve neighbouring query heads."""
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    shared = q.shape[1] // k.shape[1]
    for b, h, i in np.ndindex(q.shape[:3]):
        exps = {j: math.exp(sum(q[b, h, i, d] * k[b, h // shared, j, d] for d in range(q.shape[3])) * scale)
                for j in range(k.shape[2]) if visible[b, h, i, j]}  # fmt: skip
        for j, power in exps.items():
            out[b, h, i] += power / sum(exps.values()) * v[b, h // shared, j]
    return out


def four_axes(array: np.ndarray) -> np.ndarray:
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


@pytest.mark.parametrize("lead", [(), (H,), (B, H)])
def test_equals_the_definition(lead: tuple[int, ...]) -> None:
    q, k, v = numbers(*lead, Q, D), numbers(*lead, K, D), numbers(*lead, K, E)
    trace = attention(q, k, v)
    everything = np.ones((*four_axes(q).shape[:3], K), dtype=bool)
    expected = by_definition(*map(four_axes, (q, k, v)), everything, D**-0.5)
    assert trace.array("context").shape == (*lead, Q, E)
    np.testing.assert_allclose(four_axes(trace.array("context")), expected, rtol=1e-12)
    np.testing.assert_allclose(trace.array("weights").sum(-1), 1.0, rtol=1e-12)
    assert [s.name for s in trace.forward] == STEPS


@pytest.mark.parametrize("lead", [(), (B,)])
@pytest.mark.parametrize("groups", [1, 3])
def test_grouped_heads_equal_the_definition(lead: tuple[int, ...], groups: int) -> None:
    q, k, v = numbers(*lead, 6, Q, D), numbers(*lead, groups, K, D), numbers(*lead, groups, K, E)
    visible = numbers(Q, K) > -0.5
    trace = attention(q, k, v, visible)
    expected = by_definition(*map(four_axes, (q, k, v)), np.broadcast_to(visible, (*lead, 6, Q, K)[-4:]).reshape(
        (-1, 6, Q, K)), D**-0.5)  # fmt: skip
    np.testing.assert_allclose(four_axes(trace.array("context")), expected, rtol=1e-12)
    assert {"k.shared", "v.shared"} <= set(trace.steps)
    assert trace.step("k").axes == ("BGKD" if lead else "GKD") and trace.step("q").axes[-3] == "H"


@given(data=st.data())
@settings(max_examples=60)
def test_any_shapes(data: st.DataObject) -> None:
    few = st.integers(1, 4)
    groups, times, width, value_width, queries, keys = (data.draw(few) for _ in range(6))
    batch = data.draw(few)
    lead = data.draw(st.sampled_from([(), (groups * times,), (batch, groups * times)]))
    kv_lead = lead if not lead else (*lead[:-1], groups)
    arrays = numbers(*lead, queries, width), numbers(*kv_lead, keys, width), numbers(*kv_lead, keys, value_width)
    depth = data.draw(st.integers(0, len(lead)))
    visible = numbers(*lead[len(lead) - depth :], queries, keys, seed=2) > 0
    scale = data.draw(st.sampled_from([None, 0.25, -2, np.float32(1.5)]))
    trace = attention(*arrays, visible=visible, scale=scale)
    q, k, v = map(four_axes, arrays)
    everywhere = np.broadcast_to(visible, (*q.shape[:3], keys))
    expected = by_definition(q, k, v, everywhere, width**-0.5 if scale is None else float(scale))
    np.testing.assert_allclose(four_axes(trace.array("context")), expected, rtol=1e-10, atol=1e-12)
    assert not trace.array("weights")[~np.broadcast_to(visible, trace.array("weights").shape)].any()


def test_a_mask_may_come_in_each_shape_and_as_a_function() -> None:
    q, k, v = numbers(B, H, Q, D), numbers(B, H, Q, D), numbers(B, H, Q, E)
    wanted = attention(q, k, v, np.tri(Q, dtype=bool)).array("context")
    by_head = np.broadcast_to(np.tri(Q, dtype=int), (H, Q, Q))
    for visible in (causal, np.tri(Q, dtype=int), by_head, np.broadcast_to(by_head, (B, H, Q, Q)), np.tri(Q) > 0):
        assert np.array_equal(attention(q, k, v, visible).array("context"), wanted)


def test_masks_by_head_and_batch_are_not_mixed_up() -> None:
    q, k, v = numbers(B, H, Q, D), numbers(B, H, K, D), numbers(B, H, K, E)
    for shape in ((H, Q, K), (B, H, Q, K)):
        visible = numbers(*shape) > 0
        expected = by_definition(q, k, v, np.broadcast_to(visible, (B, H, Q, K)), D**-0.5)
        np.testing.assert_allclose(attention(q, k, v, visible).array("context"), expected, rtol=1e-12)


@pytest.mark.parametrize("shape", [(1, K), (Q, 1), (1, Q, K), (H, 1, K), (B, 1, 1, K), (1, H, Q, K), (B, 1, Q, K)])
def test_sizes_of_one_are_repeated(shape: tuple[int, ...]) -> None:
    q, k, v = numbers(B, H, Q, D), numbers(B, H, K, D), numbers(B, H, K, E)
    visible = numbers(*shape, seed=3) > -0.5
    trace = attention(q, k, v, visible)
    expected = by_definition(q, k, v, np.broadcast_to(visible, (B, H, Q, K)), D**-0.5)
    np.testing.assert_allclose(trace.array("context"), expected, rtol=1e-12)
    assert trace.why("masked[1,2,4,6]").value == trace.array("masked")[1, 2, 4, 6]


def test_one_row_hides_the_same_words_from_everybody_in_multi_head() -> None:
    read, x = MultiHead(*weights("x·W"), heads=6), numbers(Q, C)
    padded = np.array([[True, True, True, False, False]])
    wanted = read(x, visible=np.repeat(padded, Q, axis=0)).array("attended")
    for visible in (padded, padded[None], padded.astype(int)):
        assert np.array_equal(read(x, visible=visible).array("attended"), wanted)


def test_fewer_queries_than_keys_are_the_last_words() -> None:
    q, k, v = numbers(K, D), numbers(K, D), numbers(K, E)
    whole = attention(q, k, v, causal)
    for rows in (1, Q):
        for visible in (causal, lambda tokens: np.tri(tokens, dtype=bool), np.tri(K, dtype=bool)):
            cached = attention(q[-rows:], k, v, visible)
            np.testing.assert_allclose(cached.array("context"), whole.array("context")[-rows:], rtol=1e-12)
            assert np.array_equal(cached.array("visible"), whole.array("visible")[-rows:])
            by_tiles = Weights.from_queries(q[-rows:], k, visible=visible)
            np.testing.assert_allclose(by_tiles.dense(), whole.array("weights")[-rows:], rtol=1e-12)


def test_a_hidden_row_gives_zeros() -> None:
    visible = np.ones((Q, K), dtype=bool)
    visible[2] = False
    trace = attention(numbers(Q, D), numbers(K, D), numbers(K, E), visible)
    assert not trace.array("weights")[2].any()
    assert not trace.array("context")[2].any()
    assert all(not np.isnan(s.value).any() for s in trace.forward)


def test_large_scores_do_not_overflow() -> None:
    trace = attention([[1e150, 0.0]], [[1e150, 0.0], [0.0, 0.0]], [[1.0], [2.0]])
    assert trace.array("weights").tolist() == [[1.0, 0.0]]
    assert trace.array("context").tolist() == [[1.0]]


def test_float32_and_whole_numbers_are_computed_in_float64() -> None:
    q = numbers(Q, D).astype(np.float32)
    k = np.arange(K * D).reshape(K, D) % 7
    v = numbers(K, E)
    trace = attention(q, k, v)
    assert all(trace.array(name).dtype == np.float64 for name in ("q", "k", "v", "context"))
    assert np.array_equal(trace.array("context"), attention(q.astype(float), k.astype(float), v).array("context"))


def test_the_scale_is_shown_as_a_root_or_as_it_came() -> None:
    q, k, v = [[1.0, 2.0, 3.0]], [[3.0, 1.0, 2.0]], [[1.0]]
    assert str(attention(q, k, v).why("scaled[0,0]")).endswith("/ √3")
    assert attention(q, k, v, scale=0.3).why("scaled[0,0]").text() == "3.30 = 0.3·11.00"


def test_words_are_addresses() -> None:
    trace = attention(numbers(2, D), numbers(3, D), numbers(3, E), words=(["who", "what"], ["a", "b", "c"]))
    assert trace["weights[what,c]"] == trace.array("weights")[1, 2]
    assert trace.why("weights[what,c]").name == "weights[what,c]"
    only = attention(numbers(2, D), numbers(3, D), numbers(3, E), words=(None, ["a", "b", "c"]))
    assert only["weights[1,c]"] == trace["weights[what,c]"]
    two = attention(numbers(2, D), numbers(2, D), numbers(2, E), words=("who", "what"))
    assert two["weights[who,what]"] == two.array("weights")[0, 1]


def test_a_trace_like_any_other() -> None:
    trace = attention(numbers(Q, D), numbers(K, D), numbers(K, E))
    edited = trace.edit("weights[1,2]", 0.5)
    difference = 0.5 - trace.array("weights")[1, 2]
    expected = trace.array("context")[1] + difference * trace.array("v")[2]
    np.testing.assert_allclose(edited.array("context")[1], expected, rtol=1e-12)
    moved = trace.move("weights[1,2]", 0.9)
    assert moved.array("weights")[1].sum() == pytest.approx(1.0)


def some_attention() -> Trace:
    return attention(numbers(B, 6, Q, D), numbers(B, 2, K, D), numbers(B, 2, K, E))


def some_heads() -> Trace:
    return MultiHead(*weights("W·x"), convention="W·x", heads=6)(numbers(Q, C))


@pytest.mark.parametrize("make", [some_attention, some_heads])
def test_kept_in_files_and_on_the_wire(make: Callable[[], Trace], tmp_path: Path) -> None:
    trace = make()
    save(trace, tmp_path / "trace.npz")
    for again in (load(tmp_path / "trace.npz"), from_json(to_json(trace))):
        assert list(again.steps) == list(trace.steps)
        assert all(again.array(n).tobytes() == s.value.tobytes() for n, s in trace.steps.items())


# what is refused


def refused(message: str, *arrays: Any, **options: Any) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        attention(*arrays, **options)
    assert "\n" not in str(caught.value)


def test_errors_say_what_was_expected_what_they_got_and_what_to_do() -> None:
    q, k, v = numbers(Q, D), numbers(K, D), numbers(K, E)
    refused(r"same width.*q \(5, 11\), k \(7, 13\)", q, numbers(K, E), v)
    refused(r"one value.*v \(5, 13\)", q, k, numbers(Q, E))
    refused("same number of axes", q, k[None], v[None])
    refused("batches", numbers(2, H, Q, D), numbers(5, H, K, D), numbers(5, H, K, E))
    refused("3 query heads cannot share 2", numbers(3, Q, D), numbers(2, K, D), numbers(2, K, E))
    refused(r"q expects 2, 3 or 4 axes, got shape \(11,\)", q[0], k, v)
    refused("k is empty", q, np.zeros((0, D)), np.zeros((0, E)))
    refused("v is empty", q, k, np.zeros((K, 0)))
    refused(r"q\[1, 2\] is nan", np.where(np.arange(Q * D).reshape(Q, D) == D + 2, np.nan, q), k, v)
    refused("v.* is -inf.*use visible", q, k, np.full((K, E), -np.inf))
    refused("q expects numbers .* got values of type object", np.full((Q, D), None), k, v)
    refused("k expects numbers .* got values of type complex128", q, k * 1j, v)
    refused("v expects numbers .* got values of type <U1", q, k, np.full((K, E), "a"))
    refused("k expects numbers .* got values of type bool", q, k > 0, v)
    refused("q is not an array.*rows of equal length", [[1.0, 2.0], [3.0]], k, v)
    refused("exceeds the range of float64", q * 1e200, k * 1e200, v)
    refused("exceeds the range of float64", q, k, v, scale=1e308)


def test_errors_about_masks_scales_and_words() -> None:
    q, k, v = numbers(Q, D), numbers(K, D), numbers(K, E)
    refused("floats.*mask == 0", q, k, v, visible=np.zeros((Q, K)))
    refused("True and False, or 1 and 0, got values of type int64", q, k, v, visible=np.full((Q, K), 2))
    refused("type <U1", q, k, v, visible=np.full((Q, K), "a"))
    refused(r"visible expects the shape \(5, 7\), .* got \(7, 5\)", q, k, v, visible=np.ones((K, Q), dtype=bool))
    refused(r"visible expects .* got \(7,\)", q, k, v, visible=np.ones(K, dtype=bool))
    refused(r"\(5, 7\), .* got \(3, 5, 7\)", q, k, v, visible=np.ones((3, Q, K), dtype=bool))
    refused(r"only 5 keys for 7 queries; pass an array of the shape \(7, 5\)", k, q, q, visible=causal)
    refused(r"\(5, 7\), with 1 for a size .*, got \(1, 3\)", q, k, v, visible=np.ones((1, 3), dtype=bool))
    refused("scale must be finite", q, k, v, scale=math.inf)
    refused("scale expects the number", q, k, v, scale="root")
    refused("scale expects the number", q, k, v, scale=[1, 2])
    refused(r'words="The cat".split\(\)', q, k, v, words="The cat")
    refused("give two lists", q, k, v, words=list("abcde"))
    refused("each of the 5 queries, got 3", q, k, v, words=list("abc"))
    refused("each of the 5 queries, got 7", q, k, v, words=(list("abcdefg"), list("abcde")))
    refused("words must be strings, got 0", q, k, v, words=(range(5), list("abcdefg")))


# parameters


def weights(convention: str, groups: int = 2, value_width: int = E) -> list[np.ndarray]:
    """W_Q, W_K, W_V, W_O for six heads, as matrices."""
    shapes = [(C, 6 * D), (C, groups * D), (C, groups * value_width), (6 * value_width, OUT)]
    matrices = [numbers(*shape) for shape in shapes]
    return matrices if convention == "x·W" else [W.T for W in matrices]


def biases(groups: int = 2) -> dict[str, np.ndarray]:
    return {"b_Q": numbers(6 * D), "b_K": numbers(groups * D), "b_V": numbers(groups * E), "b_O": numbers(OUT)}


@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("with_biases", [False, True])
def test_multi_head_equals_loops(groups: int, with_biases: bool) -> None:
    W_Q, W_K, W_V, W_O = weights("x·W", groups)
    x = numbers(Q, C)
    b = biases(groups) if with_biases else {}
    trace = MultiHead(W_Q, W_K, W_V, W_O, **b, heads=6)(x, visible=causal)
    expected = np.zeros((Q, OUT)) + b.get("b_O", 0.0)
    q, k, v = x @ W_Q + b.get("b_Q", 0.0), x @ W_K + b.get("b_K", 0.0), x @ W_V + b.get("b_V", 0.0)
    for h, i in np.ndindex(6, Q):
        g = h // (6 // groups)
        exps = [math.exp(sum(q[i, h * D + d] * k[j, g * D + d] for d in range(D)) / math.sqrt(D)) for j in range(i + 1)]
        for j, e in np.ndindex(i + 1, E):
            expected[i] += exps[j] / sum(exps) * v[j, g * E + e] * W_O[h * E + e]
    np.testing.assert_allclose(trace.array("attended"), expected, rtol=1e-10)
    assert {"x", "q", "k", "v", "scores", "weights", "context", "by_head", "attended"} <= set(trace.steps)


@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("with_biases", [False, True])
def test_conventions_agree_in_every_number(groups: int, with_biases: bool) -> None:
    x = numbers(Q, C)
    b = biases(groups) if with_biases else {}
    rows = MultiHead(*weights("x·W", groups), **b, heads=6)
    columns = MultiHead(*weights("W·x", groups), **b, heads=6, convention="W @ x")
    apart = MultiHead(*(rows.parameters[name] for name in ("W_Q", "W_K", "W_V", "W_O")), **b)
    by_head = {name: rows.parameters[name] for name in b}
    assert (apart.heads, apart.kv_heads, apart.width, apart.head_width) == (6, groups, C, D)
    for other in (columns, apart, MultiHead(*(apart.parameters[n] for n in ("W_Q", "W_K", "W_V", "W_O")), **by_head)):
        for name, step in rows(x).steps.items():
            assert np.array_equal(other(x).array(name), step.value), name


def test_one_word_at_a_time_as_the_seed_documents_do() -> None:
    """Wq @ embedding, for one head and one word."""
    Wq, Wk, Wv = numbers(D, C), numbers(D, C, seed=1), numbers(E, C, seed=2)
    x = numbers(Q, C)
    trace = MultiHead(Wq, Wk, Wv, convention="W·x")(x)
    for i in range(Q):
        np.testing.assert_allclose(trace.array("q")[0, i], Wq @ x[i], rtol=1e-12)
        np.testing.assert_allclose(trace.array("k")[0, i], Wk @ x[i], rtol=1e-12)
        np.testing.assert_allclose(trace.array("v")[0, i], Wv @ x[i], rtol=1e-12)


def test_agrees_with_attention_over_its_own_q_k_v() -> None:
    trace = MultiHead(*weights("x·W"), heads=6)(numbers(Q, C), visible=causal)
    again = attention(trace.array("q"), trace.array("k"), trace.array("v"), visible=causal)
    assert np.array_equal(again.array("context"), trace.array("context"))


def test_without_W_O_heads_stand_side_by_side() -> None:
    W_Q, W_K, W_V, _ = weights("x·W")
    trace = MultiHead(W_Q, W_K, W_V, heads=6)(numbers(Q, C))
    np.testing.assert_allclose(
        trace.array("attended"), trace.array("context").transpose(1, 0, 2).reshape(Q, -1), rtol=1e-12
    )


def test_words_name_the_rows_of_x() -> None:
    trace = MultiHead(*weights("x·W"), heads=6)(numbers(3, C), words=["the", "cat", "sat"])
    assert trace["x[cat,0]"] == trace.array("x")[1, 0]
    assert trace["head4.weights[sat,cat]"] == trace.array("weights")[4, 2, 1]
    assert np.isfinite(trace.pin("x", numbers(3, C, seed=3)).array("attended")).all()


def refused_heads(message: str, *arrays: Any, **options: Any) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        MultiHead(*arrays, **options)
    assert "\n" not in str(caught.value)


def test_errors_about_parameters() -> None:
    W_Q, W_K, W_V, W_O = weights("x·W")
    refused_heads("unknown convention 'Wx'; choose x·W or W·x", W_Q, W_K, W_V, convention="Wx")
    refused_heads("W_Q makes 66 numbers per word, which 4 heads", W_Q, W_K, W_V, heads=4)
    refused_heads("which 0 heads", W_Q, W_K, W_V, heads=0)
    refused_heads("which 2.0 heads", W_Q, W_K, W_V, heads=2.0)
    refused_heads(r"W_K has the shape \(17, 23\).*6 heads of 11", W_Q, numbers(C, 23), W_V, heads=6)
    refused_heads(r"W_K has the shape \(17, 44\)", W_Q, numbers(C, 44), W_V, heads=6)
    refused_heads("different width.*W_V .2, 19, 13.*the other one is", W_Q, W_K, numbers(19, 26), heads=6)
    refused_heads("W_V makes 25 numbers per word, which 2 key/value heads", W_Q, W_K, numbers(C, 25), heads=6)
    refused_heads(r"W_O has the shape \(19, 78\); 6 heads of 13 need \(78, …\)", W_Q, W_K, W_V, W_O.T, heads=6)
    refused_heads(r"b_K expects 22 numbers, got shape \(66,\)", W_Q, W_K, W_V, b_K=numbers(66), heads=6)
    refused_heads("b_O is added after W_O", W_Q, W_K, W_V, b_O=numbers(OUT), heads=6)
    refused_heads("W_Q has 3 heads, got heads=2", numbers(3, C, D), numbers(3, C, D), numbers(3, C, E), heads=2)
    refused_heads("keys need heads of the same width", numbers(3, C, D), numbers(3, C, E), numbers(3, C, E))
    refused_heads("the same number of heads", numbers(3, C, D), numbers(3, C, D), numbers(1, C, E))
    refused_heads(r"W_Q\[0, 0\] is inf", np.full((C, D), np.inf), W_K, W_V)
    read = MultiHead(W_Q, W_K, W_V, heads=6)
    with pytest.raises(ValueError, match=r'W_Q expects 17 numbers per word, got 19.*"x·W"'):
        read(numbers(Q, 19))
    with pytest.raises(ValueError, match="exceeds the range"):
        read(numbers(Q, C) * 1e160)
    with pytest.raises(ValueError, match=r"visible expects .* got \(7, 7\)"):
        read(numbers(Q, C), visible=np.ones((7, 7), dtype=bool))


def test_what_was_given_is_not_changed_and_not_shared() -> None:
    q = numbers(Q, D)
    trace = attention(q, q, q)
    before = trace.array("context").copy()
    q[:] = 0.0
    assert np.array_equal(attention(trace.array("q"), trace.array("q"), trace.array("q")).array("context"), before)


def test_the_door_is_in_the_package() -> None:
    assert regard.MultiHead is MultiHead
    assert regard.arrays.attention is attention
