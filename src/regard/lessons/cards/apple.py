"""Apple in cards: shares, a score of zero, and the addition that moves a meaning."""

import math

from regard.attending.masks import causal
from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake, Question
from regard.text.words import words_of
from regard.trace import Trace

CLAIMED = 0.98  # 003:75
SCENARIO = "I bought an apple and an orange."  # 003:20


def could_look_back(_: Trace) -> str:
    """Whether apple may read orange where words only look back."""
    words = words_of(SCENARIO)
    return "yes" if causal(len(words))[words.index("apple"), words.index("orange")] else "no"


def nothing_alike(trace: Trace) -> Changes:
    """Every score is 0."""
    return ({"kind": "pin", "step": "layer0.scores", "value": [0.0] * trace.array("scores").size},)


def _share_at_eight(q: Question) -> float:
    """With d_k = 64, the usual width of a head."""
    return q.instead("scaled", q.trace.array("scores") / math.sqrt(64))


CARDS = (
    Card(
        title="The winner's share",
        place="003:75",
        stage=5,
        says="Apple asks; the document gives the scores Apple {scores[apple,apple]|1}, Orange "
        "{scores[apple,orange]|1}, Phone {scores[apple,phone]|1}, The {scores[apple,the]|1}, and does not scale them.",
        asks="What share does Orange get?",
        answer="weights[apple,orange]",
        hint="e^{scores[apple,orange]|0} over the sum of e^{scores[apple,apple]|1}, e^{scores[apple,orange]|0}, "
        "e^{scores[apple,phone]|0} and e^{scores[apple,the]|1}.",
        reveals="{weights[apple,orange]|6}: nearly all of it. The document says 98 %, which is what it would be with a "
        "√d_k of about 2.3: it left the scaling out.",
        mistakes=(
            "without exp",
            "equal shares",
            Mistake(
                "the document's 98 %",
                "That is what the document says. It needs scores divided by √5, and it does not divide.",
                lambda q: CLAIMED,
            ),
            Mistake(
                "scaled by √64",
                "That divides by √64, as a usual head would. The document does not scale.",
                _share_at_eight,
            ),
        ),
    ),
    Card(
        title="A score of zero",
        place="003:36",
        stage=5,
        says="Orthogonal vectors have a score of 0. “Orthogonal vectors yield zero attention”, says the document. "
        "Let all four scores be 0.",
        asks="What weight does Phone get then?",
        answer="weights[apple,phone]",
        hint="e⁰ = 1 for each of four words.",
        reveals="A quarter. A score of 0 is nothing special: only differences count. A weight of 0 needs a score of "
        "−∞, and that is what a mask gives.",
        mistakes=(
            Mistake("zero attention", "e⁰ is 1, not 0. The document makes the same mistake.", lambda q: 0.0),
            Mistake("forgot to normalise", "That is e⁰. Divide by the sum of the row.", lambda q: math.exp(0.0)),
        ),
        changes=nothing_alike,
    ),
    Card(
        title="The meaning moves",
        place="003:95",
        stage=7,
        says="What apple reads is added to what it is. By itself it is as much eaten as sold: "
        "{x[apple,eaten]|1} and {x[apple,sold]|1}. Orange's value says eaten {v[orange,3]|0}, sold {v[orange,4]|0}.",
        asks="What is apple's number for eaten afterwards?",
        answer="residual[apple,eaten]",
        hint="Its own {x[apple,eaten]|1}, and {weights[apple,orange]|2} of Orange's value.",
        reveals="{residual[apple,eaten]|2}, and sold {residual[apple,sold]|2}: pulled towards what is eaten, and still "
        "apple. The document's step 4, “update”, is this addition.",
        mistakes=("nothing added", "replaced"),
    ),
    Card(
        title="Who may look where",
        place="003:20",
        stage=5,
        says=f"“{SCENARIO}” orange comes after apple.",
        asks="Could a model whose words only look back, like GPT, move apple towards orange?",
        answer=could_look_back,
        choices=("yes", "no"),
        veils="residual",
        hint="What comes later is hidden there.",
        reveals="No. The example needs a model that looks both ways, like BERT. In GPT, orange is moved by apple.",
        mistakes=(Mistake("forgot the mask", "orange comes later, and is hidden from apple there.", lambda q: "yes"),),
    ),
)
