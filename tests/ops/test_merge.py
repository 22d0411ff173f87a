"""Axes laid end to end and cut apart again, against their definition, one number at a time."""

import numpy as np
import pytest

from regard.ops import Contract, Given, Merge, Split, operation_from_data
from regard.trace import Step, Trace
from regard.trace.step import Cell

H, Q, D = 3, 5, 2
X = np.random.default_rng(7).normal(size=(H, Q, D))


@pytest.mark.parametrize("spec", ["HQD->QJ", "HQD->JQ", "QHD->QJ", "DHQ->JQ"])
def test_each_cell_of_the_joined_axis_is_one_cell_of_its_parts(spec):
    axes, output = spec.split("->")
    x = X.transpose(["HQD".index(a) for a in axes])
    sizes = dict(zip("HQD", X.shape))
    joined = Merge(spec).forward(x)
    parts = [a for a in axes if a not in output]
    for at in np.ndindex(x.shape):
        place = dict(zip(axes, at))
        place["J"] = place[parts[0]] * sizes[parts[1]] + place[parts[1]]
        assert joined[tuple(place[a] for a in output)] == x[at]
    cut = Split(f"{output}->{axes}", tuple((a, sizes[a]) for a in parts))
    assert cut.shape([joined.shape]) == x.shape and np.array_equal(cut.forward(joined), x)


def test_a_cell_opens_to_the_cell_it_is_and_blame_goes_back_there():
    x = Step("x", Given(X, "HQD"))
    joined = Step("joined", Merge("HQD->QJ"), (x,))
    cut = Step("cut", Split("QJ->HQD", (("H", H), ("D", D))), (joined,))
    weighing = Step("weighing", Given(np.random.default_rng(3).normal(size=X.shape), "HQD", "constant"))
    trace = Trace((x, joined, cut, weighing, Step("loss", Contract("HQD,HQD->"), (cut, weighing)))).backward()
    assert np.array_equal(trace.array("x.grad"), weighing.value)
    assert trace.step("joined.grad").op == Merge("HQD->QJ") and isinstance(trace.step("x.grad").op, Split)
    for name in ("joined", "cut", "joined.grad", "x.grad"):
        step = trace.step(name)
        for at in np.ndindex(step.shape):
            why = trace.why(Cell(step, at))
            assert len(why.cells) == 1 and why.cells[0].value == why.value
    assert trace.why("joined[4,3]").cells[0].at == (1, 4, 1) and trace.why("cut[1,4,1]").cells[0].at == (4, 3)


@pytest.mark.parametrize(
    "data, said",
    [
        ({"kind": "merge", "spec": "HQD->QH"}, "one new letter"),
        ({"kind": "merge", "spec": "HQD->QJL"}, "one new letter"),
        ({"kind": "merge", "spec": "QD->QDJ"}, "one new letter"),
        ({"kind": "merge", "spec": "QD,H->QJ"}, "one new letter"),
        ({"kind": "split", "spec": "QJ->HQD", "sizes": [["D", 2], ["H", 3]]}, "in their order"),
        ({"kind": "split", "spec": "QJ->HQD", "sizes": [["H", 3]]}, "in their order"),
        ({"kind": "split", "spec": "QJ->Q", "sizes": []}, "in their order"),
    ],
)
def test_what_is_no_merging_is_refused_in_words(data, said):
    with pytest.raises(ValueError, match=said):
        operation_from_data(data)


def test_an_axis_cannot_be_cut_into_parts_of_another_size():
    with pytest.raises(ValueError, match="an axis of 7 cells cannot be cut into 3 × 2"):
        Split("QJ->HQD", (("H", 3), ("D", 2))).shape([(5, 7)])
