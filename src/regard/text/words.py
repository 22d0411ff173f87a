"""Tokens for toys: the words and signs of a text, as they are written."""

import hashlib
import re

import numpy as np

WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]", re.UNICODE)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")


def words_of(text: str) -> list[str]:
    """
    >>> words_of("The cat didn't sit.")
    ['The', 'cat', "didn't", 'sit', '.']
    """
    found = WORD.findall(CONTROL.sub(" ", text))
    if not found:
        raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
    return found


def fresh_vector(word: str, width: int) -> np.ndarray:
    """A vector for a word that a toy does not know: from the SHA-256 of the word, so it is the same everywhere.

    >>> fresh_vector("zebra", 2).tolist()
    [0.1, 0.1]
    """
    numbers: list[float] = []
    while len(numbers) < width:
        digest = hashlib.sha256(f"{word}/{len(numbers)}".encode()).digest()
        numbers += [round(0.1 + 0.8 * byte / 255, 1) for byte in digest]
    return np.array(numbers[:width])
