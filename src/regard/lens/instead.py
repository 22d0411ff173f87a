"""What each switch would do to the loss: another scaling, another mask, no bias by distance. Numbers of other runs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from regard.attending.masks import both, causal
from regard.ops import Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere
from regard.trace.whatif import masked_by, scaled_by, scaling_of

BIAS = re.compile(r"layer\d+\.bias")


@dataclass(frozen=True)
class Switch:
    """What is switched, the run that it leads to, in words what is different there, and where it can be thrown."""

    name: str
    says: str
    run: Callable[[Trace], Trace]
    fits: Callable[[Trace], bool]


def instead_steps(trace: Trace) -> Iterator[Step]:
    """`instead.none.loss` is the loss if scores were not divided, `instead.none.change` its difference from ours.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("instead.none.change"))
    instead.none.change = -0.0004144 = 1.3116 − 1.3120
    >>> print(trace.why("instead.none.loss").symbols())
    loss (if scores are not divided)
    """
    if "loss" not in trace.own:
        return
    loss = trace.own["loss"]
    for switch in SWITCHES:
        if switch.fits(trace):
            op = Elsewhere("loss", "", "", (("switch", switch.name),), lambda change: trace.changed(change, switched))
            other = Step(f"instead.{switch.name}.loss", op, (loss,))
            yield from (other, Step(f"instead.{switch.name}.change", Map("subtract", ",->"), (other, loss)))


def switched(trace: Trace, change: tuple[str, str]) -> Trace:
    """The run after a switch is thrown."""
    switch = next(switch for switch in SWITCHES if switch.name == change[1])
    other = switch.run(trace)
    return replace(other, switched=(switch.says, len(other.edits)))


def _is_scaled(trace: Trace) -> bool:
    return scaling_of(trace) is not None


def _is_masked(trace: Trace) -> bool:
    return "visible" in trace.own


def _bias(trace: Trace) -> Step | None:
    return next((step for step in trace.forward if BIAS.fullmatch(step.name)), None)


def _has_bias(trace: Trace) -> bool:
    step = _bias(trace)
    return step is not None and bool(np.any(step.value))


def _unbiased(trace: Trace) -> Trace:
    step = _bias(trace)
    return trace if step is None else trace.pin(step.name, np.zeros(step.shape))


def _lacks_bias(trace: Trace) -> bool:
    step = _bias(trace)
    return step is not None and f"{step.name}.original" in trace.own and not _has_bias(trace)


def _biased(trace: Trace) -> Trace:
    step = _bias(trace)
    return trace if step is None else trace.pin(step.name, trace.array(f"{step.name}.original"))


def _keys(trace: Trace) -> int:
    return trace.own["visible"].shape[-1]


SWITCHES = (
    Switch("root", "if scores are divided by √d", lambda trace: scaled_by(trace, "root"), _is_scaled),
    Switch("width", "if scores are divided by d", lambda trace: scaled_by(trace, "width"), _is_scaled),
    Switch("none", "if scores are not divided", lambda trace: scaled_by(trace, "none"), _is_scaled),
    Switch("causal", "if words read those before", lambda trace: masked_by(trace, causal(_keys(trace))), _is_masked),
    Switch("both", "if words read all words", lambda trace: masked_by(trace, both(_keys(trace))), _is_masked),
    Switch("biased", "with the bias by distance", _biased, _lacks_bias),
    Switch("unbiased", "without the bias by distance", _unbiased, _has_bias),
)
