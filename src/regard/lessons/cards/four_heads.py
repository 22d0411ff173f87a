"""Four heads in cards: a weight, what one row could give, the strip, and where W_O lets heads meet."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def left_for_mat(trace: Trace) -> float:
    """What one row that gives cat its weight has left for all other words."""
    return float(1 - trace["weights[0,sat,cat]"])


def _second_numbers(q: Question) -> np.ndarray:
    """The second number that each head read for sat."""
    return q.trace.array("context")[:, q.along("Q"), 1]


CARDS = (
    Card(
        title="When?",
        place="002:118",
        stage=5,
        says="Head 2 asks when. Its score of sat for yesterday is {scores[2,sat,yesterday]|3}, for each of the nine "
        "other words {scores[2,sat,The]|0}; the head is 2 wide.",
        asks="What weight does sat give yesterday in head 2?",
        answer="weights[2,sat,yesterday]",
        hint="Divide by √2, take e to it: {exps[2,sat,yesterday]|3}. Each of the others has e⁰ = 1.",
        reveals="{weights[2,sat,yesterday]|2} = {exps[2,sat,yesterday]|3} / {total[2,sat]|3}. The document "
        "prints this number, and this head's W_Q was set to give it.",
        mistakes=("not scaled", "not normalised", "equal shares", "the score"),
        row="sat",
        head=2,
    ),
    Card(
        title="One row for all",
        place="002:125",
        stage=5,
        says="Head 0 gives cat {weights[0,sat,cat]|2}, head 1 gives mat {weights[1,sat,mat]|2}, head 2 gives yesterday "
        "{weights[2,sat,yesterday]|2}. Suppose there was one head only, and cat kept its weight.",
        asks="How much could mat get at most?",
        answer=left_for_mat,
        hint="A row sums to 1.",
        reveals=lambda t: f"{left_for_mat(t):.2f}, and then nothing is left for yesterday: one row cannot answer three "
        "questions.",
        mistakes=(
            Mistake("as in its own head", "Together with cat that is more than 1.",
                    lambda q: float(q.trace["weights[1,sat,mat]"])),
            Mistake("what it gets in head 0", "That is mat's share there; it could have more, up to all that is left.",
                    lambda q: float(q.trace["weights[0,sat,mat]"])),
        ),
        veils="context",
        row="sat",
        head=0,
    ),
    Card(
        title="Two words in one head",
        place="002:135",
        stage=5,
        says="Head 3 gives sat itself {weights[3,sat,sat]|2} and on {weights[3,sat,on]|2}. The eight other words share "
        "the rest equally.",
        asks="What does each of them get, to 3 decimals?",
        answer="weights[3,sat,The]",
        hint="What is left of 1, divided by eight.",
        reveals="{weights[3,sat,The]|3}. The document leaves them out; the toy shares equally, since nothing more is "
        "known.",
        mistakes=(
            Mistake("the rest, undivided", "That is what all eight share.",
                    lambda q: 8 * float(q.trace["weights[3,sat,The]"])),
            Mistake("among all ten", "Two of the ten have theirs already; eight share the rest.",
                    lambda q: 8 * float(q.trace["weights[3,sat,The]"]) / 10),
            "equal shares",
        ),
        row="sat",
        head=3,
        decimals=3,
    ),
    Card(
        title="The strip",
        place="002:158",
        stage=7,
        says="Each head read two numbers: head 0 [{context[0,sat,0]|2}, {context[0,sat,1]|2}], head 1 "
        "[{context[1,sat,0]|2}, {context[1,sat,1]|2}], head 2 [{context[2,sat,0]|2}, {context[2,sat,1]|2}], head 3 "
        "[{context[3,sat,0]|2}, {context[3,sat,1]|2}].",
        asks="Laid side by side, what stands at place 5 of the strip, counted from 0?",
        answer="concat[sat,5]",
        hint="Two places for each head: head 0 has places 0 and 1.",
        reveals="{concat[sat,5]|2}, the second number of head 2. Nothing is mixed yet: every place of the strip "
        "belongs to one head.",
        mistakes=(
            Mistake("counted from 1", "Places are counted from 0: that is place 4.",
                    lambda q: float(q.trace["concat[sat,4]"])),
            Mistake("added the heads", "That adds the heads' second numbers. Side by side they stay apart.",
                    lambda q: float(_second_numbers(q).sum())),
            Mistake("averaged the heads", "That averages the heads' second numbers. Side by side they stay apart.",
                    lambda q: float(_second_numbers(q).mean())),
        ),
        row="sat",
    ),
    Card(
        title="Where heads meet",
        place="002:171",
        stage=7,
        says="W_O sends the second number of head 1, {context[1,sat,1]|2}, and the second of head 3, "
        "{context[3,sat,1]|2}, to the same place: link.",
        asks="What does attention add to sat at link?",
        answer="attended[sat,link]",
        hint="Both rows of W_O have a 1 there.",
        reveals="{attended[sat,link]|2}: only here do two heads mix. Every other place of what is added comes from one "
        "head or none, because W_O was set so.",
        mistakes=(
            "heads averaged",
            "no W_O",
            Mistake("only one of them", "Head 1 writes to link too.", lambda q: float(q.trace["by_head[3,sat,link]"])),
        ),
        row="sat",
    ),
)  # fmt: skip
