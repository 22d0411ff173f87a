"""*The Math Behind Attention*: apple, pulled to orange. Its 98 % is a softmax with the scaling that it leaves out."""

import math
from dataclasses import replace
from functools import cache

import numpy as np

from regard.attending.masks import causal
from regard.audit.verdict import Verdict
from regard.lens.alike import cosines
from regard.lessons.cards.apple import CARDS
from regard.lessons.claim import Claim, Row, Statement, cells
from regard.lessons.lesson import Lesson
from regard.lessons.measures import cosine, follows
from regard.models.model import Model
from regard.text.words import words_of
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "003"
TOY, PLANE = (
    "apple",
    "fruit-or-company",
)  # the document's scores; and one whose words are two numbers: fruit, technology
WORDS = ("apple", "orange", "phone", "the")
SCORES = ("1.5", "12.0", "0.0", "0.3")  # 003:68
CLAIMED = 0.98  # 003:75
FRUIT = ("I bought an apple and an orange", "apple", "orange")  # 003:20: the sentence, who is moved, and by whom
COMPANY = ("Apple unveiled a new phone", "Apple", "phone")  # 003:21


def lesson() -> Lesson:
    return Lesson(
        name="apple",
        title="Apple, Orange and Phone",
        documents=(D,),
        idea="Scores become shares, the shares of other words' values are added to a word, and its meaning moves.",
        make=make,
        shows=("scores", "weights", "v", "attended", "residual"),
        row="apple",
        digits=6,
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


@cache
def _toy() -> Model:
    return shipped(TOY)


def make() -> Trace:
    """The four words of the document's table, read by the toy that has its scores."""
    trace = _toy().run(" ".join(WORDS), query="apple")
    return replace(trace, info={**trace.info, "lesson": "apple"})


def claims() -> list[Claim]:
    orange = {"weights[apple,orange]": "98%"}
    unscaled = "the scores are not scaled by √d_k; the remarks say which d_k would make it true"
    return [
        cells(D, 68, "scores of Apple", 3, {f"scores[apple,{w}]": s for w, s in zip(WORDS, SCORES)}),
        Row(D, 74, "sum of the shares", ("100%",), lambda t: [row(t).sum()], 5),
        cells(D, 75, "share of Orange", 5, orange, unscaled),
        cells(D, 95, "share of Orange", 5, orange, unscaled),
        cells(D, 95, "of Orange's value, added to Apple", 6, orange, unscaled),
        *scenarios(),
        *statements(),
        Statement(D, 101, "Identify relevant neighbors",
                  lambda t: all(follows(t.step("scores"), t.step(name)) for name in "qk")
                  and WORDS[int(t.array("scores")[0, t.info["query"]].argmax())] == "orange",
                  lambda t: f"scores is computed from q and k; of its four numbers that of orange is the largest, "
                            f"{t['scores[apple,orange]']:g}", 3),
        *(Statement(D, line, said, lambda t, b=before, n=name: follows(t.step(n), t.step(b)),
                    lambda t, b=before, n=name: f"{n} is computed from {b}", stage)
          for line, said, before, name, stage in (
              (102, "Normalize to probabilities (Softmax)", "scores", "weights", 5),
              (103, "Extract useful content (V)", "weights", "context", 6),
              (104, "Update the word's meaning", "context", "residual", 7))),
    ]  # fmt: skip


def scenarios() -> list[Claim]:
    """Both sentences of the document, in the toy with its scores; and the pull, in the toy that is a plane."""
    return [
        Statement(D, 20, "“I bought an apple and an orange.” (Fruit)",
                  lambda t: reads_and_says(*FRUIT) == (FRUIT[2], "pie"),
                  lambda t: _scenario(*FRUIT), 9, f"in the toy {TOY}"),
        Statement(D, 21, "“Apple unveiled a new phone.” (Tech)",
                  lambda t: reads_and_says(*COMPANY) == (COMPANY[2], "store"),
                  lambda t: _scenario(*COMPANY), 9, f"in the toy {TOY}; --query Apple shows its row"),
        Statement(D, 28, "moving its vector representation closer to the “Fruit” cluster",
                  lambda t: moved(*FRUIT)[1] > moved(*FRUIT)[0] and moved(*COMPANY)[1] > moved(*COMPANY)[0],
                  lambda t: f"{_moved(*FRUIT)}; {_moved(*COMPANY)}", 7,
                  f"in the toy {PLANE}; in the toy {TOY} what is added says what follows, and the category stays"),
        Statement(D, 58, "Q is the question the word asks. K is the label the word wears",
                  lambda t: asks("apple") != asks("Apple") and bool(np.array_equal(label("apple"), label("Apple"))),
                  lambda t: f"apple and Apple wear one label, k = {label('apple')[:2].tolist()} …; with their queries "
                            f"they find {asks('apple')} and {asks('Apple')}", 3, f"in the toy {TOY}"),
        Statement(D, 82, "The features that make words similar (Q/K) are often different from the information needed "
                         "to predict what comes next (V)",
                  lambda t: all(nearest(w, "W_K") != nearest(w, "W_V") for w in ("orange", "phone")),
                  lambda t: "; ".join(f"nearest to {w}: {nearest(w, 'W_K')} by key, {nearest(w, 'W_V')} by value"
                                      for w in ("orange", "phone")), 6,
                  f"in the toy {TOY}; regard figure --model {TOY} --what planes draws both spaces"),
    ]  # fmt: skip


def statements() -> list[Claim]:
    return [
        Statement(D, 36, "Orthogonal vectors yield zero attention", lambda t: t["weights[apple,phone]"] == 0.0,
                  lambda t: f"phone: score {t['scores[apple,phone]']:g}, weight {t['weights[apple,phone]']:.2g}; "
                            f"among four scores of 0, {among_zeros(t):.0%}", 5,
                  "a score of 0 gives e⁰ over the sum: more than nothing", Verdict.overstated),
        Statement(D, 65, "A high score means “Orange” holds the relevant context",
                  lambda t: WORDS[int(row(t).argmax())] == "orange",
                  lambda t: f"largest weight: {WORDS[int(row(t).argmax())]}", 5),
        Statement(D, 95, "we don’t copy its Key. We extract its Value (V). We add",
                  lambda t: not added(t)[:3].any() and cosine(added(t), through(t, "orange")) > 0.999,
                  lambda t: f"added to apple: {', '.join(_added(t))}; its category stays", 7,
                  "adding to the word's own vector is the residual connection"),
    ]  # fmt: skip


# what the claims are measured on


def row(trace: Trace) -> np.ndarray:
    """What apple reads."""
    return trace.array("weights")[0, trace.info["query"]]


def added(trace: Trace) -> np.ndarray:
    """What reading has added to apple."""
    return trace.array("residual")[trace.info["query"]] - trace.array("x")[trace.info["query"]]


def _added(trace: Trace) -> list[str]:
    names = trace.labels.words["C"]
    return [f"{names[i]} {added(trace)[i]:+.5f}" for i in np.flatnonzero(added(trace))]


def through(trace: Trace, word: str) -> np.ndarray:
    """A word's value as W_O writes it."""
    return trace.array("v")[0, WORDS.index(word)] @ trace.array("W_O")[0]


def scenario(text: str, word: str) -> Trace:
    return _toy().run(text, query=word)


def reads_and_says(text: str, word: str, _: str) -> tuple[str, str]:
    """The word that apple reads most in a sentence, and what the toy says there."""
    run = scenario(text, word)
    return run.labels.words["K"][int(row(run).argmax())], run.predicted


def _scenario(text: str, word: str, by: str) -> str:
    run = scenario(text, word)
    return f"{word} reads {by} with {run[f'weights[{word},{by}]']:.5f}, and says {run.predicted}"


def moved(text: str, word: str, by: str) -> list[float]:
    """The cosine of a word with the one that pulls it, by itself and in the sentence, in the toy that is a plane."""
    run = shipped(PLANE).run(text)
    return [cell.value for cell in cosines(run, run.labels.words["T"].index(word), by).values()]


def _moved(text: str, word: str, by: str) -> str:
    before, after = moved(text, word, by)
    return f"cosine of {word} with {by} {before:.3f} → {after:.3f}"


def vector(word: str, name: str) -> np.ndarray:
    """A word of the toy through one of its matrices."""
    toy = _toy()
    return toy.parameters["E"][toy.reads.index(word)] @ toy.parameters[f"layer0.{name}"][0]


def label(word: str) -> np.ndarray:
    return vector(word, "W_K")


def asks(word: str) -> str:
    """The word whose key a word's query fits best."""
    return max(_toy().reads, key=lambda other: float(vector(word, "W_Q") @ label(other)))


def nearest(word: str, name: str) -> str:
    """The other word whose vector in one space points most nearly the same way; some have none there."""
    own = vector(word, name)
    others = [(w, v) for w in _toy().reads if w != word and (v := vector(w, name)).any()]
    return max(others, key=lambda pair: cosine(own, pair[1]))[0]


def among_zeros(trace: Trace) -> float:
    """Phone's weight if every score were 0, like its own."""
    return trace.pin("scores", np.zeros_like(trace.array("scores")))["weights[apple,phone]"]


def share_at(trace: Trace, temperature: float) -> float:
    """Orange's share if the scores were divided by this number; √d_k is the usual one."""
    return trace.pin("scaled", trace.array("scores") / temperature)["weights[apple,orange]"]


def temperature_for(trace: Trace, share: float) -> float:
    """The number by which the scores must be divided to give Orange this share, found by bisection."""
    low, high = 1.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if share_at(trace, middle) > share else (low, middle)
    return (low + high) / 2


def sees_orange() -> bool:
    """Whether apple could read orange in the document's sentence if words only looked back."""
    words = words_of(FRUIT[0])
    return bool(causal(len(words))[words.index("apple"), words.index("orange")])


def remarks(trace: Trace) -> list[str]:
    temperature = temperature_for(trace, CLAIMED)
    shares = ", ".join(f"d_k = {d} → {share_at(trace, math.sqrt(d)):.2%}" for d in (4, 5, 64))
    words = words_of(FRUIT[0])
    apple, orange = (words.index(word) + 1 for word in FRUIT[1:])  # as a reader counts
    backwards = "could" if sees_orange() else "cannot"
    return [
        f"Orange gets {trace['weights[apple,orange]']:.4%}, not {CLAIMED:.0%}. "
        f"{CLAIMED:.0%} needs a temperature of {temperature:.3f}, that is d_k = {temperature**2:.2f}:",
        f"the missing scaling explains it ({shares}).",
        f"In the sentence apple is word {apple} of {len(words)}, orange word {orange}: a model that only looks back "
        f"{backwards} do this;",
        "the example needs one that looks both ways. “Apple” and “apple” are two tokens in a cased vocabulary.",
        f"Step 4, “update”, is the residual addition: {', '.join(_added(trace))} are added to apple.",
        f"Two spaces: by its key orange is nearest to {nearest('orange', 'W_K')}, by its value to "
        f"{nearest('orange', 'W_V')}.",
        f"Both spaces are drawn by: regard figure --model {TOY} --what planes",
    ]
