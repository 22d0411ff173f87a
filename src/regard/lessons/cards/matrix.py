"""Reading the matrix in cards: rows ask, columns are read, rows sum to 1."""

import numpy as np

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake, Question
from regard.trace import Trace


def place(trace: Trace, word: str) -> int:
    return trace.labels.words["K"].index(word)


def row(trace: Trace, word: str) -> np.ndarray:
    return trace.array("weights")[0, trace.labels.words["Q"].index(word)]


def later(trace: Trace, word: str) -> float:
    """How much of its attention a word gives to the words after it."""
    return float(row(trace, word)[place(trace, word) + 1 :].sum())


def only_back(trace: Trace) -> str:
    """The row that gives nothing to later words."""
    return min(trace.labels.words["Q"], key=lambda word: later(trace, word))


def width(trace: Trace) -> float:
    return float(trace.array("context").shape[-1])


def _column_sum(q: Question) -> float:
    return float(q.trace.array("weights")[0, :, place(q.trace, "mat")].sum())


def _most_ahead(q: Question) -> str:
    return max(q.trace.labels.words["Q"], key=lambda word: later(q.trace, word))


CARDS = (
    Card(
        title="Rows ask",
        place="002:79",
        stage=5,
        says="Every row is one word asking; every column is one word being read. Where sat and cat meet, the matrix "
        "has {weights[cat,sat]|2} and {weights[sat,cat]|2}.",
        asks="How much does sat take from cat?",
        answer="weights[sat,cat]",
        veils="context",
        hint="Go to the row of sat, then to the column of cat.",
        reveals="{weights[sat,cat]|2}. The other way round, cat takes {weights[cat,sat]|2} from sat: the matrix is not "
        "symmetric.",
        mistakes=(
            "column",
            Mistake(
                "read the next column",
                "That is what sat takes from the word after cat.",
                lambda q: q.trace["weights[sat,that]"],
            ),
        ),
        row="sat",
    ),
    Card(
        title="Rows sum to 1",
        place="002:89",
        stage=5,
        says="A row is a distribution: all that a word can give.",
        asks="What do the weights in the row of mat add up to?",
        answer=lambda run: float(row(run, "mat").sum()),
        veils="context",
        hint="Nothing needs to be added: softmax made the row.",
        reveals="1, like every row. A column may add up to anything: it says how much one word is read by all.",
        mistakes=(
            Mistake(
                "added up the column", "That is the column of mat: what the four words take from mat.", _column_sum
            ),
            Mistake(
                "took the largest", "That is the largest weight of the row.", lambda q: float(row(q.trace, "mat").max())
            ),
        ),
        row="mat",
    ),
    Card(
        title="Looking ahead",
        place="002:87",
        stage=5,
        says="“The” is the first word, and gives itself {weights[The,The]|2}. All other words come after it.",
        asks="How much of its attention does “The” give to later words?",
        answer=lambda run: later(run, "The"),
        veils="context",
        hint="All of its row but its own {weights[The,The]|2}.",
        reveals="More than half. So these weights come from a model that looks both ways, which the document does not "
        "say.",
        mistakes=(
            Mistake(
                "counted itself too",
                "That is the whole row. A word is not after itself.",
                lambda q: float(row(q.trace, "The").sum()),
            ),
            Mistake("what it keeps", "That is what “The” gives itself.", lambda q: q.trace["weights[The,The]"]),
            Mistake("only the next word", "That is the next word alone.", lambda q: q.trace["weights[The,cat]"]),
        ),
        row="The",
    ),
    Card(
        title="Which row could GPT have?",
        place="002:87",
        stage=5,
        says="In GPT a word reads itself and what came before.",
        asks="Which of the four rows could be a row of such a model?",
        answer=only_back,
        choices="Q",
        veils="context",
        hint="All weights after the word itself would have to be 0. Is there a word with nothing after it?",
        reveals="The row of mat: it is the last word, so it has nothing to look ahead to.",
        mistakes=(
            Mistake(
                "the wrong way round",
                "That row gives the most to later words: such a model could not have it at all.",
                _most_ahead,
            ),
        ),
    ),
    Card(
        title="What comes out",
        place="002:100",
        stage=6,
        says="The output is weights times values: each row mixes ten value vectors of 64 numbers.",
        asks="How many numbers does the output row of sat have?",
        answer=width,
        veils="context",
        hint="A mixture of vectors is a vector of the same length.",
        reveals="(10, 10) @ (10, 64) → (10, 64): as many as each value has, however many words were mixed.",
        mistakes=(
            Mistake(
                "the number of words",
                "That is how many are mixed, not how long each is.",
                lambda q: float(q.trace.array("weights").shape[-1]),
            ),
            Mistake(
                "laid them side by side",
                "That lays ten vectors side by side. They are added up.",
                lambda q: float(q.trace.array("v")[0].size),
            ),
        ),
        decimals=0,
    ),
)
