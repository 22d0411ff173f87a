"""Trained on the cat, reads the dog: why learned matrices work on sentences they have never seen.

*Attention Mechanism: Deep Dive Q&A*, question 7.
"""

import numpy as np

from regard.audit.verdict import Verdict
from regard.lessons.cards.new_sentences import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.kinds import (
    CHANCE,
    HEADS,
    KINDS,
    NEW,
    RATE,
    SEEDS,
    SOURCES,
    UPDATES,
    WIDTH,
    WORDS,
    again,
    between,
    found,
    moved,
    named,
    near,
    near_by_query,
    nearest,
    old_run,
    reads_most,
    trained,
    untrained,
    vectors,
    within,
)
from regard.lessons.lesson import Column, Frames, Lesson
from regard.trace import Trace

D = "002"


def lesson() -> Lesson:
    return Lesson(
        name="new-sentences",
        title="A sentence it has never seen",
        documents=(D,),
        idea="W_Q and W_K learn what each kind of word looks for; a word whose vector lies near is treated alike.",
        make=make,
        shows=("weights",),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
    )


def make() -> Trace:
    """The new sentence, read by what has learned from the cat."""
    return trained(vectors()).run(NEW)


def claims() -> list[Claim]:
    return [
        Statement(D, 230, "The weight matrices don't learn position 6 should attend to position 2",
                  lambda t: moved(t) < 1e-12,
                  lambda t: f"“dog The ran”: dog, now first, gets the same weight, to {moved(t):.0e}", 2,
                  "this model has no positions at all; one that has can learn places as well"),
        Statement(D, 239, "If input embedding looks like a verb",
                  lambda t: all(reads_most(t, verb) == "dog" for verb in KINDS["verbs"]),
                  lambda t: ", ".join(f"{verb} reads {reads_most(t, verb)} most" for verb in KINDS["verbs"]), 3),
        Statement(D, 248, "Word embeddings cluster by meaning", lambda t: within(t) > 0.5 > between(t),
                  lambda t: f"cosines: {within(t):.2f} within a kind, {between(t):.2f} between kinds", 1,
                  "ours are made so; a model's become so by training on much text"),
        Statement(D, 260, "All verbs have similar embeddings → W_Q transforms them all similarly",
                  lambda t: min(near_by_query(t, "sat", "ran")) > 0.9,
                  lambda t: f"sat and ran: {near(t, 'sat', 'ran'):.3f} by embedding, by query "
                            + ", ".join(f"{c:.3f} in head {h}" for h, c in enumerate(near_by_query(t, "sat", "ran"))),
                  2),
        Statement(D, 272, "q_ran ≈ looking for: subject, actor", lambda t: reads_most(t, "ran") == "dog",
                  lambda t: "ran gives dog " + ", ".join(f"{w:.3f}" for w in t.array("weights")[:, 2, 1]), 5),
        Statement(D, 275, "This works for ANY verb-subject pair because similar inputs produce similar outputs",
                  lambda t: found("anywhere") > 0.9,
                  lambda t: f"unseen subjects get {found('kinds'):.2f} where vectors of a kind are close, "
                            f"{found('real'):.2f} with real vectors, {found('anywhere'):.2f} where every word lies "
                            f"anywhere (chance {CHANCE:.2f}; medians of {SEEDS})", 5,
                  "for words whose vectors lie near those it learned from, and for no others", Verdict.overstated),
        Statement(D, 281, "W_Q, W_K, W_V matrices",
                  lambda t: all(np.array_equal(t.array(n), old_run(t).array(n)) for n in ("W_Q", "W_K", "W_V")),
                  lambda t: "the same numbers for both sentences; x has "
                            f"{len({*t.info['tokens']} - {*old_run(t).info['tokens']})} new words", 2),
        Statement(D, 384, "similar words are close together",
                  lambda t: nearest(t, "dog") in KINDS["animals"] and nearest(t, "ran") in KINDS["verbs"],
                  lambda t: f"nearest to dog: {nearest(t, 'dog')}; to ran: {nearest(t, 'ran')}", 1,
                  "in vectors of ours; of the English model's own, regard near dog"),
        Statement(D, 396, "semantically similar words produce similar queries, keys, and values",
                  lambda t: min(near_by_query(t, "cat", "dog")) > 0.9,
                  lambda t: f"cat and dog: {near(t, 'cat', 'dog'):.3f} by embedding, by query "
                            + ", ".join(f"{c:.3f}" for c in near_by_query(t, "cat", "dog")), 2),
    ]  # fmt: skip


def frames(trace: Trace) -> list[Frames]:
    """The film of learning, seen on a sentence that is not learned from."""
    model = untrained(trace.array("E"))
    learning = model.run("The cat sat", next="cat").updates(UPDATES, RATE, ["W_Q", "W_K"])
    runs = [(n, run) for n, run in enumerate(learning) if n in (0, 1, 5, 10, 20, 50, UPDATES)]
    heads = range(HEADS)
    read = [Column.cell(f"sat → cat {h}", f"weights[{h},sat,cat]", ".3f", "sat → cat") for h in heads]
    unread = [
        Column(f"ran → dog {h}", lambda run, h=h: float(again(run, NEW)[f"weights[{h},ran,dog]"]), ".3f", "ran → dog")
        for h in heads
    ]
    alike = [
        Column(f"q: sat, ran {h}", lambda run, h=h: near_by_query(run, "sat", "ran")[h], ".3f", "q: sat, ran")
        for h in heads
    ]
    return [
        Frames(
            "updates on “The cat sat”, by head",
            tuple((str(n), run) for n, run in runs),
            (*read, *unread, *alike),
            "it never learns from dog or ran",
        ),
        Frames(
            f"“{NEW}” by where the word vectors come from",
            tuple((source, trained(make(0)).run(NEW)) for source, make in SOURCES.items()),
            (
                *(Column.cell(f"ran → dog {h}", f"weights[{h},ran,dog]", ".3f") for h in heads),
                Column("cos cat, dog", lambda run: near(run, "cat", "dog"), ".3f"),
                Column("cos sat, ran", lambda run: near(run, "sat", "ran"), ".3f"),
            ),
            "kinds: like words close; anywhere: at random; real: the English model's own",
        ),
    ]


def remarks(trace: Trace) -> list[str]:
    dog = trace.array("weights")[:, 2, 1]
    before = untrained(trace.array("E")).run(NEW).array("weights")[:, 2, 1]
    return [
        f"“{NEW}”: ran gives dog {dog[0]:.3f} in head 0 and {dog[1]:.3f} in head 1; before "
        f"learning, {before[0]:.3f} and {before[1]:.3f}.",
        f"sat and ran have a cosine of {near(trace, 'sat', 'ran'):.3f} by embedding and of "
        f"{min(near_by_query(trace, 'sat', 'ran')):.3f} or more by query: W_Q treats them alike.",
        f"Of subjects it has never read, it names {named('kinds'):.0%} where vectors of a kind lie close, and "
        f"{named('anywhere'):.0%} where they lie anywhere.",
        "So the vectors must come first, from much text. A model that learns them from one sentence never moves dog.",
        f"With the English model's own vectors, shortened to {WIDTH} numbers, it names {named('real'):.0%}.",
        f"The {WIDTH} directions kept lose least of the {len(WORDS)} words; they were chosen without knowing kinds.",
    ]
