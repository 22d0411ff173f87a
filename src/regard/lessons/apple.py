"""*The Math Behind Attention*: apple, pulled to orange. Its 98 % is a softmax with the scaling that it leaves out."""

import math

import numpy as np

from regard.attending.masks import causal
from regard.audit.verdict import Verdict
from regard.lessons.cards.apple import CARDS
from regard.lessons.claim import Claim, Row, Statement, cells
from regard.lessons.lesson import Lesson, begun
from regard.lessons.measures import follows
from regard.models.glass import Glass
from regard.ops.scaling import NONE
from regard.text.words import words_of
from regard.trace import Trace

D = "003"
WORDS = ("Apple", "Orange", "Phone", "The")
SCORES = ("1.5", "12.0", "0.0", "0.3")  # 003:68
CLAIMED = 0.98  # 003:75
SCENARIO = "I bought an apple and an orange."  # 003:20
FRUIT, TECHNOLOGY = np.eye(2)
CONTENTS = np.array([(FRUIT + TECHNOLOGY) / 2, FRUIT, TECHNOLOGY, 0 * FRUIT])  # ours, in the plane fruit × technology


def lesson() -> Lesson:
    return Lesson(
        name="apple",
        title="Apple, Orange and Phone",
        documents=(D,),
        idea="Scores become shares, the shares of other words' values are added to a word, and its meaning moves.",
        make=make,
        shows=("scores", "weights", "context", "residual"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    do = Glass()
    x = do.given("x", CONTENTS[:1], "TC")
    scores = do.given("scores", np.array(SCORES, dtype=float).reshape(1, 1, 4), "HQK")
    masked = do.hide(do.scale(scores, NONE, 1), np.ones((1, 4)))
    weights = do.softmax(masked, "peak", "exps", "total", "weights")
    context = do.mix(weights, do.given("v", CONTENTS[None], "HKD"))
    do.add("residual", x, do.join(context, None, None))
    plane = ("fruit", "technology")
    return begun(
        "apple",
        "Apple (after The Math Behind Attention)",
        do,
        {"T": ("Apple",), "Q": ("Apple",), "K": WORDS, "C": plane, "D": plane},
        "begins at the scores the document gives, unscaled as it has them",
        "ours: the vectors in the plane fruit × technology, since the document gives none",
    )


def claims() -> list[Claim]:
    orange = {"weights[Apple,Orange]": "98%"}
    unscaled = "the scores are not scaled by √d_k; the remarks say which d_k would make it true"
    return [
        cells(D, 68, "scores of Apple", 3, {f"scores[Apple,{w}]": s for w, s in zip(WORDS, SCORES)}),
        Row(D, 74, "sum of the shares", ("100%",), lambda t: [t.array("weights").sum()], 5),
        cells(D, 75, "share of Orange", 5, orange, unscaled),
        cells(D, 95, "share of Orange", 5, orange, unscaled),
        cells(D, 95, "of Orange's value, added to Apple", 6, orange, unscaled),
        *statements(),
    ]


def statements() -> list[Claim]:
    return [
        Statement(D, 28, "moving its vector representation closer to the “Fruit” cluster",
                  lambda t: fruitiness(t, "residual") > fruitiness(t, "x"),
                  lambda t: f"cosine with fruit {fruitiness(t, 'x'):.3f} → {fruitiness(t, 'residual'):.3f}", 7,
                  "with vectors of ours in the plane fruit × technology"),
        Statement(D, 36, "Orthogonal vectors yield zero attention", lambda t: t["weights[Apple,Phone]"] == 0.0,
                  lambda t: f"Phone: score {t['scores[Apple,Phone]']:g}, weight {t['weights[Apple,Phone]']:.2g}; "
                            f"among four scores of 0, {among_zeros(t):.0%}", 5,
                  "a score of 0 gives e⁰ over the sum: more than nothing", Verdict.overstated),
        Statement(D, 65, "A high score means “Orange” holds the relevant context",
                  lambda t: WORDS[int(t.array("weights").argmax())] == "Orange",
                  lambda t: f"largest weight: {WORDS[int(t.array('weights').argmax())]}", 5),
        Statement(D, 95, "we don’t copy its Key. We extract its Value (V). We add",
                  lambda t: bool(np.allclose(t.array("residual")[0] - t.array("x")[0], t.array("context")[0, 0])),
                  lambda t: " → ".join(str(t.array(n)[0].round(3).tolist()) for n in ("x", "residual")), 7,
                  "adding to the word's own vector is the residual connection"),
        *(Statement(D, line, said, lambda t, b=before, n=name: follows(t.step(n), t.step(b)),
                    lambda t, b=before, n=name: f"{n} is computed from {b}", stage)
          for line, said, before, name, stage in (
              (102, "Normalize to probabilities (Softmax)", "scores", "weights", 5),
              (103, "Extract useful content (V)", "weights", "context", 6),
              (104, "Update the word's meaning", "context", "residual", 7))),
    ]  # fmt: skip


def fruitiness(trace: Trace, name: str) -> float:
    """The cosine of Apple's vector with the direction fruit, at one step."""
    vector = trace.array(name)[0]
    return float(vector @ FRUIT / np.linalg.norm(vector))


def among_zeros(trace: Trace) -> float:
    """Phone's weight if every score were 0, like its own."""
    return trace.pin("scores", np.zeros_like(trace.array("scores")))["weights[Apple,Phone]"]


def share_at(trace: Trace, temperature: float) -> float:
    """Orange's share if the scores were divided by this number; √d_k is the usual one."""
    return trace.pin("scaled", trace.array("scores") / temperature)["weights[Apple,Orange]"]


def temperature_for(trace: Trace, share: float) -> float:
    """The number by which the scores must be divided to give Orange this share, found by bisection."""
    low, high = 1.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if share_at(trace, middle) > share else (low, middle)
    return (low + high) / 2


def sees_orange() -> bool:
    """Whether apple could read orange in the document's sentence if words only looked back."""
    words = words_of(SCENARIO)
    return bool(causal(len(words))[words.index("apple"), words.index("orange")])


def remarks(trace: Trace) -> list[str]:
    temperature = temperature_for(trace, CLAIMED)
    shares = ", ".join(f"d_k = {d} → {share_at(trace, math.sqrt(d)):.2%}" for d in (4, 5, 64))
    places = [words_of(SCENARIO).index(w) for w in ("apple", "orange")]
    backwards = "could" if sees_orange() else "cannot"
    return [
        f"Orange gets {trace['weights[Apple,Orange]']:.4%}, not {CLAIMED:.0%}. "
        f"{CLAIMED:.0%} needs a temperature of {temperature:.3f}, that is d_k = {temperature**2:.2f}:",
        f"the missing scaling explains it ({shares}).",
        f"In the sentence apple is word {places[0]}, orange {places[1]}: a model that looks back {backwards} do this;",
        "the example needs one that looks both ways. “Apple” and “apple” are two tokens in a cased vocabulary.",
        f"Step 4, “update”, is the residual addition: x + context = {trace.array('residual')[0].round(4).tolist()} "
        "(vectors of ours: fruit, technology).",
    ]
