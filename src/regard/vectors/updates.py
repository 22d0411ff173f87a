"""One update of skip-gram and one of GloVe as traces: every score, gradient and new number opens to its arithmetic.

They are the updates that training makes by the million (training/vectors/update.py and glove.py), written as steps.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from regard.ops import Contract, Given, Map, Pick
from regard.trace import Labels, Step, Trace

MOST_COUNT, POWER = 100.0, 0.75  # GloVe: a pair that was counted so often weighs 1, rarer ones less

Table = npt.NDArray[np.float64]


def skipgram_trace(
    words: Sequence[str], E: Table, U: Table, near: Sequence[str], word: str, negatives: Sequence[str]
) -> Trace:
    """The near words predict the word between them, and reject the negatives.

    E holds the words' vectors, U their vectors as contexts. `update` makes the update.

    >>> trace = skipgram_trace(["cat", "sat", "on"], np.ones((3, 2)), np.ones((3, 2)), ["cat"], "sat", ["on"])
    >>> print(trace.backward().why("scores.grad[cat,sat]"))
    scores.grad[sat] = -0.1192 = (-0.1192)·1.0000
    """
    place = {w: i for i, w in enumerate(words)}
    drawn = (word, *negatives)
    steps = [
        tables := Step("E", Given(np.asarray(E, float), "IC", "parameter")),
        contexts := Step("U", Given(np.asarray(U, float), "VC", "parameter")),
        near_places := Step("near", Given(np.array([place[w] for w in near]), "Q", "constant")),
        drawn_places := Step("drawn", Given(np.array([place[w] for w in drawn]), "K", "constant")),
        signs := Step("signs", Given(np.array([1.0, *[-1.0] * len(negatives)]), "K", "constant")),
        x := Step("x", Pick("IC,Q->QC"), (tables, near_places)),
        c := Step("c", Pick("VC,K->KC"), (contexts, drawn_places)),
        scores := Step("scores", Contract("QC,KC->QK"), (x, c)),
        signed := Step("signed", Map("product", "QK,K->QK"), (scores, signs)),
        chances := Step("chances", Map("logistic", "QK->QK"), (signed,)),
        losses := Step("losses", Map("surprise", "QK->QK"), (chances,)),
        Step("loss", Contract("QK->"), (losses,)),
    ]
    return _trace(steps, words, {"Q": tuple(near), "K": drawn}, "one update of skip-gram", near)


def glove_trace(
    words: Sequence[str], E: Table, U: Table, b: Table, d: Table, word: str, context: str, count: float
) -> Trace:
    """The dot product of two words, with a bias each, is to come near the logarithm of their count."""
    place = {w: i for i, w in enumerate(words)}
    steps = [
        tables := Step("E", Given(np.asarray(E, float), "IC", "parameter")),
        contexts := Step("U", Given(np.asarray(U, float), "VC", "parameter")),
        biases := Step("b", Given(np.asarray(b, float), "I", "parameter")),
        others := Step("d", Given(np.asarray(d, float), "V", "parameter")),
        word_place := Step("word", Given(np.int64(place[word]), "", "constant")),
        other_place := Step("context", Given(np.int64(place[context]), "", "constant")),
        counted := Step("count", Given(np.float64(count), "")),
        x := Step("x", Pick("IC,->C"), (tables, word_place)),
        c := Step("c", Pick("VC,->C"), (contexts, other_place)),
        own := Step("x.bias", Pick("I,->"), (biases, word_place)),
        other := Step("c.bias", Pick("V,->"), (others, other_place)),
        score := Step("score", Contract("C,C->"), (x, c)),
        said := Step("said", Map("add", ",,->"), (score, own, other)),
        wanted := Step("wanted", Map("logarithm", "->"), (counted,)),
        error := Step("error", Map("subtract", ",->"), (said, wanted)),
        *(weights := _weight(count, counted)),
        weighted := Step("weighted", Map("product", ",->"), (weights[-1], error)),
        twice := Step("squared", Map("product", ",->"), (weighted, error)),
        Step("loss", Map("over", "->", (2.0,)), (twice,)),
    ]
    return _trace(steps, words, {}, "one update of GloVe", (word, context))


def _weight(count: float, counted: Step) -> list[Step]:
    """min(1, (count / 100)^0.75), the power by its logarithm."""
    if count >= MOST_COUNT:
        return [Step("weight", Given(1.0, "", "constant"))]
    share = Step("weight.share", Map("over", "->", (MOST_COUNT,)), (counted,))
    log = Step("weight.log", Map("logarithm", "->"), (share,))
    power = Step("weight.power", Contract("->", POWER), (log,))
    none = Step("weight.shift", Given(0.0, "", "constant"))
    return [share, log, power, none, Step("weight", Map("exp", ",->"), (power, none))]


def adagrad(trace: Trace, rate: float, squares: Mapping[str, Table] | None = None) -> Trace:
    """A trace with what AdaGrad makes of its parameters: W.next, and W.squares.next for the update after it.

    `squares` are the sums of squared gradients so far, 1 at the beginning, which makes the first update plain descent.
    """
    before, steps = trace.backward(), []
    for name, step in before.parameters.items():
        gradient = before.steps[f"{name}.grad"]
        kept = np.ones(step.shape) if squares is None else np.asarray(squares[name], float)
        so_far = Step(f"{name}.squares", Given(kept, step.axes, "constant"))
        spec = ",".join([step.axes] * 2)
        steps += [
            so_far,
            Step(f"{name}.next", Map("adagrad", f"{spec},{step.axes}->{step.axes}", (rate,)), (step, gradient, so_far)),
            Step(f"{name}.squares.next", Map("add_square", f"{spec}->{step.axes}"), (so_far, gradient)),
        ]
    return replace(before, learned=tuple(steps))


def _trace(
    steps: Sequence[Step], words: Sequence[str], along: Mapping[str, tuple[str, ...]], title: str, tokens: Sequence[str]
) -> Trace:
    labels = Labels({"I": tuple(words), "V": tuple(words), **along})
    info = {"model": None, "title": title, "notes": [], "tokens": list(tokens)}
    return Trace(tuple(steps), labels, info)


def windows(sentences: Sequence[str], window: int) -> list[tuple[str, tuple[str, ...]]]:
    """Every word of some sentences with the words at most `window` places away.

    >>> windows(["a cat sat"], 1)
    [('a', ('cat',)), ('cat', ('a', 'sat')), ('sat', ('cat',))]
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    for sentence in sentences:
        words = sentence.split()
        for i, word in enumerate(words):
            found.append((word, (*words[max(0, i - window) : i], *words[i + 1 : i + 1 + window])))
    return found


def counts(sentences: Sequence[str], window: int) -> dict[tuple[str, str], float]:
    """How often two words stand together, each time by 1 / distance.

    >>> counts(["a cat sat"], 2)["a", "sat"]
    0.5
    """
    found: dict[tuple[str, str], float] = {}
    for sentence in sentences:
        words = sentence.split()
        for i, j in ((i, j) for i in range(len(words)) for j in range(len(words)) if 0 < abs(i - j) <= window):
            pair = words[i], words[j]
            found[pair] = math.fsum((found.get(pair, 0.0), 1 / abs(i - j)))
    return found
