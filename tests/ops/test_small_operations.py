"""Peak, Replace, Given, Map, erf and specs: what each computes, what each refuses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.ops import Contract, Given, Map, Merge, Peak, Pick, Replace, Scatter, Split, operation_from_data
from regard.ops.erf import erf
from regard.ops.formulas import FORMULAS
from regard.ops.spec import aligned, parse, sizes_of
from regard.trace import Step

INFINITE = -math.inf


def test_erf_is_that_of_the_standard_library_to_the_last_digits():
    x = np.concatenate([np.linspace(-7, 7, 20_011), [0.0, -0.0, 1e-300, 5.9999999, 6.0, 30.0, -math.inf, math.inf]])
    np.testing.assert_allclose(erf(x), [math.erf(v) for v in x], rtol=0, atol=2.3e-16)
    assert np.signbit(erf(-0.0)) and erf(0.3).shape == ()
    assert np.isnan(erf(np.array([np.nan, 0.0]))).tolist() == [True, False]


@pytest.mark.parametrize(
    "row, shift",
    [
        ([0.5, -3.0, 15.9], 0.0),
        ([16.1, 3.0], 32.0),
        ([-40.0, -90.0], -32.0),
        ([1000.0, INFINITE], 992.0),
        ([INFINITE, INFINITE], 0.0),
        ([INFINITE, -70.0], -64.0),
    ],
)
def test_the_peak_is_the_largest_score_to_the_nearest_multiple_of_32(row, shift):
    scores = Step("scores", Given([row, [0.0] * len(row)], "QK"))
    peak = Step("peak", Peak("QK->Q"), (scores,))
    assert peak.value.tolist() == [shift, 0.0]
    assert peak.op.arithmetic((0,), [scores]).value == shift
    assert peak.op.backward(peak, peak) == [None]


def test_a_peak_over_two_axes_keeps_the_order_of_the_rest():
    x = np.arange(30.0).reshape(2, 3, 5) * 10
    assert Peak("ABC->CA").forward(x).tolist() == [
        [32.0 * round(x[a, :, c].max() / 32) for a in range(2)] for c in range(5)
    ]


def test_a_replaced_cell_is_replaced_and_passes_no_blame():
    x = Step("x", Given([[1.0, 2.0, 3.0]], "QK"))
    edit = Step("x", Replace("QK", (0, 1), 9.0), (x,))
    assert edit.value.tolist() == [[1.0, 9.0, 3.0]]
    assert x.value.tolist() == [[1.0, 2.0, 3.0]]
    (new,) = edit.op.backward(edit, Step("g", Given([[5.0, 6.0, 7.0]], "QK")))
    assert new is not None
    assert new.op.forward(*(i.value for i in new.inputs)).tolist() == [[5.0, 0.0, 7.0]]
    assert edit.op.arithmetic((0, 1), [x]).value == 9.0
    assert edit.op.arithmetic((0, 2), [x]).cells[0].at == (0, 2)


def test_a_given_array_is_copied_and_cannot_be_written():
    numbers = np.ones((2, 3))
    step = Step("x", Given(numbers, "TC"))
    numbers[0, 0] = 5.0
    assert step.value[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        step.value[0, 0] = 2.0


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: Given(np.ones(3), "TC"), "one letter per axis"),
        (lambda: Given(1.0, "", "weight"), "unknown role 'weight'"),
        (lambda: Map("sine", "K->K"), "unknown formula 'sine'"),
        (lambda: Map("over", "K->K"), "expects 1 constants, got 0"),
        (lambda: Map("add", "QK,Q->Q"), "keeps every axis"),
        (lambda: parse("QK"), "is not of the form"),
        (lambda: parse("QQ->Q"), "each letter once"),
        (lambda: sizes_of("QK,KD->QD", [(2, 3), (5, 7)]), "the axis K has 3 cells in one input, 5 in another"),
        (lambda: sizes_of("QK->Q", [(2,)]), "expects an array with the axes QK"),
        (lambda: sizes_of("QK->Q", [(2, 3), (3,)]), "expects 1 inputs, got 2"),
        (lambda: operation_from_data({"kind": "eval", "code": "1"}), "unknown operation 'eval'"),
        (lambda: operation_from_data({"kind": "peak", "code": "1"}), "does not take 'code'"),
        (lambda: operation_from_data({}), "unknown operation None"),
    ],
)
def test_what_cannot_be_is_refused_in_words(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    "op",
    [Contract("QD,KD->QKZ", 0.5, (("Z", 3),)), Map("over_root", "QK->QK", (2.0,)), Pick("IC,T->TC"),
     Scatter("TC,T->IC", 5), Peak("QK->Q"), Replace("QK", (0, 1), 0.25), Merge("HQD->QJ"),
     Split("QJ->HQD", (("H", 3), ("D", 2)))],
)  # fmt: skip
def test_an_operation_comes_back_from_its_data(op):
    import json

    assert operation_from_data(json.loads(json.dumps(op.data()))) == op


def test_a_row_of_nothing_has_no_shares_and_no_nan():
    exps, total = np.array([[0.0, 0.0], [1.0, 3.0]]), np.array([0.0, 4.0])
    assert Map("divide", "QK,Q->QK").forward(exps, total).tolist() == [[0.0, 0.0], [0.25, 0.75]]


def test_hiding_is_minus_infinity_where_one_may_not_look():
    result = Map("hide", "QK,K->QK").forward(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([True, False]))
    assert result.tolist() == [[1.0, INFINITE], [3.0, INFINITE]]
    back = Map("keep", "QK,K->QK").forward(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([True, False]))
    assert back.tolist() == [[1.0, 0.0], [3.0, 0.0]]


def test_an_update_goes_against_the_gradient():
    assert Map("update", "K,K->K", (0.1,)).forward(np.array([1.0]), np.array([2.0])).tolist() == [0.8]


@settings(max_examples=200)
@given(st.permutations("ABCDE"), st.integers(1, 4), st.permutations("ABCDE"))
def test_aligned_puts_axes_by_name(letters, count, output):
    sizes = dict(zip("ABCDE", (2, 3, 5, 7, 1)))
    axes, output = "".join(letters[:count]), "".join(output)
    x = np.arange(np.prod([sizes[a] for a in axes])).reshape([sizes[a] for a in axes])
    result = aligned(x, axes, output)
    assert result.shape == tuple(sizes[a] if a in axes else 1 for a in output)
    for at in np.ndindex(x.shape):
        place = dict(zip(axes, at))
        assert result[tuple(place.get(a, 0) for a in output)] == x[at]


def test_formulas_broadcast_by_name_not_by_position():
    x, row = np.arange(6.0).reshape(2, 3), np.array([10.0, 20.0])
    assert Map("add", "QK,Q->QK").forward(x, row).tolist() == [[10, 11, 12], [23, 24, 25]]
    assert Map("add", "Q,QK->KQ").forward(row, x).tolist() == [[10, 23], [11, 24], [12, 25]]


def test_every_formula_that_blame_names_is_registered():
    for name, formula in FORMULAS.items():
        for blame in formula.blame:
            assert blame is None or blame.formula in FORMULAS, name
