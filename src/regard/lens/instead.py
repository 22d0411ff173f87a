"""What each switch would do to the loss: another scaling, another mask, keys that are values. Numbers of other runs."""

from collections.abc import Iterator

from regard.ops import Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere
from regard.trace.switches import SWITCHES, switch_named


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
        if not switch.takes and switch.fits(trace):
            op = Elsewhere("loss", "", "", (("switch", switch.name),), lambda change: trace.changed(change, switched))
            other = Step(f"instead.{switch.name}.loss", op, (loss,))
            yield from (other, Step(f"instead.{switch.name}.change", Map("subtract", ",->"), (other, loss)))


def switched(trace: Trace, change: tuple[str, str]) -> Trace:
    """The run after a switch is thrown."""
    return switch_named(change[1]).thrown(trace)
