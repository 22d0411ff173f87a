"""Everything one screen says about a run, as cells: the twelve stages, importance, blame, an update, findings.

Nothing is computed before it is looked at: a screen that does not show blame never runs the backward pass.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from regard.lens.blame import Differences, finite_differences, is_quick, roles
from regard.lens.contributions import Component, Contributions, contributions
from regard.lens.findings import Finding, findings
from regard.lens.heads import chosen_head, leading_head
from regard.lens.importance import Importance, importance
from regard.lens.learning import after_update
from regard.lens.together import largest
from regard.trace import Cell, Step, Trace
from regard.trace.expected import one_trace

ROUNDING = 1e-14  # of the largest blame of a weight: a score that gets less gets none
MOST_LOGITS = 6  # whose blame is told, of a large vocabulary
LEFT_OUT_ONE_BY_ONE = 64  # up to this many words, the run is repeated without each of them


@dataclass(frozen=True)
class Reading:
    """One word on the way to its weight, every number a cell."""

    word: str
    position: int
    visible: bool
    score: Cell | None  # None where a run begins at its weights, or at scores of which this is none
    scaled: Cell | None
    biased: Cell | None
    exp: Cell | None
    importance: Importance

    @property
    def weight(self) -> Cell:
        return self.importance.weight

    def data(self, trace: Trace) -> dict[str, Any]:
        found = self.importance
        cells = {
            "score": self.score,
            "scaled": self.scaled,
            "biased": self.biased,
            "exp": self.exp,
            "weight": self.weight,
            "sent_size": found.sent,
            "contribution": found.contribution,
            "without_difference": found.without_margin,
            "without_change": found.without_margin and Cell(trace.step("without.change"), found.without_margin.at),
        }
        return {
            "word": self.word,
            "position": self.position,
            "visible": self.visible,
            "score": None,
            "scaled": None,
            "biased": None,
            "exp": None,
            "sent_size": 0.0,
            "contribution": 0.0,
            "without_difference": None,
            "without_change": None,
            **_told(trace, cells),
            "without": found.without,
        }


@dataclass(frozen=True)
class Candidate:
    word: str
    logit: Cell
    probability: Cell

    def data(self, trace: Trace) -> dict[str, Any]:
        return {"word": self.word, **_told(trace, {"logit": self.logit, "probability": self.probability})}


@dataclass(frozen=True, eq=False)
class Vectors:
    """A vector for every word, in one head of a step."""

    step: Step
    head: int

    @property
    def size(self) -> int:
        return self.step.shape[-1]

    def of(self, position: int) -> tuple[Cell, ...]:
        return tuple(Cell(self.step, (self.head, position, place)) for place in range(self.size))


@dataclass(frozen=True, eq=False)
class Learning:
    """Blame and one update: what the loss asks for, and what following it once does."""

    trace: Trace
    layer: str
    head: int
    query: int
    checks: bool | None

    @property
    def chance(self) -> Cell:
        """The probability of the word that should follow."""
        return Cell(self.trace.steps["probabilities"], (int(self.trace.array("target")),))

    @property
    def loss(self) -> Cell:
        return self.trace.cell("loss")

    @property
    def guessing(self) -> Cell:
        return self.trace.cell("guessing")

    @property
    def words(self) -> Cell:
        """How many words somebody who guesses would guess among."""
        return self.trace.cell("guessing.words")

    def logit_blame(self, number: int) -> list[tuple[str, Cell]] | None:
        """The logits with the most blame, each with its word, in the order of the words; None where an edit or a pin
        lets no gradient reach them."""
        step, words = self.trace.steps.get("logits.grad"), self.trace.labels.words["V"]
        if step is None:
            return None
        return [(words[place], Cell(step, (place,))) for place in sorted(largest(np.abs(step.value), number))]

    def blame_of(self, name: str) -> tuple[Cell, ...] | None:
        """The blame of the row that predicts, in a step of the head shown: context, weights, scores or q."""
        step = self.trace.steps.get(f"{self.layer}.{name}.grad")
        return None if step is None else _row(self.trace, step.name, self.head, self.query)

    def blame_of_words(self, name: str) -> Vectors | None:
        """The blame of every word's vector as the head shown reads it: v or k; heads may share them."""
        step = self.trace.steps.get(f"{self.layer}.{name}.grad")
        heads = self.trace.steps[f"{self.layer}.weights"].shape[0]
        return None if step is None else Vectors(step, self.head * step.shape[0] // heads)

    @cached_property
    def score_blame(self) -> tuple[Cell, ...] | None:
        """The blame of every score q·k of the row; None where an edit or a pin lets no gradient reach them."""
        return self.blame_of("scores")

    @property
    def has_scores(self) -> bool:
        """Whether there are scores to blame: a run may begin at its weights."""
        return f"{self.layer}.scores" in self.trace.steps

    @property
    def rounding(self) -> float:
        """Below which the blame of a score is only rounding: exactly none is due to a weight that was set by hand."""
        return ROUNDING * max((abs(cell.value) for cell in self.blame_of("weights") or ()), default=0.0)

    @cached_property
    def roles(self) -> dict[str, Cell]:
        return roles(self.trace)

    @cached_property
    def differences(self) -> Differences | None:
        """The gradients beside finite differences; None where these were not asked for, or cannot be taken."""
        checks = is_quick(self.trace) if self.checks is None else self.checks
        return finite_differences(self.trace) if checks else None

    @property
    def rate(self) -> Cell:
        return self.trace.cell("after.rate")

    @property
    def next_loss(self) -> Cell:
        return self.trace.cell("after.loss")

    @cached_property
    def next_predicted(self) -> str:
        return after_update(self.trace).predicted

    def next_probability(self, word: str) -> Cell:
        return Cell(self.trace.step("after.probabilities"), (self.trace.labels.words["V"].index(word),))

    @property
    def next_weights(self) -> tuple[Cell, ...]:
        return _row(self.trace, f"{self.layer}.after.weights", self.head, self.query)

    def data(self) -> dict[str, Any]:
        """Names and numbers, and how finite differences compare."""
        blame, seen = self.score_blame, self.differences
        told = (None, None, None) if seen is None else (seen.error, seen.rounding, seen.agree)
        probabilities = self.trace.array("after.probabilities").tolist()
        cells = {"loss": self.loss, "loss_of_guessing": self.guessing, "rate": self.rate, "next_loss": self.next_loss}
        found, by_role = _told(self.trace, cells), _told(self.trace, self.roles)
        found["cells"]["roles"] = by_role.pop("cells")
        return {
            **found,
            "logit_blame": [
                {"word": word, "value": cell.value, "cell": self.trace.address_of(cell)}
                for word, cell in self.logit_blame(MOST_LOGITS) or ()
            ],
            "score_blame": None if blame is None else [cell.value for cell in blame],
            "roles": by_role,
            "next_predicted": self.next_predicted,
            "next_probabilities": dict(zip(self.trace.labels.words["V"], probabilities)),
            "next_weights": [cell.value for cell in self.next_weights],
            **{f"finite_difference_{name}": value for name, value in zip(("error", "rounding", "agrees"), told)},
        }


@dataclass(frozen=True, eq=False)
class Explanation:
    """A run, measured for a screen. `component` is the head shown: a chosen one, or the one that moves logits most."""

    trace: Trace
    contributions: Contributions
    component: Component
    leave_out: int
    checks: bool | None
    learns: bool = True

    @property
    def layer(self) -> str:
        return self.component.layer

    @property
    def head(self) -> int:
        return self.component.head or 0

    @property
    def query(self) -> int:
        return int(self.trace.array("query"))

    @property
    def query_word(self) -> str:
        return self.trace.labels.plain("Q", self.query)

    @property
    def predicted(self) -> str:
        return self.trace.predicted

    @property
    def target(self) -> str | None:
        return self.trace.labels.words["V"][int(self.trace.array("target"))] if "target" in self.trace.steps else None

    @property
    def leading(self) -> Component:
        """The head that moves the logits most, whichever head is shown."""
        return leading_head(self.trace, self.contributions)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        leave_out = len(self.trace.labels.words["K"]) <= self.leave_out
        return tuple(self._reading(found) for found in importance(self.trace, self.component, leave_out))

    def _reading(self, found: Importance) -> Reading:
        def cell(name: str) -> Cell | None:
            step = self.trace.steps.get(f"{self.layer}.{name}")
            return None if step is None else Cell(step, found.weight.at)

        visible = np.broadcast_to(self.trace.steps["visible"].value, found.weight.step.shape)
        table = self.trace.steps.get("given")  # of a toy that begins at scores: which of them there are
        given = table is None or bool(table.value[found.weight.at[-2:]])
        return Reading(
            found.word,
            found.position,
            given and bool(visible[found.weight.at]),
            cell("scores") if given else None,
            cell("scaled") if given else None,
            cell("biased"),
            cell("exps"),
            found,
        )

    @property
    def whole(self) -> Cell:
        """What the row's weights make together: 1, unless somebody has set one."""
        return Cell(self.trace.step(f"{self.layer}.weights.sum"), (self.head, self.query))

    def strongest(self, number: int) -> list[Reading]:
        """The words that are read most, and the one that reads, in reading order."""
        best = sorted(self.readings, key=lambda r: (-r.weight.value, r.position))[:number]
        return sorted({r.position: r for r in [*best, self.readings[self.query]]}.values(), key=lambda r: r.position)

    def hidden_weight(self, number: int) -> Cell:
        """What all the others get together."""
        return Cell(self.trace.step(f"{self.layer}.weights.rest{number}"), (self.head,))

    @property
    def total(self) -> Cell:
        return Cell(self.trace.steps[f"{self.layer}.total"], (self.head, self.query))

    @property
    def shift(self) -> Cell | None:
        """What the scores of the row are lowered by before e is raised to them; None where nothing is."""
        step = self.trace.steps.get(f"{self.layer}.peak")
        cell = None if step is None else Cell(step, (self.head, self.query))
        return cell if cell is not None and cell.value else None

    @property
    def context(self) -> tuple[Cell, ...]:
        return _row(self.trace, f"{self.layer}.context", self.head, self.query)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        return self.trace.labels.words["V"]

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every word that could follow."""
        return tuple(map(self._candidate, range(len(self.vocabulary))))

    def likeliest(self, number: int) -> list[Candidate]:
        """The most probable words, and the target where it is none of them."""
        best = largest(self.trace.array("probabilities"), number)
        wanted = [] if self.target is None else [int(self.trace.array("target"))]
        return [self._candidate(place) for place in dict.fromkeys([*best, *wanted])]

    def unlikely(self, number: int) -> Cell:
        """What all the others have together."""
        return self.trace.cell(f"probabilities.rest{number}")

    def _candidate(self, place: int) -> Candidate:
        logits, probabilities = self.trace.steps["logits"], self.trace.steps["probabilities"]
        return Candidate(self.vocabulary[place], Cell(logits, (place,)), Cell(probabilities, (place,)))

    @cached_property
    def learning(self) -> Learning | None:
        if self.target is None or not self.learns:
            return None
        return Learning(self.trace, self.layer, self.head, self.query, self.checks)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return findings(self.trace, [r.importance for r in self.readings], self.learning)

    def data(self, most: int | None = None) -> dict[str, Any]:
        """Names and numbers of everything shown; of a vocabulary of more than `most` words, those most probable."""
        pair = self.contributions
        candidates = self.candidates if most is None or len(self.vocabulary) <= most else self.likeliest(most)
        hidden = len(self.vocabulary) - len(candidates)
        if self.readings[0].importance.without_margin is not None:
            self.trace.array("without.logits")  # all words at once: every one of them is told
        return {
            **self.trace.info,
            "predicted": self.predicted,
            "layer": self.layer,
            "head": self.component.head,
            "readings": [reading.data(self.trace) for reading in self.readings],
            "total": self.total.value,
            "context": [cell.value for cell in self.context],
            "difference": {
                "first": pair.first,
                "second": pair.second,
                "of_logits": pair.difference,
                "cell": self.trace.address_of(pair.margin),
            },
            "components": [
                {"name": c.name, "contribution": c.contribution, "cell": c.cell and self.trace.address_of(c.cell)}
                for c in pair.components
            ],
            "rest": pair.rest,
            "held_fixed": list(pair.held),
            "candidates": [candidate.data(self.trace) for candidate in candidates],
            **({"candidates_hidden": hidden} if hidden else {}),
            "learning": self.learning.data() if self.learning else None,
            "findings": list(map(str, self.findings)),
            "told": [finding.data(self.trace) for finding in self.findings],
            "edits": [e.data() for e in self.trace.edits],
        }


def explanation(
    trace: Trace,
    rate: float | None = None,
    check: bool | None = None,
    leave_out: int = LEFT_OUT_ONE_BY_ONE,
    layer: int | None = None,
    head: int | None = None,
    learns: bool = True,
) -> Explanation:
    """Measure a run; with a target word, also its blame and one update, at a given rate or one that suits it.

    `check` compares the gradients with finite differences; by default those of a toy, where it takes no time.
    Up to `leave_out` words are left out one by one. `layer` and `head` choose the head that is shown, from 0; by
    default it is the one that moves the prediction most. Unless it `learns`, what an update would change is left out.
    """
    one_trace(trace)
    if rate is not None:
        trace = replace(trace, rate=rate)
    if "loss" in trace.steps and trace.of is None:
        trace = trace.backward()
    pair = contributions(trace)
    return Explanation(trace, pair, chosen_head(trace, pair, layer, head), leave_out, check, learns)


def _row(trace: Trace, name: str, head: int, query: int) -> tuple[Cell, ...]:
    step = trace.step(name)
    return tuple(Cell(step, (head, query, i)) for i in range(step.shape[-1]))


def _told(trace: Trace, cells: Mapping[str, Cell | None]) -> dict[str, Any]:
    """Numbers by name, and under `cells` where each of them lives."""
    found = {name: cell for name, cell in cells.items() if cell is not None}
    values: dict[str, Any] = {name: cell.value for name, cell in found.items()}
    return {**values, "cells": {name: trace.address_of(cell) for name, cell in found.items()}}
