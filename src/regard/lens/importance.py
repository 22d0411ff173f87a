"""Four answers to "which word mattered?": its weight, the size of what it sent, what that did to the logits,
and what happens without it. They often disagree; that is the point of showing all four."""

from dataclasses import dataclass

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
    without: str | None
    without_margin: Cell | None


def importance(trace: Trace, component: Component, leave_out: bool = True) -> list[Importance]:
    """The importance of every word for the query that predicts, in the head that the component is."""
    assert component.head is not None
    layer, head, query = component.layer, component.head, int(trace.array("query"))
    mixes = layer in mixing(trace)
    reaches = mixes and f"{layer}.contribution" in trace.measure("contribution")
    rows: list[Importance] = []
    for position in range(len(trace.labels.words["K"])):
        at = (head, query, position)
        rows.append(
            Importance(
                position,
                trace.labels.shown("K", position),
                Cell(trace.step(f"{layer}.weights"), at),
                Cell(trace.step(f"{layer}.sent"), at) if mixes else None,
                Cell(trace.step(f"{layer}.contribution"), at) if reaches else None,
                says_without(trace, position) if leave_out else None,
                Cell(trace.step("without"), (position,)) if leave_out else None,
            )
        )
    return rows


def value_of(cell: Cell | None) -> float:
    """What is absent adds nothing."""
    return 0.0 if cell is None else cell.value
