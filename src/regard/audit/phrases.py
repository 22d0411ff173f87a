"""Arithmetic in words as arithmetic in signs: "the mean of 2, 4 and 9" is `mean([2, 4, 9])`; the phrases are data.

Each phrase must name its numbers one by one; a word such as "mean" or "times" alone is only a word.
"""

import re
from collections.abc import Callable

from regard.audit import data

Found = re.Match[str]
N = r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w%]|\.\d)"
COMMA, AND = r"\s{0,3},\s{0,3}", r"(?:\s{0,3},)?\s{1,3}and\s{1,3}"
NUMERALS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]


def numeral(word: str) -> int:
    """What a word is worth.

    >>> numeral("seven"), numeral("sixteen"), numeral("thirty-six")
    (7, 16, 36)
    """
    tens, _, ones = word.lower().partition("-")
    whole = 10 * (TENS.index(tens) + 2) if tens in TENS else [*NUMERALS, *TEENS].index(tens)
    return whole + (NUMERALS.index(ones) if ones else 0)


PIECES = {
    "<N>": N,
    "<COUNT>": rf"{N}|\b(?:{'|'.join(NUMERALS[2:])})\b",
    "<UNIT>": r"(?!(?:dB|am|pm|and|is|in|to|of|for|by|at|mod|per|or|as|on|with)\b)[^\W\d_]{1,12}\b",
    "<LIST>": rf"{N}(?:{COMMA}{N}){{0,30}}{AND}{N}|{N}(?:{COMMA}{N}){{2,30}}",
    "<ROW>": r"\[[^\[\]]{1,400}\]|\([^()]{1,400}\)",
}
PARTS = {"half": "/ 2", "quarter": "/ 4", "third": "/ 3", "twice": "* 2"}
PRICED = rf"({N})\s(?:[^\W\d_]+\s){{1,3}}(?:at|à|@)\s[€$£]?({N})"


def name_of(word: str) -> str:
    """What a word is called in signs: an average is a `mean`."""
    return data.NAMES.get(word.lower(), word.lower())


def _row(listed: str) -> str:
    return "[" + ", ".join(re.findall(N, listed)) + "]"


def _group(found: Found) -> str:
    return f"{NUMERALS.index(found[1].lower()) if found[1].isalpha() else found[1]} × {found[2]} = {found[3]}"


def _pair(found: Found) -> str:
    if found["what"][:1].lower() in "ed" and found["what"].lower().endswith("distance"):
        return f"norm({found['left']} - {found['right']})"
    return f"{'cosine' if found['what'][0] in 'cC' else 'dot'}({found['left']}, {found['right']})"


def _shares(found: Found) -> str:
    scores, shares = _row(found["scores"]), _row(found["shares"])
    return f"softmax({scores}) ≈ {shares}" if scores.count(",") == shares.count(",") else found[0]


WRITERS: dict[str, Callable[[Found], str]] = {
    "(pair)": _pair,
    "(function)": lambda f: f"{name_of(f[1])}({_row(f[2])})",
    "(mean)": lambda f: f" mean({_row(f[1])}) = {f[2]}",
    "(stated)": lambda f: f"{name_of(f[1])}({_row(f[2])}) = {f[3]}",
    "(part)": lambda f: f"{f[2]} {PARTS[f[1].lower().split()[-2:][0]]}",
    "(raised)": lambda f: f"{f[1]}^{2 if f[2].lower() == 'squared' else 3}",
    "(listed)": lambda f: f[1] + _row(f[2]),
    "(operator)": lambda f: f" {name_of(f[1])} ",
    "(name)": lambda f: f"{name_of(f[1])} ",
    "(group)": _group,
    "(priced)": lambda f: " + ".join(f"{count} × {price}" for count, price in re.findall(PRICED, f[1])) + f" = {f[2]}",
    "(shares)": _shares,
    "(bytes)": lambda f: f"{f[1]} × {4 if '32' in f['kind'] else 2} = {f['said']}",
}


def _compiled(pieces: list[str]) -> re.Pattern[str]:
    pattern = "".join(pieces)
    for name, piece in PIECES.items():
        pattern = pattern.replace(name, piece)
    return re.compile(pattern, re.IGNORECASE)


PHRASES: list[tuple[Callable[[str], Found | None], re.Pattern[str], str | Callable[[Found], str]]] = [
    (
        re.compile("|".join(phrase["needles"])).search,
        _compiled(phrase["pattern"]),
        WRITERS.get(str(phrase["signs"]), str(phrase["signs"])),
    )
    for phrase in data.PHRASES
]


NEEDLES = re.compile("|".join(needle for phrase in data.PHRASES for needle in phrase["needles"]))


def in_signs(text: str) -> str:
    """A line with its phrases written in signs.

    >>> in_signs("The mean of 2, 4 and 9 is 6, and 3 times 7 is 20.")
    'The mean([2, 4, 9]) is 6, and 3 × 7 is 20.'
    >>> in_signs("The logits 2 and 0 give probabilities 0.78 and 0.22.")
    'The softmax([2, 0]) ≈ [0.78, 0.22].'
    """
    for may_hold, pattern, signs in PHRASES if NEEDLES.search(text) else ():
        if may_hold(text):
            text = pattern.sub(signs, text)
    return text
