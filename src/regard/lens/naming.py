"""Names for heads, where a detector is sure: previous word, first word, same word, induction, punctuation, broad.

A head is named for a habit (lens/habits.py) if it gives a large share to it, and many times what a head would give that
reads all alike. Below that it is unsure, or nothing is said: of untrained heads at most one in a hundred gets a name
(`python scripts/named_heads.py`). Names are looked for in a text and, since habits do not depend on a text, on random
words that are read twice: what follows an earlier copy of a word can be known there only by looking it up (induction,
Olsson et al. 2022). Untrained heads read broadly, all of them; so that is a name only where another head has a habit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regard.lens.attending import mixing
from regard.lens.habits import BROAD, followers
from regard.trace import Cell, Trace
from regard.trace.names import in_layer

WORDS = 24  # that are read twice
LEAST_WORDS = 16  # that could follow a habit; fewer say nothing
LEAST_VOCABULARY = 2 * WORDS


@dataclass(frozen=True)
class Detector:
    """What a head is called that follows a habit: from which share on, and from how many times an even reader's."""

    name: str
    says: str
    share: float
    times: float
    nothing: float = 0.0  # the share from which on it is counted


DETECTORS = {
    "first": Detector("first word", "reads the first word, a place to rest", 0.4, 3),
    "previous": Detector("previous word", "reads the word before", 0.4, 3),
    "two_back": Detector("two back", "reads the next-to-last word", 0.3, 3),
    "same": Detector("same word", "reads earlier copies of the word", 0.2, 4),
    "induction": Detector("induction", "reads what followed the word before", 0.2, 4),
    "punctuation": Detector("punctuation", "reads signs of punctuation", 0.4, 2.5),
}
ALMOST = 0.65  # of what makes sure: unsure
BROADLY = Detector("broad", "reads widely, all words nearly alike", 0.85, 0.0, 0.7)  # of the entropy there can be


@dataclass(frozen=True)
class Finding:
    """A habit of a head: its share, that of an even reader, and whether they are enough for a name."""

    layer: int
    head: int
    habit: str
    detector: Detector
    share: Cell
    evenly: Cell
    strength: float  # 1: just enough
    trace: Trace
    where: str

    @property
    def sure(self) -> bool:
        return self.strength >= 1

    @property
    def name(self) -> str:
        return self.detector.name

    def data(self) -> dict[str, Any]:
        cells = {"share": self.share, "evenly": self.evenly}
        return {
            "habit": self.habit,
            "name": self.name,
            "sure": self.sure,
            "says": self.detector.says,
            "where": self.where,
            **{name: {"value": cell.value, "cell": self.trace.address_of(cell)} for name, cell in cells.items()},
        }


def random_words(vocabulary: Sequence[str], seed: int = 0) -> tuple[str, ...]:
    """Whole words in no order, read twice; none if a model knows too few.

    >>> words = random_words([f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"])
    >>> len(words), words[:2] == words[24:26]
    (48, True)
    """
    whole = [word for word in vocabulary if word.isalpha() and word.islower() and len(word) > 2]
    if len(whole) < LEAST_VOCABULARY:
        return ()
    chosen: list[int] = np.random.default_rng(seed).choice(len(whole), WORDS, replace=False).tolist()
    return tuple(whole[place] for place in chosen) * 2


def findings_of(trace: Trace, where: str) -> list[Finding]:
    """The habits of every head that are enough for a name, or almost, the strongest first."""
    made = trace.measure("reads")
    found: list[Finding] = []
    for habit, detector in ({**DETECTORS, BROAD: BROADLY}).items():
        if followers(trace, habit) < LEAST_WORDS:
            continue
        evenly = Cell(made[f"reads.{habit}.evenly"], ())
        for number, layer in enumerate(mixing(trace)):
            step = made[in_layer(layer, f"reads.{habit}")]
            for head in range(step.shape[0]):
                share = Cell(step, (head,))
                strength = float(strength_of(detector, share.value, evenly.value))
                if strength >= ALMOST:
                    found.append(Finding(number, head, habit, detector, share, evenly, strength, trace, where))
    return sorted(found, key=lambda one: (one.layer, one.head, -one.strength))


def strength_of(detector: Detector, share: Any, evenly: Any) -> Any:
    """How far a share is on the way to a name, or many shares; 1 is enough."""
    way = (share - detector.nothing) / (detector.share - detector.nothing)
    return np.minimum(way, share / (detector.times * evenly)) if detector.times else way


@dataclass(frozen=True)
class NamedHead:
    """One head and what it is called: the strongest habit of which a detector is sure, or else almost."""

    layer: int
    head: int
    findings: tuple[Finding, ...]

    @property
    def best(self) -> Finding | None:
        return self.findings[0] if self.findings else None

    @property
    def name(self) -> str | None:
        """None where nothing is sure."""
        return self.best.name if self.best is not None and self.best.sure else None

    def data(self) -> dict[str, Any]:
        told = [one.data() for one in self.findings]
        return {"layer": self.layer, "head": self.head, "name": self.name, "findings": told}


def named_heads(*runs: tuple[str, Trace]) -> list[NamedHead]:
    """Every head of a model, by the runs that it is watched in: where, and the trace of it. A habit counts where it is
    strongest; among habits, one that says more goes first: broad is a name for what has no other."""
    found = [finding for where, trace in runs for finding in findings_of(trace, where)]
    if not any(one.sure for one in found if one.habit != BROAD):
        found = [replace(one, strength=min(one.strength, ALMOST)) if one.habit == BROAD else one for one in found]
    first = runs[0][1]
    heads: list[NamedHead] = []
    for number, mix in enumerate(mixing(first).values()):
        for head in range(mix.inputs[0].shape[0]):
            own = [one for one in found if (one.layer, one.head) == (number, head)]
            strongest: dict[str, Finding] = {}
            for one in sorted(own, key=lambda one: (not one.sure, one.habit == BROAD, -one.strength)):
                strongest.setdefault(one.habit, one)
            heads.append(NamedHead(number, head, tuple(strongest.values())))
    return heads
