"""What happens without a word: the margin of the run in which nobody may read it, word by word."""

from collections.abc import Iterator
from dataclasses import replace

from regard.lens.margin import compared
from regard.ops import Map
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere


def without_steps(trace: Trace) -> Iterator[Step]:
    """`without[word]` is the margin of another run, `without.change[word]` how far it lies from the one here.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("without.change[fox]"))
    without.change[fox] = 0.0975 = 0.0300 − (-0.0675)
    >>> print(trace.why("without[fox]").symbols())
    margin (without fox)
    """
    run = replace(trace, compared=compared(trace))  # the same two words everywhere
    margin = run.step("margin")
    changes = tuple(("hide", "visible", (position,), None) for position in range(len(trace.labels.words["K"])))
    other = Step("without", Elsewhere("margin", "", "K", changes, run.changed), (margin,))
    yield from (other, Step("without.change", Map("subtract", "K,->K"), (other, margin)))


def run_without(trace: Trace, position: int) -> Trace:
    """The run in which nobody may read the word at a position."""
    return replace(trace, compared=compared(trace)).changed(("hide", "visible", (position,), None))
