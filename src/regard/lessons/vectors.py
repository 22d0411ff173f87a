"""*Deep Dive Q&A*, question 9: how words get their vectors. Two sentences, and one update of skip-gram."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from regard.lessons.cards.vectors import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Column, Frames, Lesson
from regard.ops import Given
from regard.trace import Step, Trace
from regard.vectors.steps import cosine_steps, vector_steps
from regard.vectors.updates import skipgram_trace, windows

D = "002"
SENTENCES = ("a king is a royal man", "a queen is a royal woman")
WORDS = tuple(dict.fromkeys(" ".join(SENTENCES).split()))
WINDOW, RATE, EPOCHS = 2, 0.25, 100
INPUTS = ("king", "man", "woman")
NEAR, WORD, NEGATIVES = ("a", "is"), "king", ("woman", "man")
# ours, set by hand: where the words stand before anything is learned
E = np.array([[0.2, 0.1], [0.4, -0.3], [0.1, 0.3], [-0.2, 0.4], [0.3, 0.2], [-0.4, -0.2], [-0.1, 0.2]])
U = np.array([[0.1, 0.4], [0.3, 0.2], [0.2, -0.1], [0.4, 0.1], [-0.3, 0.2], [0.2, 0.3], [-0.2, -0.4]])


def lesson() -> Lesson:
    return Lesson(
        name="vectors",
        title="How words get their vectors",
        documents=(D,),
        idea="A word's vector learns to predict its neighbours, so words with the same neighbours come together.",
        make=make,
        shows=("x", "c", "scores", "chances", "losses", "loss", "before.cosine", "trained.cosine", "sum.cosine"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
    )


def make() -> Trace:
    trace = skipgram_trace(WORDS, E, U, NEAR, WORD, NEGATIVES)
    notes = (
        f"two sentences: “{SENTENCES[0]}”, “{SENTENCES[1]}”",
        "ours: two numbers for each word, set by hand; the document gives only names",
    )
    trace = replace(trace, forward=(*trace.forward, *learned(trained(trace))))
    trace.info.update(  # pyright: ignore[reportAttributeAccessIssue]
        title="one update of skip-gram (after Attention Mechanism: Deep Dive Q&A)", notes=list(notes), lesson="vectors"
    )
    return trace.backward()


def trained(trace: Trace, epochs: int = EPOCHS) -> np.ndarray:
    """The vectors after every window of both sentences has been seen so often, against all words that are not in it."""
    vectors, contexts = trace.array("E").copy(), trace.array("U").copy()
    place = {word: i for i, word in enumerate(WORDS)}
    seen = [([place[w] for w in near], place[word]) for word, near in windows(SENTENCES, WINDOW)]
    everything = np.arange(len(WORDS))
    for _ in range(epochs):
        for near, word in seen:
            label = (everything == word).astype(float)
            x = vectors[near]
            error = label - 1 / (1 + np.exp(-x @ contexts.T))
            np.add.at(vectors, near, RATE * error @ contexts)
            contexts += RATE * error.T @ x
    return vectors


def learned(vectors: np.ndarray) -> Iterator[Step]:
    """The cosines of all words with king, before and after training, and with king − man + woman, as steps."""
    before, after = Step("E.before", Given(E, "IC", "constant")), Step("E.trained", Given(vectors, "IC", "constant"))
    yield from (before, after)
    king, man, woman = (WORDS.index(word) for word in INPUTS)
    for name, table, factors, rows in (
        ("before", before, [1], [king]),
        ("trained", after, [1], [king]),
        ("sum", after, [1, -1, 1], [king, man, woman]),
    ):
        own = list(vector_steps(name, table, factors, rows))
        yield from (*own, *cosine_steps(name, table, own[-1]))


def nearest(trace: Trace, name: str, without: tuple[str, ...] = ()) -> str:
    """The word with the largest of these cosines."""
    order = np.argsort(-trace.array(f"{name}.cosine"), kind="stable")
    return next(WORDS[i] for i in order if WORDS[i] not in without)


def claims() -> list[Claim]:
    return [
        Statement(D, 370, "king - man + woman ≈ queen", lambda t: nearest(t, "sum", INPUTS) == "queen",
                  lambda t: f"nearest: {nearest(t, 'sum', INPUTS)}, if the three words are left out; with them, "
                            f"{nearest(t, 'sum')}", 12,
                  "in these two sentences, where king and queen have the same neighbours; real vectors: "
                  "regard vectors analogy english man king woman"),
        Statement(D, 384, "similar words are close together",
                  lambda t: t["trained.cosine[queen]"] > t["before.cosine[queen]"],
                  lambda t: f"cosine of king and queen: {t['before.cosine[queen]']:.3f} before, "
                            f"{t['trained.cosine[queen]']:.3f} after {EPOCHS} epochs", 12,
                  "similar here means: with the same neighbours"),
    ]  # fmt: skip


def frames(trace: Trace) -> list[Frames]:
    columns = (
        Column.cell("chance of king for “a”", "chances[a,king]"),
        Column.cell("chance of not woman for “a”", "chances[a,woman]"),
        Column("loss", lambda run: float(run.array("loss")), panel="loss"),
    )
    runs = tuple((str(i), run) for i, run in enumerate(trace.updates(3, RATE)))
    return [
        Frames("the same window again", runs, columns, "After each update the true word is likelier, the others less.")
    ]


def remarks(trace: Trace) -> list[str]:
    after = trace.update(RATE)
    moved = after.array("E") - trace.array("E")
    return [
        f"One update moves “a” by {np.linalg.norm(moved[0]):.4f} and “is” by {np.linalg.norm(moved[2]):.4f}; "
        f"the loss falls from {float(trace.array('loss')):.4f} to {float(after.array('loss')):.4f}.",
        "Words that are not in the window keep their vectors: only the rows that were looked up have a gradient.",
        f"After {EPOCHS} epochs of both sentences the cosine of king and queen is "
        f"{trace['trained.cosine[queen]']:.3f}, that of king and royal {trace['trained.cosine[royal]']:.3f}.",
        f"Of the other words {nearest(trace, 'sum', INPUTS)} lies nearest to king − man + woman (sum.cosine); nearest "
        f"to king alone is {nearest(trace, 'trained', ('king',))}.",
    ]
