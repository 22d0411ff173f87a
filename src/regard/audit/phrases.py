"""Arithmetic in words as arithmetic in signs: "the mean of 2, 4 and 9" is `mean([2, 4, 9])`.

Each phrase must name its numbers one by one; a word such as "mean" or "times" alone is only a word.
"""

import re

N = r"[-−]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w%]|\.\d)"
COMMA, AND = r"\s{0,3},\s{0,3}", r"(?:\s{0,3},)?\s{1,3}and\s{1,3}"
LIST = rf"{N}(?:{COMMA}{N}){{0,30}}{AND}{N}|{N}(?:{COMMA}{N}){{2,30}}"
BRACKETS = r"\[[^\[\]]{1,400}\]|\([^()]{1,400}\)"
FUNCTIONS = {
    "mean": "mean", "average": "mean", "sum": "sum", "product": "prod", "softmax": "softmax", "norm": "norm",
    "maximum": "max", "max": "max", "largest": "max", "minimum": "min", "min": "min", "smallest": "min",
}  # fmt: skip
OF_LIST = re.compile(
    rf"(?<!\ba )(?<!\ban )\b({'|'.join(FUNCTIONS)})\s+of\s+(?:the\s+)?"
    rf"(?:(?:numbers|scores|logits|values)\s+)?({LIST})",
    re.I,
)
OF_BRACKETS = re.compile(
    r"\b(softmax|sum|mean|average|norm|max|min|sigmoid|length)\s+(?:of|over)\s+(?:the\s+)?(?=[\[(√\d])", re.I
)
OF_PAIR = re.compile(
    rf"\b(?P<what>(?:dot|inner|scalar)[ -]product|cosine(?:[ -]similarity)?)\s+(?:of|between)\s+"
    rf"(?P<left>{BRACKETS})\s+(?:and|with)\s+(?P<right>{BRACKETS})",
    re.I,
)
IS_LIST = re.compile(rf"(softmax\(\[[^\]]*\]\)\s*(?:is|are|gives|=|≈)\s*(?:about\s+|roughly\s+|≈\s*)?)({LIST})")
GIVE_SHARES = re.compile(
    rf"\b(?P<from>logits|scores)\s+(?:of\s+)?(?P<scores>{LIST})\s+(?:then\s+)?"
    r"(?:give|become|yield|turn into|produce|have|lead to|correspond to|mean)\s+(?:us\s+)?(?:the\s+)?"
    rf"(?:(?:softmax|attention|class|token)\s+)?(?P<to>probabilities|weights|shares)\s+(?:of\s+)?(?P<shares>{LIST})",
    re.I,
)
TURNS_INTO = re.compile(
    rf"\bsoftmax\s+(?:turns|maps|converts|takes|changes)\s+(?:the\s+)?(?:logits\s+|scores\s+)?(?P<scores>{LIST})\s+"
    rf"(?:in)?to\s+(?:the\s+)?(?:probabilities\s+|weights\s+|shares\s+)?(?P<shares>{LIST})",
    re.I,
)
SIGNS = {"times": "×", "plus": "+", "minus": "-", "multiplied by": "×", "divided by": "/"}
OPERATION = re.compile(rf"(?<=[\d)\]])\s+({'|'.join(SIGNS)})\s+(?=[\d.(\[])", re.I)
PERCENT_OF = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s?(?:%|percent)\s+of\s+(\d[\d,]*(?:\.\d+)?)(?=\s+(?:is|equals)\s|\s*=)", re.I
)


def in_signs(text: str) -> str:
    """A line with its phrases written in signs.

    >>> in_signs("The mean of 2, 4 and 9 is 6, and 3 times 7 is 20.")
    'The mean([2, 4, 9]) is 6, and 3 × 7 is 20.'
    >>> in_signs("The logits 2 and 0 give probabilities 0.78 and 0.22.")
    'The softmax([2, 0]) ≈ [0.78, 0.22].'
    """
    if " of" in text or " between" in text or " over" in text:
        text = OF_PAIR.sub(_of_pair, text)
        text = OF_LIST.sub(lambda found: f"{FUNCTIONS[found[1].lower()]}({_row(found[2])})", text)
        text = OF_BRACKETS.sub(r"\1 ", text)
        text = PERCENT_OF.sub(r"\1% × \2", text)
    if "softmax" in text.lower() or "logits" in text.lower():
        text = TURNS_INTO.sub(_shares, text)
        text = GIVE_SHARES.sub(_shares, text)
        text = IS_LIST.sub(lambda found: found[1] + _row(found[2]), text)
    if any(word in text for word in ("times", "plus", "minus", " by ")):
        text = OPERATION.sub(lambda found: f" {SIGNS[found[1].lower()]} ", text)
    return text


def _row(listed: str) -> str:
    """A list in words as a row in brackets."""
    return "[" + ", ".join(re.findall(N, listed)) + "]"


def _of_pair(found: re.Match[str]) -> str:
    name = "cosine" if found["what"].lower().startswith("cosine") else "dot"
    return f"{name}({found['left']}, {found['right']})"


def _shares(found: re.Match[str]) -> str:
    scores, shares = _row(found["scores"]), _row(found["shares"])
    return f"softmax({scores}) ≈ {shares}" if scores.count(",") == shares.count(",") else found[0]
