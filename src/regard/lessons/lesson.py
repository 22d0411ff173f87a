"""A worked example of the documents: a trace to look at, and every printed number as a claim."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from regard.lessons.cards.card import Asked, Card
from regard.lessons.claim import Checked, Claim
from regard.models.glass import Glass
from regard.trace import Labels, Trace


@dataclass(frozen=True)
class Lesson:
    """`make` builds the trace, `shows` names the steps to draw, `remarks` says what a reader should take away,
    `cards` ask before they show."""

    name: str
    title: str
    documents: tuple[str, ...]
    idea: str
    make: Callable[[], Trace]
    shows: tuple[str, ...]
    claims: tuple[Claim, ...]
    remarks: Callable[[Trace], Sequence[str]]
    cards: tuple[Card, ...] = ()

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
