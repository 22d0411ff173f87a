"""The library and the filing cabinet in cards: labels find, contents tell, and why one vector cannot do both."""

from regard.lessons.cards.card import Card, Changes
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def keys_are_values(trace: Trace) -> Changes:
    """What is found by its label is its label: K = V."""
    return ({"kind": "pin", "step": "v", "value": trace.array("k").ravel().tolist()},)


def contents_as_labels(trace: Trace) -> Changes:
    """The contents have to serve as labels too."""
    return ({"kind": "pin", "step": "k", "value": trace.array("v").ravel().tolist()},)


def _the_label(q: Question) -> float:
    h, i, d = q.along("H"), q.along("Q"), q.along("D")
    return float(q.trace.array("weights")[h, i] @ q.trace.array("k")[h, :, d])


CARDS = (
    Card(
        title="A question meets a label",
        place="002:23",
        stage=3,
        says="Labels and questions say, in four numbers, how much they are about cooking, Italian, cars and taxes. The "
        "question is [{q[0,0]|0}, {q[0,1]|0}, {q[0,2]|0}, {q[0,3]|0}], the label French Cooking [{k[1,0]|0}, "
        "{k[1,1]|0}, "
        "{k[1,2]|0}, {k[1,3]|0}].",
        asks="What is the score of French Cooking?",
        answer="scores[0,0,1]",
        hint="Only cooking is in both.",
        reveals="Italian Cuisine has {scores[0,0,0]|0}, French Cooking {scores[0,0,1]|0}, Car Repair "
        "{scores[0,0,2]|0}: a "
        "score says how well the label answers the question.",
        mistakes=(
            Mistake("only what matches, once", "Both say cooking with a 3, and the two are multiplied.",
                    lambda q: float(q.trace.array("k")[0, 1].max())),
            Mistake("the other book", "That is Italian Cuisine, which matches in two places.",
                    lambda q: float(q.trace.array("scores")[0, 0, 0])),
        ),
        decimals=0,
    ),
    Card(
        title="What comes back",
        place="002:24",
        stage=6,
        says="Italian Cuisine gets {weights[0,0,0]|4} of the weight. Inside the four folders the number of recipes is "
        "{v[0,0]|0}, {v[1,0]|0}, {v[2,0]|0} and {v[3,0]|0}.",
        asks="How many recipes come back?",
        answer="context[0,0,0]",
        hint="The contents, each times the weight of its label; nearly all of it is the first folder.",
        reveals="{context[0,0,0]|2}. The labels found it, and are not in it: what comes back is contents.",
        mistakes=(
            "summed",
            Mistake("the label came back", "That mixes the labels. They are only for finding.", _the_label),
        ),
    ),
    Card(
        title="One vector for both",
        place="002:53",
        stage=6,
        says="Now K = V: what is passed on is the label itself. The folder Italian Cuisine holds {v[0,0]|0} recipes; "
        "the first number of its label is {k[0,0]|0}.",
        asks="How many recipes does the question about pasta bring back now?",
        answer="context[0,0,0]",
        hint="The same weights, mixing labels.",
        reveals="{after: context[0,0,0]|2}, while the folder has {v[0,0]|0}: the question is still answered by the "
        "right "
        "folder, but what comes back is its tab.",
        mistakes=(
            Mistake("as it was before", "That is what came back while contents were apart from labels.",
                    lambda q: float(q.trace.array("context")[0, 0, 0])),
            "summed",
        ),
        changes=keys_are_values,
    ),
    Card(
        title="The other way round",
        place="002:53",
        stage=5,
        says="Or the contents serve as labels: then the folders are compared by what is inside. So far Italian Cuisine "
        "gets {weights[0,0,0]|4}.",
        asks="What weight does Italian Cuisine get then?",
        answer="weights[0,0,0]",
        hint="The scores are then {after: scores[0,0,0]|0}, {after: scores[0,0,1]|0}, {after: scores[0,0,2]|0} and "
        "{after: scores[0,0,3]|0}, divided by 2.",
        reveals="{after: weights[0,0,0]|4}: French Cooking has recipes and pictures too, and is found as well. One "
        "vector "
        "that must find and tell does neither well; that is the compromise.",
        mistakes=(
            Mistake("as it was before", "That is with the labels as labels.",
                    lambda q: float(q.trace.array("weights")[0, 0, 0])),
            Mistake("equal shares", "That is one over the number of folders.", lambda q: 1 / 4),
        ),
        changes=contents_as_labels,
    ),
    Card(
        title="Tax Returns 2023",
        place="002:61",
        stage=6,
        says="“The tab doesn't contain the full tax return.” The tab is [{k[3,0]|0}, {k[3,1]|0}, {k[3,2]|0}, "
        "{k[3,3]|0}], "
        "the folder holds [{v[3,0]|0}, {v[3,1]|0}, {v[3,2]|0}, {v[3,3]|0}]: recipes, pictures, drawings, figures.",
        asks="What comes back for figures when Tax Returns 2023 is asked for?",
        answer="context[0,1,3]",
        hint="Its weight is {weights[0,1,3]|4}.",
        reveals="{context[0,1,3]|2}: the documents, not the tab.",
        mistakes=(
            "averaged",
            Mistake("the wrong question", "That is what the question about pasta brings back.",
                    lambda q: float(q.trace.array("context")[0, 0, 3])),
        ),
    ),
)  # fmt: skip
