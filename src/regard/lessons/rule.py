"""*Deep Dive Q&A*, question 8: one weight as one rule. With embedding @ W_Q a rule is a column, not a row."""

import numpy as np

from regard.lessons.cards.rule import CARDS
from regard.lessons.claim import Claim, Code, Row, Statement
from regard.lessons.lesson import Lesson, begun
from regard.models.glass import Glass
from regard.trace import Trace

D = "002"
WIDTH, HEAD_WIDTH = 512, 64  # 002:319
VERB, SUBJECT = 42, 0  # input dimension 42: "this is a verb"; query dimension 0: "looking for subject" (002:321-328)
HIGH, LARGE = 3.0, 2.0  # ours, for the document's "high" and "large positive value"
RULE, AS_WRITTEN = f"W_Q[{VERB},{SUBJECT}]", f"W_Q[{SUBJECT},{VERB}]"


def lesson() -> Lesson:
    return Lesson(
        name="rule",
        title="One weight, one rule",
        documents=(D,),
        idea="W_Q[i, j] says how much input dimension i adds to query dimension j: one weight is one small rule.",
        make=make,
        shows=("x", "W_Q", "q"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    generator = np.random.default_rng(4)
    embedding = generator.normal(0.0, 0.3, (1, WIDTH))
    embedding[0, VERB] = HIGH
    matrix = generator.normal(0.0, 0.05, (1, WIDTH, HEAD_WIDTH))
    matrix[0, VERB, SUBJECT] = LARGE
    do = Glass()
    do.heads("q", do.given("x", embedding, "TC"), do.given("W_Q", matrix, "HCD", "parameter"), None, "HQD")
    return begun(
        "rule",
        "one weight as one rule (after Attention Mechanism: Deep Dive Q&A)",
        do,
        dict.fromkeys("TQ", ("sat",)),
        f"ours: random numbers of the document's sizes, with embedding[{VERB}] = {HIGH:g} and {RULE} = {LARGE:g}",
    )


def claims() -> list[Claim]:
    row_note = "a row of (512, 64) has one number per query dimension; the rule is a column"
    return [
        Row(D, 319, "shape of W_Q", ("512", "64"), lambda t: t.array("W_Q").shape[1:], 2),
        Statement(D, 316, "each row of W as encoding a \"rule\"",
                  lambda t: bool(np.allclose(t.array("W_Q")[0].T @ t.array("x")[0], t.array("q")[0, 0])),
                  lambda t: f"in y = Wx (line 291) W is {t.array('W_Q')[0].T.shape}, and row 0 makes query[0]", 2,
                  "true of W·x; the shape and the code that follow are of x·W"),
        *(Statement(D, line, said, lambda t, row=row: len(t.array("W_Q")[0, row]) == t.array("x").size,
                    lambda t, row=row: f"it has {len(t.array('W_Q')[0, row])} numbers, the input {t.array('x').size}",
                    2, row_note)
          for row, (line, said) in enumerate(((321, "Row 0: How much does each input dimension contribute"),
                                              (322, "Row 1: How much does each input dimension contribute")))),
        Statement(D, 330, "embedding[42] high", lambda t: int(t.array("x")[0].argmax()) == VERB,
                  lambda t: f"{t[f'x[{VERB}]']:g}, the largest of {t.array('x').size}", 1),
        Statement(D, 335, "W_Q[0, 42] = large positive value", lambda t: moved(t, AS_WRITTEN)[SUBJECT] != 0,
                  lambda t: _moves(t, AS_WRITTEN), 2,
                  f"the rule is {RULE}: what embedding[{VERB}] is multiplied by in query[{SUBJECT}]"),
        Statement(D, 340, "query[0] = ... + embedding[42] * W_Q[0, 42] + ...", _is_a_term,
                  lambda t: f"the term of embedding[{VERB}] in query[{SUBJECT}] is {_term(t)}", 2),
        Statement(D, 342, "This verb's query activates \"looking for subject\"",
                  lambda t: int(t.array("q")[0, 0].argmax()) == SUBJECT,
                  lambda t: f"query[{SUBJECT}] is {t[f'q[{SUBJECT}]']:.3g}, the largest of {t.array('q').size}", 2,
                  f"because of {RULE}, not {AS_WRITTEN}"),
        Code(D, 357, "embedding @ W_Q", lambda t: t.array("x")[0] @ t.array("W_Q")[0], 2),
    ]  # fmt: skip


def moved(trace: Trace, weight: str, by: float = 1.0) -> np.ndarray:
    """How every number of the query moves when one weight grows."""
    return trace.edit(weight, trace[weight] + by).array("q")[0, 0] - trace.array("q")[0, 0]


def _moves(trace: Trace, weight: str) -> str:
    change = moved(trace, weight)
    touched = int(np.abs(change).argmax())
    said = f"{weight} + 1 moves query[{touched}] by {change[touched]:.3g}"
    return said if touched == SUBJECT else f"{said} and query[{SUBJECT}] by {change[SUBJECT]:.3g}"


def _is_a_term(trace: Trace) -> bool:
    """Whether the weight as the document writes it is read by query[0] at all."""
    return trace.cell(AS_WRITTEN) in trace.why(f"q[{SUBJECT}]").cells


def _term(trace: Trace) -> str:
    column = [cell for cell in trace.why(f"q[{SUBJECT}]").cells if cell.step.name == "W_Q" and cell.at[1] == VERB]
    return " and ".join(
        f"embedding[{c.at[1]}] * W_Q[{c.at[1]}, {c.at[2]}] = {trace[f'x[{VERB}]'] * c.value:g}" for c in column
    )


def remarks(trace: Trace) -> list[str]:
    return [
        f"{_moves(trace, RULE)}: this weight is the rule.",
        f"{_moves(trace, AS_WRITTEN)}: as the text writes it, it is another rule.",
        f"query[{SUBJECT}] = {trace.why(f'q[{SUBJECT}]').text(3, most_terms=4)}.",
        "With embedding @ W_Q a rule is a column of W_Q; with W @ embedding it is a row. Do not mix the two.",
        f"Ours: embedding[{VERB}] = {HIGH:g} for “high”, {RULE} = {LARGE:g} for “large positive”, the rest random.",
    ]
