"""*Deep Dive Q&A*, question 9, the other method: vectors from counts. Two sentences, and one update of GloVe."""

import numpy as np

from regard.lessons.cards.glove import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Column, Frames, Lesson
from regard.lessons.vectors import RATE, SENTENCES, WORDS, E, U
from regard.trace import Trace
from regard.vectors.updates import counts, glove_trace

D = "002"
WINDOW, EPOCHS = 5, 200
WORD, CONTEXT = "king", "royal"
BIAS = 0.1


def lesson() -> Lesson:
    return Lesson(
        name="glove",
        title="Vectors from counts",
        documents=(D,),
        idea="GloVe counts which words stand together, and fits dot products to the logarithms of the counts.",
        make=make,
        shows=("x", "c", "score", "said", "count", "wanted", "error", "weight", "loss"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
    )


def make() -> Trace:
    biases = np.full(len(WORDS), BIAS)
    count = counts(SENTENCES, WINDOW)[WORD, CONTEXT]
    trace = glove_trace(WORDS, E, U, biases, biases, WORD, CONTEXT, count)
    notes = [
        f"two sentences: “{SENTENCES[0]}”, “{SENTENCES[1]}”; a pair counts 1 / its distance",
        "ours: the numbers of the lesson vectors, and a bias of 0.1 for each word; the document gives only a name",
    ]
    title = "one update of GloVe (after Attention Mechanism: Deep Dive Q&A)"
    trace.info.update(title=title, notes=notes, lesson="glove")  # pyright: ignore[reportAttributeAccessIssue]
    return trace.backward()


def fitted(trace: Trace, epochs: int = EPOCHS) -> tuple[float, float]:
    """How far dot products and biases are from the logarithms of the counts, on average: before, and after training."""
    v, c, b, d = (trace.array(name).copy() for name in ("E", "U", "b", "d"))
    squares = [np.ones_like(part) for part in (v, c, b, d)]
    places = {word: i for i, word in enumerate(WORDS)}
    pairs = [(places[one], places[other], x) for (one, other), x in counts(SENTENCES, WINDOW).items()]

    def off() -> float:
        return float(np.mean([abs(v[i] @ c[j] + b[i] + d[j] - np.log(x)) for i, j, x in pairs]))

    before = off()
    for _ in range(epochs):
        for i, j, x in pairs:
            error = min(1.0, (x / 100) ** 0.75) * (v[i] @ c[j] + b[i] + d[j] - np.log(x))
            moves = ((v, i, error * c[j]), (c, j, error * v[i]), (b, i, error), (d, j, error))
            for (table, place, gradient), kept in zip(moves, squares):
                table[place] -= RATE * gradient / np.sqrt(kept[place])
                kept[place] += gradient**2
    return before, off()


def claims() -> list[Claim]:
    return [
        Statement(D, 372, "Global Vectors for Word Representation", lambda t: fitted(t)[1] < fitted(t)[0] / 2,
                  lambda t: f"two vectors and their biases say ln of a count over the whole text, off by "
                            f"{fitted(t)[1]:.3f} on average after {EPOCHS} epochs, at the start by {fitted(t)[0]:.3f}",
                  12, "global: it learns from counts, not from one window after another"),
    ]  # fmt: skip


def frames(trace: Trace) -> list[Frames]:
    columns = (
        Column("said", lambda run: float(run.array("said"))),
        Column("loss", lambda run: float(run.array("loss")), panel="loss"),
    )
    runs = tuple((str(i), run) for i, run in enumerate(trace.updates(3, RATE)))
    return [Frames("the same pair again", runs, columns, "What the vectors say comes nearer to ln of the count.")]


def remarks(trace: Trace) -> list[str]:
    before, after = fitted(trace)
    count, said, wanted = (float(trace.array(name)) for name in ("count", "said", "wanted"))
    return [
        f"{WORD} and {CONTEXT} were counted {count:.4f} times: the vectors say {said:.4f} and "
        f"should say ln of that, {wanted:.4f}.",
        f"So rare a pair weighs {float(trace.array('weight')):.4f}; one that was counted a hundred times weighs 1.",
        "AdaGrad's first update is plain gradient descent; later ones divide by √(sum of squared gradients so far).",
        f"After {EPOCHS} epochs of all pairs they are off by {after:.3f} on average, at the start by {before:.3f}.",
    ]
