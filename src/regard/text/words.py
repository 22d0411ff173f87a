"""Tokens for toys: the words and signs of a text, as they are written."""

import hashlib
import os
import unicodedata
from collections.abc import Sized
from typing import Any

import numpy as np

JOINS = "'’-"  # inside a word: didn't, well-known
DRAWS = 64  # of a vector that no known word has
EMOJI_JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"


def one_string(text: Any, what: str = "the text") -> str:
    """A text as it is; for anything else, an error that says what to do about it.

    >>> one_string(["The", "fox"])
    Traceback (most recent call last):
    ValueError: the text must be one string, got a list of 2; join the words: " ".join(words)
    """
    if isinstance(text, str):
        return text
    raise ValueError(f"{what} must be one string, got {_said(text)}; {_remedy(text)}")


def _said(given: Any) -> str:
    """
    >>> _said(None), _said(3), _said(b"fox"), _said(("a", "b")), _said(np.ones(5))
    ('None', '3', '3 bytes', 'a tuple of 2', 'an array of the shape (5,)')
    """
    if given is None or isinstance(given, bool | int | float):
        return str(given)
    if isinstance(given, bytes | bytearray):
        return f"{len(given)} bytes"
    if hasattr(given, "shape"):
        return f"an array of the shape {tuple(given.shape)}"
    return f"a {type(given).__name__}" + (f" of {len(given)}" if isinstance(given, Sized) else "")


def _remedy(given: Any) -> str:
    if isinstance(given, bytes | bytearray):
        return 'decode them: text.decode("utf-8")'
    if isinstance(given, os.PathLike):
        return 'read the file: path.read_text(encoding="utf-8")'
    parts = list(given) if isinstance(given, list | tuple) or getattr(given, "ndim", 0) else []
    if parts and all(isinstance(part, str) for part in parts):
        return 'join the words: " ".join(words)'
    if parts:
        return "token ids are not read, pass the text itself (arrays go to regard.attention)"
    return 'pass a text such as "fox"'


def words_of(text: str) -> list[str]:
    """Words with their apostrophes and accents; every other sign by itself; nothing invisible.

    >>> words_of("The cat didn't sit.")
    ['The', 'cat', "didn't", 'sit', '.']
    """
    plain = unicodedata.normalize("NFC", one_string(text).encode("utf-8", "replace").decode("utf-8"))
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
    words = words_of(one_string(text, what))
    if len(words) != 1:
        raise ValueError(f"{what} must be one word, got {text!r}")
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


def fresh_vector(word: str, known: np.ndarray) -> np.ndarray:
    """A vector for a word that a toy does not know: from the SHA-256 of the word, so it is the same everywhere.

    It is none of the vectors that are known: on a grid of tenths two words easily meet.

    >>> fresh_vector("zebra", np.array([[0.1, 0.2]])).tolist()
    [0.8, 0.6]
    >>> fresh_vector("zebra", np.array([[0.1, 0.2], [0.8, 0.6]])).tolist()
    [0.7, 0.8]
    """
    width = known.shape[1]
    vector, drawn = np.empty(width), b""
    for attempt in range(DRAWS):
        while len(drawn) < (attempt + 1) * width:
            drawn += hashlib.sha256(f"{word}/{len(drawn)}".encode()).digest()
        places = 1 if attempt < DRAWS // 2 else 2  # a toy may have a word at every tenth
        shares = drawn[attempt * width : (attempt + 1) * width]
        vector = np.array([round(0.1 + 0.8 * byte / 255, places) for byte in shares])
        if not (known == vector).all(axis=1).any():
            break
    return vector
