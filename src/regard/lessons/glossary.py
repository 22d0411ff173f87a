"""The vocabulary, and what to read: data in glossary.toml and reading.toml, here as values."""

import re
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
    return meanings(name)[0]


def meanings(name: str) -> tuple[Word, ...]:
    """All that is called so, however it is spelled: our own word for it first, then what others may mean by it.

    >>> [found.name for found in meanings("Output projections")]
    ['W_O', 'W_out']
    """
    for found in glossary():
        if found.name.casefold() == name.strip().casefold():
            return (found,)  # head and heads are two words
    wanted = spelling(name)
    own = [found for found in glossary() if wanted == spelling(found.name)]
    called = [found for found in glossary() if found not in own and wanted in map(spelling, found.others)]
    if not own and not called:
        known = [known for entry in glossary() for known in (entry.name, *entry.others)]
        raise NotFound(f"no word {name!r} in the glossary; {suggestion(name, known)}")
    return (*own, *called)


def spelling(name: str) -> str:
    """One spelling for all of a name: capitals, spaces, hyphens, underscores, a plural and -ise for -ize do not count.

    >>> spelling("Cross-Entropy"), spelling("cross entropies"), spelling("Wq"), spelling("W_Q"), spelling("loss")
    ('crossentropy', 'crossentropy', 'wq', 'wq', 'loss')
    """
    bare = re.sub(r"[\s_\-–−/·]+", "", name.casefold()).replace("isation", "ization").replace("ise", "ize")
    for plural, one in {"matrices": "matrix", "ies": "y", "sses": "ss", "xes": "x", "ss": "ss", "s": ""}.items():
        if bare.endswith(plural) and len(bare) > 3:
            return bare.removesuffix(plural) + one
    return bare


def _read(name: str) -> dict[str, list[dict]]:
    return tomllib.loads(files("regard.lessons").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
