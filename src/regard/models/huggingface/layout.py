"""A layout of theirs as a table: which tensor holds which of our parameters, and in which order of axes.

A row such as `Row("model.layers.{layer}.self_attn.q_proj.weight", "HD,C", "layer{layer}.W_Q")` says: their tensor has
two axes, the first is our H and D run together, the second our C. Both directions use the same row.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from regard.attending.positions import LearnedPositions
from regard.models.parameters import Arrays, Parameters, shapes
from regard.models.parts import LayerNorm, NoNorm, Shapes
from regard.models.settings import Settings


@dataclass(frozen=True, init=False)
class Row:
    """One tensor of theirs. Several parameters of ours lie side by side along its last axis, each with its own axes."""

    theirs: str
    ours: tuple[tuple[str, tuple[str, ...]], ...]  # a name, and their axes as the letters of ours that run together

    def __init__(self, theirs: str, axes: str, *names: str):
        object.__setattr__(self, "theirs", theirs)
        object.__setattr__(self, "ours", tuple((n, tuple(a.split(","))) for n, a in zip(names, axes.split(" "))))

    along: ClassVar[int] = -1  # the axis of theirs along which ours lie side by side

    @property
    def axes(self) -> str:
        return " ".join(",".join(axes) for _, axes in self.ours)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.ours)

    def of(self, layer: int) -> "Row":
        return type(self)(
            self.theirs.format(layer=layer), self.axes, *(name.format(layer=layer) for name in self.names)
        )

    def shape(self, wanted: Shapes) -> tuple[int, ...]:
        """The shape of their tensor, when our parameters have these."""
        parts = self._parts(wanted)
        whole = list(parts[0])
        whole[self.along] = sum(part[self.along] for part in parts)
        return tuple(whole)

    def fits(self, wanted: Shapes) -> bool:
        """Whether a model has these parameters, with these axes."""
        return all(name in wanted and set("".join(axes)) == set(wanted[name][0]) for name, axes in self.ours)

    def to_ours(self, tensor: np.ndarray, wanted: Shapes) -> Arrays:
        """
        >>> row = Row("c", "C,HD C,GD", "a", "b")
        >>> wanted = {"a": ("HCD", (2, 1, 3)), "b": ("GCD", (1, 1, 3))}
        >>> {name: array.tolist() for name, array in row.to_ours(np.arange(9).reshape(1, 9), wanted).items()}
        {'a': [[[0, 1, 2]], [[3, 4, 5]]], 'b': [[[6, 7, 8]]]}
        """
        ends = np.cumsum([part[self.along] for part in self._parts(wanted)])
        result: Arrays = {}
        for (name, theirs), part in zip(self.ours, np.split(tensor, ends[:-1], axis=self.along)):
            axes, shape = wanted[name]
            letters, sizes = "".join(theirs), dict(zip(axes, shape))
            apart = part.reshape([sizes[letter] for letter in letters])
            result[name] = np.transpose(apart, [letters.index(letter) for letter in axes])
        return result

    def to_theirs(self, arrays: Parameters, wanted: Shapes) -> np.ndarray:
        """
        >>> Row("c", "HD,C", "a").to_theirs({"a": np.arange(6).reshape(2, 1, 3)}, {"a": ("HCD", (2, 1, 3))}).tolist()
        [[0], [1], [2], [3], [4], [5]]
        """
        parts: list[np.ndarray] = []
        for (name, theirs), shape in zip(self.ours, self._parts(wanted)):
            order = [wanted[name][0].index(letter) for letter in "".join(theirs)]
            parts.append(np.transpose(arrays[name], order).reshape(shape))
        return np.concatenate(parts, axis=self.along)

    def _parts(self, wanted: Shapes) -> list[list[int]]:
        """The shape that each parameter has in their order of axes."""
        sizes = [dict(zip(*wanted[name])) for name in self.names]
        return [[math.prod(size[x] for x in axis) for axis in axes] for size, (_, axes) in zip(sizes, self.ours)]


# parts that few layouts have; one that has them says so itself
ORDINARY: dict[str, Any] = {
    "window": 0,
    "looking": (),
    "head_norm": NoNorm(),
    "word_width": 0,
    "output_bias": False,
    "scaling_width": 0,
    "cap": None,
    "logit_cap": None,
    "embedding_scale": 1.0,
    "arrangement": "in turn",
}


class Stacked(Row):
    """One tensor of theirs that holds several parameters one below the other, along its first axis."""

    along: ClassVar[int] = 0


class Woven(Row):
    """One tensor of theirs that holds several parameters head by head: all of the first head, then of the second.

    >>> row = Woven("c", "HD,C GD,C", "a", "b")
    >>> wanted = {"a": ("HCD", (2, 1, 2)), "b": ("GCD", (2, 1, 2))}
    >>> {name: array.tolist() for name, array in row.to_ours(np.arange(8).reshape(8, 1), wanted).items()}
    {'a': [[[0, 1]], [[4, 5]]], 'b': [[[2, 3]], [[6, 7]]]}
    """

    def shape(self, wanted: Shapes) -> tuple[int, ...]:
        first, *rest = self._parts(wanted)[0]
        return (len(self.ours) * first, *rest)

    def to_ours(self, tensor: np.ndarray, wanted: Shapes) -> Arrays:
        result: Arrays = {}
        for number, (name, theirs) in enumerate(self.ours):
            axes, shape = wanted[name]
            letters, sizes = "".join(theirs), dict(zip(axes, shape))
            apart = tensor.reshape(sizes[letters[0]], len(self.ours), *(sizes[letter] for letter in letters[1:]))
            result[name] = np.transpose(apart[:, number], [letters.index(letter) for letter in axes])
        return result

    def to_theirs(self, arrays: Parameters, wanted: Shapes) -> np.ndarray:
        parts: list[np.ndarray] = []
        for name, theirs in self.ours:
            order = [wanted[name][0].index(letter) for letter in "".join(theirs)]
            parts.append(np.transpose(arrays[name], order))
        return np.stack(parts, axis=1).reshape(self.shape(wanted))


def with_biases(settings: Settings) -> Settings:
    """The same model with biases: an absent one is a bias of 0."""
    norms = {name: getattr(settings, name) for name in ("norm", "embedding_norm")}
    biased = {name: replace(norm, bias=True) for name, norm in norms.items() if isinstance(norm, LayerNorm)}
    return replace(settings, biases=True, **biased)


def from_the_first(settings: Settings) -> LearnedPositions:
    """Learned positions as most layouts have them: the first word has the first row."""
    known = settings.positions
    return replace(known, offset=0) if isinstance(known, LearnedPositions) else LearnedPositions(settings.max_tokens)


def _as_they_are(settings: Settings) -> Settings:
    return settings


@dataclass(frozen=True, eq=False)
class Layout:
    """One architecture of theirs: its names, its config.json, and the settings of ours that it can hold."""

    model_type: str
    said: str  # what people call it
    architecture: str  # their class that reads a folder we wrote
    prefix: str  # of their names; a folder saved without a task on top lacks it
    table: tuple[Row, ...]
    ignored: tuple[str, ...]  # parts of names that hold nothing learned, or serve other tasks
    settings: Callable[[Mapping[str, Any]], Settings]  # what a config.json means
    config: Callable[[Settings], dict[str, Any]]  # and the other way
    nearest: Callable[[Settings], Settings]  # what the layout would hold in place of these settings
    filled: Callable[[Settings], Settings] = _as_they_are  # with what the layout always has, which may be 0
    copies: tuple[str, ...] = ("lm_head.weight",)  # what repeats the embeddings where one table serves both
    mask: str = "causal"
    classes: Callable[[Mapping[str, Any]], tuple[str, ...]] | None = None  # what it answers with; None: with words

    def rows(self, settings: Settings) -> Iterator[Row]:
        """The tensors of a model with these settings."""
        wanted = shapes(settings)
        for row in self.table:
            for layer in range(settings.layers) if "{layer}" in row.theirs else (0,):
                found = row.of(layer)
                if found.fits(wanted):
                    yield found

    def to_theirs(self, settings: Settings, arrays: Parameters) -> Arrays:
        """Every tensor by their name, in single precision."""
        filled = self.filled(settings)
        wanted = shapes(filled)
        whole = {name: arrays[name] if name in arrays else np.zeros(shape) for name, (_, shape) in wanted.items()}
        return {
            row.theirs: np.ascontiguousarray(row.to_theirs(whole, wanted), dtype=np.float32)
            for row in self.rows(filled)
        }
