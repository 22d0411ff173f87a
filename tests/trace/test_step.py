"""What a step keeps, and what it asks of its operation."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

from regard.ops import Contract, Given
from regard.ops.operation import Node
from regard.trace import Step


def test_a_step_is_frozen_and_hides_nothing():
    step = Step("x", Given([2.0, 3.0, 5.0], "T"))
    with pytest.raises(FrozenInstanceError):
        step.name = "y"  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(step, "__dict__")


@dataclass(frozen=True)
class GrandparentsSum(Contract):
    """A kind whose value comes from the graph behind its input, not from the input's numbers."""

    def compute(self, inputs: Sequence[Node]) -> np.ndarray:
        return np.asarray(inputs[0].inputs[0].value.sum())


def test_an_operation_may_be_computed_from_the_graph_behind_its_input():
    x = Step("x", Given([2.0, 3.0, 5.0], "T"))
    doubled = Step("doubled", Contract("T->T", 2.0), (x,))
    assert float(Step("sum", GrandparentsSum("T->"), (doubled,)).value) == 10.0
    assert float(Step("sum", Contract("T->"), (doubled,)).value) == 20.0
