"""Words for positions: which token, which word of the vocabulary a number belongs to."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from regard.suggestions import NotFound, suggestion

AXIS_WORDS = {
    "B": "batch",
    "T": "token",
    "Q": "query",
    "K": "key",
    "M": "token that predicts",
    "H": "head",
    "G": "key/value head",
    "D": "dimension of the head",
    "J": "dimension of all heads",
    "C": "dimension",
    "E": "dimension",
    "F": "dimension of the MLP",
    "U": "dimension of the word",
    "V": "word",
    "I": "word read",
    "N": "distance",
    "P": "position",
    "S": "segment",
    "W": "word of a sum",
    "X": "word of a sum",
    "Z": "word of a sum",
    "A": "text",
    "Y": "other text",
}
TOKENS = "TQKM"  # along these, the pieces of one word stand side by side
PLAIN_WORD = re.compile(r"[^\W\d_][\w'’-]*\Z")


class Labels:
    """For each axis letter, the words along it. An axis without words is counted from 0.

    >>> labels = Labels({"K": ("the", "cat", "the")})
    >>> labels.word("K", 1), labels.word("K", 2), labels.position("K", 3, "the@2"), labels.word("H", 0)
    ('cat', 'the@2', 2, '0')
    """

    def __init__(self, words: Mapping[str, tuple[str, ...]]):
        self.words = {letter: tuple(along) for letter, along in words.items()}
        self._twice: dict[str, frozenset[str]] = {}

    def _repeated(self, letter: str) -> frozenset[str]:
        """The words that occur more than once along an axis; counted on demand, since a vocabulary is long."""
        if letter not in self._twice:
            counts = Counter(self.words.get(letter, ()))
            self._twice[letter] = frozenset(word for word, n in counts.items() if n > 1)
        return self._twice[letter]

    def word(self, letter: str, position: int) -> str:
        """How a position is written inside an address."""
        along = self.words.get(letter)
        if along is None:
            return str(position)
        word = along[position]
        written = word if PLAIN_WORD.match(word) else json.dumps(word, ensure_ascii=False)
        return f"{written}@{position}" if word in self._repeated(letter) else written

    def plain(self, letter: str, position: int) -> str:
        """The word itself."""
        along = self.words.get(letter)
        return str(position) if along is None else along[position]

    def shown(self, letter: str, position: int) -> str:
        """The word as a table shows it: with its position where it occurs more than once."""
        word = self.plain(letter, position)
        return f"{word}@{position}" if word in self._repeated(letter) else word

    def whole(self, letter: str) -> list[tuple[str, range]]:
        """The words of the text, each with the positions of its tokens.

        >>> Labels({"T": ("App", "…le", "fell")}).whole("T")
        [('Apple', range(0, 2)), ('fell', range(2, 3))]
        """
        along = self.words.get(letter, ()) if letter in TOKENS else ()
        begins = [i for i, token in enumerate(along) if i == 0 or not token.startswith("…")]
        spans = (range(begin, end) for begin, end in pairwise([*begins, len(along)]))
        return [("".join(along[i].removeprefix("…") for i in span), span) for span in spans]

    def position(self, letter: str, size: int, written: str) -> int:
        """The position that a part of an address means; an error lists what comes close."""
        if re.fullmatch(r"-?\d+", written):
            position = int(written)
            if -size <= position < size:
                return position % size
            raise NotFound(f"{AXIS_WORDS.get(letter, letter)} {written} does not exist; there are {size}, from 0")
        word, at = _split(written)
        along = self.words.get(letter)
        if along is None:
            raise NotFound(
                f"the axis {AXIS_WORDS.get(letter, letter)} has no words; give a number from 0 to {size - 1}"
            )
        places = [i for i, w in enumerate(along) if w == word]
        if at is not None:
            if at in places:
                return at
            raise NotFound(f"position {at} is not {word!r}; there are {self._choices(letter, word, places)}")
        if not places:
            self._refuse_several_tokens(letter, word)
            raise NotFound(f"no {AXIS_WORDS.get(letter, letter)} {word!r} here; {suggestion(word, along)}")
        if len(places) > 1:
            raise NotFound(f"{word!r} occurs {len(places)} times; say which: {self._choices(letter, word, places)}")
        return places[0]

    def _refuse_several_tokens(self, letter: str, word: str) -> None:
        for whole, places in self.whole(letter):
            if whole.casefold() == word.casefold() and len(places) > 1:
                tokens = ", ".join(f"{self.plain(letter, i)} (number {i})" for i in places)
                raise NotFound(
                    f"{word!r} is read as {len(places)} tokens here: {tokens}; write the number of one of them "
                    f"instead, such as {places[-1]} for the last, which has read the others"
                )

    def _choices(self, letter: str, word: str, places: list[int]) -> str:
        return ", ".join(self.word(letter, p) for p in places[:8]) or suggestion(word, self.words[letter])


def _split(written: str) -> tuple[str, int | None]:
    """The word and the position of `the@4`, `"an odd one"@4`."""
    if written.startswith('"'):
        try:
            word, end = json.JSONDecoder().raw_decode(written)
        except ValueError:
            raise NotFound(f"{written} is not a quoted word; write it as in JSON, with quotes at both ends") from None
        rest = written[end:]
    else:
        word, sign, rest = written.rpartition("@") if re.search(r".@\d+\Z", written) else (written, "", "")
        rest = sign + rest
    return word, int(rest[1:]) if re.fullmatch(r"@\d+", rest) else None
