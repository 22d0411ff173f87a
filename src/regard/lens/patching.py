"""Parts of one run put into another: what a head, a layer or a word's vector carries from run to run.

Activation patching (Vig et al. 2020; Meng et al. 2022) on traces: the part is pinned to the numbers it had in the other
run, everything after it is computed again, and every number of that run opens like any other.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from regard.lens.margin import compared
from regard.trace import Trace
from regard.trace.patched import Patched, Tell, check_by

STREAM = ("residual", "middle", "attended")  # a word's vector after a layer: with an MLP, with a sum, with neither


def patch(
    trace: Trace, other: Trace, by: str = "head", words: tuple[str, str] | None = None, tell: Tell | None = None
) -> Patched:
    """Puts each part of `other` into `trace` by itself, and reads the margin of two words.

    `by` says what a part is: a head's output, all heads of a layer, or a word's vector after a layer. The words are
    what `other` and `trace` predict, unless they are told.

    >>> import regard
    >>> with_fox = regard.explain("The quick brown fox", model="fox")
    >>> with_apple = regard.explain("The quick brown apple", model="fox")
    >>> print(with_apple.patch(with_fox, by="layer"))
    fox − jumps: -0.0099, in the other run +0.0675
      with its part            fox − jumps  of the difference
      layer 0                  +0.0675      +100.0%
    """
    first, second = words or _predicted(other, trace)
    runs = [replace(run, compared=(first, second)) for run in (trace, other)]
    own, given = (run.array("margin").item() for run in runs)
    parts = list(_parts(runs[0], runs[1], by))
    values = np.empty((max(layer for layer, _, _ in parts) + 1, max(at for _, at, _ in parts) + 1))
    for done, (layer, at, changed) in enumerate(parts, 1):
        values[layer, at] = changed().array("margin").item()
        if tell is not None:
            tell(done, len(parts))
    names = tuple(map(str, trace.labels.words["T"])) if by == "word" else tuple(map(str, range(values.shape[1])))
    return Patched((first, second), own, given, values, by, names)


def with_part(trace: Trace, other: Trace, by: str, layer: int, at: int = 0) -> Trace:
    """The run with one part of the other: every number of it opens."""
    found = {(one, place): changed for one, place, changed in _parts(trace, other, by)}
    if (layer, at) not in found:
        raise ValueError(f"there is no layer {layer}, {by} {at}; layers and heads are counted from 0")
    return found[layer, at]()


def _parts(trace: Trace, other: Trace, by: str) -> Iterator[tuple[int, int, Callable[[], Trace]]]:
    """Layer, place, and how to make the run with that part."""
    check_by(by)
    step = _step(trace, STREAM if by == "word" else ("context",))
    layers = sum(f"layer{n}.{step}" in trace.own for n in range(len(trace.own)))
    for layer in range(layers):
        name = f"layer{layer}.{step}"
        here, there = trace.own[name].shape, other.own[name].shape if name in other.own else None
        if there and here[:-2] == there[:-2] and here[-1:] == there[-1:] and here != there:
            raise ValueError(
                f"the texts have {here[-2]} and {there[-2]} tokens; what one run says is put in the same place of the "
                "other, so both need as many: change a word for one of as many tokens"
            )
        if here != there:
            raise ValueError(f"both runs must be of one model: {name} is {here} here and {there or 'missing'} there")
        for at in range(1 if by == "layer" else trace.own[name].shape[0]):
            yield layer, at, _putting(trace, other, name, slice(None) if by == "layer" else at)


def _step(trace: Trace, names: tuple[str, ...]) -> str:
    found = next((name for name in names if f"layer0.{name}" in trace.own), None)
    if found is None:
        raise ValueError(f"this run has no {' or '.join(names)} to put anything into")
    return found


def _putting(trace: Trace, other: Trace, name: str, at: int | slice) -> Callable[[], Trace]:
    def changed() -> Trace:
        values = trace.array(name).copy()
        values[at] = other.array(name)[at]
        return trace.pin(name, values)

    return changed


def _predicted(other: Trace, trace: Trace) -> tuple[str, str]:
    first, second = other.predicted, trace.predicted
    return (first, second) if first != second else compared(other)
