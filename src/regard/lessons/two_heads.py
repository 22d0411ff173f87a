"""*Deep Dive Q&A*, question 4: why one head is not enough. A toy in which one head asks who and the other where."""

import numpy as np

from regard.lens.contributions import contributions
from regard.lessons.cards.two_heads import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "002"
WHO, WHERE = range(2)


def lesson() -> Lesson:
    return Lesson(
        name="two-heads",
        title="Who and where",
        documents=(D,),
        idea="Two heads give one word two distributions, so it can ask two questions at once; W_O adds the answers.",
        make=make,
        shows=("weights", "context", "by_head", "attended", "probabilities"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    model = shipped("two-heads")
    return model.run(model.sentence, next=model.next).backward()


def claims() -> list[Claim]:
    return [
        Statement(D, 125, "loses mat (the location)", lambda t: len(level(t, WHERE)) > 1,
                  lambda t: f"without head {WHERE}, {' and '.join(level(t, WHERE))} are level: who is known, "
                            "where is not", 9),
        Statement(D, 142, "multiple different questions simultaneously about the same token",
                  lambda t: most_read(t, WHO) != most_read(t, WHERE),
                  lambda t: f"sat reads {most_read(t, WHO)} and {most_read(t, WHERE)}", 7),
    ]  # fmt: skip


def row(trace: Trace, head: int) -> np.ndarray:
    """What the word that predicts reads, in one head."""
    return trace.array("weights")[head, trace.info["query"]]


def most_read(trace: Trace, head: int) -> str:
    return trace.labels.words["K"][int(row(trace, head).argmax())]


def remarks(trace: Trace) -> list[str]:
    said = trace.predicted
    lines = [
        f"“sat” gives cat {trace['weights[0,sat,cat]']:.2f} in head 0 and mat {trace['weights[1,sat,mat]']:.2f} "
        "in head 1: one row could not give both.",
    ]
    for rival in ("fishing", "snoring"):
        parts = contributions(trace, said, rival)
        by_head = {c.head: c.contribution for c in parts.components if c.head is not None}
        lines.append(
            f"logit({said}) − logit({rival}) = {parts.difference:.3f}: "
            f"{by_head[WHO]:+.3f} from head 0 (who), {by_head[WHERE]:+.3f} from head 1 (where)."
        )
    silent = {head: " and ".join(level(trace, head)) for head in (WHO, WHERE)}
    lines.append(f"Without head 0, {silent[WHO]} are level; without head 1, {silent[WHERE]}. Their sum decides.")
    return lines


def level(trace: Trace, head: int) -> list[str]:
    """The words that share the lead when one head adds nothing."""
    by_head = trace.array("by_head").copy()
    by_head[head] = 0.0
    probabilities = trace.pin("by_head", by_head).array("probabilities")
    return [trace.labels.words["V"][i] for i in np.flatnonzero(np.isclose(probabilities, probabilities.max()))]
