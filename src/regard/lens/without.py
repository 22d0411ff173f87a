"""What happens without a word: the logits of the run in which nobody may read it, word by word."""

from collections.abc import Iterator

from regard.ops import Map, Pick
from regard.trace import Step, Trace
from regard.trace.elsewhere import Elsewhere


def without_steps(trace: Trace) -> Iterator[Step]:
    """`without[word]` is the margin when nobody may read a word, `without.change[word]` its difference from ours.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", next="jumps")
    >>> print(trace.why("without.change[fox]"))
    without.change[fox] = 0.0975 = 0.0300 − (-0.0675)
    >>> print(trace.why("without.logits[fox,jumps]").symbols())
    logits[jumps] (without fox)
    """
    margin = trace.step("margin")
    logits = _predicting(trace)
    changes = tuple(_hiding(position) for position in range(len(trace.labels.words["K"])))
    other = Step("without.logits", Elsewhere(logits.name, logits.axes, "K", changes, trace.changed), (logits,))
    picked: list[Step] = []
    for name in ("first", "second"):
        number = trace.step(f"margin.{name}.word")
        picked.append(Step(f"without.{name}", Pick("KV,->K"), (other, number)))
    whole = Step("without", Map("subtract", "K,K->K"), tuple(picked))
    yield from (other, *picked, whole, Step("without.change", Map("subtract", "K,->K"), (whole, margin)))


def says_without(trace: Trace, position: int) -> str:
    """What the model says when nobody may read the word at a position. Only that run is made, if none has been yet."""
    every = trace.step("without.logits")
    if every.is_computed:
        logits = every.value[position]
    else:
        logits = trace.changed(_hiding(position)).array(_predicting(trace).name)
    return trace.labels.words["V"][int(logits.argmax())]


def _predicting(trace: Trace) -> Step:
    """The logits that the margin is of: where several places predict, those of the last."""
    return trace.measure("margin").get("margin.logits", trace.steps["logits"])


def _hiding(position: int) -> tuple[str, str, tuple[int, ...], None]:
    return ("hide", "visible", (position,), None)
