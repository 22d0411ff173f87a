"""Contextual gravity: where a word stands by itself, where a sentence moves it, and which word pulled how much.

A word's own vector is the same in every sentence. Each layer adds to it what the word reads: weight · value through
W_O, one vector for every word read. These are the pulls. They and the rest (MLP, positions, biases) sum to the whole
way exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.lens.streams import streams
from regard.suggestions import NotFound, suggestion
from regard.trace import Cell, Step, Trace

MOST_SENTENCES = 3  # that are compared in one plane


@dataclass(frozen=True)
class Pull:
    """What reading one word did: its size, how far it reaches along the way, and where both lie in the plane."""

    position: int
    word: str
    size: Cell
    along: Cell  # share of the way; all pulls and the rest sum to 1
    arrow: tuple[float, float]
    place: tuple[float, float]  # where the pulling word itself stands

    def data(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in ("position", "word", "arrow", "place")}
        cells = {"size": written(self.size), "along": written(self.along)}
        return {**plain, "size": self.size.value, "along": self.along.value, "cells": cells}


@dataclass(frozen=True)
class Sentence:
    words: tuple[str, ...]
    position: int
    static: tuple[float, float]
    contextual: tuple[float, float]
    way: Cell  # its length, in all dimensions
    in_plane: float  # the share of its square that the plane shows
    pulls: tuple[Pull, ...]
    rest: Pull
    trail: tuple[tuple[float, float], ...]  # where it stands after every layer

    def data(self) -> dict[str, Any]:
        names = ("words", "position", "static", "contextual", "in_plane", "trail")
        plain = {name: getattr(self, name) for name in names}
        found = {"way": self.way.value, "cell": written(self.way)}
        return {**plain, **found, "pulls": [pull.data() for pull in self.pulls], "rest": self.rest.data()}


@dataclass(frozen=True)
class Gravity:
    """Sentences around one word, seen in one plane. `exact` where the vectors have only two numbers."""

    word: str
    layer: str
    exact: bool
    sentences: tuple[Sentence, ...]

    def data(self) -> dict[str, Any]:
        """Names and numbers, and the addresses of those that open."""
        return {
            "word": self.word,
            "layer": self.layer,
            "exact": self.exact,
            "sentences": [sentence.data() for sentence in self.sentences],
        }


def gravity(traces: Sequence[Trace], word: str, layer: int | None = None) -> Gravity:
    """Where sentences move a word, after one layer (by default the last).

    >>> import regard
    >>> seen = gravity([regard.explain(text, model="fox") for text in ("The quick brown fox", "brown fox")], "fox")
    >>> [round(n, 4) for n in seen.sentences[0].static], [round(n, 4) for n in seen.sentences[0].contextual]
    ([0.8, 0.6], [0.66, 0.525])
    >>> round(sum(p.along.value for p in seen.sentences[0].pulls) + seen.sentences[0].rest.along.value, 9)
    1.0
    """
    if not traces:
        raise ValueError("gravity expects one to three traces of one model, got none")
    ways = [_way(trace, word, layer) for trace in traces]
    plane = _plane(ways)
    return Gravity(word, ways[0].layer, plane.exact, tuple(_sentence(way, plane) for way in ways))


@dataclass(frozen=True)
class Way:
    """From a word's own vector to the one it has in a sentence, in all dimensions."""

    trace: Trace
    layer: str
    position: int

    def step(self, name: str) -> Step:
        return self.trace.step(f"{self.layer}.gravity{self.position}.{name}")

    @property
    def own(self) -> np.ndarray:
        return self.places[self.position]

    @property
    def contextual(self) -> np.ndarray:
        return self.step("place").value

    @property
    def gone(self) -> np.ndarray:
        return self.step("way").value

    @property
    def pulls(self) -> np.ndarray:
        """(K, C); nothing pulls where the heads' reading was replaced by hand."""
        return self.step("pull").value if self.has_pulls else np.zeros_like(self.places)

    @property
    def has_pulls(self) -> bool:
        return f"{self.layer}.gravity{self.position}.pull" in self.trace.measure(f"gravity{self.position}")

    @property
    def places(self) -> np.ndarray:
        return self.trace.array("x")

    @property
    def trail(self) -> np.ndarray:
        """(layers, C): where the word stands after each layer."""
        heights = [stream.value for _, stream in streams(self.trace)[1:] if stream.shape == self.places.shape]
        return np.array([height[self.position] for height in heights])


