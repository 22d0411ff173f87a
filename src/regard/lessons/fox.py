"""The fox sentence: from weights to a prediction, its loss, and the update that changes it."""

from dataclasses import replace
from functools import cache

import numpy as np

from regard.audit.verdict import Verdict
from regard.lessons.cards.fox import CARDS
from regard.lessons.chains import dot_product
from regard.lessons.claim import Claim, Code, Row, Statement, cells
from regard.lessons.lesson import Lesson
from regard.lessons.reachable import VECTORS, WORD_ROWS, nearest_reachable
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "004"
WITH_EATS, WITH_PIZZA = "fox-with-eats", "fox-with-pizza"
WORDS = ("The", "quick", "brown", "fox")
NEXT = ("apple", "run", "fox", "jumps")
NEXT_WITH_PIZZA = ("apple", "run", "fox", "pizza")  # of the document's last example; all its numbers are the same
CHAINS = (
    ("0.33", "0.105", "0.435"),
    ("0.066", "0.315", "0.381"),
    ("0.462", "0.21", "0.672"),
    ("0.132", "0.472", "0.604"),
)


def lesson() -> Lesson:
    return Lesson(
        name="fox",
        title="The quick brown fox jumps",
        documents=(D,),
        idea="Four weights mix four vectors into one; its dot products with the vocabulary choose the next word.",
        make=make,
        shows=("x", "weights", "context", "logits", "probabilities", "loss"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    return shipped("fox").run("The quick brown fox", next="jumps").backward()


def claims() -> list[Claim]:
    found: list[Claim] = []
    found += [
        weight(24 + i, word, printed) for i, (word, printed) in enumerate(zip(WORDS, ("0.1", "0.05", "0.1", "0.75")))
    ]
    for first, printed in ((44, ("0.10", "0.05", "0.10", "0.75")), (118, ("0.1", "0.05", "0.1", "0.75"))):
        found += [weight(first + i, word, p) for i, (word, p) in enumerate(zip(WORDS, printed))]
    for first in (44, 107, 118):
        found += [embedding(first + i, word) for i, word in enumerate(WORDS)]
    for first, printed in ((54, ("0.10", "0.05", "0.10", "0.75")), (79, ("0.10", "0.05", "0.10", "0.75"))):
        found += [term(first + i, word, p) for i, (word, p) in enumerate(zip(WORDS, printed))]
    found += [term(125 + i, word, p) for i, (word, p) in enumerate(zip(WORDS, ("0.1", "0.05", "0.1", "0.75")))]
    products = (("0.01", "0.02"), ("0.02", "0.005"), ("0.03", "0.05"), ("0.6", "0.45"))
    found += [product(63 + i, i, printed) for i, printed in enumerate(products)]
    found += [product(line, i, printed) for line in (71, 131) for i, printed in enumerate(products)]
    found += [context(line) for line in (72, 90, 132, 146, 237)]
    found.append(cells(D, 75, "the highest weight", 5, {"weights[fox,fox]": "0.75"}))
    found += predicting((139, 150, 158), NEXT)
    again = (*predicting((243, 252, 260), NEXT_WITH_PIZZA),
             cells(D, 263, "the highest probability", 9, {"probabilities[fox]": "0.29"}))  # fmt: skip
    found += [in_the_toy_with_pizza(row) for row in again]
    return found + code_and_statements()


def predicting(lines: tuple[int, int, int], words: tuple[str, ...]) -> list[Row]:
    """From the rows of the vocabulary over dot products to shares, from three lines on."""
    rows, products, softmax = lines
    found = [word_row(rows + i, i, word) for i, word in enumerate(words)]
    for i, (word, results) in enumerate(zip(words, CHAINS)):
        found.append(dot_product(D, products + i, i, word, ("0.66", "0.525"), results))
    logits = dict(zip((f"logits[{word}]" for word in words), ("0.435", "0.381", "0.672", "0.604")))
    shares = dict(zip((f"probabilities[{word}]" for word in words), ("0.23", "0.22", "0.29", "0.26")))
    found.append(cells(D, softmax, "logits inside softmax", 8, logits))
    found.append(cells(D, softmax, "softmax of the logits", 9, shares))
    return found


def in_the_toy_with_pizza(row: Row) -> Row:
    """The same claim of another run, whose cells are not this one's."""
    return replace(row, about=f"{row.about}, in {WITH_PIZZA}", compute=lambda _: row.compute(_with_pizza()), cells=())


@cache
def _with_pizza() -> Trace:
    model = shipped(WITH_PIZZA)
    return model.run(model.sentence)


def weight(line: int, word: str, printed: str) -> Row:
    return cells(D, line, f"weight of {word}", 5, {f"weights[fox,{word}]": printed})


def embedding(line: int, word: str) -> Row:
    row = VECTORS[WORDS.index(word)]
    return cells(D, line, f"embedding of {word}", 1, {f"x[{word},{d}]": f"{v:g}" for d, v in enumerate(row)})


def term(line: int, word: str, printed: str) -> Row:
    row = VECTORS[WORDS.index(word)]
    said = {f"weights[fox,{word}]": printed, **{f"v[{word},{d}]": f"{v:g}" for d, v in enumerate(row)}}
    return cells(D, line, f"weight · embedding of {word}", 6, said)


def product(line: int, key: int, printed: tuple[str, str]) -> Row:
    return Row(
        D, line, f"from {WORDS[key]}", printed, lambda t: t.array("weights")[0, 3, key] * t.array("v")[0, key], 6
    )


def context(line: int) -> Row:
    return cells(D, line, "context", 6, {"context[fox,0]": "0.66", "context[fox,1]": "0.525"})


def word_row(line: int, word: int, name: str) -> Row:
    printed = tuple(f"{v:g}" for v in WORD_ROWS[word])
    return Row(D, line, f"W_out row {name}", printed, lambda t: t.array("W_out")[word], 8)


def code_and_statements() -> list[Claim]:
    rows, read = WORD_ROWS.tolist(), "logits = context @ Wout"
    needs = "W_out is (4, 2) as printed: it needs .T"
    return [
        *(Code(D, line, read, lambda t: t.array("read") @ np.array(rows), 8, needs) for line in (232, 268)),
        Code(D, 146, "[0.66, 0.525] @ Wout.T", lambda t: t.array("read") @ rows.T, 8, "Wout is written as a list"),  # pyright: ignore[reportAttributeAccessIssue]
        Statement(D, 16, "weights (a.k.a. attention scores)", _weights_are_scores, _scores_beside_weights, 5,
                  "a score is q·k; a weight is what softmax makes of it"),
        Statement(D, 29, "“fox” is most relevant to predicting “jumps”", _fox_helps, _fox_hurts, 5,
                  "the most attended word pushes away from the target"),
        Statement(D, 40, "attention from the perspective of “jumps”", lambda t: _asks(t) == "jumps",
                  lambda t: f"the query that predicts jumps is that of {_asks(t)}", 3,
                  "jumps' own query would already know the answer"),
        Statement(D, 97, "a 3-word input", lambda t: len(t.info["tokens"]) == 3,
                  lambda t: f"{len(t.info['tokens'])} words", 1, fails_as=Verdict.wrong),
        Statement(D, 160, "predicted word = fox", lambda t: t.predicted == "fox", lambda t: t.predicted, 9),
        Statement(D, 167, "backprop updates attention weights", lambda t: "layer0.weights" in t.parameters,
                  lambda t: f"parameters: {', '.join(n.rpartition('.')[2] for n in t.parameters)}", 12,
                  "weights are activations, recomputed every time"),
        *(Statement(D, line, "Initially, the model might predict “eats”, but after backpropagation, it adjusts to "
                             "predict “jumps”", lambda t: eats_then() == ["eats", "jumps"],
                    lambda t: f"{WITH_EATS} says {eats_then()[0]}, and after one update {eats_then()[1]}", 12,
                    f"in the toy {WITH_EATS}, where eats has the row of fox: the document gives it none")
          for line in (265, 272)),
        Statement(D, 286, "weight_i = softmax(score_i)", _one_score_says_something,
                  lambda t: "softmax of one score is always 1", 5, "softmax needs the whole row",
                  fails_as=Verdict.cannot_run),
        Statement(D, 172, "this pushes the model towards jumps", lambda t: t.update(0.1).predicted == "jumps",
                  lambda t: f"after one update at 0.1: {t.update(0.1).predicted}", 12),
    ]  # fmt: skip


def eats_then() -> list[str]:
    """What the toy that can say eats says first, and after one update."""
    model = shipped(WITH_EATS)
    run = model.run(model.sentence, next="jumps")
    return [run.predicted, run.update(0.1).predicted]


def _asks(trace: Trace) -> str:
    """The word whose query predicts."""
    return trace.info["tokens"][trace.info["query"]]


def _weights_are_scores(trace: Trace) -> bool:
    return bool(np.allclose(trace.array("weights"), trace.array("scores")))


def _scores_beside_weights(trace: Trace) -> str:
    return f"score {trace['scores[fox,fox]']:.2f}, weight {trace['weights[fox,fox]']:.2f}"


def _fox_helps(trace: Trace) -> bool:
    return trace["without.change[fox]"] < 0


def _fox_hurts(trace: Trace) -> str:
    return f"without fox the model says {trace.hide('fox').predicted}"


def _one_score_says_something(trace: Trace) -> bool:
    scores = trace.array("scaled")[0, 3]
    return any(np.exp(s) / np.exp(s) != 1.0 for s in scores)


def remarks(trace: Trace) -> list[str]:
    bias = trace.array("position")[0, :4][::-1]
    after = trace.update(0.1)
    return [
        "The weights .10/.05/.10/.75 cannot come from any W_Q, W_K on these 2-D embeddings: four points in a plane",
        f"are affinely dependent, and the nearest weights that can are {np.round(nearest_reachable(), 4).tolist()}.",
        "A bias by distance, added to the scaled scores, makes them reachable:",
        f"{np.round(bias, 4).tolist()} for the words The, quick, brown, fox.",
        f"One update at rate 0.1 changes the prediction: {trace.predicted} → {after.predicted}, "
        f"loss {float(trace.array('loss')):.4f} → {float(after.array('loss')):.4f}.",
        f"Without the word “fox” the toy says “{trace.hide('fox').predicted}”.",
    ]
