"""A worked example of the documents: a trace to look at, and every printed number as a claim."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regard.lens.who_reads import Readings
from regard.lessons.cards.card import Asked, Card
from regard.lessons.claim import Checked, Claim
from regard.models.glass import Glass
from regard.trace import Labels, Trace


@dataclass(frozen=True)
class Column:
    """What is read in every run: a cell by its address, or something measured. Columns of one panel are drawn on one
    scale, each as a line."""

    name: str
    read: Callable[[Trace], float]
    form: str = ".4f"  # as Python writes numbers
    panel: str = ""

    @classmethod
    def cell(cls, name: str, address: str, form: str = ".4f", panel: str = "") -> "Column":
        return cls(name, lambda run: float(run[address]), form, panel)


@dataclass(frozen=True)
class Frames:
    """Runs side by side, one a row: after each update, or at each width. `by` is what the name of a row says."""

    title: str
    runs: tuple[tuple[str, Trace], ...]
    columns: tuple[Column, ...]
    says: str = ""
    by: str = "update"

    def rows(self) -> list[tuple[str, list[float]]]:
        """Every run with its numbers."""
        return [(name, [column.read(run) for column in self.columns]) for name, run in self.runs]

    def data(self) -> dict[str, Any]:
        """What the page draws: every number, and how it is written."""
        return {
            "title": self.title,
            "says": self.says,
            "by": self.by,
            "columns": [{"name": column.name, "panel": column.panel} for column in self.columns],
            "rows": [
                {"name": name, "values": values, "written": [format(v, c.form) for v, c in zip(values, self.columns)]}
                for name, values in self.rows()
            ],
        }


@dataclass(frozen=True)
class Knob:
    """One number of a lesson that can be turned: its name, the run at another value, and what is read in that run."""

    name: str
    make: Callable[[int], Trace]
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """`make` builds the trace, `shows` names the steps to draw, `remarks` says what a reader should take away,
    `cards` ask before they show, `frames` are runs to compare: one after each update, or one at each width,
    `rankings` are heads of trained models, each with the model's name, `row` is the one word to look at, with
    at most so many `digits`."""

    name: str
    title: str
    documents: tuple[str, ...]
    idea: str
    make: Callable[[], Trace]
    shows: tuple[str, ...]
    claims: tuple[Claim, ...]
    remarks: Callable[[Trace], Sequence[str]]
    cards: tuple[Card, ...] = ()
    frames: Callable[[Trace], Sequence[Frames]] | None = None
    rankings: Callable[[], Sequence[tuple[str, Readings]]] | None = None
    knob: Knob | None = None
    row: str | None = None
    digits: int = 4

    def __post_init__(self) -> None:
        """Cards follow the documents, whatever order they are written in."""
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=lambda card: (card.at[0].number, card.at[1]))))

    def check(self, trace: Trace | None = None) -> list[Checked]:
        """Every claim with its verdict, in the order of the document."""
        trace = trace or self.make()
        checked = [c for claim in self.claims for c in claim.check(trace)]
        return sorted(checked, key=lambda c: (c.document, c.line))

    def ask(self, trace: Trace | None = None) -> list[Asked]:
        """Every card with its numbers: what is asked, the answer, and what each mistake gives."""
        trace = trace or self.make()
        return [card.put(trace) for card in self.cards]


def begun(name: str, title: str, do: Glass, words: Mapping[str, tuple[str, ...]], *notes: str) -> Trace:
    """The trace of a lesson that begins at numbers a document gives, not at a model's words."""
    tokens = list(words.get("K", words.get("T", ())))
    info = {"model": None, "title": title, "notes": list(notes), "tokens": tokens, "lesson": name}
    return Trace(tuple(do.steps), Labels(words), info)
