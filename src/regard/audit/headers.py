"""What the header of a column means: a score, its exponential, or the weight that comes of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

IS_WEIGHT = re.compile(
    r"softmax|weight|prob|share|percent|α|alpha|normali[sz]ed|attention\s*%|\bp\b|distribution|importance|^\s*%\s*$|"
    r"anteil|wahrscheinlich|gewicht|\bpoids\b|\bpart\b|\bpeso|\bpesi\b",
    re.I,
)
NO_WEIGHT = re.compile(
    r"weighted|log|cumul|value|×|\*|loss|rank|total|before|unnormal|un-normal|raw|\bpre-?soft|\bkg\b|\blbs?\b|\bgrams?\b",
    re.I,
)
NO_SCORE = re.compile(r"\btime\b|latency|\bms\b|speed|throughput|flops|memory|\bcount\b|\bdate\b", re.I)
IS_EXPONENTIAL = re.compile(r"\bexp\b|exponential|e\^|e\*\*|eˣ|eᶻ|\bexp\(", re.I)
IS_SCORE = re.compile(
    r"score|logit|dot|similarit|energ|q\s*[·.*⋅]\s*k|\bqk|scaled|scaling|alignment|compatib|/\s*√|relevance|^z$|"
    r"before\s+(?:the\s+)?softmax|pre-?softmax|un-?normali[sz]ed|\braw\b|punktwert|punktzahl|skalarprodukt|ähnlichkeit|"
    r"\bpuntua|\bpuntaje|produit scalaire|producto escalar|similitud",
    re.I,
)
IS_SCALED = re.compile(r"scal|√|sqrt|÷|divided|/\s*\d|masked|adjusted|temperature|shifted|biased", re.I)
IS_ATTENTION = re.compile(r"attention|%", re.I)
# pairs of headers that mean a softmax wherever they stand
OF_LOGITS = re.compile(r"logit|before\s+(?:the\s+)?softmax|pre-?softmax", re.I)
OF_ATTENTION = re.compile(r"q\s*[·.*⋅]\s*k|\bqk|dot[ -]?prod|attention|alignment", re.I)
IS_PROBABILITY = re.compile(r"prob|softmax|wahrscheinlich|\bp\b|share|%", re.I)
IS_ATTENTION_WEIGHT = re.compile(r"attention|softmax|α|alpha|prob|weight|share|%", re.I)


@dataclass(frozen=True)
class Roles:
    """Which column is what; nothing where a table has no such column."""

    weight: int
    score: int
    raw: int | None
    exponential: int | None


def roles_of(header: Sequence[str]) -> Roles | None:
    """The weight column, and the score column it comes from.

    >>> roles_of(["Word", "Dot Product Score", "After Scaling", "Attention Weight"])
    Roles(weight=3, score=2, raw=1, exponential=None)
    """
    meanings = [meaning(name) for name in header]
    if "weight" not in meanings or "score" not in meanings:
        return None
    weight = len(meanings) - 1 - meanings[::-1].index("weight")
    scores = [at for at, found in enumerate(meanings) if found == "score"]
    scaled = [at for at in scores if IS_SCALED.search(header[at])]
    score = scaled[-1] if scaled else max((at for at in scores if at < weight), default=scores[-1])
    raw = next((at for at in scores if at < score), None) if scaled else None
    exponential = meanings.index("exponential") if "exponential" in meanings else None
    return Roles(weight, score, raw, exponential)


def meaning(name: str) -> str:
    """What a header means: weight, exponential, score or nothing of the kind.

    >>> [meaning(name) for name in ("value before softmax", "e^x", "Anteil", "word")]
    ['score', 'exponential', 'weight', '']
    """
    if IS_WEIGHT.search(name) and not NO_WEIGHT.search(name):
        return "weight"
    if IS_EXPONENTIAL.search(name):
        return "exponential"
    if IS_SCORE.search(name) and not NO_SCORE.search(name):
        return "score"
    return "weight" if IS_ATTENTION.search(name) and not NO_WEIGHT.search(name) else ""


def says_softmax(score: str, weight: str) -> bool:
    """Whether two headers alone say that one is the softmax of the other; "score" and "weight" do not.

    >>> says_softmax("Logit", "Probability"), says_softmax("q·k", "attention"), says_softmax("score", "weight")
    (True, True, False)
    """
    if OF_LOGITS.search(score) and IS_PROBABILITY.search(weight):
        return True
    return bool(OF_ATTENTION.search(score) and IS_ATTENTION_WEIGHT.search(weight)) or "softmax" in weight.lower()
