"""Masks in cards: what is hidden before softmax, and what would go wrong otherwise."""

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def hidden(trace: Trace) -> float:
    return float((trace.array("visible") == 0).sum())


def both_ways(trace: Trace) -> Changes:
    return ({"kind": "pin", "step": "visible", "value": [1.0] * trace.array("visible").size},)


def _visible(q: Question) -> float:
    return float((q.trace.array("visible") > 0).sum())


CARDS = (
    Card(
        title="The first word",
        place="004:15",
        stage=5,
        says="In a model that looks back, a word reads itself and the words before it. “The” is the first word.",
        asks="What weight does “The” give itself?",
        answer="weights[The,The]",
        hint="How many words does it have to share among?",
        reveals="All of it: a row of one word sums to 1 by itself, whatever its score.",
        mistakes=("not hidden", "equal shares", "not normalised"),
        row="The",
    ),
    Card(
        title="Two to share among",
        place="004:15",
        stage=5,
        says="quick sees The and itself. Their e^s are {exps[quick,The]|4} and {exps[quick,quick]|4}.",
        asks="What weight does quick give The, to 3 decimals?",
        answer="weights[quick,The]",
        hint="Only two words are in the sum: {total[quick]|4}.",
        reveals="{weights[quick,The]|4}. brown and fox are not in the sum: hidden before softmax, not crossed out "
        "after it.",
        mistakes=("not hidden", "hidden as zero", "over the column", "not normalised"),
        decimals=3,
        row="quick",
    ),
    Card(
        title="A hidden word",
        place="004:15",
        stage=5,
        says="fox fits quick well: its scaled score is {scaled[quick,fox]|2}. But it comes later.",
        asks="What weight does quick give fox?",
        answer="weights[quick,fox]",
        hint="e to −∞.",
        reveals="Exactly 0. Otherwise each word could see the one that it should predict, and there would be nothing "
        "to learn.",
        mistakes=("not hidden", "hidden as zero", "the score"),
        row="quick",
    ),
    Card(
        title="How much is hidden",
        place="004:15",
        stage=5,
        says="Four words, sixteen cells, and in each row what comes after the word is hidden.",
        asks="How many of the sixteen cells are hidden?",
        answer=hidden,
        veils="context",
        hint="3 in the first row, then one fewer in each.",
        reveals="n·(n − 1)/2: nearly half. The diagonal is seen, since a word may read itself.",
        mistakes=(
            Mistake("counted the visible ones", "Those are seen: the diagonal and all below it.", _visible),
            Mistake(
                "half of them",
                "The diagonal is not hidden: a word may read itself.",
                lambda q: q.trace.array("visible").size / 2,
            ),
        ),
        decimals=0,
    ),
    Card(
        title="Both ways",
        place="004:15",
        stage=5,
        says="Now let every word read all words, as BERT does. quick gave The {weights[quick,The]|2}.",
        asks="What does it give The now?",
        answer="weights[quick,The]",
        hint="The same e^s, over the sum of four: {after: total[quick]|2}.",
        reveals="{after: weights[quick,The]|4}. The same scores, a longer row. Only the row of the last word stays "
        "as it was.",
        mistakes=("before", "equal shares", "not normalised"),
        row="quick",
        changes=both_ways,
    ),
)
