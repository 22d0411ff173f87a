"""How a model cuts a text: into words for toys, into pieces of a learned vocabulary for trained models."""

from collections.abc import Sequence
from typing import Protocol

from regard.text.words import one_word, words_of

END = "<|endoftext|>"  # follows every document
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
