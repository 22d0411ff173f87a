"""How a model cuts a text: into words for toys, into pieces of a learned vocabulary for trained models."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from regard.text.words import one_word, words_of

END = "<|endoftext|>"  # follows every document
STOP, ENDS = ".", (".", "!", "?")  # the full stop; what a sentence may begin after
MASK = "[MASK]"  # stands for a hidden word, in models that guess hidden words


class Tokenizer(Protocol):
    """What `Model` asks of the way its text is cut."""

    def words(self, text: str) -> list[str]:
        """The tokens of a text, as a reader sees them and as the model's vocabulary lists them."""
        ...

    def joined(self, words: Sequence[str]) -> str:
        """The text that these tokens were cut from."""
        ...

    def one_word(self, text: str) -> str:
        """The token that a word given by hand means: the first of its pieces, where it has several."""
        ...


class Words:
    """The words and signs as they are written. Any word will do: the model makes a vector for one it does not know.

    >>> Words().words("The cat didn't sit.")
    ['The', 'cat', "didn't", 'sit', '.']
    """

    def words(self, text: str) -> list[str]:
        return words_of(text)

    def joined(self, words: Sequence[str]) -> str:
        return " ".join(words)

    def one_word(self, text: str) -> str:
        return one_word(text, "the next word")


class KnownWords(Words):
    """The words of a text as a toy knows them: a sentence may begin with a capital and end in a full stop that are no
    part of its words. Words that are known both with a capital and without stay two words.

    >>> KnownWords(["the", "cat", "sat"]).words("The cat sat.")
    ['the', 'cat', 'sat']
    >>> KnownWords(["apple", "Apple", "."]).words("Apple.")
    ['Apple', '.']
    """

    def __init__(self, known: Iterable[str]):
        self.known = frozenset(known)

    def words(self, text: str) -> list[str]:
        words = words_of(text)
        if len(words) > 1 and words[-1] == STOP != words[-2] and STOP not in self.known:
            words.pop()
        return [self._known(word) if before in ENDS else word for before, word in zip([STOP, *words], words)]

    def _known(self, word: str) -> str:
        small = word[:1].lower() + word[1:]
        return small if word not in self.known and small in self.known else word
