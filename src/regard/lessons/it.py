"""*Deep Dive Q&A*, question 1: "it" retrieves "animal". Which heads of the trained models do so, and what they know."""

import numpy as np

from regard.lessons.cards.it import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson, begun
from regard.lessons.pronoun import BOTH_WAYS, LOOKS_BACK, READ, READER, SENTENCE, largest_change, ranked, run_of
from regard.models.glass import Glass
from regard.ops.scaling import ROOT
from regard.trace import Trace

D = "002"


def lesson() -> Lesson:
    return Lesson(
        name="it",
        title="What does “it” read?",
        documents=(D,),
        idea="A head of a trained model lets “it” read “animal”; whether it may know why depends on who may read whom.",
        make=make,
        shows=("q", "k", "scores", "scaled", "weights", "context"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    """The one row of the one head: its query and its keys and values as the model made them, and what follows."""
    best, run = ranked(LOOKS_BACK).heads[0], run_of(LOOKS_BACK, SENTENCE)
    layer, query = f"layer{best.layer}", run.labels.words["Q"].index(READER)
    q, k = (step.value[best.head] for step in run.step(f"{layer}.scores").inputs)
    v = run.step(f"{layer}.context").inputs[1].value[best.head]
    seen = slice(0, query + 1)  # of what follows it, "it" may read nothing
    do = Glass()
    given = (("q", q[None, query : query + 1], "HQD"), ("k", k[None, seen], "HKD"), ("v", v[None, seen], "HKD"))
    steps = [do.given(name, array, axes) for name, array, axes in given]
    do.attend(steps[0], steps[1], steps[2], np.ones((1, query + 1), dtype=bool), ROOT, None)
    return begun(
        "it",
        f"The animal and it ({LOOKS_BACK}, layer {best.layer} head {best.head})",
        do,
        {"Q": (READER,), "K": tuple(run.labels.words["K"][seen])},
        f"query, keys and values are those of {LOOKS_BACK}, a model trained on text; nobody told it about antecedents",
        f"of its {len(ranked(LOOKS_BACK).heads)} heads, this one lets “it” read “animal” most",
    )


def claims() -> list[Claim]:
    return [
        Statement(D, 32, "its query projection learns to ask what's the antecedent noun?",
                  lambda t: _strongest(t) == READ,
                  lambda t: f"this head gives {READ} {t[f'weights[{READER},{READ}]']:.3f}; an average word gets "
                            f"{1 / t.array('weights').shape[-1]:.3f}", 3,
                  "one head of many; most of the others read other words"),
        Statement(D, 34, "When the query matches this key, it retrieves animal's value",
                  lambda t: bool(np.allclose(t.array("context")[0, 0], t.array("weights")[0, 0] @ t.array("v")[0])),
                  lambda t: f"{t[f'weights[{READER},{READ}]']:.1%} of the context is the value of {READ}", 6),
    ]  # fmt: skip


def _strongest(trace: Trace) -> str:
    return trace.labels.words["K"][int(trace.array("weights")[0, 0].argmax())]


def remarks(trace: Trace) -> list[str]:
    weight = trace[f"weights[{READER},{READ}]"]
    times = weight * len(trace.labels.words["K"])
    lines = [f"In this row, {READ} has {weight:.3f} of what “{READER}” reads, {times:.1f} times an equal share."]
    for model in (LOOKS_BACK, BOTH_WAYS):
        best = ranked(model).heads[0]
        others = 0.0 if best.others is None else best.others.value
        lines.append(
            f"{model}: layer {best.layer} head {best.head} gives {best.weight.value:.3f}; an average word gets "
            f"{best.average.value:.3f}, and other words give {READ} {others:.3f}."
        )
    back, both = largest_change(LOOKS_BACK), largest_change(BOTH_WAYS)
    return [
        *lines,
        "“… was too tired” or “too wide” decides what “it” is, but it comes after “it”.",
        f"{LOOKS_BACK} looks back: the weights of “it” change by {back:g}.",
        f"{BOTH_WAYS} looks both ways: by up to {both:.3f}.",
    ]
