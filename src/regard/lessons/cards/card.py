"""One card of a lesson: where to look, what to predict, and what each usual mistake would have given.

A card holds no number. Its answer is a cell of the lesson's trace (or is measured on it), mistakes are rules, and texts
name cells in braces: "{weights[fox,fox]}" becomes 0.7500. So a card cannot be wrong about the trace that it speaks of.
"""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from regard.lessons.cards.mistakes import MISTAKES, Answer, Mistake, Question
from regard.lessons.documents import DOCUMENTS, Document
from regard.ops.notation import format_number
from regard.trace import Trace

Measure = Callable[[Trace], Answer]
Said = str | Callable[[Trace], str]  # a text that names cells, or one made of the run after the changes
Changes = tuple[dict[str, Any], ...]  # as in a State
DECIMALS = 4  # of numbers inside texts


@dataclass(frozen=True)
class Card:
    """`stage` is the one to look at, `changes` what showing the answer does to the run.

    `place` is the document and line that the card is about, "004:158".
    """

    title: str
    stage: int
    says: Said
    asks: Said
    answer: str | Measure  # an address, or something measured on the run after the changes
    hint: Said
    reveals: Said
    mistakes: tuple[str | Mistake, ...]
    place: str
    decimals: int = 2
    row: str | None = None  # the word whose row is opened
    head: int | None = None
    choices: str | tuple[str, ...] = ()  # what to choose from: words, or the letter of an axis
    veils: str | None = None  # the step that stays hidden until then; by default that of the answer
    changes: Changes | Callable[[Trace], Changes] = ()

    @property
    def at(self) -> tuple[Document, int]:
        number, _, line = self.place.partition(":")
        return DOCUMENTS[number], int(line)

    def put(self, trace: Trace) -> "Asked":
        """The card with its numbers, computed from a trace."""
        changes = self.changes(trace) if callable(self.changes) else self.changes
        after = changed(trace, changes)
        address = self.answer if isinstance(self.answer, str) else None
        question = Question(trace, after, address)
        answer = after[address] if address else self.answer(after)  # pyright: ignore[reportCallIssue]
        veils = self.veils or (after.cell(address).step.name if address else None)
        choices = trace.labels.words[self.choices] if isinstance(self.choices, str) else self.choices
        document, line = self.at
        return Asked(
            document=document.title,
            question=document.section_at(line).title,
            line=line,
            title=self.title,
            stage=self.stage,
            says=filled(self.says, trace, after),
            asks=filled(self.asks, trace, after),
            hint=filled(self.hint, trace, after),
            reveals=filled(self.reveals, trace, after),
            answer=answer if isinstance(answer, str) else float(answer),
            decimals=self.decimals,
            mistakes=tuple(Made(m.name, m.says, m.gives(question)) for m in map(_mistake, self.mistakes)),
            cell=_key(after, address) if address else None,
            row=None if self.row is None else trace.labels.position("Q", len(trace.labels.words["Q"]), self.row),
            head=self.head,
            choices=tuple(choices),
            veils=None if changes or veils is None else trace.step(veils).name,
            changes=changes,
        )


@dataclass(frozen=True)
class Made:
    """A mistake, and what it gives here."""

    name: str
    says: str
    value: Answer


@dataclass(frozen=True)
class Asked:
    """A card as it is shown: plain data for the page and the terminal."""

    document: str
    question: str  # the section of the document, or the question that it asks
    line: int
    title: str
    stage: int
    says: str
    asks: str
    hint: str
    reveals: str
    answer: Answer
    decimals: int
    mistakes: tuple[Made, ...]
    cell: str | None  # by positions, as the page writes it
    row: int | None
    head: int | None
    choices: tuple[str, ...]
    veils: str | None
    changes: Changes

    def data(self) -> dict[str, Any]:
        return asdict(self)

    def written(self, value: Answer) -> str:
        """A number, to as many decimals as the card asks for."""
        return value if isinstance(value, str) else f"{value:.{self.decimals}f}"


def changed(trace: Trace, changes: Changes) -> Trace:
    """A trace after changes, written as in a State."""
    for change in changes:
        match change:
            case {"kind": "edit", "cell": cell, "value": value}:
                trace = trace.edit(cell, value)
            case {"kind": "move", "cell": cell, "value": value}:
                trace = trace.move(cell, value)
            case {"kind": "pin", "step": step, "value": value}:
                trace = trace.pin(step, np.reshape(value, trace.step(step).shape))
            case {"kind": "update", "rate": rate}:
                for _ in range(change.get("times", 1)):
                    trace = trace.update(rate)
            case _:
                raise ValueError(f"unknown change {change!r}; choose edit, move, pin or update")
    return trace


def filled(text: Said, trace: Trace, after: Trace) -> str:
    """A text with its cells in place; `{after: …}` reads the run after the changes, `{… |2}` says how many decimals."""
    if callable(text):
        return text(after)

    def number(found: re.Match[str]) -> str:
        later, address, decimals = found.groups()
        run = after if later else trace
        if address == "predicted":
            return run.predicted
        value = float(run[address] if "[" in address else run.array(address))
        return f"{value:.{int(decimals)}f}" if decimals else format_number(value, DECIMALS)

    return re.sub(r"\{(after: )?([^{}|]+?)(?:\|(\d))?\}", number, text)


def _mistake(named: str | Mistake) -> Mistake:
    return MISTAKES[named] if isinstance(named, str) else named


def _key(trace: Trace, address: str) -> str:
    cell = trace.cell(address)
    return f"{cell.step.name}[{','.join(map(str, cell.at))}]" if cell.at else cell.step.name
