"""Why scores are divided by √d_k (*How Attention Scores Are Computed*). Vectors of ±1: a score is counted by hand."""

import itertools
import math

import numpy as np

from regard.lessons.cards.root import CARDS
from regard.lessons.claim import Claim, Code, Statement
from regard.lessons.lesson import Column, Frames, Knob, Lesson, begun
from regard.models.glass import Glass
from regard.ops.scaling import ROOT
from regard.trace import Trace

D = "001"
WORDS = ("the", "cat", "sat")
HEAD_WIDTH = 16
MOST_WIDTH = 4096
WIDTHS = (16, 64, 256, 1024)
# ours: by how many times √d_k the score of each key lies off 0; random keys of ±1 lie about 1 off
OFF = {"the": -1.0, "cat": 1.0, "sat": 2.5}


def lesson() -> Lesson:
    return Lesson(
        name="root",
        title="Why √d_k",
        documents=(D,),
        idea="A dot product of d numbers is about √d in size; divided by √d_k, softmax stays soft and keeps learning.",
        make=make,
        shows=("scores", "scaled", "weights"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
        knob=Knob("d_k", make, columns()),
    )


def make(head_width: int = HEAD_WIDTH) -> Trace:
    if not 4 <= head_width <= MOST_WIDTH:
        raise ValueError(f"d_k expects a number from 4 to {MOST_WIDTH:,}, got {head_width}")
    generator = np.random.default_rng(8)
    query = generator.choice([-1.0, 1.0], head_width)
    keys = np.array([turned(query, head_width - agree(word, head_width), generator) for word in WORDS])
    do = Glass()
    q, k = do.given("q", query[None, None], "HQD"), do.given("k", keys[None], "HKD")
    do.attend(q, k, do.given("v", np.eye(3)[None], "HKD"), np.ones((1, 3)), ROOT, None)
    return begun(
        "root",
        "why √d_k (after How Attention Scores Are Computed)",
        do,
        {"Q": ("sat",), "K": WORDS},
        f"ours: queries and keys of {head_width} numbers, each +1 or −1; the document gives none",
    )


def agree(word: str, head_width: int) -> int:
    """At how many places a key agrees with the query of sat.

    >>> [agree(word, 16) for word in WORDS]
    [6, 10, 13]
    """
    return min(head_width, round(head_width / 2 + OFF[word] * math.sqrt(head_width) / 2))


def turned(query: np.ndarray, count: int, generator: np.random.Generator) -> np.ndarray:
    """A key that differs from the query at this many places."""
    key = query.copy()
    key[generator.permutation(len(query))[:count]] *= -1
    return key


def claims() -> list[Claim]:
    return [
        Statement(D, 24, "The higher the dot product, the more similar (or relevant) the key is to the query",
                  lambda t: np.argsort(t.array("scores")[0, 0]).tolist() == np.argsort(agreements(t)).tolist(),
                  lambda t: f"scores {_list(t.array('scores')[0, 0])} for "
                  f"{_list(agreements(t))} equal signs",
                  3),
        Statement(D, 60, "Large dot products can lead to very small gradients (softmax gets too confident)",
                  lambda t: slope(unscaled(t)) < slope(t.array("weights")[0, 0]) / 2,
                  lambda t: f"p·(1 − p) of the largest weight: {slope(unscaled(t)):.4f} unscaled, "
                            f"{slope(t.array('weights')[0, 0]):.4f} scaled", 4),
        Code(D, 63, "Q \\\\cdot K … sqrt{d_k}".replace("\\\\", "\\"),
             lambda t: t.array("q")[0] @ t.array("k")[0].T / math.sqrt(t.array("k").shape[-1]), 4),
        Statement(D, 66, "d_k is the dimension of the key vectors",
                  lambda t: bool(np.allclose(t.array("scores") / t.array("scaled"), t.array("k").shape[-1] ** 0.5)),
                  lambda t: f"the keys have {t.array('k').shape[-1]} numbers; scores were divided by "
                            f"{float((t.array('scores') / t.array('scaled')).max()):g}", 4),
    ]  # fmt: skip


def agreements(trace: Trace) -> list[int]:
    """At how many places each key has the sign of the query."""
    return (trace.array("k")[0] == trace.array("q")[0, 0]).sum(axis=-1).tolist()


def slope(weights: np.ndarray) -> float:
    """How much the largest weight moves with its own score: p·(1 − p), where 1 − p is what the others have."""
    others = np.delete(weights, weights.argmax())
    return float(weights.max() * others.sum())


def unscaled(trace: Trace) -> np.ndarray:
    return trace.pin("scaled", trace.array("scores")).array("weights")[0, 0]


def spread(width: int) -> float:
    """The root of the mean square of a score, over every key of ±1 of this width.

    >>> [round(spread(width), 9) for width in (1, 4, 9)]
    [1.0, 2.0, 3.0]
    """
    scores = [sum(signs) for signs in itertools.product((-1.0, 1.0), repeat=width)]
    return math.sqrt(sum(s * s for s in scores) / len(scores))


def columns() -> tuple[Column, ...]:
    """What is read at every width: a score and its weight, and the same without scaling."""
    return (
        Column.cell("q·k sat", "scores[sat,sat]", ".0f", "score"),
        Column.cell("/ √d_k", "scaled[sat,sat]", ".2f", "score"),
        Column.cell("weight", "weights[sat,sat]", panel="weight"),
        Column("p·(1−p)", lambda run: slope(run.array("weights")[0, 0]), panel="p·(1−p)"),
        Column("weight, unscaled", lambda run: float(unscaled(run).max()), ".8f", "weight"),
        Column("p·(1−p), unscaled", lambda run: slope(unscaled(run)), ".0e", "p·(1−p)"),
    )


def frames(_: Trace) -> list[Frames]:
    """The same three words at other widths."""
    says = "turn it with regard lesson root --turn 64"
    return [Frames("d_k", tuple((str(width), make(width)) for width in WIDTHS), columns(), says, "d_k")]


def _list(numbers: np.ndarray | list[int]) -> str:
    return ", ".join(f"{v:g}" for v in numbers)


def remarks(trace: Trace) -> list[str]:
    scaled, raw = trace.array("weights")[0, 0], unscaled(trace)
    return [
        f"Over all keys of ±1, a score is about {spread(4):g} at width 4 and {spread(9):g} at width 9: the root.",
        f"Unscaled, the largest weight is {raw.max():.4f} and moves by {slope(raw):.4f} with its score;",
        f"scaled, {scaled.max():.4f} and {slope(scaled):.4f}: {slope(scaled) / slope(raw):.0f} times as much.",
        "Ours: d_k and the vectors of +1 and −1. The document gives neither.",
    ]
