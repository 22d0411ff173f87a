"""Arithmetic in words as arithmetic in signs: "the mean of 2, 4 and 9" is `mean([2, 4, 9])`; the phrases are data.

Each phrase must name its numbers one by one; a word such as "mean" or "times" alone is only a word.
"""

import re
from functools import partial, reduce

from regard.audit import data

NUMBER = re.compile(r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?:\s?%)?")


def name_of(word: str) -> str:
    """What a word is called in signs: an average is a `mean`."""
    return data.NAMES.get(word.lower(), word.lower())


def _written(signs: str, found: re.Match[str]) -> str:
    """A template filled with what was found: groups as they are, as the name of something, or as a list."""
    signs = re.sub(r"<row (\d)>", lambda mark: f"[{', '.join(NUMBER.findall(found[int(mark[1])]))}]", signs)
    return found.expand(re.sub(r"<name (\d)>", lambda mark: name_of(found[int(mark[1])]), signs))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(reduce(lambda text, piece: text.replace(*piece), data.PIECES.items(), pattern), re.IGNORECASE)


PHRASES = [
    (re.compile("|".join(one["needles"])), _compiled("".join(one["pattern"])), partial(_written, one["signs"]))
    for one in data.PHRASES
]
NEEDLES = re.compile("|".join(needle.pattern for needle, _, _ in PHRASES))


def in_signs(text: str) -> str:
    """A line with its phrases written in signs.

    >>> in_signs("The mean of 2, 4 and 9 is 6, and 3 times 7 is 20.")
    'The mean([2, 4, 9]) is 6, and 3 × 7 is 20.'
    """
    for needle, pattern, written in PHRASES if NEEDLES.search(text) else ():
        if needle.search(text):
            text = pattern.sub(written, text)
    return text
