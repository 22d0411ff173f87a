"""Pick and Scatter by their definitions; each is the other's adjoint."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.ops import Given, Pick, Scatter
from regard.trace import Step

SIZES = {"I": 7, "T": 5, "C": 3, "H": 2, "G": 4, "Q": 5, "K": 3, "D": 2, "V": 11}
# every pattern that models use, and others: (pick, the axis that is picked)
PATTERNS = [
    ("IC,T->TC", "I"),
    ("TC,->C", "T"),
    ("HI,QK->HQK", "I"),
    ("GKD,H->HKD", "G"),
    ("HTI,D->HTD", "I"),
    ("TV,T->T", "V"),
    ("V,->", "V"),
    ("CI,T->TC", "I"),
    ("IC,TH->HCT", "I"),
]


def arrays_for(spec: str, picked: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    table_axes, ids_axes = spec.split("->")[0].split(",")
    generator = np.random.default_rng(seed)
    table = generator.normal(size=[SIZES[a] for a in table_axes])
    return table, generator.integers(0, SIZES[picked], size=[SIZES[a] for a in ids_axes])


@pytest.mark.parametrize("spec, picked", PATTERNS)
@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_pick_is_the_row_with_that_number(spec, picked, seed):
    table, ids = arrays_for(spec, picked, seed)
    (table_axes, ids_axes), output = spec.split("->")[0].split(","), spec.split("->")[1]
    result = Pick(spec).forward(table, ids)
    assert result.shape == tuple(SIZES[a] for a in output)
    for place in np.ndindex(result.shape):
        at = dict(zip(output, place))
        at[picked] = ids[tuple(at[a] for a in ids_axes)]
        assert result[place] == table[tuple(at[a] for a in table_axes)]


@pytest.mark.parametrize("spec, picked", PATTERNS)
@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_scatter_adds_and_is_the_adjoint_of_pick(spec, picked, seed):
    table, ids = arrays_for(spec, picked, seed)
    (table_axes, ids_axes), output = spec.split("->")[0].split(","), spec.split("->")[1]
    scatter = Scatter(f"{output},{ids_axes}->{table_axes}", SIZES[picked])
    values = np.random.default_rng(seed + 1).normal(size=[SIZES[a] for a in output])
    result = scatter.forward(values, ids)
    expected = np.zeros_like(table)
    for place in np.ndindex(values.shape):
        at = dict(zip(output, place))
        at[picked] = ids[tuple(at[a] for a in ids_axes)]
        expected[tuple(at[a] for a in table_axes)] += values[place]
    np.testing.assert_allclose(result, expected, atol=1e-13)
    picked_rows = Pick(spec).forward(table, ids)
    assert math.isclose((result * table).sum(), (values * picked_rows).sum(), rel_tol=1e-11, abs_tol=1e-11)


@pytest.mark.parametrize("spec, picked", PATTERNS)
def test_the_arithmetic_of_both_reads_the_cells_they_read(spec, picked):
    table, ids = arrays_for(spec, picked, 3)
    table_axes, ids_axes = spec.split("->")[0].split(",")
    rows = [Step("table", Given(table, table_axes)), Step("ids", Given(ids, ids_axes, "constant"))]
    pick = Pick(spec)
    value = pick.forward(table, ids)
    for at in np.ndindex(value.shape):
        assert pick.arithmetic(at, rows).value == value[at]
    back = Scatter(f"{pick.axes},{ids_axes}->{table_axes}", SIZES[picked])
    sources = [Step("values", Given(value, pick.axes)), rows[1]]
    scattered = back.forward(value, ids)
    for at in np.ndindex(scattered.shape):
        assert math.isclose(back.arithmetic(at, sources).value, scattered[at], abs_tol=1e-13)


def test_each_gives_back_the_other_as_its_gradient():
    table, ids = arrays_for("IC,T->TC", "I", 1)
    steps = (Step("table", Given(table, "IC")), Step("ids", Given(ids, "T", "constant")))
    step = Step("x", Pick("IC,T->TC"), steps)
    new, none = step.op.backward(step, Step("x.grad", Given(step.value, "TC")))
    assert none is None
    assert new is not None and new.op == Scatter("TC,T->IC", SIZES["I"])
    back = Step("y", new.op, (step, steps[1]))
    again, none = back.op.backward(back, Step("y.grad", Given(back.value, "IC")))
    assert none is None
    assert again is not None and again.op == Pick("IC,T->TC")
