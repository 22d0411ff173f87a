"""A matrix as a function, in cards: decided, learned, and in between."""

import math

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake

CARDS = (
    Card(
        title="Turned",
        place="002:306",
        stage=2,
        says="W_Q turns vectors by 45 degrees. The vector right is [{x[right,0]|0}, {x[right,1]|0}].",
        asks="What is the second number of what comes out?",
        answer="q[right,1]",
        hint="Halfway between right and up, at the same length: cos 45° = sin 45°.",
        reveals="[{q[right,0]|4}, {q[right,1]|4}]: the length is still 1. That is the first row of W_Q: what a matrix "
        "does "
        "to the first axis stands in its first row.",
        mistakes=(
            Mistake("halved", "[0.5, 0.5] would be shorter: turning keeps the length.", lambda q: 0.5),
            Mistake("the other way", "That turns clockwise.", lambda q: -math.sin(math.pi / 4)),
            Mistake("turned by 90°", "That is a quarter of a circle, twice as far.", lambda q: 1.0),
        ),
    ),
    Card(
        title="Learned",
        place="002:311",
        stage=2,
        says="W_K began at random and saw eight examples: a vector, and the same vector turned by 45 degrees. After "
        "200 "
        "updates, right comes out as [{k[right,0]|4}, …].",
        asks="What is the second number?",
        answer="k[right,1]",
        hint="If training has found the rotation, it does what W_Q does.",
        reveals="The same as before: nobody told it about angles, and the examples left only one matrix.",
        mistakes=(
            Mistake("not turned", "That is the input.", lambda q: float(q.trace.array("x")[0, 1])),
            Mistake("halved", "[0.5, 0.5] would be shorter: turning keeps the length.", lambda q: 0.5),
        ),
    ),
    Card(
        title="Halfway in",
        place="002:360",
        stage=2,
        says="right comes out as [{q[right,0]|2}, {q[right,1]|2}], up as [{q[up,0]|2}, {q[up,1]|2}]. Now the input is "
        "halfway "
        "between them: [{x[between,0]|1}, {x[between,1]|1}].",
        asks="What is the second number of what comes out?",
        answer="q[between,1]",
        hint="A matrix is linear: halfway in, halfway out.",
        reveals="[{q[between,0]|2}, {q[between,1]|2}]. A rule in a program says yes or no; a matrix answers by "
        "degrees, "
        "which is why it can learn little by little.",
        mistakes=(
            Mistake("added", "That is the sum of both outputs; halfway is half of it.",
                    lambda q: float(q.trace.array("q")[0, :2, 1].sum())),
            Mistake("not turned", "That is the input.", lambda q: float(q.trace.array("x")[2, 1])),
        ),
    ),
)  # fmt: skip
