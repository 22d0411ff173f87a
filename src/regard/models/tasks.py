"""What a model is asked, as values: which word of a text answers, and what it answers with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from regard.suggestions import NotFound, suggestion
from regard.trace import Labels


@dataclass(frozen=True)
class Question:
    """The words that are read, the position that answers, the answer wanted, and what a reader should know."""

    words: tuple[str, ...]
    position: int
    answer: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class NextWord:
    """Which word follows the last one, or another one named."""

    name = "next"
    does_not_write: ClassVar[str | None] = None  # why it cannot say what follows; None if it can

    def asked(self, words: Sequence[str], query: Any, answer: str | None, one_word: Callable[[str], str]) -> Question:
        position = len(words) - 1 if query is None else place(words, query)
        return Question(tuple(words), position, *wanted(answer, one_word))

    def as_written(self, words: Sequence[str], query: Any) -> Question:
        """The same with nothing hidden: for looking at how a text is read, not for asking what is missing."""
        return self.asked(words, query, None, str)

    def written(self, words: Sequence[str]) -> Sequence[str]:
        """The words of a text as they were given: without what the task added."""
        return words


@dataclass(frozen=True)
class MaskedWord:
    """Which word is hidden. Where the text hides none, the named word (or the last) is hidden and asked for.

    >>> MaskedWord("[MASK]").asked(["the", "cat", "sat"], "cat", None, str)
    Question(words=('the', '[MASK]', 'sat'), position=1, answer='cat', notes=('"cat" was hidden, ...',))
    """

    mask: str
    around: tuple[str, ...] = ()  # what a tokenizer puts before and after every text

    name = "masked"
    does_not_write: ClassVar[str | None] = "guesses hidden words from both sides, not what follows"

    def asked(self, words: Sequence[str], query: Any, answer: str | None, one_word: Callable[[str], str]) -> Question:
        answer, notes = wanted(answer, one_word)
        hidden = [i for i, word in enumerate(words) if word == self.mask]
        if query is None and hidden:
            return Question(tuple(words), hidden[0], answer, notes)
        if query is None:
            query = max((i for i, word in enumerate(words) if word not in self.around), default=0)
        position = place(words, query)
        if words[position] == self.mask:
            return Question(tuple(words), position, answer, notes)
        note = f'"{words[position]}" was hidden, to be guessed from both sides; write {self.mask} to hide another word'
        covered = tuple(self.mask if i == position else word for i, word in enumerate(words))
        return Question(covered, position, answer or words[position], (note, *notes))

    def as_written(self, words: Sequence[str], query: Any) -> Question:
        last = max((i for i, word in enumerate(words) if word not in self.around), default=0)
        return Question(tuple(words), last if query is None else place(words, query), None)

    def written(self, words: Sequence[str]) -> Sequence[str]:
        return words


@dataclass(frozen=True)
class TextClass:
    """Which class a text belongs to: asked at the end of it, or of its first piece.

    >>> TextClass(None, ("bad", "good")).asked(["[CLS]", "fine", "[SEP]"], None, "good", str)
    Question(words=('[CLS]', 'fine', '[SEP]'), position=0, answer='good', notes=())
    """

    end: str | None  # the token that follows every text, and answers; None: the first of the text does, as in BERT
    classes: tuple[str, ...]

    name = "classify"
    does_not_write: ClassVar[str | None] = "says which class a text belongs to, not what follows"

    def asked(self, words: Sequence[str], query: Any, answer: str | None, one_word: Callable[[str], str]) -> Question:
        if answer is not None and answer not in self.classes:
            raise NotFound(f"no class {answer!r}; {suggestion(answer, self.classes)}")
        if query is not None:
            raise ValueError("a class is asked for of the whole text; leave out the query")
        return Question(*self._read(words), answer)

    def as_written(self, words: Sequence[str], query: Any) -> Question:
        read, answers = self._read(words)
        return Question(read, answers if query is None else place(read, query), None)

    def written(self, words: Sequence[str]) -> Sequence[str]:
        return words if self.end is None else words[:-1]

    def _read(self, words: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """The tokens that are read, and the place of the one that answers."""
        return (tuple(words), 0) if self.end is None else ((*words, self.end), len(words))


Task = NextWord | MaskedWord | TextClass


def wanted(answer: str | None, one_word: Callable[[str], str]) -> tuple[str | None, tuple[str, ...]]:
    """The token that is wanted, and a note where the given word has several."""
    if answer is None:
        return None, ()
    if not answer.strip():
        raise ValueError("the next word is empty; give one such as jumps, or leave it out")
    word = one_word(answer)
    same = answer.strip().casefold() in (word.casefold(), word.casefold().strip("…␣"))
    return word, () if same else (
        f'"{answer.strip()}" has several pieces here; the first, "{word}", is what is wanted',
    )


def place(words: Sequence[str], query: Any) -> int:
    """The position of a word named as in an address: by itself, by number, or as the@4."""
    return Labels({"Q": tuple(words)}).position("Q", len(words), str(query))
