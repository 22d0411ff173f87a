"""*The fox sentence*, line 15: GPT looks back, BERT both ways. The fox's numbers, and who may read whom."""

from dataclasses import replace

import numpy as np

from regard.lessons.cards.masks import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "004"


def lesson() -> Lesson:
    return Lesson(
        name="masks",
        title="Who may read whom",
        documents=(D,),
        idea="What a word may not read gets the score −∞ before softmax: weight 0, and the rest still sums to 1.",
        make=make,
        shows=("visible", "exps", "weights"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    trace = shipped("fox").run("The quick brown fox", next="jumps").backward()
    return replace(trace, info={**trace.info, "lesson": "masks"})


def claims() -> list[Claim]:
    return [
        Statement(D, 15, "You look at all previous and current words (in unidirectional models like GPT)",
                  lambda t: bool(((t.array("weights")[0] > 0) == np.tri(words(t), dtype=bool)).all()),
                  lambda t: f"{hidden(t)} of {words(t) ** 2} weights are 0: those of later words", 5),
        Statement(D, 15, "all words in the sentence … (in bidirectional models like BERT)",
                  lambda t: bool((both_ways(t).array("weights") > 0).all()),
                  lambda t: f"both ways, the smallest weight is {both_ways(t).array('weights').min():.4f}", 5),
        Statement(D, 40, "attending to all previous words",
                  lambda t: bool((t.array("weights")[0, -1] > 0).all()),
                  lambda t: f"the last word reads {int((t.array('weights')[0, -1] > 0).sum())} words with itself", 5),
    ]  # fmt: skip


def words(trace: Trace) -> int:
    return trace.array("weights").shape[-1]


def hidden(trace: Trace) -> int:
    return int((trace.array("visible") == 0).sum())


def both_ways(trace: Trace) -> Trace:
    return trace.pin("visible", np.ones_like(trace.array("visible")))


def remarks(trace: Trace) -> list[str]:
    seen, all_seen = trace.array("weights")[0], both_ways(trace).array("weights")[0]
    last = " ".join(f"{weight:.2f}" for weight in seen[-1])
    return [
        f"{hidden(trace)} of {words(trace) ** 2} cells are hidden; every row still sums to 1.",
        f"quick reads The with {seen[1, 0]:.4f} when it looks back, with {all_seen[1, 0]:.4f} when it looks both ways.",
        f"The last row is the same, [{last}]: nothing comes after the last word.",
        "So a text of n words is n exercises at once: each word predicts the next without having seen it.",
    ]
