"""Queries without a meaning of their own, in cards: x·W or W·x, and what a turn leaves alone."""

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def _matrix_first(q: Question) -> float:
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return float(q.trace.array("W_Q")[h, d] @ q.trace.array("x")[i])


def _first_product(q: Question) -> float:
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return float(q.trace.array("x")[i, 0] * q.trace.array("W_Q")[h, 0, d])


def twice_the_values(trace: Trace) -> Changes:
    return ({"kind": "pin", "step": "layer0.W_V", "value": (2 * trace.array("W_V")).ravel().tolist()},)


CARDS = (
    Card(
        title="A row times a matrix",
        place="000:16",
        stage=2,
        says="Words are rows here, so a query is x·W_Q. The row of fox is [{x[fox,0]|1}, {x[fox,1]|1}]; the rows of "
        "W_Q are [{W_Q[0,0]|3}, {W_Q[0,1]|3}] and [{W_Q[1,0]|3}, {W_Q[1,1]|3}].",
        asks="What is the first number of fox's query?",
        answer="q[fox,0]",
        hint="The row of fox and the first column of W_Q, [{W_Q[0,0]|3}, {W_Q[1,0]|3}]: multiply, then add.",
        reveals="{x[fox,0]|1} · ({W_Q[0,0]|3}) + {x[fox,1]|1} · ({W_Q[1,0]|3}). The document writes Wq @ e, with words "
        "as columns: then W_Q is transposed too, and the numbers are the same.",
        mistakes=(
            Mistake(
                "used W·x instead of x·W",
                "That takes the first row of W_Q. With words as rows it is the column.",
                _matrix_first,
            ),
            Mistake(
                "only the first product", "A dot product adds up all products; this is only the first.", _first_product
            ),
        ),
    ),
    Card(
        title="A score",
        place="000:39",
        stage=3,
        says="q(fox) = [{q[fox,0]|3}, {q[fox,1]|3}] and k(brown) = [{k[brown,0]|3}, {k[brown,1]|3}].",
        asks="What is the score of fox for brown?",
        answer="scores[fox,brown]",
        hint="Multiply place by place, then add.",
        reveals="Only this number is used. Multiply all queries by any A that can be inverted, and all keys by A⁻ᵀ: "
        "no score changes. There is no real query.",
        mistakes=("one product", "added", "cosine"),
        row="fox",
    ),
    Card(
        title="Values do not score",
        place="000:137",
        stage=6,
        says="Double W_V: every value is twice as long. The score of fox for brown is {scores[fox,brown]|3}.",
        asks="What is that score then, to 3 decimals?",
        answer="scores[fox,brown]",
        hint="Which of q, k and v is in a score?",
        reveals="{after: scores[fox,brown]|3}, as before: V does not take part in scoring. The context is twice as "
        "long.",
        mistakes=(
            Mistake("doubled", "Scores are made of queries and keys; W_V is in neither.", lambda q: 2 * q.cell.value),
            Mistake("doubled twice", "Nothing in a score comes from W_V.", lambda q: 4 * q.cell.value),
        ),
        row="fox",
        changes=twice_the_values,
        decimals=3,
    ),
)
