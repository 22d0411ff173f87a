"""*Deep Dive Q&A*, question 1: "it" retrieves "animal". Which heads of the trained models do so, and what they know."""

import numpy as np

from regard.audit.verdict import Verdict
from regard.lens.who_reads import Readings
from regard.lessons.cards.it import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Column, Frames, Lesson, begun
from regard.lessons.measures import cosine
from regard.lessons.pronoun import (
    BOTH_WAYS,
    LOOKS_BACK,
    NOUNS,
    OTHER,
    READ,
    READER,
    SENTENCE,
    TIRED,
    WIDE,
    change,
    first,
    largest_change,
    meant,
    named,
    ranked,
    run_of,
    telling,
    weight,
)
from regard.models.glass import Glass
from regard.ops.scaling import ROOT
from regard.trace import Trace

D = "002"
MODELS = (LOOKS_BACK, BOTH_WAYS)


def lesson() -> Lesson:
    return Lesson(
        name="it",
        title="What does “it” read?",
        documents=(D,),
        idea="A trained head lets “it” read “animal”; whether it can tell the right noun depends on who may read whom.",
        make=make,
        shows=("q", "k", "scores", "scaled", "weights", "context"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
        rankings=rankings,
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
        f"The animal and it ({LOOKS_BACK}, {named(best)})",
        do,
        {"Q": (READER,), "K": tuple(run.labels.words["K"][seen])},
        f"query, keys and values are those of {LOOKS_BACK}, a model trained on text; nobody told it about antecedents",
        f"of its {len(ranked(LOOKS_BACK).heads)} heads, this one lets “it” read “animal” most",
    )


def claims() -> list[Claim]:
    return [
        Statement(D, 32, "its query projection learns to ask what's the antecedent noun?",
                  lambda t: meant(LOOKS_BACK) == len(NOUNS),
                  lambda t: f"of two nouns, this head gives the one that “{READER}” means more in "
                            f"{meant(LOOKS_BACK)} of {len(NOUNS)} other sentences; {BOTH_WAYS}'s best head in "
                            f"{meant(BOTH_WAYS)}", 3,
                  "so mostly: tossing a coin for each does as well once in 28. The sentences are ours; the head was "
                  "chosen by the document's alone", Verdict.overstated),
        Statement(D, 34, "When the query matches this key, it retrieves animal's value",
                  lambda t: most_like(t)[0] == READ,
                  lambda t: f"of the {len(t.labels.words['K'])} values, the context is most like that of "
                            f"{most_like(t)[0]}: cosine {most_like(t)[1]:.3f}; the next is {most_like(t, 1)[0]}, "
                            f"{most_like(t, 1)[1]:.3f}", 6),
    ]  # fmt: skip


def most_like(trace: Trace, place: int = 0) -> tuple[str, float]:
    """The word whose value is most like what "it" retrieves, or the one at a later place, and its cosine."""
    context = trace.array("context")[0, 0]
    found = [(word, cosine(value, context)) for word, value in zip(trace.labels.words["K"], trace.array("v")[0])]
    return sorted(found, key=lambda pair: -pair[1])[place]


def rankings() -> list[tuple[str, Readings]]:
    """The heads of each model by how much "it" reads "animal" in the document's sentence."""
    return [(model, ranked(model)) for model in MODELS]


def frames(_: Trace) -> list[Frames]:
    """Both texts, in the head of each model where they differ most."""
    found = []
    for model in MODELS:
        at = telling(model)
        rows = tuple((text.rpartition(" ")[2], run_of(model, text)) for text in (TIRED, WIDE))
        address = f"layer{at.layer}.weights[{at.head},{READER}"
        columns = tuple(Column.cell(f"reads {word}", f"{address},{word}]") for word in (READ, OTHER))
        differs = f"of all heads, the weight of {READ} differs most in this one"
        why = differs if change(model, at, READ) else f"it differs in none; this one reads {READ} most"
        found.append(Frames(f"too tired or too wide: {model}, {named(at)}", rows, columns, why))
    return found


def remarks(trace: Trace) -> list[str]:
    own = trace[f"weights[{READER},{READ}]"]
    times = own * len(trace.labels.words["K"])
    at, most = telling(BOTH_WAYS), abs(change(BOTH_WAYS, telling(BOTH_WAYS, OTHER), OTHER))
    before = {word: [weight(BOTH_WAYS, text, at, word) for text in (TIRED, WIDE)] for word in (READ, OTHER)}
    return [
        f"In this row, {READ} has {own:.3f} of what “{READER}” reads, {times:.1f} times an equal share.",
        f"In {meant(LOOKS_BACK)} of {len(NOUNS)} other sentences this head gives the noun that “{READER}” means more "
        "than the other noun.",
        f"{BOTH_WAYS}'s best head does so in {meant(BOTH_WAYS)}: it reads the first noun in {first(BOTH_WAYS)} of "
        f"{len(NOUNS)}, whatever “{READER}” means.",
        "“… was too tired” or “too wide” decides what “it” is, but it comes after “it”.",
        f"{LOOKS_BACK} only looks back: the weights of “{READER}” change by "
        f"{largest_change(LOOKS_BACK):g} in all heads.",
        f"{BOTH_WAYS} looks both ways and can tell: in {named(at)} “{READER}” gives {READ} {before[READ][0]:.3f} "
        f"before tired, {before[READ][1]:.3f} before wide.",
        f"That is the head where the weight of {READ} differs most; {OTHER} gets {before[OTHER][0]:.3f} and "
        f"{before[OTHER][1]:.3f} in it.",
        f"So {READ} is doubted, but {OTHER} not found: its weight differs by {most:.3f} at most, in any head.",
    ]
