"""The cat in cards: three scores, scaled, and what softmax can and cannot make of them."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace

PRINTED = (0.10, 0.30, 0.60)  # 001:89-91


def ratio(trace: Trace) -> float:
    """How many times as large as cat's weight sat's is."""
    return trace["weights[sat,sat]"] / trace["weights[sat,cat]"]


def can_be_made(trace: Trace) -> str:
    """Whether some temperature gives the printed row: equal gaps between scores need equal ratios of weights."""
    the, cat, sat = trace.array("scaled")[0, 0]
    equal_gaps = abs((sat - cat) - (cat - the)) < 1e-9
    equal_ratios = abs(PRINTED[2] / PRINTED[1] - PRINTED[1] / PRINTED[0]) < 1e-9
    return "no" if equal_gaps and not equal_ratios else "yes"


def _ratio_of_scores(q: Question) -> float:
    return q.trace["scaled[sat,sat]"] / q.trace["scaled[sat,cat]"]


def _difference(q: Question) -> float:
    return q.trace["weights[sat,sat]"] - q.trace["weights[sat,cat]"]


CARDS = (
    Card(
        title="Scaling",
        place="001:89",
        stage=4,
        says="sat asks. The document gives the scores {scores[sat,the]|1}, {scores[sat,cat]|1} and "
        "{scores[sat,sat]|1}. Its next column needs d_k = 4, which it does not say.",
        asks="What is the scaled score of sat?",
        answer="scaled[sat,sat]",
        hint="Divide {scores[sat,sat]|0} by √4.",
        reveals="{scaled[sat,the]|0}, {scaled[sat,cat]|0}, {scaled[sat,sat]|0}: as the document has it.",
        mistakes=("not scaled", "by width", "root of score"),
    ),
    Card(
        title="Softmax",
        place="001:91",
        stage=5,
        says="The scaled scores are {scaled[sat,the]|0}, {scaled[sat,cat]|0}, {scaled[sat,sat]|0}; e to them is "
        "{exps[sat,the]|2}, {exps[sat,cat]|2}, {exps[sat,sat]|2}.",
        asks="What weight does sat give itself?",
        answer="weights[sat,sat]",
        hint="{exps[sat,sat]|2} over the sum of all three, {total[sat]|2}.",
        reveals="{weights[sat,sat]|4}. The document prints 0.60, and is wrong in all three rows of its table.",
        mistakes=(
            "not scaled",
            "by width",
            "not normalised",
            "without exp",
            "over the column",
            Mistake("the document's number", "That is what the document prints. Compute it.", lambda q: PRINTED[2]),
        ),
    ),
    Card(
        title="Ratios",
        place="001:91",
        stage=5,
        says="Each scaled score is 1 more than the one before.",
        asks="How many times as large as cat's weight is sat's?",
        answer=ratio,
        veils="weights",
        hint="The sum of the row cancels: e^3 over e^2.",
        reveals="e, about 2.718. Softmax turns differences of scores into ratios of weights, whatever the rest of "
        "the row.",
        mistakes=(
            Mistake(
                "the ratio of the scores",
                "Softmax turns differences into ratios, not ratios into ratios.",
                _ratio_of_scores,
            ),
            Mistake("the difference of the weights", "That subtracts the weights. Divide them.", _difference),
            Mistake(
                "the document's ratio",
                "That is 0.60 over 0.30, as printed. Equal steps between scores must give "
                "equal ratios, and 0.30 over 0.10 is another one.",
                lambda q: PRINTED[2] / PRINTED[1],
            ),
        ),
    ),
    Card(
        title="An impossible row",
        place="001:91",
        stage=5,
        says="The document prints the weights 0.10, 0.30, 0.60. They add up to 1.",
        asks="Is there any d_k with which softmax makes them from these scores?",
        answer=can_be_made,
        choices=("yes", "no"),
        veils="weights",
        hint="Equal steps between the scores. What must hold between the weights?",
        reveals="No: equal steps force equal ratios, and 0.30/0.10 is not 0.60/0.30. Adding up to 1 does not catch it.",
        mistakes=(
            Mistake(
                "the sum alone",
                "A row that adds up to 1 need not be softmax's: look at the ratios.",
                lambda q: "yes" if abs(sum(PRINTED) - 1) < 1e-9 else "no",
            ),
        ),
    ),
)
