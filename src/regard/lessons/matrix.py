"""*Deep Dive Q&A*, question 3: reading a 10×10 matrix of weights, of which the text prints four rows."""

from collections.abc import Sequence

import numpy as np

from regard.lessons.cards.matrix import CARDS
from regard.lessons.claim import Claim, Code, Row, Statement, cells
from regard.lessons.lesson import Lesson, begun
from regard.models.glass import Glass
from regard.trace import Trace

D = "002"
SENTENCE = ("The", "cat", "that", "I", "saw", "yesterday", "sat", "on", "the", "mat")
HEAD_WIDTH = 64  # 002:100
PRINTED = {  # word → line, row number and weights, 002:76-81
    "The": (76, "0", ("0.40", "0.20", "0.05", "0.05", "0.05", "0.05", "0.05", "0.05", "0.05", "0.05")),
    "cat": (77, "1", ("0.30", "0.35", "0.05", "0.05", "0.05", "0.05", "0.05", "0.03", "0.03", "0.04")),
    "sat": (79, "6", ("0.05", "0.60", "0.02", "0.03", "0.05", "0.10", "0.05", "0.02", "0.02", "0.06")),
    "mat": (81, "9", ("0.05", "0.15", "0.02", "0.03", "0.05", "0.05", "0.15", "0.15", "0.10", "0.25")),
}
WRITTEN_OUT = {"The": "0.05", "cat": "0.60", "that": "0.02", "mat": "0.06"}  # 002:97
ROWS = tuple(PRINTED)


def lesson() -> Lesson:
    return Lesson(
        name="matrix",
        title="Reading the matrix of weights",
        documents=(D,),
        idea="Row i says how much word i takes from every word; its output is that mixture of the value vectors.",
        make=make,
        shows=("weights", "context"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    do = Glass()
    printed = np.array([weights for _, _, weights in PRINTED.values()], dtype=float)
    weights = do.given("weights", printed[None], "HQK")
    values = np.random.default_rng(0).normal(size=(len(SENTENCE), HEAD_WIDTH))
    do.mix(weights, do.given("v", values[None], "HKD"))
    return begun(
        "matrix",
        "The cat that I saw yesterday sat on the mat (after Attention Mechanism: Deep Dive Q&A)",
        do,
        {"Q": ROWS, "K": SENTENCE},
        "begins at the four rows of weights the document prints; it does not print the other six",
        "ours: the value vectors are random numbers, since the document gives none",
    )


def claims() -> list[Claim]:
    found: list[Claim] = [
        Row(D, 69, "tokens, and the matrix they make", ("10", "10", "10"), lambda t: [keys(t)] * 3, 5),
        Row(D, 72, "shape of the weights", ("10", "10"), lambda t: whole(t).shape, 5, note="four rows are printed"),
        Row(D, 89, "every row's sum", ("1.0",), lambda t: [max(sums(t), key=lambda s: abs(s - 1))], 5),
        Row(D, 96, "row of sat", ("6",), lambda t: [place("sat")], 6),
        Row(D, 100, "shapes", ("10", "10", "10", "64", "10", "64"), shapes, 6),
    ]
    for row, (word, (line, number, weights)) in enumerate(PRINTED.items()):
        said = {f"weights[{word},{key}]": weight for key, weight in zip(SENTENCE, weights)}
        found.append(cells(D, line, f"weights of {word}", 5, said))
        found.append(Row(D, line, f"row number of {word}", (number,), lambda t, word=word: [place(word)], 5))
        found.append(Row(D, line, f"sum of the row {word}", ("1.0",), lambda t, row=row: [sums(t)[row]], 5))
    terms = {f"weights[sat,{key}]": weight for key, weight in WRITTEN_OUT.items()}
    found.append(cells(D, 97, "the sum for sat, written out", 6, terms))
    one_head = {f"weights[sat,{w}]": p for w, p in (("cat", "0.60"), ("mat", "0.06"), ("yesterday", "0.10"))}
    found.append(cells(D, 122, "what one head might produce", 5, one_head))
    return found + code_and_statements()


def code_and_statements() -> list[Claim]:
    return [
        Statement(D, 97, "output[6] = 0.05*v_The + 0.60*v_cat + 0.02*v_that + ... + 0.06*v_mat",
                  lambda t: bool(np.allclose(written_out(t), t.array("context")[0, 2])),
                  lambda t: f"output[6][0] = {t.why('context[sat,0]').text(2, most_terms=4)}", 6),
        Code(D, 100, "output = weights @ V", lambda t: whole(t) @ t.array("v")[0], 6),
        Statement(D, 93, "a weighted sum of all value vectors", lambda t: bool((t.array("weights") > 0).all()),
                  lambda t: f"{t.array('weights')[0].size} printed weights, all above 0", 6),
        Statement(D, 125, "focuses heavily on cat but loses mat",
                  lambda t: t["weights[sat,cat]"] > 0.5 > 0.1 > t["weights[sat,mat]"],
                  lambda t: f"cat has {t['weights[sat,cat]'] / t['weights[sat,mat]']:.0f} times the weight of mat", 5),
        Statement(D, 125, "a single distribution that sums to 1", lambda t: bool(np.allclose(sums(t), 1)),
                  lambda t: f"all {len(sums(t))} rows sum to 1, to {np.abs(np.array(sums(t)) - 1).max():.0e}", 5),
    ]  # fmt: skip


def place(word: str) -> int:
    """The position of a word in the sentence, which is the number of its row in the whole matrix."""
    return SENTENCE.index(word)


def keys(trace: Trace) -> int:
    return trace.array("weights").shape[-1]


def sums(trace: Trace) -> list[float]:
    return trace.array("weights")[0].sum(axis=-1).tolist()


def whole(trace: Trace) -> np.ndarray:
    """A full matrix to try shapes on: the printed rows in their places, equal shares in those not printed."""
    count = keys(trace)
    matrix = np.full((count, count), 1 / count)
    matrix[[place(word) for word in ROWS]] = trace.array("weights")[0]
    return matrix


def shapes(trace: Trace) -> Sequence[float]:
    weights, values = whole(trace), trace.array("v")[0]
    return [*weights.shape, *values.shape, *(weights @ values).shape]


def written_out(trace: Trace) -> np.ndarray:
    """The sum for sat, one term after the other."""
    total = np.zeros(HEAD_WIDTH)
    for weight, value in zip(trace.array("weights")[0, ROWS.index("sat")], trace.array("v")[0]):
        total = total + weight * value
    return total


def later(trace: Trace) -> dict[str, float]:
    """How much of its attention each printed row gives to words that come after it."""
    rows = trace.array("weights")[0]
    return {word: float(row[place(word) + 1 :].sum()) for word, row in zip(ROWS, rows)}


def remarks(trace: Trace) -> list[str]:
    ahead = later(trace)
    forward = sum(mass > 1e-9 for mass in ahead.values())
    off = np.abs(np.array(sums(trace)) - 1).max()
    return [
        f"The rows look both ways: later words get {', '.join(f'{w} {m:.2f}' for w, m in ahead.items())}.",
        f"The text does not say so; a model that only looks back could not have {forward} of these {len(ahead)} rows.",
        f"Each row sums to 1; in floating-point numbers, only to within {off:.1e}. Compare with a tolerance.",
        f"The text prints {len(ROWS)} of {keys(trace)} rows and no value vectors; the vectors here are random.",
    ]
