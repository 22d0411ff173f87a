"""Every registered formula with a way back, and every kind of operation, against central differences."""

import math

import numpy as np
import pytest

from regard.ops import Contract, Given, Map, Peak, Pick, Replace, Scatter
from regard.ops.formulas import FORMULAS, formula
from regard.trace import Step, Trace

SIZES = {"H": 2, "Q": 3, "K": 5, "I": 7}
LIMIT = 1e-6


def normal(axes, seed=0):
    return np.random.default_rng([11, seed]).normal(size=[SIZES[a] for a in axes])


def positive(axes, seed=0):
    return np.random.default_rng([13, seed]).uniform(0.3, 2.0, size=[SIZES[a] for a in axes])


def some(axes, seed=0):
    """Some of the cells, and not all."""
    shape = [SIZES[a] for a in axes]
    return np.arange(np.prod(shape)).reshape(shape) % 3 != seed % 3


# formula: (spec, how each input is made, constants); inputs are broadcast so that blame must be summed
CASES = {
    "same": ("K->QK", (normal,), ()),
    "negative": ("QK->QK", (normal,), ()),
    "add": ("HQK,QK,K->HQK", (normal, normal, normal), ()),
    "subtract": ("QK,Q->QK", (normal, normal), ()),
    "product": ("QK,K->QK", (normal, normal), ()),
    "divide": ("QK,Q->QK", (normal, positive), ()),
    "over_root": ("QK->QK", (normal,), (7.0,)),
    "over": ("QK->QK", (normal,), (7.0,)),
    "hide": ("QK,K->QK", (normal, some), ()),
    "exp": ("QK,Q->QK", (normal, normal), ()),
    "rotate": ("HQK,HQK,QK,QK->HQK", (normal, normal, normal, normal), ()),
    "root": ("QK->QK", (positive,), (0.03,)),
    "gelu": ("QK->QK", (normal,), ()),
    "gelu_tanh": ("QK->QK", (normal,), ()),
    "silu": ("QK->QK", (normal,), ()),
    "relu": ("QK->QK", (normal,), ()),
    "tanh": ("QK->QK", (normal,), ()),
    "cap": ("QK->QK", (normal,), (1.3,)),
    "logistic": ("QK->QK", (normal,), ()),
    "log_sum": ("Q,QK->QK", (normal, positive), ()),
    "cross_entropy": ("QK,QK,K->QK", (positive, normal, normal), ()),
    "surprise": ("QK->QK", (positive,), ()),
    "rescale": ("QK,Q,Q->QK", (positive, positive, some), (0.7,)),
}


def to_one_number(steps: list[Step], y: Step) -> Trace:
    """The step weighed with random numbers and summed, so that it has a gradient that differs in every cell."""
    if y.name == "hide":  # what is hidden is −∞: look at it the way softmax does
        y = Step("seen", Map("exp", f"{y.axes},->{y.axes}"), (y, Step("none", Given(0.0, "", "constant"))))
        steps = [*steps, y.inputs[0], y.inputs[1]]
    weights = Step("weighing", Given(np.random.default_rng(5).normal(size=y.shape), y.axes, "constant"))
    loss = Step("loss", Contract(f"{y.axes},{y.axes}->"), (y, weights))
    return Trace((*steps, *(() if y in steps else (y,)), weights, loss))


def assert_gradients_agree(trace: Trace, quotients, error_of, names) -> None:
    trace = trace.backward()
    for name in names:
        expected = quotients(trace, trace.step(name))
        assert np.abs(expected).max() > 1e-3
        assert error_of(trace.array(f"{name}.grad"), expected) <= LIMIT, name


def test_every_formula_with_a_way_back_has_a_case():
    assert set(CASES) == {name for name, f in FORMULAS.items() if f.blame}


