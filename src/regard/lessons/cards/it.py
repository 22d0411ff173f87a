"""What "it" reads, in cards: a weight of a trained model, what it brings, and what it cannot know."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake
from regard.lessons.pronoun import (
    BOTH_WAYS,
    LOOKS_BACK,
    OTHER,
    READ,
    READER,
    TIRED,
    WIDE,
    change,
    largest_change,
    named,
    telling,
    weight,
)
from regard.trace import Trace

NEITHER, BOTH = "neither", "both"


def can_tell(_: Trace) -> str:
    """The models in which "it" reads "animal" more before tired, in the head where that differs most."""
    able = [model for model in (LOOKS_BACK, BOTH_WAYS) if change(model, telling(model), READ) > 0]
    return BOTH if len(able) == 2 else able[0] if able else NEITHER


def told(_: Trace) -> str:
    """What the model that can tell gives both nouns before tired and before wide."""
    at = telling(BOTH_WAYS)
    animal, street = ([f"{weight(BOTH_WAYS, text, at, word):.3f}" for text in (TIRED, WIDE)] for word in (READ, OTHER))
    return (
        f"{BOTH_WAYS}: in {named(at)}, where it differs most, “{READER}” gives {READ} {animal[0]} before tired and "
        f"{animal[1]} before wide; {OTHER} gets {street[0]} and {street[1]}. In {LOOKS_BACK} every weight of "
        f"“{READER}” changes by {largest_change(LOOKS_BACK):g}: it cannot know yet what “{READER}” will turn out to be."
    )


CARDS = (
    Card(
        title="Tired or wide",
        place="002:30",
        stage=5,
        says=f"“{TIRED}.” With wide in place of tired, “it” is the street. "
        f"{LOOKS_BACK} reads from left to right, {BOTH_WAYS} reads both ways.",
        asks=f"In which model can “{READER}” read {READ} more before tired than before wide?",
        answer=can_tell,
        choices=(LOOKS_BACK, BOTH_WAYS, BOTH, NEITHER),
        hint="tired comes after “it”. Who may read what comes after?",
        reveals=told,
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
        "{scaled[it,animal]|2}; e to it is {exps[it,animal]|3}, and the same for all words of the row sums to "
        "{total[it]|3}.",
        asks="What weight does “it” give animal?",
        answer="weights[it,animal]",
        hint="Its part of the sum of the row.",
        reveals="{weights[it,animal]|3}: nobody told the model about antecedents, and this head reads one. Most "
        "other heads read other words.",
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