def _way(trace: Trace, word: str, layer: int | None) -> Way:
    layers = [name for name, _ in streams(trace)[1:]]
    if layer is not None and not 0 <= layer < len(layers):
        raise NotFound(f"no layer {layer}; there are {len(layers)}, counted from 0")
    way = Way(trace, layers[-1 if layer is None else layer], _position(trace, word))
    if f"{way.layer}.gravity{way.position}.way" not in trace.measure(f"gravity{way.position}"):
        raise ValueError(f"{way.layer} differs in width from the words, so their places cannot be compared")
    return way


def written(cell: Cell) -> str:
    """An address by numbers, which holds whatever the words are."""
    return f"{cell.step.name}[{','.join(map(str, cell.at))}]" if cell.at else cell.step.name


def _position(trace: Trace, word: str) -> int:
    """Where a word stands: the last place, if it occurs several times; its last token, which has read the others."""
    along, whole = trace.labels.words["T"], trace.labels.whole("T")
    places = [i for i, w in enumerate(along) if w == word] or [
        tokens[-1]
        for w, tokens in whole
        if w.casefold() == word.casefold()  # Apple may begin a sentence
    ]
    if places:
        return places[-1]
    try:
        return trace.labels.position("T", len(along), word)  # an address such as the@4
    except NotFound:
        text, known = " ".join(w for w, _ in whole)[:200], [w for w, _ in whole]
        raise NotFound(f"the word {word!r} is not in {text!r}; {suggestion(word, known)}") from None


@dataclass(frozen=True)
class Plane:
    origin: np.ndarray
    axes: np.ndarray  # two rows
    exact: bool

    def seen(self, vector: np.ndarray) -> tuple[float, float]:
        a, b = (self.axes @ vector).tolist()
        return a, b


def _plane(ways: Sequence[Way]) -> Plane:
    """The plane in which the whole ways lie, as well as two dimensions allow: through the word's own place.

    It is laid by where the last layer leaves the word, whatever layer is looked at, so that layers can be compared.
    """
    width = len(ways[0].own)
    if width <= 2:
        return Plane(np.zeros(width), np.eye(2, width), True)
    origin = np.mean([way.own for way in ways], axis=0)
    ends = np.array([way.trail[-1] - origin for way in ways])
    axes = _principal(ends)
    # one sentence, or equal ones: the second axis shows what else its way through the layers has, or else the pulls
    for others in ([way.trail - origin for way in ways], [way.pulls for way in ways]):
        if len(axes) < 2:
            rows = np.concatenate(others)
            axes = np.concatenate([axes, _principal(rows - (rows @ axes.T) @ axes, 1e-9 * _largest(rows))])
    axes = np.concatenate([axes, np.zeros((2, width))])[:2]
    signs = [-1.0 if (along := ends @ axis)[np.argmax(np.abs(along))] < 0 else 1.0 for axis in axes]
    return Plane(origin, axes * np.array(signs)[:, None], False)


def _principal(rows: np.ndarray, least: float = 0.0) -> np.ndarray:
    """The directions of most square length, at most two, without those that are only rounding."""
    _, sizes, directions = np.linalg.svd(rows, full_matrices=False)
    return directions[:2][sizes[:2] > max(least, 1e-9 * max(1e-300, sizes[0]))]


def _largest(rows: np.ndarray) -> float:
    return float(np.linalg.norm(rows, axis=1).max())


def _sentence(way: Way, plane: Plane) -> Sentence:
    gone = way.gone
    square = float(gone @ gone)
    words = way.trace.labels.words["T"]

    def place_of(vector: np.ndarray) -> tuple[float, float]:
        return plane.seen(vector - plane.origin)

    def pull(position: int) -> Pull:
        size, along = (Cell(way.step(f"pull.{name}"), (position,)) for name in ("size", "along"))
        arrow, place = plane.seen(way.pulls[position]), place_of(way.places[position])
        return Pull(position, words[position], size, along, arrow, place)

    size, along = (Cell(way.step(f"rest.{name}"), ()) for name in ("size", "along"))
    rest = Pull(-1, "rest", size, along, plane.seen(gone - way.pulls.sum(axis=0)), place_of(way.own))
    shown = plane.axes @ gone
    return Sentence(
        words,
        way.position,
        place_of(way.own),
        place_of(way.contextual),
        Cell(way.step("way.size"), ()),
        float(shown @ shown) / square if square else 1.0,
        tuple(pull(i) for i in range(len(words))) if way.has_pulls else (),
        rest,
        tuple(place_of(place) for place in way.trail),
    )
