"""Eight heads of 64 in cards: shapes, and what W_O does to them."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake
from regard.trace import Trace


def reached(trace: Trace) -> float:
    """How many places of the stream one head writes to, after W_O."""
    return float((np.abs(trace.array("by_head")[0]).max(axis=0) > 0).sum())


def fitting(run: Trace) -> str:
    """In which order one head's output and its rows of W_O can be multiplied."""
    head, rows = run.array("context")[0].shape, run.array("W_O")[0].shape
    fits = {"head1 @ W_O1": head[1] == rows[0], "W_O1 @ head1": rows[1] == head[0]}
    found = [order for order, does in fits.items() if does]
    return "both" if len(found) == 2 else found[0] if found else "neither"


CARDS = (
    Card(
        title="Its own slice",
        place="002:150",
        stage=7,
        says="Eight heads, each with 64 numbers for every word, are laid side by side.",
        asks="At which place of the 512 does the third head begin, counted from 0?",
        answer=lambda run: float(2 * run.array("context").shape[-1]),
        hint="Two heads stand before it.",
        reveals="128: places 128 to 191 belong to the third head alone. Side by side, no head disturbs another.",
        mistakes=(
            Mistake("counted from 1", "Three heads stand before that place; the third begins after two.",
                    lambda q: 3.0 * q.trace.array("context").shape[-1]),
            Mistake("its number", "Each head before it takes 64 places.", lambda q: 2.0),
        ),
        decimals=0,
        veils="concat",
    ),
    Card(
        title="After W_O",
        place="002:163",
        stage=7,
        says="Before W_O a head has 64 places of its own. W_O has 64 rows for it, each as wide as the stream.",
        asks="How many of the 512 places of the stream does one head write to?",
        answer=reached,
        hint="Every row of W_O is 512 wide.",
        reveals="All of them. The slices are orthogonal only before W_O; W_O is where the heads meet.",
        mistakes=(
            Mistake("its slice", "That is before W_O. After it, a head reaches the whole stream.",
                    lambda q: float(q.trace.array("context").shape[-1])),
            Mistake("the number of heads", "That is how many heads there are.",
                    lambda q: float(q.trace.array("context").shape[0])),
        ),
        decimals=0,
        veils="by_head",
    ),
    Card(
        title="Which way round?",
        place="002:184",
        stage=7,
        says="The document writes W_O1 @ head1. W_O1 is 64 × 512, the rows of W_O for head 1; head1 is 4 × 64, a row "
        "for "
        "each word.",
        asks="Which of these can be computed?",
        answer=fitting,
        choices=("W_O1 @ head1", "head1 @ W_O1", "both", "neither"),
        hint="Inner sizes must be equal: (a × b) @ (b × c).",
        reveals="head1 @ W_O1: (4 × 64) @ (64 × 512) = (4 × 512). Written the other way, words would have to be "
        "columns.",
        mistakes=(
            Mistake("as the document has it", "64 × 512 times 4 × 64: 512 is not 4.", lambda q: "W_O1 @ head1"),
            Mistake("overlooked the sizes", "The sizes fit in one order only.", lambda q: "both"),
        ),
    ),
    Card(
        title="The length of the sentence",
        place="002:209",
        stage=7,
        says="For 4 words, each head gives 4 × 64. They are joined along the last axis.",
        asks="How many rows does the result have?",
        answer=lambda run: float(run.array("concat").shape[0]),
        hint="A row for every word.",
        reveals="4 × 512: as many rows as words. Joined along the other axis, there would be 32 rows, of words that "
        "do not "
        "exist.",
        mistakes=(
            Mistake("along the sentence", "That lays the heads under each other, as further words.",
                    lambda q: float(q.trace.array("context").shape[0] * q.trace.array("context").shape[1])),
            Mistake("the heads", "That is the number of heads.", lambda q: float(q.trace.array("context").shape[0])),
        ),
        decimals=0,
        veils="concat",
    ),
)  # fmt: skip
