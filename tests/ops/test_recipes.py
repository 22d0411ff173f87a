"""A formula written down is the formula: its data, read back, gives the same numbers and the same arithmetic."""

import inspect
import json
import operator
from functools import reduce

import numpy as np
import pytest

from regard.ops import notation, recipe
from regard.ops.expression import Number, Tree, erf, exp, log, sqrt, tanh, tree
from regard.ops.formulas import FORMULAS, STEEPEST

SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "negative": operator.neg,
         "exp": exp, "log": log, "sqrt": sqrt, "tanh": tanh, "erf": erf}  # fmt: skip


def read(data, inputs: list[Tree]) -> Tree:
    """A recipe carried out on trees, as the page does it."""
    if isinstance(data, float | int | str):
        return Number(float(data))
    if isinstance(data, list):
        return SIGNS[data[0]](*(read(part, inputs) for part in data[1:]))
    if "input" in data:
        return inputs[data["input"]]
    return read(data["then" if holds(data["if"], inputs) else "else"], inputs)


def carried_out(data, inputs: list[Tree]) -> Tree:
    if data["folds"]:
        return reduce(lambda a, b: read(data["recipe"], [a, b]), inputs)
    return read(data["recipe"], inputs)


def holds(condition, inputs: list[Tree]) -> bool:
    sign, *parts = condition if isinstance(condition, list) else ("", condition)
    if sign == "and":
        return all(holds(part, inputs) for part in parts)
    values = [read(part, inputs).value for part in parts]
    return {"zero": lambda a: a == 0, "below": lambda a, b: a < b}.get(sign, bool)(*values)


ODD = (0.0, 1.0, -1.0, 700.0, -900.0, 1e-305, 31.5, -7.25)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_recipe_read_back_is_the_formula(name):
    data = json.loads(recipe.written())[name]
    formula = FORMULAS[name]
    arity = 4 if formula.folds else len(inspect.signature(formula.compute).parameters)
    generator = np.random.default_rng(len(name))
    for _ in range(200):
        values = np.where(generator.random(arity) < 0.4, generator.choice(ODD, arity), generator.normal(size=arity))
        inputs: list[Tree] = [Number(float(v)) for v in values]
        if formula.constants:  # a width, an epsilon, a rate, a share: none is negative
            inputs[-formula.constants :] = [Number(abs(i.value) + 0.1) for i in inputs[-formula.constants :]]
        expected = tree(formula(*inputs))
        found = carried_out(data, inputs)
        assert notation.numpy(found) == notation.numpy(expected)
        with np.errstate(all="ignore"):
            computed = formula(*(np.array(i.value) for i in inputs))
        if not np.isnan(computed):  # the logarithm of a negative number is none, and nobody asks for it
            assert float(computed) == pytest.approx(found.value, rel=1e-12, abs=1e-14)


def test_what_a_recipe_looks_like():
    shift = {"if": ["zero", {"input": 1}], "then": {"input": 0}, "else": ["-", {"input": 0}, {"input": 1}]}
    capped = {"if": ["below", STEEPEST, shift], "then": STEEPEST, "else": shift}
    assert recipe.as_data()["exp"]["recipe"] == ["exp", capped]
    hide = recipe.as_data()["hide"]
    assert hide["recipe"] == {"if": {"input": 1}, "then": {"input": 0}, "else": "-inf"} and hide["constants"] == 0
    assert hide["blame"] == [{"formula": "keep", "of": ["g", 1], "withConstants": False}, None] and not hide["folds"]
    assert recipe.as_data()["add"]["folds"] and recipe.as_data()["add"]["recipe"] == ["+", {"input": 0}, {"input": 1}]
