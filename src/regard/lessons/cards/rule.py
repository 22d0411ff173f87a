"""One weight as one rule, in cards: which weight, row or column, and what it adds."""

from regard.lessons.cards.card import Card
from regard.lessons.cards.mistakes import Mistake
from regard.trace import Trace

VERB, SUBJECT = 42, 0
RULE, AS_WRITTEN, NEITHER = "W_Q[42, 0]", "W_Q[0, 42]", "neither"


def which(run: Trace) -> str:
    """The weight that query[0] reads together with embedding[42]."""
    for name, address in ((RULE, f"W_Q[{VERB},{SUBJECT}]"), (AS_WRITTEN, f"W_Q[{SUBJECT},{VERB}]")):
        moved = run.edit(address, run[address] + 1).array("q")[0, 0] - run.array("q")[0, 0]
        if abs(moved[SUBJECT]) > 0:
            return name
    return NEITHER


def term(run: Trace) -> float:
    """What the verb's dimension adds to the query."""
    return float(run.array("x")[0, VERB] * run.array("W_Q")[0, VERB, SUBJECT])


CARDS = (
    Card(
        title="Row or column?",
        place="002:321",
        stage=2,
        says="W_Q is 512 × 64, and a query is embedding @ W_Q: 512 numbers in, 64 out.",
        asks="How many numbers of W_Q does query[0] read?",
        answer=lambda run: float(run.array("W_Q").shape[1]),
        hint="One for every number of the embedding.",
        reveals="512: a whole column. A row of this W_Q has 64 numbers and belongs to one input dimension; the "
        "document "
        "calls rows the rules, which is so only with W @ embedding.",
        mistakes=(
            Mistake("a row", "A row has that many: one for each number of the query.",
                    lambda q: float(q.trace.array("W_Q").shape[2])),
            Mistake("all of them", "That is the whole matrix; one number of the query reads one column.",
                    lambda q: float(q.trace.array("W_Q").size)),
        ),
        decimals=0,
    ),
    Card(
        title="Which weight?",
        place="002:335",
        stage=2,
        says="Dimension 42 of the embedding says “this is a verb”. Dimension 0 of the query says “looking for a "
        "subject”.",
        asks="Which weight is the rule that verbs look for subjects?",
        answer=which,
        choices=(RULE, AS_WRITTEN, NEITHER),
        hint="With embedding @ W_Q the first index is the input, the second the output.",
        reveals="W_Q[42, 0]: raise it, and query[0] of a verb grows. The document writes W_Q[0, 42], which is another "
        "rule: what dimension 0 adds to query[42].",
        mistakes=(
            Mistake("as the document has it", "That weight is read by query[42], together with embedding[0].",
                    lambda q: AS_WRITTEN),
        ),
    ),
    Card(
        title="What the rule adds",
        place="002:340",
        stage=2,
        says="embedding[42] is {x[42]|0}, W_Q[42, 0] is {W_Q[42,0]|0}.",
        asks="What does this one rule add to query[0]?",
        answer=term,
        hint="One term of the dot product.",
        reveals="{q[0]|2} is the whole of query[0]: 512 terms, and this one outweighs the others together.",
        mistakes=(
            Mistake("added instead of multiplied", "A term is a product.",
                    lambda q: float(q.trace.array("x")[0, VERB] + q.trace.array("W_Q")[0, VERB, SUBJECT])),
            Mistake("another rule", "That is embedding[0] times W_Q[0, 42].",
                    lambda q: float(q.trace.array("x")[0, SUBJECT] * q.trace.array("W_Q")[0, SUBJECT, VERB])),
        ),
        veils="q",
        decimals=0,
    ),
)  # fmt: skip
