"""Four answers to "which word mattered?": its weight, the size of what it sent, what that did to the logits,
and what happens without it. They often disagree; that is the point of showing all four."""

from dataclasses import dataclass, field
from functools import cached_property

from regard.lens.attending import mixing
from regard.lens.contributions import Component
from regard.lens.without import says_without
from regard.trace import Cell, Trace


@dataclass(frozen=True)
class Importance:
    """One word as one head's query sees it, each answer a cell; None where it was not asked for, or nothing arrives.

    `without` is the prediction when nobody may read the word, `without_margin` the margin of that run.
    """

    position: int
    word: str
    weight: Cell
    sent: Cell | None
    contribution: Cell | None
    without_margin: Cell | None
    trace: Trace = field(repr=False)

    @cached_property
    def without(self) -> str | None:
        """The run is repeated for it only when somebody looks."""
        return None if self.without_margin is None else says_without(self.trace, self.position)


def importance(trace: Trace, component: Component, leave_out: bool = True) -> list[Importance]:
    """The importance of every word for the query that predicts, in the head that the component is."""
    assert component.head is not None
    layer, head, query = component.layer, component.head, int(trace.array("query"))
    weights = trace.steps[f"{layer}.weights"]
    mixes = layer in mixing(trace)
    reaches = mixes and f"{layer}.contribution" in trace.measure("contribution")
    sent = trace.step(f"{layer}.sent") if mixes else None
    contribution = trace.step(f"{layer}.contribution") if reaches else None
    without = trace.step("without") if leave_out else None
    rows: list[Importance] = []
    for position in range(len(trace.labels.words["K"])):
        at = (head, query, position)
        rows.append(
            Importance(
                position,
                trace.labels.shown("K", position),
                Cell(weights, at),
                None if sent is None else Cell(sent, at),
                None if contribution is None else Cell(contribution, at),
                None if without is None else Cell(without, (position,)),
                trace,
            )
        )
    return rows


def value_of(cell: Cell | None) -> float:
    """What is absent adds nothing."""
    return 0.0 if cell is None else cell.value