@pytest.mark.parametrize("name", CASES)
def test_the_blame_of_a_formula_agrees_with_central_differences(name, quotients, error_of):
    spec, makers, constants = CASES[name]
    axes = spec.split("->")[0].split(",")
    if name == "same":  # a formula cannot repeat an axis by itself; it passes the blame on as it is
        spec, axes = "QK->QK", ["QK"]
    steps = [Step(f"x{i}", Given(make(a, i), a)) for i, (make, a) in enumerate(zip(makers, axes))]
    y = Step(name, Map(name, spec, constants), tuple(steps))
    felt = [s.name for i, s in enumerate(steps) if formula(name).blame_of(i) is not None]
    assert felt
    if name == "cross_entropy":  # of ordinary shares; those that are lost have tests of their own (models/test_loss.py)
        felt = felt[:1]
    assert_gradients_agree(to_one_number(steps, y), quotients, error_of, felt)


@pytest.mark.parametrize(
    "name, reference",
    [
        ("gelu", lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2)))),
        ("gelu_tanh", lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
        ("silu", lambda x: x / (1 + math.exp(-x))),
        ("relu", lambda x: max(x, 0.0)),
        ("tanh", math.tanh),
        ("logistic", lambda x: 1 / (1 + math.exp(-x))),
        ("surprise", lambda x: -math.log(abs(x) + 0.1)),
    ],
)
def test_a_curve_is_its_textbook_formula(name, reference):
    x = np.linspace(-4, 4, 41)
    inputs = np.abs(x) + 0.1 if name == "surprise" else x
    np.testing.assert_allclose(Map(name, "K->K").forward(inputs), [reference(v) for v in x], rtol=1e-13, atol=1e-15)


def test_operations_pass_gradients_back(quotients, error_of):
    """Pick, Scatter, Replace and a contraction of a step with itself, one after another."""
    table = Step("table", Given(normal("IK"), "IK"))
    ids = Step("ids", Given(np.array([2, 2, 6]), "Q", "constant"))
    rows = Step("rows", Pick("IK,Q->QK"), (table, ids))
    edited = Step("edited", Replace("QK", (1, 3), 0.4), (rows,))
    squares = Step("squares", Contract("QK,QK->Q", 0.5), (edited, edited))
    spread = Step("spread", Scatter("Q,Q->I", SIZES["I"]), (squares, ids))
    trace = to_one_number([table, ids, rows, edited, squares], spread)
    assert_gradients_agree(trace, quotients, error_of, ["table", "rows", "edited", "squares", "spread"])
    assert trace.backward().array("rows.grad")[1, 3] == 0.0


def test_a_softmax_far_from_zero_has_the_gradient_of_one_near_it(quotients, error_of):
    """The shift is no part of the function: it moves in jumps and has no gradient."""
    x = normal("QK")
    gradients = []
    for offset in (0.0, 320.0):  # a multiple of 32
        scores = Step("scores", Given(x + offset, "QK"))
        peak = Step("peak", Peak("QK->Q"), (scores,))
        exps = Step("exps", Map("exp", "QK,Q->QK"), (scores, peak))
        total = Step("total", Contract("QK->Q"), (exps,))
        weights = Step("weights", Map("divide", "QK,Q->QK"), (exps, total))
        trace = to_one_number([scores, peak, exps, total], weights)
        # differences of numbers near 320 are too coarse: there the scores' gradient is compared with the other's
        names = ["exps", "total", "weights", *(["scores"] if offset == 0 else [])]
        assert_gradients_agree(trace, quotients, error_of, names)
        gradients.append(trace.backward().array("scores.grad"))
        assert "peak.grad" not in trace.backward().steps
    np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-10)


def test_what_served_twice_is_blamed_twice(quotients, error_of):
    x = Step("x", Given(normal("QK"), "QK"))
    twice = Step("twice", Map("product", "QK,QK->QK"), (x, x))
    again = Step("again", Map("add", "QK,QK->QK"), (twice, x))
    trace = to_one_number([x, twice], again)
    assert_gradients_agree(trace, quotients, error_of, ["x", "twice"])
    names = [n for n in trace.backward().steps if n.startswith("x.grad")]
    assert len(names) == 4, names  # via twice, via twice again, via again, and their sum
