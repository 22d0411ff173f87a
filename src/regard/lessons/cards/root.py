"""Why √d_k, in cards: how large a dot product is, and what a hard softmax can no longer learn."""

import itertools
import math

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question, softmax
from regard.trace import Trace

WIDTH = 4  # small enough to count all keys
WIDER = 64
SCORE = 2.5 * math.sqrt(WIDER)  # of sat: as many times √d_k as at 16


def typical(_: Trace) -> float:
    """The root of the mean square of a score, over every key of ±1."""
    scores = np.array([sum(signs) for signs in itertools.product((-1.0, 1.0), repeat=WIDTH)])
    return float(np.sqrt(np.mean(scores**2)))


def slope(row: np.ndarray) -> float:
    largest = float(softmax(row).max())
    return largest * (1 - largest)


def slope_unscaled(trace: Trace) -> float:
    return slope(trace.array("scores")[0, 0])


def _agreements(q: Question) -> float:
    h, i, j = q.place
    return float((q.trace.array("q")[h, i] == q.trace.array("k")[h, j]).sum())


CARDS = (
    Card(
        title="Counting a score",
        place="001:24",
        stage=3,
        says="Here every number of a query and a key is +1 or −1, and there are 16. Where the signs agree, the "
        "product is +1; where they differ, −1. The query of sat and the key of cat agree at 10 places.",
        asks="What is their score?",
        answer="scores[sat,cat]",
        hint="10 times +1, and 6 times −1.",
        reveals="{scores[sat,cat]|0}. The other two are {scores[sat,the]|0} and {scores[sat,sat]|0}.",
        mistakes=(
            Mistake("counted the agreements", "Where the signs differ, the product is −1, not 0.", _agreements),
            "cosine",
        ),
    ),
    Card(
        title="How large is a score?",
        place="001:60",
        stage=3,
        says=f"Take all {2**WIDTH} keys of ±1 with {WIDTH} numbers. Their scores lie between −{WIDTH} and {WIDTH}, on "
        "average at 0.",
        asks="How large are they typically: the root of their mean square?",
        answer=typical,
        veils="scaled",
        hint=f"{WIDTH} independent terms of ±1: the squares add up, then take the root.",
        reveals="√4 = 2. With 64 numbers it is 8, with 16 it is 4: scores grow like the root of the width. So that is "
        "what they are divided by.",
        mistakes=(
            Mistake(
                "the width",
                "Only if all signs agree. Most keys agree at about half of the places.",
                lambda q: float(WIDTH),
            ),
            Mistake(
                "the average",
                "The average is 0, because scores of both signs cancel. Ask how large they are.",
                lambda q: 0.0,
            ),
        ),
        decimals=0,
    ),
    Card(
        title="Divided",
        place="001:63",
        stage=4,
        says="The keys here have 16 numbers. The score of sat for itself is {scores[sat,sat]|0}.",
        asks="What is it after scaling?",
        answer="scaled[sat,sat]",
        hint="√16 = 4.",
        reveals="{scaled[sat,the]|1}, {scaled[sat,cat]|1}, {scaled[sat,sat]|1}: about 1 in size again, however wide "
        "a head is.",
        mistakes=("not scaled", "by width", "root of score"),
    ),
    Card(
        title="Soft",
        place="001:77",
        stage=5,
        says="Softmax of {scaled[sat,the]|1}, {scaled[sat,cat]|1}, {scaled[sat,sat]|1}.",
        asks="What weight does sat give itself?",
        answer="weights[sat,sat]",
        hint="{exps[sat,sat]|2} over {total[sat]|2}.",
        reveals="{weights[sat,sat]|4}: most, but not all. Unscaled, it would be nearly 1, and the others would "
        "hardly exist.",
        mistakes=("not scaled", "by width", "not normalised"),
    ),
    Card(
        title="What can still learn",
        place="001:60",
        stage=5,
        says="How much a weight moves with its own score is p · (1 − p). Scaled, that is {weights[sat,sat]|3} · "
        "(1 − {weights[sat,sat]|3}). Unscaled, the scores are {scores[sat,the]|0}, {scores[sat,cat]|0}, "
        "{scores[sat,sat]|0}.",
        asks="What is p · (1 − p) unscaled, to 4 decimals?",
        answer=slope_unscaled,
        hint="Nearly 1, times nearly nothing.",
        reveals="Next to nothing: a softmax this sure of itself passes no gradient on, and W_Q and W_K stop learning. "
        "That is what “very small gradients” means in the document.",
        mistakes=(
            Mistake(
                "the scaled one",
                "That is p · (1 − p) with the scaled score.",
                lambda q: slope(q.trace.array("scaled")[0, 0]),
            ),
            Mistake(
                "only p",
                "That is p. Multiply it by 1 − p.",
                lambda q: float(softmax(q.trace.array("scores")[0, 0]).max()),
            ),
            Mistake(
                "divided by 16",
                "That is with scores divided by d_k, not by its root.",
                lambda q: slope(q.trace.array("scores")[0, 0] / q.trace.array("k").shape[-1]),
            ),
        ),
        veils="context",
        decimals=4,
    ),
    Card(
        title="A wider head",
        place="001:66",
        stage=4,
        says=f"Turn d_k from 16 to {WIDER}. A score of a typical key doubles, and so does that of sat, from "
        f"{{scores[sat,sat]|0}} to {SCORE:.0f}.",
        asks="What is the score of sat after scaling now?",
        answer=lambda _: SCORE / math.sqrt(WIDER),
        veils="scaled",
        hint=f"Divide by √{WIDER}.",
        reveals="As before: that is what dividing by √d_k is for. regard lesson root --turn 64 shows the whole row.",
        mistakes=(
            Mistake("divided by the old root", "The root is that of the new width.", lambda q: SCORE / 4),
            Mistake("divided by d_k, not by its root", "Divide by the root of the width.", lambda q: SCORE / WIDER),
            Mistake("forgot √d_k", "The scores were not divided by √d_k.", lambda q: SCORE),
        ),
    ),
)
