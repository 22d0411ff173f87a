"""Another mask, another scaling, another place: the same run with some of its steps computed differently."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from regard.ops import Given, Map
from regard.ops.scaling import SCALINGS, ScalingName, scaling_named
from regard.trace.edits import rebuilt, without_word
from regard.trace.step import Step

if TYPE_CHECKING:
    from regard.trace.trace import Trace

MASKED = "under another mask"
SCALED = re.compile(r"layer\d+\.scaled")


def masked_by(trace: "Trace", visible: np.ndarray) -> "Trace":
    """The run when each query may read the keys where `visible` is True.

    >>> import regard
    >>> causal = regard.explain("The quick brown fox", model="fox")
    >>> causal["weights[The,fox]"], round(masked_by(causal, regard.both(4))["weights[The,fox]"], 3)
    (0.0, 0.168)
    """
    step = trace.step("visible")
    array = np.broadcast_to(np.asarray(visible, dtype=bool), step.shape).copy()
    query = int(trace.array("query")) if "query" in trace.own else None
    for edit in trace.edits:
        if edit.kind == "hide":  # a hidden word stays hidden
            array = without_word(array, edit.at[0], query)
    return rewired(trace, {step: (Step(step.name, Given(array, step.axes, "constant")),)}, MASKED)


def scaled_by(trace: "Trace", scaling: str) -> "Trace":
    """The run when scores are divided by √d ("root"), by d ("width"), or not at all ("none")."""
    wanted = scaling_named(scaling)
    for name in [step.name for step in trace.forward if SCALED.fullmatch(step.name)]:
        step = trace.step(name)  # of the trace whose lower layers are already rebuilt
        width = _divided_by(step) or trace.step(name.replace("scaled", "q")).shape[-1]
        other = Step(name, wanted.operation(step.axes, width), step.inputs)
        trace = rewired(trace, {step: (other,)}, "with scores scaled otherwise")
    return trace


def _divided_by(scaled: Step) -> float | None:
    """The head width that scores are divided by, where the step names it: a toy that begins at scores has no other."""
    return scaled.op.constants[0] if isinstance(scaled.op, Map) and scaled.op.constants else None


def scaling_of(trace: "Trace") -> ScalingName | None:
    """How a run divides its scores; None where it does so in a way that has no name, or somebody has set one of them.

    >>> import regard
    >>> scaling_of(regard.explain("The fox")), scaling_of(scaled_by(regard.explain("The fox"), "width"))
    ('root', 'width')
    """
    ops = {step.op for step in trace.forward if SCALED.fullmatch(step.name)}
    ways = {op.formula if isinstance(op, Map) else None for op in ops}
    for name, way in SCALINGS.items():
        if ways == {way.formula}:
            return name
    return None


def asked_at(trace: "Trace", position: int) -> "Trace":
    """The same run, asked for what follows another position; all that was read is shared.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", model="fox")
    >>> asked_at(trace, 1).predicted == regard.explain("The quick", model="fox").predicted
    True
    """
    step = trace.step("query")
    other = rewired(trace, {step: (Step(step.name, Given(np.int64(position), "", "constant")),)}, "asked elsewhere")
    return replace(other, info={**other.info, "query": position})


def rewired(trace: "Trace", put: dict[Step, tuple[Step, ...]], said: str = "switched") -> "Trace":
    """The same run with some steps computed otherwise, and new ones for all that follow."""
    switched = (said, len(trace.edits))
    return replace(trace, forward=rebuilt(trace.forward, put), learned=(), parent=None, switched=switched)
