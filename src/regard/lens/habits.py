"""What each head has the habit of reading: the share that goes to the word before, to the first word, to the same word.

`layer3.reads.previous[2]` is how much head 2 gives to the word before, on average over the words that have one, and
`reads.previous.evenly` what a head would give that reads all it may see alike: what is left if the words it reads
stood in any other order. `reads.broad` is entropy, as a share of the largest there can be.
"""

import unicodedata
from collections.abc import Iterator

import numpy as np

from regard.attending.habits import HABITS, Pairs
from regard.lens.attending import letters, mixing
from regard.ops import Contract, Given
from regard.trace import Step, Trace
from regard.trace.names import in_layer

BROAD = "broad"
ALL = (*HABITS, BROAD)


def habit_steps(trace: Trace) -> Iterator[Step]:
    """For each habit that some word could follow: `reads.NAME.which`, `.evenly`, and for each layer the heads' shares.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", model="fox")
    >>> round(trace["reads.previous[0]"], 3), round(trace["reads.previous.evenly"], 3)
    (0.126, 0.361)
    """
    seen = trace.own.get("visible")
    words = trace.labels.words.get("K", ())
    if seen is None or len(seen.shape) != 2 or seen.shape[0] != len(words) or seen.shape[0] != seen.shape[1]:
        return
    visible = np.asarray(seen.value, dtype=bool)
    count = np.maximum(1, visible.sum(axis=-1, keepdims=True))
    even = Step("reads.even", Given(visible / count, seen.axes, "constant"))
    yield even
    pairs = _pairs(words)
    for name, follows in HABITS.items():
        mask = follows(pairs) & visible
        followed = int(mask.any(axis=-1).sum())
        if followed:
            which = Step(f"reads.{name}.which", Given(mask / followed, seen.axes, "constant"))
            yield from (which, Step(f"reads.{name}.evenly", Contract(f"{seen.axes},{seen.axes}->"), (even, which)))
            for layer, mix in mixing(trace).items():
                axes, _ = letters(mix)
                op = Contract(f"{axes},{axes[1:]}->{axes[0]}")
                yield Step(in_layer(layer, f"reads.{name}"), op, (mix.inputs[0], which))
    yield from _broad(trace, count[:, 0])


def _broad(trace: Trace, count: np.ndarray) -> Iterator[Step]:
    wide = count > 1
    if not wide.any():
        return
    share = np.where(wide, 1 / np.log(np.maximum(count, 2)), 0.0) / wide.sum()
    entropy = trace.measure("entropy")
    spreads = {layer: entropy[in_layer(layer, "entropy")] for layer in mixing(trace)}
    if not spreads:
        return
    axes = next(iter(spreads.values())).axes[1:]  # the same in every layer
    which = Step(f"reads.{BROAD}.which", Given(share, axes, "constant"))
    yield from (which, Step(f"reads.{BROAD}.evenly", Given(1.0, "", "constant")))
    for layer, spread in spreads.items():
        op = Contract(f"{spread.axes},{spread.axes[1:]}->{spread.axes[0]}")
        yield Step(in_layer(layer, f"reads.{BROAD}"), op, (spread, which))


def followers(trace: Trace, name: str) -> int:
    """How many words could follow a habit."""
    which = trace.measure("reads").get(f"reads.{name}.which")
    return 0 if which is None else int((which.value > 0).reshape(which.shape[0], -1).any(axis=-1).sum())


def _pairs(words: tuple[str, ...]) -> Pairs:
    numbers = np.unique(words, return_inverse=True)[1]
    place = np.arange(len(words))
    before = numbers[np.maximum(place - 1, 0)]
    sign = np.array([is_sign(word) for word in words])
    return Pairs(place[:, None], place, numbers[:, None], numbers, before, sign)


def is_sign(word: str) -> bool:
    """
    >>> [is_sign(word) for word in (",", '␣"', "dog", "␣", "…s")]
    [True, True, False, False, False]
    """
    bare = word.strip("␣ ")
    return bare != "" and all(unicodedata.category(letter).startswith("P") for letter in bare)
