"""What became of a run when parts of another were put into it: one number for each part."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

PARTS = ("head", "layer", "word")
Tell = Callable[[int, int], None]  # so many are done, of so many
NEARLY_NOTHING = 1e-9  # a difference of the goal that is smaller cannot be shared out


class Part(NamedTuple):
    """One part that was put in, and the goal with it."""

    layer: int
    at: int  # the head, or the position of the word
    value: float  # the goal, in the run with this part of the other one
    effect: float  # the share of the difference between the runs that it makes: 0 nothing, 1 all of it


@dataclass(frozen=True, eq=False)
class Patched:
    """The goal is by how much one word's logit exceeds another's. `values[layer, part]` is the goal of the run with
    that part of the other; `effects` says which share of the whole difference that is."""

    words: tuple[str, str]
    own: float  # the goal of the run that was changed
    other: float  # of the run that the parts are from
    values: np.ndarray  # (layers, parts)
    by: str  # "head", "layer" or "word"
    names: tuple[str, ...]  # of the parts: 0, 1, … or the words

    @property
    def difference(self) -> float:
        return self.other - self.own

    @property
    def effects(self) -> np.ndarray:
        if abs(self.difference) < NEARLY_NOTHING:
            raise ValueError(
                f"both runs prefer {self.words[0]} to {self.words[1]} equally ({self.own:+.4f}): there is no "
                "difference to share out; choose two other words, words=(…, …)"
            )
        return (self.values - self.own) / self.difference

    def top(self, count: int = 5) -> list[Part]:
        """The parts that matter most, whichever way they pull."""
        parts = sorted(self, key=lambda part: -abs(part.effect))
        return parts[:count]

    def __iter__(self) -> Iterator[Part]:
        effects = self.effects
        for layer, at in np.ndindex(*self.values.shape):
            yield Part(layer, at, float(self.values[layer, at]), float(effects[layer, at]))

    def name(self, part: Part) -> str:
        return f"layer {part.layer}" + ("" if self.by == "layer" else f" {self.by} {self.names[part.at]}")

    def __str__(self) -> str:
        asked = " − ".join(self.words)
        lines = [f"{asked}: {self.own:+.4f}, in the other run {self.other:+.4f}"]
        lines += [f"  {'with its part':<24} {asked:<9}  of the difference"]
        width = max(9, len(asked))
        lines += [f"  {self.name(part):<24} {part.value:<+{width}.4f}  {part.effect:+.1%}" for part in self.top()]
        return "\n".join(lines)


def check_by(by: str) -> None:
    if by not in PARTS:
        raise ValueError(f"by expects {', '.join(PARTS[:-1])} or {PARTS[-1]}, got {by!r}")
