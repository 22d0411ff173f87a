"""Vectors from counts, in cards: what is counted, what is wanted, and how much a rare pair weighs."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake

CARDS = (
    Card(
        title="What the vectors say",
        place="002:372",
        stage=3,
        says="The dot product of king and royal is {score|2}, and each word has a bias of {x.bias|1}.",
        asks="What do the vectors and the biases say together?",
        answer="said",
        hint="Add all three.",
        reveals="{said|2}. It should be the logarithm of how often the two words stand together.",
        mistakes=(
            Mistake("forgot the biases", "Two biases are added to the dot product.",
                    lambda q: float(q.trace.array("score"))),
            Mistake("one bias", "Both words have one.",
                    lambda q: float(q.trace.array("score") + q.trace.array("x.bias"))),
        ),
    ),
    Card(
        title="What is wanted",
        place="002:372",
        stage=10,
        says="In “a king is a royal man” king and royal are three places apart, and a pair counts 1 / its distance: "
        "{count|4}.",
        asks="What should the vectors say?",
        answer="wanted",
        hint="The natural logarithm of the count.",
        reveals="{wanted|4}, and they say {said|4}: the error is {error|4}.",
        mistakes=(
            Mistake("the count itself", "The dot product is compared with the logarithm of the count.",
                    lambda q: float(q.trace.array("count"))),
            Mistake("forgot the distance", "ln 1 = 0 would be wanted if the pair had counted once.", lambda q: 0.0),
        ),
        decimals=4,
    ),
    Card(
        title="A rare pair weighs little",
        place="002:372",
        stage=11,
        says="An error is weighted: {weight|4} for this pair. The error is {error|4}, and the vector of royal is "
        "[{c[0]|1}, {c[1]|1}].",
        asks="What is the gradient of the first number of king?",
        answer="E.grad[king,0]",
        hint="Weight · error · the first number of the other word.",
        reveals="{E.grad[king,0]|4}. Rows of other words have the gradient 0.",
        mistakes=(
            Mistake("forgot the weight", "The error is weighted first.",
                    lambda q: float(q.trace.array("error") * q.trace.array("c")[0])),
            Mistake("its own number", "The gradient of x is the error times c, not times x.",
                    lambda q: float(q.trace.array("weight") * q.trace.array("error") * q.trace.array("x")[1])),
        ),
        decimals=4,
    ),
)  # fmt: skip
