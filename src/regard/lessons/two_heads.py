"""*Deep Dive Q&A*, question 4: why one head is not enough. A toy in which one head asks who and the other where."""

import re

import numpy as np

from regard.lens.contributions import contributions
from regard.lessons.cards.two_heads import CARDS
from regard.lessons.claim import Claim, Row, Statement, cells
from regard.lessons.lesson import Lesson
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "002"
WHO, WHERE = range(2)
PRINTED = {134: "Head 3: [yesterday: 0.45, ...]", 135: "Head 4: [sat: 0.30, on: 0.25]"}  # heads the toy does not have


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
    chosen = "this toy's W_Q was chosen so: the text gives no numbers to compute it from"
    found: list[Claim] = [
        cells(D, 132, "head 1: who is the subject?", 5, {"weights[0,sat,cat]": "0.60"}, chosen),
        cells(D, 133, "head 2: what's the location?", 5, {"weights[1,sat,mat]": "0.55"}, chosen),
        Row(D, 132, "number of the head", ("1",), lambda t: [1 + head_reading(t, "cat")], 5),
        Row(D, 133, "number of the head", ("2",), lambda t: [1 + head_reading(t, "mat")], 5),
    ]
    return [*found, *(shares(line, printed) for line, printed in PRINTED.items()), *statements()]


def shares(line: int, printed: str) -> Statement:
    """A row of which only some words are printed: all that can be checked is that it leaves room for the others."""
    total = sum(float(number) for number in re.findall(r"\d+\.\d+", printed))
    left = f"{total:.2f} printed, {1 - total:.2f} left for the words not printed"
    return Statement(
        D, line, printed, lambda t: 0 <= total <= 1, lambda t: left, 5, "an example: nothing to compute it from"
    )


def statements() -> list[Claim]:
    return [
        Statement(D, 116, "cat is the subject (who is sitting?)", lambda t: most_read(t, WHO) == "cat",
                  lambda t: f"head {WHO} reads {most_read(t, WHO)} most", 5),
        Statement(D, 117, "mat is the location (sitting where?)", lambda t: most_read(t, WHERE) == "mat",
                  lambda t: f"head {WHERE} reads {most_read(t, WHERE)} most", 5),
        Statement(D, 129, "separate attention distributions", _are_distributions,
                  lambda t: f"{len(t.array('weights'))} heads, {len(t.array('weights'))} rows for sat, each sums to 1; "
                            f"they share {overlap(t):.0%}", 5, "here with two heads; the lesson heads has eight"),
        Statement(D, 138, "Each head has its own W_Q, W_K, W_V projections",
                  lambda t: all(_heads_differ(t.array(name)) for name in ("W_Q", "W_K", "W_V")),
                  lambda t: ", ".join(f"{n} {t.array(n).shape}" for n in ("W_Q", "W_K", "W_V")), 2),
        Statement(D, 142, "multiple different questions simultaneously about the same token",
                  lambda t: most_read(t, WHO) != most_read(t, WHERE),
                  lambda t: f"sat reads {most_read(t, WHO)} and {most_read(t, WHERE)}", 7),
    ]  # fmt: skip


def row(trace: Trace, head: int) -> np.ndarray:
    """What the word that predicts reads, in one head."""
    return trace.array("weights")[head, trace.info["query"]]


def most_read(trace: Trace, head: int) -> str:
    return trace.labels.words["K"][int(row(trace, head).argmax())]


def head_reading(trace: Trace, word: str) -> int:
    """The head that reads a word most."""
    position = trace.labels.words["K"].index(word)
    return int(trace.array("weights")[:, trace.info["query"], position].argmax())


def overlap(trace: Trace) -> float:
    """How much two distributions have in common: the sum of the smaller weights, 1 if they are the same."""
    return float(np.minimum(row(trace, WHO), row(trace, WHERE)).sum())


def _are_distributions(trace: Trace) -> bool:
    return bool(np.allclose(trace.array("weights").sum(axis=-1), 1)) and overlap(trace) < 1


def _heads_differ(matrices: np.ndarray) -> bool:
    return not np.array_equal(matrices[WHO], matrices[WHERE])


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
    silent = {head: _silent(trace, head) for head in (WHO, WHERE)}
    lines.append(f"Without head 0, {silent[WHO]} are level; without head 1, {silent[WHERE]}. Their sum decides.")
    return lines


def _silent(trace: Trace, head: int) -> str:
    """The words that share the lead when one head adds nothing."""
    by_head = trace.array("by_head").copy()
    by_head[head] = 0.0
    probabilities = trace.pin("by_head", by_head).array("probabilities")
    level = np.flatnonzero(np.isclose(probabilities, probabilities.max()))
    return " and ".join(trace.labels.words["V"][i] for i in level)
