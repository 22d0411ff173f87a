"""What happens when one head does not read one word: the margin of the run in which that weight is 0."""

from collections.abc import Iterator
from dataclasses import replace

from regard.lens.margin import compared
from regard.ops import Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere


def cut_steps(trace: Trace, layer: int, head: int, to: int, source: int) -> Iterator[Step]:
    """`layer5.cut3_7_0` is the margin when head 3 at position 7 does not read position 0; `.lost` what that takes away.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("layer0.cut0_3_3.lost"))
    cut0_3_3.lost = -0.0750 = (-0.0675) − 0.0075
    """
    weights, at = f"layer{layer}.weights", (head, to, source)
    margin = trace.measure("margin").get("margin")
    step = trace.own.get(weights)
    if margin is None or step is None or any(place >= size for place, size in zip(at, step.shape)):
        return
    runs = trace.remembered(_comparing).changed
    op = Elsewhere("margin", "", "", (("edit", weights, at, 0.0),), runs)
    other = Step(cut_name(f"layer{layer}", at), op, (margin,))
    yield from (other, Step(f"{other.name}.lost", Map("subtract", ",->"), (margin, other)))


def cut_name(layer: str, at: tuple[int, ...]) -> str:
    return f"{layer}.cut{'_'.join(map(str, at))}"


def _comparing(trace: Trace) -> Trace:
    """The same run, whose margin stays that of the same two words when something is changed in it."""
    return trace if trace.compared is not None else replace(trace, compared=compared(trace))
