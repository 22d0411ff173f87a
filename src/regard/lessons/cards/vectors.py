"""How words get their vectors, in cards: a score, a chance, what an update does to one number."""

import math

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake
from regard.trace import Trace


def one_update(_: Trace) -> Changes:
    return ({"kind": "update", "rate": 0.25},)


CARDS = (
    Card(
        title="A score",
        place="002:370",
        stage=3,
        says="“a king is a royal man”: “a” and “is” stand beside king. The vector of “a” is [{x[a,0]|1}, {x[a,1]|1}], "
        "that of king as a context [{c[king,0]|1}, {c[king,1]|1}].",
        asks="What is the score of “a” for king?",
        answer="scores[a,king]",
        hint="Multiply place by place, then add.",
        reveals="{scores[a,king]|2}. For woman, a word drawn at random, it is {scores[a,woman]|2}.",
        mistakes=(
            Mistake("only the first product", "A dot product adds up all products; this is only the first.",
                    lambda q: float(q.trace.array("x")[0, 0] * q.trace.array("c")[0, 0])),
            Mistake("another word", "That is the score for woman.", lambda q: float(q.trace.array("scores")[0, 1])),
        ),
    ),
    Card(
        title="From a score to a chance",
        place="002:370",
        stage=5,
        says="The logistic function turns a score s into a chance: 1 / (1 + e⁻ˢ). The score of “a” for king is "
        "{scores[a,king]|2}.",
        asks="What chance does “a” give king?",
        answer="chances[a,king]",
        hint="A score of 0 is a chance of one half.",
        reveals="{chances[a,king]|3}: hardly more than a coin, because nothing has been learned yet.",
        mistakes=(
            Mistake("the wrong sign", "That is the chance that king is not there: the minus belongs to the exponent.",
                    lambda q: 1 - q.cell.value),
            Mistake("forgot the 1 below", "1 / e⁻ˢ is e^s, which can be more than 1.",
                    lambda q: math.exp(float(q.trace.array("scores")[0, 0]))),
        ),
        decimals=3,
    ),
    Card(
        title="What is wrong with a score",
        place="002:370",
        stage=11,
        says="The loss is −ln of every chance. Its gradient at the score of “a” for king is the chance minus 1; "
        "“a” gave king {chances[a,king]|3}.",
        asks="What is the gradient at that score?",
        answer="scores.grad[a,king]",
        hint="What is missing to certainty, with a minus.",
        reveals="{scores.grad[a,king]|3}: minus, so the score should rise. At woman it is {scores.grad[a,woman]|3}: "
        "that score should fall.",
        mistakes=(
            Mistake("as if it were a negative", "That is the gradient if king had been drawn at random.",
                    lambda q: 1 + q.cell.value),
            Mistake("the sign", "The loss falls when this score rises, so the gradient is negative.",
                    lambda q: -q.cell.value),
        ),
        decimals=3,
    ),
    Card(
        title="Close together",
        place="002:384",
        stage=12,
        says="One update at rate 0.25: “a” moves against its gradient, which is {E.grad[a,0]|4} in its first number. "
        "That number is {E[a,0]|1}.",
        asks="What is it after the update?",
        answer="E[a,0]",
        hint="New = old − rate · gradient.",
        reveals="{after: E[a,0]|4}. Words that have the same neighbours are pulled the same way, update after update, "
        "and so come close together.",
        mistakes=(
            Mistake("with the gradient", "That goes up the loss: subtract.",
                    lambda q: float(q.trace["E[a,0]"] + 0.25 * q.trace["E.grad[a,0]"])),
            Mistake("forgot the rate", "That moves by the whole gradient.",
                    lambda q: float(q.trace["E[a,0]"] - q.trace["E.grad[a,0]"])),
        ),
        changes=one_update,
        decimals=4,
    ),
)  # fmt: skip
