"""Four heads in cards: a weight, what one row could give, the strip, and where W_O lets heads meet."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def left_for_mat(trace: Trace) -> float:
    """What one row that gives cat its weight has left for all other words."""
    return float(1 - trace["weights[who,sat,cat]"])


def _second_numbers(q: Question) -> np.ndarray:
    """The second number that each head read for sat."""
    return q.trace.array("context")[:, q.along("Q"), 1]


CARDS = (
    Card(
        title="When?",
        place="002:118",
        stage=5,
        says="The head “when” asks when. Its score of sat for yesterday is {scores[when,sat,yesterday]|3}, for each of "
        "the nine other words {scores[when,sat,The]|0}; the head is 2 wide.",
        asks="What weight does sat give yesterday in the head “when”?",
        answer="weights[when,sat,yesterday]",
        hint="Divide by √2, take e to it: {exps[when,sat,yesterday]|3}. Each of the others has e⁰ = 1.",
        reveals="{weights[when,sat,yesterday]|2} = {exps[when,sat,yesterday]|3} / {total[when,sat]|3}. The document "
        "prints this number, and this head's W_Q was set to give it.",
        mistakes=("not scaled", "not normalised", "equal shares", "the score"),
        row="sat",
        head=2,
    ),
    Card(
        title="One row for all",
        place="002:125",
        stage=5,
        says="The head “who” gives cat {weights[who,sat,cat]|2}, “where” gives mat {weights[where,sat,mat]|2}, "
        "“when” gives yesterday {weights[when,sat,yesterday]|2}. Suppose there was one head only, and cat "
        "kept its weight.",
        asks="How much could mat get at most?",
        answer=left_for_mat,
        hint="A row sums to 1.",
        reveals=lambda t: f"{left_for_mat(t):.2f}, and then nothing is left for yesterday: one row cannot answer three "
        "questions.",
        mistakes=(
            Mistake("as in its own head", "Together with cat that is more than 1.",
                    lambda q: float(q.trace["weights[where,sat,mat]"])),
            Mistake("what it gets in “who”", "That is mat's share there; it could have more, up to all that is left.",
                    lambda q: float(q.trace["weights[who,sat,mat]"])),
        ),
        veils="context",
        row="sat",
        head=0,
    ),
    Card(
        title="Two words in one head",
        place="002:135",
        stage=5,
        says="The head “local” gives sat itself {weights[local,sat,sat]|2} and on {weights[local,sat,on]|2}. "
        "The eight other words share the rest equally.",
        asks="What does each of them get, to 3 decimals?",
        answer="weights[local,sat,The]",
        hint="What is left of 1, divided by eight.",
        reveals="{weights[local,sat,The]|3}. The document leaves them out; the toy shares equally, since nothing "
        "more is known.",
        mistakes=(
            Mistake("the rest, undivided", "That is what all eight share.",
                    lambda q: 8 * float(q.trace["weights[local,sat,The]"])),
            Mistake("among all ten", "Two of the ten have theirs already; eight share the rest.",
                    lambda q: 8 * float(q.trace["weights[local,sat,The]"]) / 10),
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
        says="Each head read two numbers: who [{context[who,sat,0]|2}, {context[who,sat,1]|2}], where "
        "[{context[where,sat,0]|2}, {context[where,sat,1]|2}], when "
        "[{context[when,sat,0]|2}, {context[when,sat,1]|2}], local "
        "[{context[local,sat,0]|2}, {context[local,sat,1]|2}].",
        asks="Laid side by side, what stands at place 5 of the strip, counted from 0?",
        answer="concat[sat,5]",
        hint="Two places for each head: “who” has places 0 and 1.",
        reveals="{concat[sat,5]|2}, the second number of “when”. Nothing is mixed yet: every place of the strip "
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
        says="W_O sends the second number of “where”, {context[where,sat,1]|2}, and the second of “local”, "
        "{context[local,sat,1]|2}, to the same place: link.",
        asks="What does attention add to sat at link?",
        answer="attended[sat,link]",
        hint="Both rows of W_O have a 1 there.",
        reveals="{attended[sat,link]|2}: only here do two heads mix. Every other place of what is added comes from one "
        "head or none, because W_O was set so.",
        mistakes=(
            "heads averaged",
            "no W_O",
            Mistake("only one of them", "“Where” writes to link too.",
                    lambda q: float(q.trace["by_head[local,sat,link]"])),
        ),
        row="sat",
    ),
)  # fmt: skip
