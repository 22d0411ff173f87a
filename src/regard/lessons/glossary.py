"""The vocabulary, and what to read: data in glossary.toml and reading.toml, here as values."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from regard.suggestions import NotFound, suggestion

STAGES = (
    "embed", "project", "score", "scale", "weights", "mix", "heads", "logits", "predict", "loss", "blame", "update",
)  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A word as we use it: one sentence, what others call it, and where it lives."""

    name: str
    says: str
    others: tuple[str, ...]
    stage: int | None = None
    lives: str = ""

    @property
    def where(self) -> str:
        """
        >>> word("scores").where, word("cell").where
        ('stage 3, score', 'in a trace')
        """
        return self.lives if self.stage is None else f"stage {self.stage}, {STAGES[self.stage - 1]}"


@dataclass(frozen=True)
class Text:
    """A paper, a page or a film, by name and year."""

    name: str
    by: str
    year: int
    about: str
    lessons: tuple[str, ...]


@cache
def glossary() -> tuple[Word, ...]:
    """Every word, in the order in which a run meets it."""
    return tuple(Word(**{**entry, "others": tuple(entry["others"])}) for entry in _read("glossary")["word"])


@cache
def reading() -> tuple[Text, ...]:
    """What to read, the oldest first."""
    texts = (Text(**{**entry, "lessons": tuple(entry["lessons"])}) for entry in _read("reading")["text"])
    return tuple(sorted(texts, key=lambda text: (text.year, text.name)))


def reading_for(lesson: str) -> tuple[Text, ...]:
    return tuple(text for text in reading() if lesson in text.lessons)


def word(name: str) -> Word:
    """A word by our name for it, or by somebody else's.

    >>> word("d_k").name, word("top-p").name
    ('head_width', 'mass')
    """
    wanted = name.strip().casefold()
    for found in glossary():
        if found.name.casefold() == wanted:
            return found
    for found in glossary():
        if wanted in (other.casefold() for other in found.others):
            return found
    known = [known for entry in glossary() for known in (entry.name, *entry.others)]
    raise NotFound(f"no word {name!r} in the glossary; {suggestion(name, known)}")


def _read(name: str) -> dict[str, list[dict]]:
    return tomllib.loads(files("regard.lessons").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
