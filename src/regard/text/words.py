"""Tokens for toys: the words and signs of a text, as they are written."""

import hashlib
import unicodedata

import numpy as np

JOINS = "'’-"  # inside a word: didn't, well-known
EMOJI_JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"


def words_of(text: str) -> list[str]:
    """Words with their apostrophes and accents; every other sign by itself; nothing invisible.

    >>> words_of("The cat didn't sit.")
    ['The', 'cat', "didn't", 'sit', '.']
    """
    if not isinstance(text, str):
        raise ValueError(f"a text is one string; {type(text).__name__} came")
    plain = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))
    words: list[str] = []
    previous = ""
    for here, character in enumerate(plain):
        following = plain[here + 1 : here + 2]
        if words and previous and _continues(words[-1], previous, character, following):
            words[-1] += character
        elif character.isspace() or _is_invisible(character):
            character = "" if character.isspace() or character not in (EMOJI_JOINER, EMOJI_STYLE) else character
        else:
            words.append(character)
        previous = character
    if not words:
        raise ValueError('the text has no words; write a sentence such as "The quick brown fox"')
    return words


def one_word(text: str, what: str) -> str:
    """A text that is a single word.

    >>> one_word(" jumps ", "the next word")
    'jumps'
    """
    words = words_of(text)
    if len(words) != 1:
        raise ValueError(f"{what} must be one word; {text!r} came")
    return words[0]


def _continues(word: str, previous: str, character: str, following: str) -> bool:
    """Whether a character belongs to the word before it."""
    if unicodedata.category(character).startswith("M") or character in (EMOJI_JOINER, EMOJI_STYLE):
        return True  # accents, vowel signs, skin tones and the parts of one emoji
    if previous == EMOJI_JOINER or unicodedata.name(character, "").startswith("EMOJI MODIFIER"):
        return True
    if not _is_letter(word[0]):
        return False
    return _is_letter(character) or (character in JOINS and _is_letter(previous) and _is_letter(following))


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn")


def fresh_vector(word: str, width: int) -> np.ndarray:
    """A vector for a word that a toy does not know: from the SHA-256 of the word, so it is the same everywhere.

    >>> fresh_vector("zebra", 2).tolist()
    [0.8, 0.6]
    """
    numbers: list[float] = []
    while len(numbers) < width:
        digest = hashlib.sha256(f"{word}/{len(numbers)}".encode()).digest()
        numbers += [round(0.1 + 0.8 * byte / 255, 1) for byte in digest]
    return np.array(numbers[:width])
