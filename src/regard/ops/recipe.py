"""Every formula written down as data, so that the page computes and shows it too: a formula is one line of Python.

A recipe is what a formula makes of inputs that have no values yet. A number stands for itself ("inf" and "-inf" where
JSON has none), {"input": 0} for the first input, a list for a sign and its parts, and {"if": …, "then": …, "else": …}
for a choice, whose condition is zero, below, and, or an input that is not 0. Constants are the last inputs.

>>> recipe_of(FORMULAS["divide"])
{'if': ['zero', {'input': 1}], 'then': 0.0, 'else': ['/', {'input': 0}, {'input': 1}]}

Building the page writes all of them to web/src/trace/formulas.json (hatch_build.py).
"""

import inspect
import json
import math
from typing import Any

from regard.ops.expression import Call, Choice, Condition, Input, Number, Tree, tree
from regard.ops.formulas import FORMULAS, Blame, Formula


def recipe_of(formula: Formula) -> Any:
    arity = len(inspect.signature(formula.compute).parameters)
    return _data(tree(formula.compute(*map(Input, range(arity)))))


def _data(expression: Tree | Condition) -> Any:
    match expression:
        case Input(position):
            return {"input": position}
        case Number(value):
            return value if math.isfinite(value) else str(value)
        case Choice(condition, then, otherwise):
            return {"if": _data(condition), "then": _data(then), "else": _data(otherwise)}
        case Call(sign, parts) | Condition(sign, parts):
            return [sign, *map(_data, parts)]
        case _:
            raise TypeError(f"a formula is made of inputs, numbers, signs and choices; got {type(expression).__name__}")


def _blame(blame: Blame | None) -> Any:
    if blame is None:
        return None
    return {"formula": blame.formula, "of": list(blame.of), "withConstants": blame.with_constants}


def as_data() -> dict[str, Any]:
    """All formulas by name: recipe, whether two inputs at a time are folded into any number, constants, blame."""
    return {
        name: {
            "recipe": recipe_of(formula),
            "folds": formula.folds,
            "constants": formula.constants,
            "blame": [_blame(blame) for blame in formula.blame],
            "gate": _blame(formula.gate),
        }
        for name, formula in FORMULAS.items()
    }


def written() -> str:
    """One line for each formula."""
    lines = (f"{json.dumps(name)}: {json.dumps(data, allow_nan=False)}" for name, data in as_data().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
