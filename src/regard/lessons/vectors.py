"""*Deep Dive Q&A*, question 9: how words get their vectors. Two sentences, and one update of skip-gram."""

import numpy as np

from regard.lessons.cards.vectors import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Column, Frames, Lesson
from regard.trace import Trace
from regard.vectors.updates import skipgram_trace, windows

D = "002"
SENTENCES = ("a king is a royal man", "a queen is a royal woman")
WORDS = tuple(dict.fromkeys(" ".join(SENTENCES).split()))
WINDOW, RATE, EPOCHS = 2, 0.25, 100
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
        shows=("x", "c", "scores", "chances", "losses", "loss"),
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


def cosine(vectors: np.ndarray, one: str, other: str) -> float:
    a, b = (vectors[WORDS.index(word)] for word in (one, other))
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def nearest(vectors: np.ndarray, direction: np.ndarray, without: tuple[str, ...] = ()) -> str:
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    order = [WORDS[i] for i in np.argsort(-(units @ direction), kind="stable")]
    return next(word for word in order if word not in without)


def analogy(vectors: np.ndarray) -> np.ndarray:
    """king − man + woman, each of length 1."""
    king, man, woman = (v / np.linalg.norm(v) for v in (vectors[WORDS.index(w)] for w in ("king", "man", "woman")))
    return king - man + woman


def claims() -> list[Claim]:
    inputs = ("king", "man", "woman")
    return [
        Statement(D, 370, "king - man + woman ≈ queen",
                  lambda t: nearest(trained(t), analogy(trained(t)), inputs) == "queen",
                  lambda t: f"nearest: {nearest(trained(t), analogy(trained(t)), inputs)}, if the three words are left "
                            f"out; with them, {nearest(trained(t), analogy(trained(t)))}", 12,
                  "in these two sentences, where king and queen have the same neighbours; real vectors: "
                  "regard vectors analogy FILE man king woman"),
        Statement(D, 384, "similar words are close together",
                  lambda t: cosine(trained(t), "king", "queen") > cosine(t.array("E"), "king", "queen"),
                  lambda t: f"cosine of king and queen: {cosine(t.array('E'), 'king', 'queen'):.3f} before, "
                            f"{cosine(trained(t), 'king', 'queen'):.3f} after {EPOCHS} epochs", 12,
                  "similar here means: with the same neighbours"),
    ]  # fmt: skip


def frames(trace: Trace) -> list[Frames]:
    columns = (
        Column.cell("chance of king for a", "chances[a,king]"),
        Column.cell("chance of not woman for a", "chances[a,woman]"),
        Column("loss", lambda run: float(run.array("loss"))),
    )
    runs = tuple((str(i), run) for i, run in enumerate(trace.updates(3, RATE)))
    return [
        Frames("the same window again", runs, columns, "After each update the true word is likelier, the others less.")
    ]


def remarks(trace: Trace) -> list[str]:
    vectors, after = trained(trace), trace.update(RATE)
    moved = after.array("E") - trace.array("E")
    return [
        f"One update moves a by {np.linalg.norm(moved[0]):.4f} and is by {np.linalg.norm(moved[2]):.4f}; "
        f"the loss falls from {float(trace.array('loss')):.4f} to {float(after.array('loss')):.4f}.",
        "Words that are not in the window keep their vectors: only the rows that were looked up have a gradient.",
        f"After {EPOCHS} epochs of both sentences the cosine of king and queen is "
        f"{cosine(vectors, 'king', 'queen'):.3f}, that of king and royal {cosine(vectors, 'king', 'royal'):.3f}.",
        f"king − man + woman lies nearest to {nearest(vectors, analogy(vectors), ('king', 'man', 'woman'))} of the "
        f"other words; the word nearest to king alone is {nearest(vectors, vectors[1], ('king',))}.",
    ]
