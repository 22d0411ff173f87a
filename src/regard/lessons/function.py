"""A matrix as a function: one that turns by 45°, one that learned to do so, and one that nobody asked for in words.

*Attention Mechanism: Deep Dive Q&A*, question 8.
"""

from functools import cache

import numpy as np

from regard.lessons.cards.function import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson, begun
from regard.lessons.measures import degrees
from regard.models.glass import Glass
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "002"
TURN = 45.0  # degrees, 002:306
INPUTS = {"right": (1.0, 0.0), "up": (0.0, 1.0), "between": (0.5, 0.5), "fox": (0.8, 0.6)}
EXAMPLES, UPDATES, RATE = 8, 200, 0.2
FOX_UPDATES = 10


def lesson() -> Lesson:
    return Lesson(
        name="function",
        title="A matrix is a function",
        documents=(D,),
        idea="A matrix takes a vector and gives another; you can decide which, or let examples find it.",
        make=make,
        shows=("x", "W_Q", "q", "W_K", "k", "W_V", "v"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    do = Glass()
    x = do.given("x", np.array(list(INPUTS.values())), "TC")
    matrices = {"Q": rotation(TURN), "K": learned(), "V": of_the_fox()}
    for role, matrix in matrices.items():
        axes = {"Q": "HQD"}.get(role, "HKD")
        do.heads(role.lower(), x, do.given(f"W_{role}", matrix[None], "HCD", "parameter"), None, axes)
    return begun(
        "function",
        "three matrices as functions (after Attention Mechanism: Deep Dive Q&A)",
        do,
        dict.fromkeys("TQK", tuple(INPUTS)),
        f"W_Q turns by {TURN:g}°, computed by hand; W_K has learned the same from {EXAMPLES} examples",
        f"W_V is what the fox sentence made of the identity in {FOX_UPDATES} updates: a function nobody wrote down",
    )


def rotation(angle: float) -> np.ndarray:
    """The matrix that turns a row by this many degrees: x·W.

    >>> (np.array([2.0, 0.0]) @ rotation(90.0)).round(9).tolist()
    [0.0, 2.0]
    """
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.array([[cosine, sine], [-sine, cosine]])


def examples() -> tuple[np.ndarray, np.ndarray]:
    """Inputs, and what should come out of them."""
    x = np.random.default_rng(9).normal(size=(EXAMPLES, 2))
    return x, x @ rotation(TURN)


@cache
def learned(updates: int = UPDATES) -> np.ndarray:
    """A matrix from random numbers, moved against the gradient of the mean square error of the examples."""
    x, y = examples()
    W = np.random.default_rng(10).normal(size=(2, 2))
    for _ in range(updates):
        W = W - RATE * 2 / len(x) * x.T @ (x @ W - y)
    return W


@cache
def of_the_fox() -> np.ndarray:
    *_, last = shipped("fox").run("The quick brown fox", next="jumps").updates(FOX_UPDATES)
    return last.array("W_V")[0]


def claims() -> list[Claim]:
    return [
        Statement(D, 291, "A matrix multiplication y = Wx is a function mapping input x to output y",
                  lambda t: bool(np.allclose(t.array("x") @ t.array("W_Q")[0], t.array("q")[0])),
                  lambda t: f"right {_list(t.array('x')[0])} → {_list(t.array('q')[0, 0])}", 2,
                  "written x·W here: with words as rows, W is transposed"),
        Statement(D, 306, "You decide: I want 45° rotation",
                  lambda t: bool(np.allclose(turns(t, "q"), TURN)) and bool(np.allclose(stretches(t, "q"), 1)),
                  lambda t: f"every vector turns by {turns(t, 'q').min():.4g}° and keeps its length", 2),
        Statement(D, 307, "You compute W manually",
                  lambda t: bool(np.allclose(t.array("W_Q")[0], rotation(TURN))),
                  lambda t: f"cos {TURN:g}° = {t['W_Q[0,0]']:.4f}, sin {TURN:g}° = {t['W_Q[0,1]']:.4f}", 2),
        Statement(D, 311, "Training finds W that achieves this", lambda t: error(t) < 1e-6,
                  lambda t: f"from random numbers, after {UPDATES} updates no number is off by more than "
                  f"{error(t):.0e}",
                  12),
        Statement(D, 360, "The matrix version is differentiable, handles fuzzy inputs, and learns from data",
                  lambda t: bool(np.allclose(t.array("q")[0, 2], t.array("q")[0, :2].mean(axis=0))),
                  lambda t: f"halfway between right and up → {_list(t.array('q')[0, 2])}, halfway between their "
                  f"outputs",
                  2),
    ]  # fmt: skip


def turns(trace: Trace, name: str) -> np.ndarray:
    """By how many degrees each input is turned."""
    return np.array([degrees(a, b) for a, b in zip(trace.array("x"), trace.array(name)[0])])


def stretches(trace: Trace, name: str) -> np.ndarray:
    """How many times as long each input becomes."""
    return np.linalg.norm(trace.array(name)[0], axis=-1) / np.linalg.norm(trace.array("x"), axis=-1)


def error(trace: Trace) -> float:
    """How far the matrix that learned is from the one that was decided on."""
    return float(np.abs(trace.array("W_K") - trace.array("W_Q")).max())


def _list(numbers: np.ndarray) -> str:
    return f"[{' '.join(f'{v:.4f}' for v in numbers)}]"


def remarks(trace: Trace) -> list[str]:
    fox_turns = ", ".join(
        f"{word} by {angle:.1f}° (× {length:.2f})"
        for word, angle, length in zip(INPUTS, turns(trace, "v"), stretches(trace, "v"))
    )
    reached = [(n, float(np.abs(learned(n) - trace.array("W_Q")[0]).max())) for n in (0, 5, 20, UPDATES)]
    return [
        f"W_Q was decided: every vector turns by {turns(trace, 'q').min():.4g}°.",
        f"W_K was learned from {EXAMPLES} examples. Its largest error: "
        + ", ".join(f"{off:.1g} after {n}" for n, off in reached) + " updates.",
        "W_V was learned so that jumps would follow. No word describes what it does, as with most learned matrices.",
        f"It turns and stretches {fox_turns}.",
        f"A function of this kind is linear: halfway in gives halfway out, {_list(trace.array('q')[0, 2])}.",
    ]  # fmt: skip
