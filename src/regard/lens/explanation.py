"""Everything one screen says about a run, as numbers: the twelve stages, importance, blame, an update, findings."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from regard.lens.blame import Differences, finite_differences, roles
from regard.lens.contributions import Component, Contributions, contributions
from regard.lens.findings import findings
from regard.lens.heads import chosen_head, leading_head
from regard.lens.importance import Importance, importance
from regard.trace import Trace

LEFT_OUT_ONE_BY_ONE = 64  # words up to which the run is repeated without each of them


@dataclass(frozen=True)
class Reading:
    """One word on the way to its weight."""

    word: str
    position: int
    visible: bool
    score: float
    scaled: float
    biased: float | None
    exp: float
    weight: float
    importance: Importance


@dataclass(frozen=True)
class Candidate:
    word: str
    logit: float
    probability: float


@dataclass(frozen=True)
class Learning:
    """Blame and one update: what the loss asks for, and what following it once does."""

    loss: float
    loss_of_guessing: float
    score_blame: tuple[float, ...] | None  # None where an edit or a pin lets no gradient reach the scores
    roles: dict[str, float]
    differences: Differences | None  # None where they were not taken, or cannot be
    rate: float
    next_loss: float
    next_predicted: str
    next_probabilities: dict[str, float]
    next_weights: tuple[float, ...]

    def data(self) -> dict[str, Any]:
        """Names and numbers, and how finite differences compare."""
        found = {name: value for name, value in asdict(self).items() if name != "differences"}
        seen = self.differences
        told = {"error": None, "rounding": None, "agrees": None}
        if seen is not None:
            told = {"error": seen.error, "rounding": seen.rounding, "agrees": seen.agree}
        return {**found, **{f"finite_difference_{name}": value for name, value in told.items()}}


@dataclass(frozen=True)
class Explanation:
    """A run, measured for a screen. `component` is the head shown: a chosen one, or the one that moves logits most."""

    trace: Trace
    query: int
    component: Component
    contributions: Contributions
    readings: tuple[Reading, ...]
    total: float
    context: tuple[float, ...]
    candidates: tuple[Candidate, ...]
    target: str | None
    learning: Learning | None
    findings: tuple[str, ...]

    @property
    def predicted(self) -> str:
        return self.candidates[int(np.argmax([c.probability for c in self.candidates]))].word

    @property
    def layer(self) -> str:
        return self.component.layer

    @property
    def leading(self) -> Component:
        """The head that moves the logits most, whichever is shown."""
        return leading_head(self.trace, self.contributions)

    @property
    def query_word(self) -> str:
        return self.trace.labels.plain("Q", self.query)

    def data(self) -> dict[str, Any]:
        """For --json: names and numbers of everything shown."""
        readings = [{k: v for k, v in asdict(r).items() if k != "importance"} for r in self.readings]
        for row, reading in zip(readings, self.readings):
            found = reading.importance
            row |= {"sent_size": found.sent_size, "contribution": found.contribution}
            row |= {"without": found.without, "without_difference": found.without_difference}
        return {
            **self.trace.info,
            "predicted": self.predicted,
            "layer": self.layer,
            "head": self.component.head,
            "readings": readings,
            "total": self.total,
            "context": list(self.context),
            "difference": {
                "first": self.contributions.first,
                "second": self.contributions.second,
                "of_logits": self.contributions.difference,
            },
            "components": [{"name": c.name, "contribution": c.contribution} for c in self.contributions.components],
            "rest": self.contributions.rest,
            "held_fixed": list(self.contributions.held_fixed),
            "candidates": [asdict(c) for c in self.candidates],
            "learning": self.learning.data() if self.learning else None,
            "findings": list(self.findings),
            "edits": [e.data() for e in self.trace.edits],
        }


def explanation(
    trace: Trace,
    rate: float | None = None,
    check: bool = True,
    leave_out: int = LEFT_OUT_ONE_BY_ONE,
    layer: int | None = None,
    head: int | None = None,
) -> Explanation:
    """Measure a run. With a target word, also its blame and one update, at a rate that suits it or at a given one.

    Up to `leave_out` words are left out one by one. `layer` and `head` choose the head that is shown, from 0; without
    them it is the one that moves the prediction most.
    """
    probabilities, logits = trace.array("probabilities"), trace.array("logits")
    words = trace.labels.words["V"]
    candidates = tuple(Candidate(*c) for c in zip(words, logits.tolist(), probabilities.tolist()))
    target = words[int(trace.array("target"))] if "target" in trace.steps else None
    pair = contributions(trace, *rivals(candidates, target))
    component = chosen_head(trace, pair, layer, head)
    rows = importance(trace, component, pair, leave_out=len(trace.labels.words["K"]) <= leave_out)
    of_layer, of_head = component.layer, component.head or 0
    query = int(trace.array("query"))
    learning = _learning(trace.backward(), component, query, rate, check) if target is not None else None
    return Explanation(
        trace,
        query,
        component,
        pair,
        tuple(_readings(trace, of_layer, of_head, query, rows)),
        float(trace.array(f"{of_layer}.total")[of_head, query]),
        tuple(trace.array(f"{of_layer}.context")[of_head, query].tolist()),
        candidates,
        target,
        learning,
        findings(trace, rows, learning),
    )


def rivals(candidates: Sequence[Candidate], target: str | None) -> tuple[str, str]:
    """The two words to compare: the target and the prediction, or the two most probable."""
    ranked = sorted(candidates, key=lambda c: -c.probability)
    if target is None:
        return ranked[0].word, ranked[1].word if len(ranked) > 1 else ranked[0].word
    rival = next((c.word for c in ranked if c.word != target), target)
    return target, rival


def _readings(trace: Trace, layer: str, head: int, query: int, rows: Sequence[Importance]) -> list[Reading]:
    def row(name: str) -> np.ndarray | None:
        step = trace.steps.get(f"{layer}.{name}")
        return None if step is None else step.value[head, query]

    visible = np.broadcast_to(trace.array("visible"), trace.array(f"{layer}.weights").shape)[head, query]
    columns = {name: row(name) for name in ("scores", "scaled", "biased", "exps", "weights")}

    def at(name: str, position: int) -> float:
        values = columns[name]
        assert values is not None
        return float(values[position])

    return [
        Reading(
            r.word,
            r.position,
            bool(visible[r.position]),
            at("scores", r.position),
            at("scaled", r.position),
            None if columns["biased"] is None else at("biased", r.position),
            at("exps", r.position),
            at("weights", r.position),
            r,
        )
        for r in rows
    ]


def suiting_rate(loss: float, gradient: float) -> float:
    """A power of ten, at most 0.1, at which the loss should fall by no more than half of itself.

    One update lowers the loss by about rate · gradient², as long as that is little.

    >>> suiting_rate(loss=1.3, gradient=0.9), suiting_rate(loss=9.5, gradient=130.0)
    (0.1, 0.0001)
    """
    most = 0.5 * loss / gradient**2 if gradient else 0.1
    return 0.1 if not 0 < most < 0.1 else 10.0 ** math.floor(math.log10(most))


def _learning(trace: Trace, component: Component, query: int, rate: float | None, check: bool) -> Learning:
    layer, head = component.layer, component.head or 0
    blamed = roles(trace)
    if rate is None:
        rate = suiting_rate(float(trace.array("loss")), math.hypot(*blamed.values()))
    blame = trace.steps.get(f"{layer}.masked.grad")
    after = trace.update(rate)
    probabilities = after.array("probabilities")
    words = trace.labels.words["V"]
    return Learning(
        float(trace.array("loss")),
        float(np.log(len(words))),
        None if blame is None else tuple(blame.value[head, query].tolist()),
        blamed,
        finite_differences(trace) if check else None,
        rate,
        float(after.array("loss")),
        after.predicted,
        dict(zip(words, probabilities.tolist())),
        tuple(after.array(f"{layer}.weights")[head, query].tolist()),
    )
