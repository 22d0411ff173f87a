"""A transformer with its numbers and its words: what `regard explain` runs."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from regard.attending.masks import mask_named
from regard.models.cropping import TooLong
from regard.models.glass import Glass
from regard.models.parameters import Parameters, checked, wide_enough
from regard.models.settings import Settings
from regard.models.tasks import NextWord, Question, Task
from regard.models.transformer import next_word, transformer
from regard.ops.narrow import Numbers
from regard.suggestions import NotFound, suggestion
from regard.text.tokenizer import END, Tokenizer, Words
from regard.text.words import fresh_vector, one_string
from regard.trace import Labels, Trace


@dataclass(frozen=True, eq=False)
class Model:
    """Settings, parameters, the words it reads and writes, and what a reader should know about it."""

    name: str
    title: str
    settings: Settings
    parameters: Parameters
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    mask: str = "causal"
    notes: tuple[str, ...] = ()
    lesson: str | None = None  # whose claims apply to a run of it
    sentence: str = ""  # what it is shown with by default
    next: str | None = None
    query: str | None = None  # the word that predicts where nobody names one; by default the last
    names: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )  # of places along further axes
    fresh: tuple[str, ...] = field(default=())  # words that were just given vectors
    tokenizer: Tokenizer = field(default_factory=Words)
    task: Task = field(default_factory=NextWord)
    is_found_again: bool = False  # whether its name gives the same numbers later: a saved run need not hold them
    end: str = END  # the word that ends a text

    @property
    def by_word(self) -> Mapping[str, np.ndarray]:
        """Constants that are looked up by word, along each of their axes, under the name of their step."""
        return {}

    @cached_property
    def single(self) -> dict[str, np.ndarray]:
        """The parameters in single precision, as Plain reads them: half the bytes, so twice the words per second."""
        from regard.models.plain import laid_out  # here, not above: only writing on reads them

        return laid_out(checked(self.settings, self.parameters), np.float32)

    def run(
        self,
        text: str,
        next: str | None = None,
        mask: str | None = None,
        query: str | None = None,
        do: Glass | None = None,
    ) -> Trace:
        """Read a text and predict at `query` (by default the last word): what follows, or what is hidden.

        `do` carries it out; by default Glass.
        """
        query = unicodedata.normalize("NFC", query) if isinstance(query, str) else query
        question = self.asked(text, next, query)
        if len(question.words) > self.settings.max_tokens:
            raise TooLong(self.name, len(question.words), self.settings.max_tokens)
        return self.answering(question, mask, do)

    def as_written(self, text: str, mask: str | None = None, query: str | None = None) -> Trace:
        """The same with no word hidden: for a model that guesses hidden words, to see how it reads them all."""
        question = self.task.as_written(self.tokenizer.words(one_string(text)), query)
        if len(question.words) > self.settings.max_tokens:
            raise TooLong(self.name, len(question.words), self.settings.max_tokens)
        trace = self.answering(question, mask)
        return replace(trace, info={**trace.info, "as_written": True})

    def row(self, word: str) -> int | None:
        """The row of a word in the table it reads with, unless the word is not there or is several pieces."""
        written = self.tokenizer.one_word(one_string(word, "the word"))
        is_whole = written.strip("␣ ").casefold() == word.strip().casefold()
        return self._numbers.get(written) if is_whole else None

    def no_row(self, word: str) -> NotFound:
        """What to say of a word that has none."""
        written = self.tokenizer.one_word(one_string(word, "the word"))
        if written not in self._numbers:
            return NotFound(f"{self.name} has no vector for {word!r}; {suggestion(word, self.reads)}")
        return NotFound(self.in_pieces(word))

    def in_pieces(self, word: str) -> str:
        """What to say of a word that is several pieces here: the first, and words of one piece that look alike."""
        first = self.tokenizer.one_word(word)
        told = f"the first {first!r}" if first.strip("␣") else "the first only a space"
        whole = {read.casefold(): read for read in reversed(self.reads) if read.isalpha()}
        alike = [whole[each] for each in get_close_matches(word.casefold(), whole, n=4, cutoff=0.5)]
        known = (
            f"give a word of one piece; some that look alike: {', '.join(alike)}"
            if alike
            else "ask for a commoner word"
        )
        return f"{word!r} is several pieces to {self.name}, {told}; {known}"

    def table(self, word: str) -> tuple[Trace, str]:
        """The vectors of all words it reads, as a trace of nothing else, and how a word is written among them."""
        row = self.row(word)
        if row is None:
            raise self.no_row(word)
        do = Glass()
        E = wide_enough(self.parameters["E"])
        do.parameters({"E": ("IC", E)}, self.name if self.is_found_again else None)
        info = {"model": self.name, "title": self.title, "notes": list(self.notes), "tokens": []}
        return Trace(tuple(do.steps), Labels({"I": self.reads, **self.names}), info), self.reads[row]

    def asked(self, text: str, next: str | None = None, query: str | None = None) -> Question:
        """The tokens of a text, and what is asked about them."""
        next = next if next is None else one_string(next, "the next word")
        words = self.tokenizer.words(one_string(text))
        return self.task.asked(words, self._own_query(words) if query is None else query, next, self.tokenizer.one_word)

    def _own_query(self, words: Sequence[str]) -> str | None:
        """The word that predicts where nobody names one, as the text writes it: Apple for apple; None: the last."""
        if self.query is None or self.query in words:
            return self.query
        return next((word for word in words if word.casefold() == self.query.casefold()), None)

    def read(self, words: tuple[str, ...], next: str | None = None, mask: str | None = None) -> Trace:
        """The same for words that are already cut, asked at the last."""
        return self.answering(Question(words, len(words) - 1, next), mask)

    def answering(self, question: Question, mask: str | None = None, do: Glass | None = None) -> Trace:
        words = question.words
        model = self.knowing(words, question.answer)
        if question.notes:
            model = replace(model, notes=(*model.notes, *question.notes))
        labels = Labels({**dict.fromkeys("TQK", words), "I": model.reads, "V": model.writes, **model.names})
        return model.recorded(words, question.position, question.answer, mask or self.mask, labels, do)

    def recorded(
        self,
        words: Sequence[str],
        position: int,
        next: str | None,
        mask: str,
        labels: Labels,
        do: Glass | None = None,
    ) -> Trace:
        do = do or Glass()
        source = self.name if self.is_found_again and not self.fresh else None
        parameters = do.parameters(checked(self.settings, self.parameters), source)
        ids = [self._numbers[word] for word in words]
        x = transformer(do, ids, parameters, self.settings, mask_named(mask))
        target = None if next is None else self.writes.index(next)
        next_word(do, x, parameters, position, target, self.settings.logit_cap)
        info = self.info(words, position, next, mask)
        return Trace(tuple(do.steps), labels, info)

    def info(self, words: Sequence[str], position: int, next: str | None, mask: str) -> dict[str, Any]:
        return {
            "model": self.name,
            "title": self.title,
            "notes": list(self.notes),
            "tokens": list(words),
            "text": self.tokenizer.joined(self.task.written(words)),
            "query": position,
            "next": next,
            "mask": mask,
            "task": self.task.name,
            "fresh": list(self.fresh),
            "lesson": self.lesson,
            "own": {
                "text": self.sentence,
                "next": self.next,
                "mask": self.mask,
                **({} if self.query is None else {"query": self.query}),
            },
        }

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each word it reads: built once, since a large vocabulary takes a while."""
        return {word: i for i, word in enumerate(self.reads)}

    def knowing(self, words: Sequence[str], next: str | None) -> "Model":
        """The same model with fresh vectors for the words it does not know."""
        unread = [w for w in dict.fromkeys(words) if w not in self._numbers]
        unwritten = [next] if next is not None and next not in self.writes else []
        if not unread and not unwritten:
            return self
        if self.settings.tied:  # one table serves both
            unread = unwritten = list(dict.fromkeys([*unread, *unwritten]))
        arrays = dict(self.parameters)
        arrays["E"] = _with_rows(arrays["E"], unread)
        if not self.settings.tied:
            arrays["W_out"] = _with_rows(arrays["W_out"], unwritten)
        reads, writes = (*self.reads, *unread), (*self.writes, *unwritten)
        settings = replace(self.settings, reads=len(reads), writes=len(writes))
        fresh = tuple(dict.fromkeys([*unread, *unwritten]))
        return replace(self, settings=settings, parameters=arrays, reads=reads, writes=writes, fresh=fresh)


def _with_rows(table: Numbers, words: Sequence[str]) -> Numbers:
    if not words:
        return table
    known = np.asarray(table)
    return np.vstack([known, *(fresh_vector(word, known) for word in words)])
