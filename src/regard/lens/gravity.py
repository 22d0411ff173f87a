"""Contextual gravity: where a word stands by itself, where a sentence moves it, and which word pulled how much.

A word's own vector is the same in every sentence. Each layer adds to it what the word reads: weight · value through
W_O, one vector for every word read. These are the pulls. They and the rest (MLP, positions, biases) sum to the whole
way exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regard.lens.attending import as_heads_see
from regard.lens.streams import streams
from regard.ops import Map, Replace
from regard.suggestions import NotFound, suggestion
from regard.trace import Trace


@dataclass(frozen=True)
class Pull:
    """What reading one word did: its vector, how far it reaches along the way gone, and both in the plane."""

    position: int
    word: str
    size: float
    along: float  # share of the way; all pulls and the rest sum to 1
    arrow: tuple[float, float]
    place: tuple[float, float]  # where the pulling word itself stands


@dataclass(frozen=True)
class Sentence:
    words: tuple[str, ...]
    position: int
    static: tuple[float, float]
    contextual: tuple[float, float]
    way: float  # its length, in all dimensions
    in_plane: float  # the share of its square that the plane shows
    pulls: tuple[Pull, ...]
    rest: Pull


@dataclass(frozen=True)
class Gravity:
    """Sentences around one word, seen in one plane. `exact` where the vectors have only two numbers."""

    word: str
    layer: str
    exact: bool
    sentences: tuple[Sentence, ...]


def gravity(traces: Sequence[Trace], word: str, layer: int | None = None) -> Gravity:
    """Where sentences move a word, after one layer (the last, if nothing is said).

    >>> import regard
    >>> seen = gravity([regard.explain(text, model="fox") for text in ("The quick brown fox", "brown fox")], "fox")
    >>> [round(n, 4) for n in seen.sentences[0].static], [round(n, 4) for n in seen.sentences[0].contextual]
    ([0.8, 0.6], [0.66, 0.525])
    >>> round(sum(p.along for p in seen.sentences[0].pulls) + seen.sentences[0].rest.along, 9)
    1.0
    """
    if not traces:
        raise ValueError("no sentences came; give one to three traces of one model")
    ways = [_way(trace, word, layer) for trace in traces]
    plane = _plane(ways)
    return Gravity(word, ways[0].layer, plane.exact, tuple(_sentence(way, plane) for way in ways))


@dataclass(frozen=True)
class Way:
    """From a word's own vector to the one it has in a sentence, in all dimensions."""

    trace: Trace
    layer: str
    position: int
    static: np.ndarray
    contextual: np.ndarray
    pulls: np.ndarray  # (K, C)
    places: np.ndarray  # (K, C)

    @property
    def gone(self) -> np.ndarray:
        return self.contextual - self.static


def _way(trace: Trace, word: str, layer: int | None) -> Way:
    position = _position(trace, word)
    steps = streams(trace)
    last = len(steps) - 2 if layer is None else layer
    if not 0 <= last < len(steps) - 1:
        raise NotFound(f"no layer {layer}; there are {len(steps) - 1}, from 0")
    words = trace.array("x")
    pulls = np.zeros((len(words), words.shape[1]))
    for number in range(last + 1):
        before, (name, after) = steps[number][1], steps[number + 1]
        if after.shape != words.shape:
            raise ValueError(f"{after.name} has another width than the words; their places cannot be compared")
        pulls += _sent(trace, name, position, before.value[position])
    contextual = steps[last + 1][1].value[position]
    return Way(trace, steps[last + 1][0], position, words[position], contextual, pulls, words)


def _position(trace: Trace, word: str) -> int:
    """Where a word stands; the last place, if it stands in several."""
    along = trace.labels.words["T"]
    places = [i for i, w in enumerate(along) if w == word] or [
        i
        for i, w in enumerate(along)
        if w.casefold() == word.casefold()  # Apple begins a sentence
    ]
    if places:
        return places[-1]
    try:
        return trace.labels.position("T", len(along), word)  # an address such as the@4
    except NotFound:
        raise NotFound(f"the word {word!r} is not in {' '.join(along)[:200]!r}; {suggestion(word, along)}") from None


