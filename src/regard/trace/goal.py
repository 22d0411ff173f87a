"""One cell as a number of its own, so that a gradient can be taken of it: steps that pick it out, axis by axis."""

from collections.abc import Sequence

import numpy as np

from regard.ops import Given, Pick
from regard.trace.step import Cell, Step

GOAL = "goal"


def goal_steps(cell: Cell) -> list[Step]:
    """Steps that end in `goal`, which holds just this cell.

    >>> from regard.ops import Given
    >>> float(goal_steps(Cell(Step("x", Given([[1.0, 2.0], [3.0, 4.0]], "QK")), (1, 0)))[-1].value)
    3.0
    """
    steps: list[Step] = []
    rest, axes = cell.step, cell.step.axes
    for number, place in enumerate(cell.at):
        last = number == len(cell.at) - 1
        at = Step(f"{GOAL}.at{number}", Given(np.int64(place), "", "constant"))
        rest = Step(GOAL if last else f"{GOAL}.row{number}", Pick(f"{axes},->{axes[1:]}"), (rest, at))
        axes = axes[1:]
        steps += [at, rest]
    return steps


def added_behind(step: Step, forward: Sequence[Step]) -> list[Step]:
    """The steps behind one that are not among those of the run: what a measurement has added, in order.

    No recursion: a measurement of a deep model is longer than Python's stack.
    """
    known = set(forward)
    found: list[Step] = []
    waiting = [step]
    while waiting:
        current = waiting[-1]
        missing = [i for i in current.inputs if i not in known]
        waiting += missing
        if not missing:
            waiting.pop()
            if current not in known:
                known.add(current)
                found.append(current)
    return found
