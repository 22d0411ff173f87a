"""The backward list in cards: from the logits to the context, to values and weights, to the scores."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question


def _target(q: Question) -> int:
    return int(q.trace.array("target"))


def _only_target(q: Question) -> float:
    row = _target(q)
    return float(q.trace.array("logits.grad")[row] * q.trace.array("W_out")[row, q.along("D")])


def _by_chances(q: Question) -> float:
    return float(q.trace.array("probabilities") @ q.trace.array("W_out")[:, q.along("D")])


def _context_blame(q: Question) -> np.ndarray:
    return q.trace.array("context.grad")[0, q.trace.info["query"]]


def _without_average(q: Question) -> float:
    h, i, j = q.place
    return float(q.trace.array("weights")[h, i, j] * q.trace.array("weights.grad")[h, i, j])


def _without_weight(q: Question) -> float:
    h, i, j = q.place
    weights, blame = q.trace.array("weights")[h, i], q.trace.array("weights.grad")[h, i]
    return float(blame[j] - weights @ blame)


CARDS = (
    Card(
        title="The logits",
        place="004:338",
        stage=11,
        says="The blame of a logit is its probability, less 1 for the word that should follow, which is jumps.",
        asks="What is the gradient of the logit of fox?",
        answer="logits.grad[fox]",
        hint="fox should not follow: nothing is subtracted from {probabilities[fox]|4}.",
        reveals="{logits.grad[apple]|4}, {logits.grad[run]|4}, {logits.grad[fox]|4}, {logits.grad[jumps]|4}: three "
        "words should have less, one more, and the four add up to 0.",
        mistakes=(
            Mistake("subtracted the target", "1 is subtracted only for the word that should follow.",
                    lambda q: float(q.trace["probabilities[fox]"] - 1)),
            "sign",
        ),
    ),
    Card(
        title="The context",
        place="004:339",
        stage=11,
        says="Every logit is a dot product of the context with a row of W_out. So the blame of the context is those "
        "rows, "
        "each times the blame of its logit, added up. The first numbers of the rows are {W_out[apple,0]|1}, "
        "{W_out[run,0]|1}, {W_out[fox,0]|1} and {W_out[jumps,0]|1}.",
        asks="What is the first number of ∂context?",
        answer="context.grad[fox,0]",
        hint="{logits.grad[apple]|3} · {W_out[apple,0]|1} + {logits.grad[run]|3} · {W_out[run,0]|1} + … : the last "
        "term "
        "is negative.",
        reveals="[{context.grad[fox,0]|4}, {context.grad[fox,1]|4}]: the context should move left and up, towards "
        "jumps.",
        mistakes=(
            Mistake("only the target's row", "Every word pushes, the three wrong ones too.", _only_target),
            Mistake("used the probabilities", "For jumps the factor is its probability less 1, which is negative.",
                    _by_chances),
        ),
        row="fox",
    ),
    Card(
        title="The values",
        place="004:340",
        stage=11,
        says="The context is the values, each times its weight. So a value gets its weight's share of ∂context, whose "
        "second number is {context.grad[fox,1]|4}. quick has the weight {weights[fox,quick]|2}.",
        asks="What is the second number of ∂v for quick, to 4 decimals?",
        answer="v.grad[quick,1]",
        hint="A product of two numbers.",
        reveals="{v.grad[quick,1]|4}; fox gets {v.grad[fox,1]|4}. Who was read more is blamed more. From here W_V and "
        "the "
        "word vectors learn.",
        mistakes=(
            Mistake("forgot the weight", "That is ∂context itself. quick contributed only its share.",
                    lambda q: float(_context_blame(q)[1])),
            Mistake("equal shares", "The words did not contribute equally: their weights say how much.",
                    lambda q: float(_context_blame(q)[1] / len(q.trace.info["tokens"]))),
        ),
        decimals=4,
        row="fox",
    ),
    Card(
        title="The weights",
        place="004:341",
        stage=11,
        says="The other branch from the context: a weight is blamed for what its word brought. brown's value is "
        "[{v[brown,0]|1}, {v[brown,1]|1}], ∂context is [{context.grad[fox,0]|4}, {context.grad[fox,1]|4}].",
        asks="What is ∂weight of brown?",
        answer="weights.grad[fox,brown]",
        hint="A dot product.",
        reveals="{weights.grad[fox,brown]|4}: more of brown would lower the loss most. quick has "
        "{weights.grad[fox,quick]|4}, the only one that hurts.",
        mistakes=(
            Mistake("only the first product", "A dot product adds up all products; this is only the first.",
                    lambda q: float(_context_blame(q)[0] * q.trace["v[brown,0]"])),
            "sign",
        ),
        row="fox",
    ),
    Card(
        title="The scores",
        place="004:341",
        stage=11,
        says="A score moves its own weight up and all others down. So it is blamed for how much worse its word is "
        "than the "
        "average: weight · (∂weight − average). For quick, the weight is {weights[fox,quick]|2}, ∂weight "
        "{weights.grad[fox,quick]|4}, and the average over the row is {weights.grad.average[fox]|4}.",
        asks="What is the blame of quick's score inside softmax, to 4 decimals?",
        answer="masked.grad[fox,quick]",
        hint="Mind the sign of the average: subtracting it adds.",
        reveals="{masked.grad[fox,quick]|4}; the score before scaling gets that over √2. It is small because the "
        "weight "
        "is, and W_Q and W_K learn only through it.",
        mistakes=(
            Mistake("forgot the average", "What counts is how far it is from the average of the row.",
                    _without_average),
            Mistake("forgot the weight", "A word that is hardly read can hardly be blamed: multiply by its weight.",
                    _without_weight),
            "sign",
        ),
        decimals=4,
        row="fox",
    ),
)  # fmt: skip
