"""What is printed as NumPy runs with `import numpy as np` alone, and gives the cell: every formula, odd numbers too."""

import inspect
import math

import numpy as np
import pytest

from regard.ops import Given, Map, notation
from regard.ops.expression import Number, erf
from regard.ops.formulas import FORMULAS
from regard.trace import Step

ODD = (0.0, -0.0, 1.0, -1.0, 0.5, -7.25, 12.0, -12.0, 1e-12, 300.0, -900.0, 1e-305)


def arity(name: str) -> int:
    """How many arrays a formula reads; of one that takes any number, three."""
    formula = FORMULAS[name]
    return 3 if formula.folds else len(inspect.signature(formula.compute).parameters) - formula.constants


@pytest.mark.parametrize("name", FORMULAS)
def test_the_printed_numpy_of_a_formula_is_its_cell(name):
    generator = np.random.default_rng(len(name))
    cells = 300
    inputs = []
    for place in range(arity(name)):
        values = generator.normal(size=cells) * generator.choice((0.1, 1.0, 30.0), size=cells)
        odd = generator.random(cells) < 0.3
        values[odd] = generator.choice(ODD, size=odd.sum())
        inputs.append(Step(f"x{place}", Given(values, "K")))
    constants = (0.7,) * FORMULAS[name].constants
    op = Map(name, ",".join("K" * len(inputs)) + "->K", constants)
    found = Step("y", op, tuple(inputs)).value
    for at in range(cells):
        printed = notation.numpy(op.arithmetic((at,), inputs))
        with np.errstate(all="ignore"):
            computed = float(eval(printed, {"np": np, "__builtins__": {}}))
        size = max([1.0, *(abs(float(i.value[at])) for i in inputs)])
        assert computed == pytest.approx(float(found[at]), rel=1e-12, abs=2e-15 * size, nan_ok=True), printed


def test_erf_has_its_digits():
    for x in (*np.linspace(-9, 9, 901), *10.0 ** np.linspace(-12, 0, 99)):
        computed = eval(notation.numpy(erf(Number(float(x)))), {"np": np, "__builtins__": {}})
        assert abs(computed - math.erf(x)) <= 5e-16 * max(abs(math.erf(x)), 1e-3), x
