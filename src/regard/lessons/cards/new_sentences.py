"""New sentences in cards: what is fixed, what varies, and what had to be there before."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question
from regard.lessons.kinds import found, near, near_by_query, old_run
from regard.lessons.measures import MATRICES
from regard.trace import Trace

SAME, ONLY, OTHERS = "none of them", "only W_Q", "W_Q, W_K and W_V"


def changed_matrices(run: Trace) -> str:
    """Which matrices are other numbers when the other sentence is read."""
    before = old_run(run)
    others = [name for name in MATRICES if not np.array_equal(run.array(name), before.array(name))]
    return {(): SAME, ("W_Q",): ONLY}.get(tuple(others), OTHERS)


def alike(run: Trace) -> float:
    """The cosine of the queries of sat and ran, in the first head."""
    return near_by_query(run, "sat", "ran")[0]


def unlike(q: Question) -> float:
    return near_by_query(q.trace, "sat", "dog")[0]


def by_embedding(run: Trace) -> float:
    return near(run, "sat", "ran")


CARDS = (
    Card(
        title="Words it has never read",
        place="002:265",
        stage=5,
        says="W_Q and W_K have learned from “The cat sat” that sat asks for cat. The vectors of dog and ran lie near "
        "those "
        "of cat and sat, but the model has never read them. Before learning, ran gave dog about a third.",
        asks="In head 0, what weight does ran give dog now?",
        answer="weights[0,ran,dog]",
        hint="sat gives cat nearly everything.",
        reveals="{weights[0,ran,dog]|3}, though nobody ever showed it a dog: dog is near cat, ran is near sat, and a "
        "matrix treats near vectors alike.",
        mistakes=(
            Mistake("nothing was learned about dog", "A third is chance. Its vector is near that of cat.",
                    lambda q: 1 / 3),
            Mistake("reads itself", "That is what ran gives itself.", lambda q: float(q.trace["weights[0,ran,ran]"])),
        ),
        row="ran",
        head=0,
    ),
    Card(
        title="Near by query",
        place="002:272",
        stage=2,
        says=lambda run: "The vectors of sat and ran have a cosine of "
        f"{by_embedding(run):.2f}. Both go through the same W_Q.",
        asks="What is the cosine of their queries in head 0?",
        answer=alike,
        hint="W_Q has learned one thing to ask for, and both verbs are near it.",
        reveals="Nearer than the words themselves: W_Q keeps what verbs have in common and drops the rest.",
        mistakes=(
            Mistake("as by embedding", "That is the cosine of the vectors, before W_Q.",
                    lambda q: by_embedding(q.trace)),
            Mistake("compared with a noun", "That is the cosine of the queries of sat and dog.", unlike),
        ),
        veils="q",
    ),
    Card(
        title="Without clusters",
        place="002:275",
        stage=5,
        says="“This works for ANY verb-subject pair.” Now give every word a random vector, so that dog is no nearer "
        "to cat "
        "than to on, and learn from the cat again.",
        asks="What weight does an unseen subject get then (the median of five tries)?",
        answer=lambda _: found("anywhere"),
        hint="With three words to read, chance is a third.",
        reveals="About chance. It works for words whose vectors already lie near; that of a word that was never "
        "trained may lie anywhere. The word vectors had to be there before.",
        mistakes=(
            Mistake("as with clusters", "That is where words of a kind lie close together.",
                    lambda _: found("kinds")),
            Mistake("never", "Softmax gives every word something; with nothing learned, its share is about equal.",
                    lambda q: 0.0),
        ),
        veils="weights",
    ),
    Card(
        title="What varies",
        place="002:281",
        stage=2,
        says="The model reads “The cat sat on the mat”, then “The dog ran through the park”.",
        asks="Which matrices have other numbers for the second sentence?",
        answer=changed_matrices,
        choices=(OTHERS, ONLY, SAME),
        hint="What is learned is fixed when a text is read.",
        reveals="None: what varies is which rows of the word vectors are read.",
        mistakes=(
            Mistake("recomputed", "q, k and v are computed anew; the matrices that make them are not.",
                    lambda q: OTHERS),
            Mistake("only the query's", "q is computed anew; W_Q is what it is computed with.", lambda q: ONLY),
        ),
    ),
)  # fmt: skip
