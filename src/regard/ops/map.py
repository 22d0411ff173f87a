"""One registered formula per cell, inputs broadcast by axis name: add, scale, hide, exp, divide, activate, update."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from regard.ops.contract import Contract
from regard.ops.expression import Number, Tree, tree
from regard.ops.formulas import Blame, formula
from regard.ops.operation import New, Node, Specified, register
from regard.ops.spec import aligned, index_of, parse


@register
@dataclass(frozen=True)
class Map(Specified):
    """A formula by its name, the axes of its inputs, and its constants.

    >>> Map("divide", "QK,Q->QK").forward(np.array([[1.0, 3.0]]), np.array([4.0])).tolist()
    [[0.25, 0.75]]
    """

    kind: ClassVar[str] = "map"
    formula: str
    spec: str
    constants: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        wanted = formula(self.formula).constants
        if len(self.constants) != wanted:
            raise ValueError(f"the formula {self.formula} expects {wanted} constants, got {len(self.constants)}")
        inputs, output = parse(self.spec)
        if any(letter not in output for axes in inputs for letter in axes):
            raise ValueError(f'"{self.spec}": a formula keeps every axis; sum afterwards with Contract')

    def forward(self, *arrays: np.ndarray) -> np.ndarray:
        inputs, output = parse(self.spec)
        with np.errstate(all="ignore"):  # ln 0 is −∞ and e^−∞ is 0 here: values, not accidents
            operands = (aligned(array, axes, output) for array, axes in zip(arrays, inputs))
            return formula(self.formula)(*operands, *self.constants)

    def backward(self, step: Node, gradient: Node) -> list[New | None]:
        rules = map(formula(self.formula).blame_of, range(len(step.inputs)))
        return [self._blame(position, rule, step, gradient) for position, rule in enumerate(rules)]

    def backward_holding_gates(self, step: Node, gradient: Node) -> list[New | None]:
        gate = formula(self.formula).gate
        return self.backward(step, gradient) if gate is None else [self._blame(0, gate, step, gradient)]

    def _blame(self, position: int, rule: Blame | None, step: Node, gradient: Node) -> New | None:
        inputs, output = parse(self.spec)
        axes = inputs[position]
        if rule is None:
            return None
        letters = parse(self.spec)[0]
        if rule.formula == "same" and axes != output:
            return New(Contract(f"{output}->{axes}"), (gradient,))
        known: dict[str | int, tuple[Node, str]] = {"g": (gradient, output), "y": (step, output)}
        known |= {i: (step.inputs[i], letters[i]) for i in range(len(letters))}
        operands, specs = zip(*(known[name] for name in rule.of))
        constants = self.constants if rule.with_constants else ()
        cellwise = New(Map(rule.formula, f"{','.join(specs)}->{output}", constants), operands)
        # an input that was broadcast is blamed for every cell it served
        return cellwise if axes == output else New(Contract(f"{output}->{axes}"), (cellwise,))

    def arithmetic(self, at: tuple[int, ...], inputs: Sequence[Node]) -> Tree:
        letters, output = parse(self.spec)
        place = dict(zip(output, at))
        leaves = (i.leaf(index_of(axes, place)) for i, axes in zip(inputs, letters))
        return tree(formula(self.formula)(*leaves, *map(Number, self.constants)))
