"""Heads and W_O in cards: two questions at once, and how their answers come together."""

import numpy as np

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake
from regard.models.settings import Settings
from regard.trace import Trace

DOCUMENT = Settings(width=512, heads=8, reads=4, writes=4)  # 002:158: eight heads of 64


def silent(trace: Trace, head: int) -> np.ndarray:
    """What the heads write when one of them writes nothing."""
    by_head = trace.array("by_head").copy()
    by_head[head] = 0.0
    return by_head


def only_who(trace: Trace) -> Changes:
    """Head 1 writes nothing."""
    return ({"kind": "pin", "step": "layer0.by_head", "value": silent(trace, 1).ravel().tolist()},)


def side_by_side(_: Trace) -> float:
    return float(DOCUMENT.heads * DOCUMENT.head_width)


CARDS = (
    Card(
        title="The width of a head",
        place="002:129",
        stage=4,
        says="Two heads share vectors of width 4: each asks with 2 numbers of its own. Head 0 asks who; its score of "
        "sat for cat is {scores[0,sat,cat]|2}.",
        asks="What is that score after scaling?",
        answer="scaled[0,sat,cat]",
        hint="d_k is the width of a head: divide by √2.",
        reveals="Each head divides by the root of its own width. Eight heads of 64 divide by 8, whatever the 512 "
        "around them.",
        mistakes=("not scaled", "by model width", "root of score"),
        row="sat",
        head=0,
    ),
    Card(
        title="Another head, another row",
        place="002:133",
        stage=5,
        says="Head 0 reads cat with {weights[0,sat,cat]|2}. Head 1 has its own W_Q and W_K, and asks where.",
        asks="In head 1, what weight does sat give mat?",
        answer="weights[1,sat,mat]",
        hint="{exps[1,sat,mat]|2} over {total[1,sat]|2}.",
        reveals="One distribution could not give {weights[0,sat,cat]|2} to cat and {weights[1,sat,mat]|2} to mat: "
        "together that is more than 1. So there are several heads.",
        mistakes=("other head", "not normalised", "the score", "over the column"),
        row="sat",
        head=1,
    ),
    Card(
        title="Through W_O",
        place="002:167",
        stage=7,
        says="Head 0 found [{context[0,sat,0]|2}, {context[0,sat,1]|2}]: how much of an animal, and which. Its rows "
        "of W_O are [{W_O[0,0,0]|0}, {W_O[0,0,1]|0}, …] and [{W_O[0,1,0]|0}, {W_O[0,1,1]|0}, …].",
        asks="What is the first number that head 0 adds to the stream?",
        answer="by_head[0,sat,0]",
        hint="{context[0,sat,0]|2} · {W_O[0,0,0]|0} + {context[0,sat,1]|2} · {W_O[0,1,0]|0}.",
        reveals="W_O takes which animal it is and puts it at place 0 of the stream. How much of an animal it was is "
        "not passed on.",
        mistakes=(
            "not projected",
            Mistake(
                "added up the context",
                "That adds the head's two numbers. Each is first multiplied by its row of W_O.",
                lambda q: float(q.trace.array("context")[0, q.along("Q")].sum()),
            ),
        ),
        row="sat",
        head=0,
    ),
    Card(
        title="All heads together",
        place="002:187",
        stage=7,
        says="Laid side by side the heads read [{context[0,sat,0]|2}, {context[0,sat,1]|2}, {context[1,sat,0]|2}, "
        "{context[1,sat,1]|2}]. Head 0 adds {by_head[0,sat,1]|2} at place 1, head 1 adds {by_head[1,sat,1]|2}.",
        asks="What is at place 1 of what attention adds?",
        answer="attended[sat,1]",
        hint="Concatenation times W_O is the sum of each head through its own rows.",
        reveals="The heads are added up, after W_O. Side by side they cannot disturb each other; in the stream they "
        "share one space, and W_O has put them at different places of it.",
        mistakes=("no W_O", "heads averaged", "first head"),
        row="sat",
    ),
    Card(
        title="Without one head",
        place="002:142",
        stage=9,
        says="With both heads the toy says {predicted} with {probabilities[purring]|2}. Now head 1 (where?) writes "
        "zeros.",
        asks="What probability does purring have then?",
        answer="probabilities[purring]",
        hint="Four words. Who is known, where is not: which two are level?",
        reveals="purring and fishing are level: a cat, but where? Either head alone leaves two words; their sum "
        "decides.",
        mistakes=(
            "before",
            Mistake(
                "a coin",
                "That leaves nothing for the two words of the dog. They are less probable, not gone.",
                lambda q: 1 / 2,
            ),
            Mistake(
                "equal shares",
                "Head 0 is still heard: cat and dog are not level.",
                lambda q: 1 / len(q.trace.labels.words["V"]),
            ),
        ),
        changes=only_who,
    ),
    Card(
        title="Eight heads of 64",
        place="002:222",
        stage=7,
        says="The document has 8 heads, each with 64 numbers per word.",
        asks="How many numbers per word does their concatenation have?",
        answer=side_by_side,
        hint="Side by side: one after the other.",
        reveals="8 × 64 = 512, and W_O is 512 × 512. The number of words stays the same.",
        mistakes=(
            Mistake(
                "added the heads",
                "Added up they would be 64 long. They are laid side by side.",
                lambda q: float(DOCUMENT.head_width),
            ),
            Mistake(
                "8 + 64",
                "Each of the 8 heads brings 64 numbers: multiply.",
                lambda q: float(DOCUMENT.heads + DOCUMENT.head_width),
            ),
            Mistake(
                "along the sentence",
                "That lays the heads along the sentence, as further words.",
                lambda q: float(DOCUMENT.heads * len(q.trace.info["tokens"])),
            ),
        ),
        decimals=0,
    ),
)
