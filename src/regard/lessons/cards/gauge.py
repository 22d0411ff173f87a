"""Queries without a meaning of their own, in cards: x·W or W·x, and what a turn leaves alone."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question


def _matrix_first(q: Question) -> float:
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return float(q.trace.array("W_Q")[h, d] @ q.trace.array("x")[i])


def _first_product(q: Question) -> float:
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return float(q.trace.array("x")[i, 0] * q.trace.array("W_Q")[h, 0, d])


CARDS = (
    Card(
        title="A row times a matrix",
        stage=2,
        says="Words are rows here, so a query is x·W_Q: the row of fox times the columns of W_Q.",
        asks="What is the first number of fox's query?",
        answer="q[fox,0]",
        hint="The row [{x[fox,0]|1}, {x[fox,1]|1}] and the first column of W_Q, [{W_Q[0,0]|3}, {W_Q[1,0]|3}].",
        reveals="The document writes Wq @ e, with words as columns. Then W_Q is transposed too, and the numbers are "
        "the same: press x·W ⇄ to see it.",
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
        stage=3,
        says="q(fox) = [{q[fox,0]|3}, {q[fox,1]|3}] and k(brown) = [{k[brown,0]|3}, {k[brown,1]|3}].",
        asks="What is the score of fox for brown?",
        answer="scores[fox,brown]",
        hint="Multiply place by place, then add.",
        reveals="Only this number is used. Turn all queries by any matrix A, and the keys by A⁻ᵀ: no score changes. "
        "There is no real query.",
        mistakes=("one product", "added", "cosine"),
        row="fox",
    ),
)
