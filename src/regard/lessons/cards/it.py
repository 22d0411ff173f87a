"""What "it" reads, in cards: a weight of a trained model, what it brings, and what it cannot know."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake
from regard.lessons.pronoun import BOTH_WAYS, LOOKS_BACK, largest_change
from regard.trace import Trace

NEITHER, BOTH = "neither", "both"


def moved_by_what_follows(_: Trace) -> str:
    """The models in which some weight of "it" changes when the last word is wide instead of tired."""
    moved = [model for model in (LOOKS_BACK, BOTH_WAYS) if largest_change(model) > 0]
    return BOTH if len(moved) == 2 else moved[0] if moved else NEITHER


CARDS = (
    Card(
        title="Tired or wide",
        place="002:30",
        stage=5,
        says="“The animal didn't cross the street because it was too tired.” Put wide for tired, and it is the street. "
        f"{LOOKS_BACK} reads from left to right, {BOTH_WAYS} reads both ways.",
        asks="In which model can the weights of “it” change with the last word?",
        answer=moved_by_what_follows,
        choices=(LOOKS_BACK, BOTH_WAYS, BOTH, NEITHER),
        hint="tired comes after it. Who may read what comes after?",
        reveals=lambda _: f"{BOTH_WAYS}: by up to {largest_change(BOTH_WAYS):.3f}. In {LOOKS_BACK} they change by "
        f"{largest_change(LOOKS_BACK):g}, to the last digit: it cannot know yet what “it” will turn out to be.",
        mistakes=(
            Mistake("looked ahead", "That model may not read what comes later.", lambda q: LOOKS_BACK),
            Mistake("forgot the mask", "One of the two may only look back.", lambda q: BOTH),
        ),
        veils="weights",
    ),
    Card(
        title="What it asks for",
        place="002:32",
        stage=5,
        says="This is one row of one head of a model that was trained on text. The score of animal, scaled, is "
        "{scaled[it,animal]|2}; e to it, beside what the row is shifted by, is {exps[it,animal]|3}, and the row sums "
        "to "
        "{total[it]|3}.",
        asks="What weight does “it” give animal?",
        answer="weights[it,animal]",
        hint="Its part of the sum of the row.",
        reveals="{weights[it,animal]|3}: nobody told the model about antecedents, and this head reads one. Most of the "
        "others read other words.",
        mistakes=("not normalised", "equal shares", "over the column"),
    ),
    Card(
        title="What it retrieves",
        place="002:34",
        stage=6,
        says="The first number of animal's value is {v[animal,0]|3}, and animal has the weight {weights[it,animal]|3}.",
        asks="What does animal bring to the first number of the context, to 3 decimals?",
        answer=lambda run: float(run["weights[it,animal]"] * run["v[animal,0]"]),
        hint="Its value times its weight.",
        reveals="The whole context begins with {context[it,0]|3}: the other words bring the rest.",
        mistakes=(
            Mistake("forgot the weight", "That is the value itself; only its share is taken.",
                    lambda q: float(q.trace["v[animal,0]"])),
            Mistake("the whole context", "That is what all words bring together.",
                    lambda q: float(q.trace["context[it,0]"])),
        ),
        veils="context",
        decimals=3,
    ),
)  # fmt: skip
