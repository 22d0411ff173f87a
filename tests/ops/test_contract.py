"""Contract against its definition, one number at a time, for many patterns of letters."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.ops import Contract, Given, contract
from regard.ops.contract import plan
from regard.trace import Step

SIZES = {"A": 2, "B": 3, "C": 5, "D": 1, "E": 4}


def shape_of(axes: str) -> tuple[int, ...]:
    return tuple(SIZES[a] for a in axes)


def by_definition(spec: str, factor: float, *arrays: np.ndarray) -> np.ndarray:
    inputs, output = spec.split("->")[0].split(","), spec.split("->")[1]
    letters = sorted({*"".join(inputs), *output})
    result = np.zeros(shape_of(output))
    for place in itertools.product(*(range(SIZES[a]) for a in letters)):
        at = dict(zip(letters, place))
        product = factor
        for array, axes in zip(arrays, inputs):
            product *= array[tuple(at[a] for a in axes)]
        result[tuple(at[a] for a in output)] += product
    return result


@st.composite
def axes(draw: st.DrawFn, most: int = 3) -> str:
    return "".join(draw(st.permutations(draw(st.lists(st.sampled_from("ABCDE"), unique=True, max_size=most)))))


@st.composite
def contractions(draw: st.DrawFn) -> tuple[Contract, list[np.ndarray]]:
    inputs = draw(st.lists(axes(), min_size=1, max_size=2))
    output = draw(axes(4))
    repeated = tuple((a, SIZES[a]) for a in output if a not in "".join(inputs))
    factor = draw(st.sampled_from([1.0, 0.2, -3.0]))
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    return Contract(f"{','.join(inputs)}->{output}", factor, repeated), [
        generator.normal(size=shape_of(a)) for a in inputs
    ]


@settings(max_examples=400)
@given(contractions())
def test_any_pattern_is_the_sum_of_products_over_the_axes_that_the_result_does_not_have(contraction):
    op, arrays = contraction
    expected = by_definition(op.spec, op.factor, *arrays)
    result = op.forward(*arrays)
    assert result.shape == expected.shape == op.shape([a.shape for a in arrays])
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)


@settings(max_examples=200)
@given(contractions(), st.integers(0, 10**6))
def test_the_gradient_of_any_pattern_is_its_adjoint(contraction, seed):
    """⟨g, op(…, d, …)⟩ = ⟨gradient(g), d⟩ for every d, since op is linear in each input."""
    op, arrays = contraction
    steps = [
        Step(f"x{i}", Given(a, axes)) for i, (a, axes) in enumerate(zip(arrays, op.spec.split("->")[0].split(",")))
    ]
    step = Step("y", op, tuple(steps))
    generator = np.random.default_rng(seed)
    g = Step("y.grad", Given(generator.normal(size=step.shape), op.axes))
    for position, new in enumerate(op.backward(step, g)):
        assert new is not None
        gradient = new.op.forward(*(i.value for i in new.inputs))
        assert gradient.shape == arrays[position].shape
        direction = generator.normal(size=gradient.shape)
        varied = [direction if i == position else a for i, a in enumerate(arrays)]
        expected = (by_definition(op.spec, op.factor, *varied) * g.value).sum()
        assert math.isclose((gradient * direction).sum(), expected, rel_tol=1e-10, abs_tol=1e-10)


@settings(max_examples=100)
@given(contractions())
def test_the_arithmetic_of_every_cell_adds_up_to_it(contraction):
    op, arrays = contraction
    steps = [
        Step(f"x{i}", Given(a, axes)) for i, (a, axes) in enumerate(zip(arrays, op.spec.split("->")[0].split(",")))
    ]
    value = Step("y", op, tuple(steps)).value
    for at in np.ndindex(value.shape):
        assert math.isclose(op.arithmetic(at, steps).value, value[at], rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize(
    "spec",
    ["HQD,HKD->HQK", "TC,CF->TF", "QC,HCD->HQD", "HQK,HKD->HQD", "HQC->QC", "TC,C->TC", "TC,TC->T", "C,VC->V", "T->",
     "HQD,QC->HCD", "GKD,KC->GCD", "HQD,HDC->HQC", "QC,HQD->HDC", "AB,BA->", "AB,CB->CA", ",A->A", "ABC,ABD->CD",
     "ABC,ABD->DC", "ABHC,ABD->CDH", "TABC,TABD->DCT", "ABC,BAD->DC"],
)  # fmt: skip
def test_the_patterns_that_models_use_agree_with_einsum(spec):
    sizes = dict(zip("HQKDCTFGVAB", (2, 3, 5, 7, 11, 13, 4, 6, 17, 19, 8)))
    generator = np.random.default_rng(3)
    arrays = [generator.normal(size=[sizes[a] for a in axes]) for axes in spec.split("->")[0].split(",")]
    np.testing.assert_allclose(Contract(spec).forward(*arrays), np.einsum(spec, *arrays), rtol=1e-12, atol=1e-12)


def test_a_repeated_axis_is_repeated_whatever_the_pattern():
    """The gradient of "QK,KD->D" has an axis that no factor has; einsum's and matmul's ways must both repeat it."""
    g, v = np.arange(3.0), np.arange(15.0).reshape(5, 3)
    result = Contract("D,KD->QK", 1.0, (("Q", 2),)).forward(g, v)
    assert result.tolist() == [(v @ g).tolist()] * 2
    alone = Contract("AB,AC->ZA", 1.0, (("Z", 4),)).forward(np.ones((2, 3)), np.ones((2, 5)))
    assert alone.tolist() == [[15.0, 15.0]] * 4


def test_three_inputs_are_refused():
    with pytest.raises(ValueError, match="one or two inputs"):
        plan("A,A,A->A")


def test_a_mean_reads_as_a_division_and_another_factor_as_a_product():
    x = Step("x", Given([2.0, 4.0, 6.0], "T"))
    from regard.ops.notation import text

    assert text(Contract("T->", 1 / 3).arithmetic((), [x])) == "(2.00 + 4.00 + 6.00) / 3"
    assert text(Contract("T->", 0.7).arithmetic((), [x])) == "0.7·(2.00 + 4.00 + 6.00)"


@pytest.mark.parametrize(
    ("rows", "columns", "strips"),
    [(5, 12, (2,)), (9, 12, (4,)), (5, 9, (3,)), (5, 10, ()), (1, 9, ()), (13, 9, ()), (11, 12, ())],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_few_rows_are_multiplied_strip_by_strip(monkeypatch, rows, columns, strips, turned):
    """Strips of 6 or 3 columns, the widest that is not too large, for 2 to 11 rows: the product is the same."""
    stacks, matmul = [], np.matmul
    monkeypatch.setattr(contract, "STRIPS", (6, 3))
    monkeypatch.setattr(contract, "UNPACKED", 10 * 7 * 3)
    monkeypatch.setattr(contract, "FEW", 11)
    monkeypatch.setattr(contract.np, "matmul", lambda x, y: (stacks.append(y.shape[:-2]), matmul(x, y))[1])
    generator = np.random.default_rng(3)
    x, W = generator.normal(size=(rows, 7)), generator.normal(size=(7, columns))
    W = np.ascontiguousarray(W.T).T if turned else W
    np.testing.assert_allclose(Contract("TC,CF->TF").forward(x, W), x @ W, atol=1e-13)
    assert stacks == [strips]
