"""Arithmetic in words as arithmetic in signs: "the mean of 2, 4 and 9" is `mean([2, 4, 9])`. A table, and its reader.

Each phrase must name its numbers one by one; a word such as "mean" or "times" alone is only a word.
"""

import re
from collections.abc import Callable

N = r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w%]|\.\d)"
COMMA, AND = r"\s{0,3},\s{0,3}", r"(?:\s{0,3},)?\s{1,3}and\s{1,3}"
LIST = rf"{N}(?:{COMMA}{N}){{0,30}}{AND}{N}|{N}(?:{COMMA}{N}){{2,30}}"
BRACKETS = r"\[[^\[\]]{1,400}\]|\([^()]{1,400}\)"
FUNCTIONS = {
    "mean": "mean", "average": "mean", "sum": "sum", "product": "prod", "softmax": "softmax", "norm": "norm",
    "maximum": "max", "max": "max", "largest": "max", "minimum": "min", "min": "min", "smallest": "min",
    "variance": "variance", "standard deviation": "std",
}  # fmt: skip
SIGNS = {"times": "×", "plus": "+", "minus": "-", "multiplied by": "×", "divided by": "/"}


def _row(listed: str) -> str:
    """A list in words as a row in brackets."""
    return "[" + ", ".join(re.findall(N, listed)) + "]"


def _pair(found: re.Match[str]) -> str:
    name = "cosine" if found["what"].lower().startswith("cosine") else "dot"
    return f"{name}({found['left']}, {found['right']})"


def _shares(found: re.Match[str]) -> str:
    scores, shares = _row(found["scores"]), _row(found["shares"])
    return f"softmax({scores}) ≈ {shares}" if scores.count(",") == shares.count(",") else found[0]


# What a line must contain to be worth a look, the phrase, and how it is written in signs; in this order.
PHRASES: list[tuple[tuple[str, ...], re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (needles, re.compile(pattern, re.I), signs)
    for needles, pattern, signs in (
        ((" of", " between"), rf"\b(?P<what>(?:dot|inner|scalar)[ -]product|cosine(?:[ -]similarity)?)\s+(?:of|between)\s+"
         rf"(?P<left>{BRACKETS})\s+(?:and|with)\s+(?P<right>{BRACKETS})", _pair),
        ((" of",), rf"(?<!\ba )(?<!\ban )\b({'|'.join(FUNCTIONS)})\s+of\s+(?:the\s+)?(?:(?:numbers|scores|logits|values)\s+)?"
         rf"({LIST})", lambda found: f"{FUNCTIONS[found[1].lower()]}({_row(found[2])})"),
        ((" of", " over"), r"\b(softmax|sum|mean|average|norm|max|min|sigmoid|length|variance|std)\s+(?:of|over)\s+"
         r"(?:the\s+)?(?=[\[(√\d])", r"\1 "),
        ((" of",), r"(?<![\w.])(\d+(?:\.\d+)?)\s?(?:%|percent)\s+of\s+(\d[\d,]*(?:\.\d+)?)(?=\s+(?:is|equals)\s|\s*=)",
         r"\1% × \2"),
        (("oftmax",), rf"\bsoftmax\s+(?:turns|maps|converts|takes|changes)\s+(?:the\s+)?(?:logits\s+|scores\s+)?"
         rf"(?P<scores>{LIST})\s+(?:in)?to\s+(?:the\s+)?(?:probabilities\s+|weights\s+|shares\s+)?(?P<shares>{LIST})", _shares),
        (("oftmax", "ogits"), rf"\b(?P<from>logits|scores)\s+(?:of\s+)?(?P<scores>{LIST})\s+(?:then\s+)?(?:give|become|yield|"
         r"turn into|produce|have|lead to|correspond to|mean)\s+(?:us\s+)?(?:the\s+)?(?:(?:softmax|attention|class|token)\s+)?"
         rf"(?P<to>probabilities|weights|shares)\s+(?:of\s+)?(?P<shares>{LIST})", _shares),
        (("oftmax",), rf"(softmax\(\[[^\]]*\]\)\s*(?:is|are|gives|=|≈)\s*(?:about\s+|roughly\s+|≈\s*)?)({LIST})",
         lambda found: found[1] + _row(found[2])),
        (("times", "plus", "minus", " by "), rf"(?<=[\d)\]])\s+({'|'.join(SIGNS)})\s+(?=[\d.(\[])",
         lambda found: f" {SIGNS[found[1].lower()]} "),
    )
]  # fmt: skip


def in_signs(text: str) -> str:
    """A line with its phrases written in signs.

    >>> in_signs("The mean of 2, 4 and 9 is 6, and 3 times 7 is 20.")
    'The mean([2, 4, 9]) is 6, and 3 × 7 is 20.'
    >>> in_signs("The logits 2 and 0 give probabilities 0.78 and 0.22.")
    'The softmax([2, 0]) ≈ [0.78, 0.22].'
    """
    for needles, pattern, signs in PHRASES:
        if any(needle in text for needle in needles):
            text = pattern.sub(signs, text)
    return text
