"""What happens when one head does not read one word: the margin of the run in which that weight is 0."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from regard.lens.margin import compared
from regard.ops import Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere
from regard.trace.names import layer_of


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


def cut_pair_steps(trace: Trace, layer: int, to: int, source: int) -> Iterator[Step]:
    """`layer5.cut7_0` is the margin when no head of the layer reads position 0 at position 7; `.lost` as above.

    >>> import regard
    >>> trace = regard.explain("On the mat a cat sat", model="two-heads", next="purring")
    >>> print(trace.why("layer0.cut5_4").symbols())
    margin (layer0 without sat reading cat)
    """
    weights, margin = trace.own.get(f"layer{layer}.weights"), trace.measure("margin").get("margin")
    if margin is None or weights is None or any(place >= size for place, size in zip((to, source), weights.shape[1:])):
        return
    whole = trace.remembered(_comparing)
    change = ("cut", weights.name, (to, source), 0.0)
    op = Elsewhere("margin", "", "", (change,), lambda change: whole.changed(change, _cut_in_every_head))
    other = Step(cut_name(f"layer{layer}", (to, source)), op, (margin,))
    yield from (other, Step(f"{other.name}.lost", Map("subtract", ",->"), (margin, other)))


def _cut_in_every_head(trace: Trace, change: tuple[Any, ...]) -> Trace:
    _, weights, (to, source), number = change
    words = f"{trace.labels.shown('Q', to)} reading {trace.labels.shown('K', source)}"
    for head in range(trace.own[weights].shape[0]):
        trace = trace.edit(f"{weights}[{head},{to},{source}]", number)
    return replace(trace, switched=(f"{layer_of(weights)} without {words}", len(trace.edits)))


def cut_name(layer: str, at: tuple[int, ...]) -> str:
    return f"{layer}.cut{'_'.join(map(str, at))}"


def _comparing(trace: Trace) -> Trace:
    """The same run, whose margin stays that of the same two words when something is changed in it."""
    return trace if trace.compared is not None else replace(trace, compared=compared(trace))