def _sent(trace: Trace, layer: str, position: int, before: np.ndarray) -> np.ndarray:
    """What each word sent to one position, in one layer: (K, C)."""
    weights_HK = trace.array(f"{layer}.weights")[:, position]
    values_HKD = as_heads_see(trace, layer, "v")
    joined = trace.steps.get(f"{layer}.by_head")
    while joined is not None and isinstance(joined.op, Replace):
        joined = joined.inputs[0]
    if joined is None:
        sent_KC = np.einsum("hk,hkd->kd", weights_HK, values_HKD)
    elif joined.inputs:
        W_O = joined.inputs[1].value
        spec = "hk,hkd,dc->kc" if W_O.ndim == 2 else "hk,hkd,hdc->kc"  # added heads share one W_O
        sent_KC = np.einsum(spec, weights_HK, values_HKD, W_O, optimize=True)
    else:  # replaced by hand: no word has a part in it
        return np.zeros((weights_HK.shape[1], len(before)))
    if _is_added(trace, layer):
        return sent_KC
    # without a residual the old place is left: each word pulls towards what it sends, with its share of the attention
    return sent_KC - weights_HK.mean(axis=0)[:, None] * before


def _is_added(trace: Trace, layer: str) -> bool:
    attended = trace.steps[f"{layer}.attended"]
    return any(attended in s.inputs and isinstance(s.op, Map) and s.op.formula == "add" for s in trace.forward)


@dataclass(frozen=True)
class Plane:
    origin: np.ndarray
    axes: np.ndarray  # two rows
    exact: bool

    def seen(self, vector: np.ndarray) -> tuple[float, float]:
        a, b = (self.axes @ vector).tolist()
        return a, b


def _plane(ways: Sequence[Way]) -> Plane:
    """The plane in which the ways lie, as well as two dimensions allow: through the word's own place."""
    width = len(ways[0].static)
    if width <= 2:
        return Plane(np.zeros(width), np.eye(2, width), True)
    origin = np.mean([way.static for way in ways], axis=0)
    ends = np.array([way.contextual - origin for way in ways])
    axes = _principal(ends)
    if len(axes) < 2:  # one sentence, or equal ones: the second axis shows what the pulls have besides
        pulls = np.concatenate([way.pulls for way in ways])
        axes = np.concatenate([axes, _principal(pulls - (pulls @ axes.T) @ axes)])
    axes = np.concatenate([axes, np.zeros((2, width))])[:2]
    signs = [-1.0 if (along := ends @ axis)[np.argmax(np.abs(along))] < 0 else 1.0 for axis in axes]
    return Plane(origin, axes * np.array(signs)[:, None], False)


def _principal(rows: np.ndarray) -> np.ndarray:
    """The directions of most square length, at most two, without those that are only rounding."""
    _, sizes, directions = np.linalg.svd(rows, full_matrices=False)
    return directions[:2][sizes[:2] > 1e-9 * max(1e-300, sizes[0])]


def _sentence(way: Way, plane: Plane) -> Sentence:
    gone = way.gone
    square = float(gone @ gone)
    words = way.trace.labels.words["T"]

    def pull(position: int, word: str, vector: np.ndarray, place: np.ndarray) -> Pull:
        along = float(vector @ gone) / square if square else 0.0
        return Pull(position, word, float(np.linalg.norm(vector)), along, plane.seen(vector), place_of(place))

    def place_of(vector: np.ndarray) -> tuple[float, float]:
        return plane.seen(vector - plane.origin)

    pulls = [pull(i, words[i], way.pulls[i], way.places[i]) for i in range(len(words))]
    rest = pull(-1, "rest", gone - way.pulls.sum(axis=0), way.static)
    shown = plane.axes @ gone
    return Sentence(
        words,
        way.position,
        place_of(way.static),
        place_of(way.contextual),
        square**0.5,
        float(shown @ shown) / square if square else 1.0,
        tuple(pulls),
        rest,
    )
