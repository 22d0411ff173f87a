"""The words nearest to a word, to a sum of words or to a vector, each with its cosine as a cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regard.trace import Cell, Trace


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest words, the nearest first, and what they are near to."""

    trace: Trace
    word: str
    words: tuple[str, ...]
    cosines: tuple[Cell, ...]
    rows: Sequence[int]  # of the table, as the trace's E holds them

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return ((word, cell.value) for word, cell in zip(self.words, self.cosines))

    def __len__(self) -> int:
        return len(self.words)

    def data(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "near": [
                {"word": word, "cosine": cell.value, "cell": self.trace.address_of(cell)}
                for word, cell in zip(self.words, self.cosines)
            ],
        }

    def __str__(self) -> str:
        return "\n".join(f"{word} {cosine:.3f}" for word, cosine in self)
