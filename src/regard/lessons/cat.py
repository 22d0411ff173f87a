"""*How Attention Scores Are Computed*: three raw scores, scaled, then weights. The last column is not a softmax."""

import math

import numpy as np

from regard.lessons.cards.cat import CARDS
from regard.lessons.claim import Claim, Row, Statement, cells
from regard.lessons.lesson import Knob, Lesson, begun
from regard.models.glass import Glass
from regard.ops.scaling import ROOT
from regard.trace import Trace

D = "001"
WORDS = ("the", "cat", "sat")
TABLE = (("2.0", "1.0", "0.10"), ("4.0", "2.0", "0.30"), ("6.0", "3.0", "0.60"))  # 001:89-91
SCORES, SCALED, WEIGHTS = np.array(TABLE, dtype=float).T
HEAD_WIDTH = round(float(SCORES[0] / SCALED[0]) ** 2)  # what the table needs; the text does not say it


def lesson() -> Lesson:
    return Lesson(
        name="cat",
        title="The cat sat",
        documents=(D,),
        idea="A score is divided by √d_k and compared with its row: softmax makes shares that sum to 1.",
        make=make,
        shows=("scores", "scaled", "exps", "total", "weights"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        knob=Knob("d_k", make),
    )


def make(head_width: int = HEAD_WIDTH) -> Trace:
    if head_width < 1:
        raise ValueError(f"d_k expects 1 or more, got {head_width}")
    do = Glass()
    scores = do.given("scores", SCORES.reshape(1, 1, 3), "HQK")
    masked = do.hide(do.scale(scores, ROOT, head_width), np.ones((1, 3)))
    weights = do.softmax(masked, "peak", "exps", "total", "weights")
    do.mix(weights, do.given("v", np.eye(3)[None], "HKD"))
    return begun(
        "cat",
        "The cat sat (after How Attention Scores Are Computed)",
        do,
        {"Q": ("sat",), "K": WORDS, "D": WORDS},
        "begins at the scores the document gives",
        "ours: each value is an axis of its own, so that the context shows how much of each word was taken",
    )


def claims() -> list[Claim]:
    found: list[Claim] = [Row(D, 30, "words in the sentence", ("3",), lambda t: [t.array("scores").shape[-1]], 1)]
    needs = f"needs √d_k = {math.sqrt(HEAD_WIDTH):g}, d_k = {HEAD_WIDTH}: the text does not say so"
    for line, (word, (score, scaled, weight)) in enumerate(zip(WORDS, TABLE), start=89):
        found.append(cells(D, line, f"score of {word}", 3, {f"scores[sat,{word}]": score}))
        found.append(cells(D, line, f"scaled score of {word}", 4, {f"scaled[sat,{word}]": scaled}, needs))
        impossible = "equal gaps between scores force equal ratios of weights"
        found.append(cells(D, line, f"weight of {word}", 5, {f"weights[sat,{word}]": weight}, impossible))
    return [*found, *statements()]


def statements() -> list[Claim]:
    return [
        Statement(D, 60, "Large dot products can lead to very small gradients (softmax gets too confident)",
                  lambda t: slope(unscaled(t)) < slope(t.array("weights")[0, 0]),
                  lambda t: f"d weight/d score of sat: {slope(unscaled(t)):.4f} unscaled, "
                            f"{slope(t.array('weights')[0, 0]):.4f} scaled", 4),
        Statement(D, 80, "normalized weights that add up to 1", lambda t: bool(np.isclose(t.array("weights").sum(), 1)),
                  lambda t: f"computed {t.array('weights').sum():.6g}, printed {WEIGHTS.sum():.6g}", 5,
                  "the printed column sums to 1 too: the sum does not catch its mistake"),
        Statement(D, 81, "how much attention to pay to each word",
                  lambda t: bool(np.allclose(t.array("context")[0, 0], t.array("weights")[0, 0])),
                  lambda t: f"taken of the, cat, sat: {', '.join(f'{v:.4f}' for v in t.array('context')[0, 0])}", 6,
                  "a weight is the share of that word's value in the context"),
        Statement(D, 93, "it mostly focuses on itself, and a bit on “cat”",
                  lambda t: [WORDS[i] for i in np.argsort(-t.array("weights")[0, 0])[:2]] == ["sat", "cat"],
                  lambda t: ", ".join(f"{w} {v:.0%}" for w, v in zip(WORDS, t.array("weights")[0, 0])), 5),
    ]  # fmt: skip


def slope(weights: np.ndarray) -> float:
    """How much the largest weight moves with its own score: p·(1 − p), the diagonal of softmax's derivative."""
    largest = float(weights.max())
    return largest * (1 - largest)


def unscaled(trace: Trace) -> np.ndarray:
    """The weights if the scores were not divided by √d_k."""
    return trace.pin("scaled", trace.array("scores")).array("weights")[0, 0]


def scores_for(weights: np.ndarray) -> np.ndarray:
    """The scores, the first set to 0, from which softmax would make these weights.

    >>> scores_for(np.array([0.1, 0.3, 0.6])).round(4).tolist()
    [0.0, 1.0986, 1.7918]
    """
    return np.log(weights / weights[0])


def ratios(weights: np.ndarray) -> np.ndarray:
    """Each weight over the one before it; softmax makes them e^(difference of the two scores)."""
    return weights[1:] / weights[:-1]


def _list(numbers: np.ndarray) -> str:
    return ", ".join(f"{v:g}" for v in numbers)


def remarks(trace: Trace) -> list[str]:
    printed, computed = ratios(WEIGHTS), ratios(trace.array("weights")[0, 0])
    gaps = np.diff(trace.array("scaled")[0, 0])
    return [
        f"Scaling {_list(SCORES)} to {_list(SCALED)} needs √d_k = {math.sqrt(HEAD_WIDTH):g}, d_k = {HEAD_WIDTH}: "
        "the text does not say so.",
        f"The score gaps are {_list(gaps)}: each weight must be {computed[0]:.4f} times the one before it.",
        f"Printed are {printed[0]:.4g} and {printed[1]:.4g} times, which no temperature can produce. "
        "Both rows sum to 1, so the sum does not catch it.",
        f"Scores that would give the printed weights: {', '.join(f'{v:.4f}' for v in scores_for(WEIGHTS))}.",
        f"Without scaling they would be {', '.join(f'{v:.4f}' for v in unscaled(trace))}: one word takes nearly all.",
    ]
