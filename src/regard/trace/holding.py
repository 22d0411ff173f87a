"""What counts as constant while blame is passed back: a value handed to the backward pass.

With nothing held, blame is the gradient. Held at the values they had in this run, attention's weights, the norms'
deviations, the curves' gates and the parameters leave a transformer that is linear in its words, and blame becomes a
direction: the dot product of a vector with its direction is exactly what the vector carries to the goal.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from regard.ops import Given, Map, New
from regard.ops.formulas import formula
from regard.trace.step import Step

EDITED = re.compile(r"\.original\d*$")


@dataclass(frozen=True)
class Holding:
    """Which steps are held (by a pattern of their names), and whether parameters and the gates of curves are too.

    `suffix` is what the steps of such a backward pass are called: x.grad, x.toward. `says` is for screens.
    """

    suffix: str
    says: str
    names: str = "$^"
    is_linear: bool = False  # parameters count only where they are added; curves count as their gates

    def shares(self, step: Step, blame: Step) -> list[New | None]:
        """For each input of a step, its share of the step's blame."""
        return step.op.backward_holding_gates(step, blame) if self.is_linear else step.op.backward(step, blame)

    def reaching(self, forward: Sequence[Step]) -> Callable[[Step, Step], bool]:
        """Whether an input of a step gets its share."""
        if not self.is_linear:
            feels = _feels(forward)
            return lambda read, by: feels[read]
        parameters = parameter_names(forward)
        held = re.compile(self.names)

        def reaches(read: Step, by: Step) -> bool:
            if read.name in parameters or (isinstance(read.op, Given) and read.op.role == "constant"):
                return is_sum(by)
            return not held.search(read.name)

        return reaches

    def held(self, forward: Sequence[Step], directions: Mapping[str, Step]) -> tuple[str, ...]:
        """The steps that counted as constants where directions passed them, and the curves whose gates did."""
        reached = [s for s in forward if f"{s.name}.{self.suffix}" in directions]
        held = re.compile(self.names)
        steps = [i.name for s in reached for i in s.inputs if held.search(i.name) and i.op.kind != "given"]
        curves = [s.name for s in reached if isinstance(s.op, Map) and formula(s.op.formula).gate is not None]
        return tuple(dict.fromkeys([*steps, *curves]))


DEVIATIONS = r"|(^|\.)deviation$"
NOTHING = Holding("grad", "nothing")
SLOPE = Holding("slope", "nothing")  # a gradient of something else, beside that of the loss
FLOW = Holding(
    "toward",
    "attention's weights, the norms' deviations, the MLPs' gates and the parameters",
    rf"^layer\d+\.(weights|opened)${DEVIATIONS}",
    is_linear=True,
)
DIRECT = Holding(
    "direct",
    "everything that heads and MLPs read, and the norms' deviations",
    rf"^layer\d+\.(weights|[kv](\.shared|\.rotated)?|activated)${DEVIATIONS}",
    is_linear=True,
)


def is_sum(step: Step) -> bool:
    return isinstance(step.op, Map) and step.op.formula == "add"


def parameter_names(forward: Sequence[Step]) -> set[str]:
    """The parameters, edited ones included: these are no longer given, but still no part of the text."""
    given = {s.name for s in forward if isinstance(s.op, Given) and s.op.role == "parameter"}
    return given | {EDITED.sub("", name) for name in given}


def _feels(forward: Sequence[Step]) -> dict[Step, bool]:
    """Whether anything that could change lies behind a step; masks, ids and angles are constants."""
    feels: dict[Step, bool] = {}
    for step in forward:
        feels[step] = step.op.role != "constant" if isinstance(step.op, Given) else any(feels[i] for i in step.inputs)
    return feels
