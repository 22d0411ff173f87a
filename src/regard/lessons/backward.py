"""The two lists that end the fox sentence: forward, from embeddings to logits; backward, from the loss to matrices."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regard.lessons.cards.backward import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Lesson
from regard.lessons.measures import follows, gradient_size
from regard.ops.notation import format_in_column
from regard.toys.shipped import shipped
from regard.trace import Step, Trace

D = "004"
SCORING = ("weights.grad", "scores.grad", "q.grad", "k.grad", "W_Q.grad", "W_K.grad")
# line, what the document says there, and the steps that do it
FORWARD = (
    (326, "Get embeddings for input tokens", ("x",)),
    (327, "Compute Q, K, V using Wq, Wk, Wv", ("q", "k", "v")),
    (328, "Compute attention scores using Q · K", ("scores",)),
    (329, "Apply softmax to get weights (α)", ("weights",)),
    (330, "Compute context = weighted sum of V", ("context",)),
    (331, "Project context to vocab logits → predict next word", ("logits", "probabilities")),
)
BACKWARD = (
    (338, "Output projection layer", ("logits.grad", "W_out.grad")),
    (339, "Context vector", ("context.grad",)),
    (340, "V vectors → update Wv and embeddings", ("v.grad", "W_V.grad", "x.grad.via.layer0.v", "E.grad")),
    (341, "Attention scores → update Q/K → Wq/Wk", SCORING),
)
PATH = ("logits.grad", "context.grad", "v.grad", "weights.grad", "scores.grad", "q.grad", "k.grad")


def lesson() -> Lesson:
    return Lesson(
        name="backward",
        title="Forward, and back again",
        documents=(D,),
        idea="Blame retraces the computation from its end, and tells each number how the loss would move with it.",
        make=make,
        shows=(*PATH, "W_V.grad", "W_Q.grad", "W_K.grad", "W_out.grad", "E.grad"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    trace = shipped("fox").run("The quick brown fox", next="jumps").backward()
    return replace(trace, info={**trace.info, "lesson": "backward"})


def claims() -> list[Claim]:
    found: list[Claim] = [
        Statement(D, 319, "summary of relevant past information, shaped by attention",
                  lambda t: bool(np.allclose(t.array("weights") @ t.array("v"), t.array("context"))),
                  lambda t: f"context = {_list(t.array('read'))}: the values, each times its weight", 6),
        Statement(D, 336, "Compute loss (e.g., cross entropy between",
                  lambda t: bool(np.isclose(t.array("loss"), -np.log(t["probabilities[jumps]"]))),
                  lambda t: f"−ln {t['probabilities[jumps]']:.4f} = {t.array('loss'):.4f}", 10,
                  "between all four words and the true one; “eats” is in no vocabulary of the document"),
        Statement(D, 343, "Each component learns based on how much it contributed to the prediction error",
                  lambda t: bool(np.allclose(t.array("v.grad")[0], _outer(t))),
                  lambda t: f"∂v = weight · ∂context: fox gets {t['weights[fox,fox]']:.2f} of it, quick "
                            f"{t['weights[fox,quick]']:.2f}", 11),
    ]  # fmt: skip
    for lines, stages in ((FORWARD, (1, 2, 3, 5, 6, 8)), (BACKWARD, (11,) * len(BACKWARD))):
        before: tuple[str, ...] = ()
        for (line, said, names), stage in zip(lines, stages):
            found.append(ordered(line, said, names, before, stage))
            before = ("context.grad",) if line >= 339 else names  # values and scores part at the context
    return found


def ordered(line: int, said: str, names: Sequence[str], before: Sequence[str], stage: int) -> Statement:
    """That these steps exist, and are computed from those of the line before."""
    return Statement(
        D, line, said,
        lambda t: all(any(follows(t.step(n), t.step(b)) for b in before) for n in names) or not before,
        lambda t: ", ".join(f"{written(n)} {_size(t.step(n))}" for n in names), stage,
    )  # fmt: skip


def written(name: str) -> str:
    """
    >>> written("context.grad"), written("x.grad.via.layer0.v"), written("x")
    ('∂context', '∂x through v', 'x')
    """
    step, grad, via = name.partition(".grad")
    return (f"∂{step}" if grad else step) + (f" through {via.rpartition('.')[2]}" if via else "")


def _size(step: Step) -> str:
    return f"({' × '.join(map(str, step.shape))})"


def _outer(trace: Trace) -> np.ndarray:
    query = trace.info["query"]
    return np.outer(trace.array("weights")[0, query], trace.array("context.grad")[0, query])


def _list(numbers: np.ndarray) -> str:
    """As the tables of the lesson write them: a small number is not 0.

    >>> _list(np.array([-0.00004, -0.0018]))
    '[-4e-05 -0.0018]'
    """
    return f"[{' '.join(format_in_column(v, 4) for v in numbers)}]"


def remarks(trace: Trace) -> list[str]:
    query = trace.info["query"]

    def row(name: str) -> str:
        values = trace.array(name)
        return _list(values[0, query] if values.ndim == 3 else values)

    def size(name: str) -> str:
        return f"|∂{name}| {gradient_size(trace, name):.4f}"

    return [
        f"forward   x → q, k, v → scores {row('scores')} → weights {row('weights')}",
        f"→ context {row('context')} → logits {row('logits')} → loss {trace.array('loss'):.4f}",
        f"backward  ∂logits {row('logits.grad')} → ∂context {row('context.grad')}",
        f"→ ∂v (fox: {_list(trace.array('v.grad')[0, query])}) → {size('W_V')}",
        f"→ ∂weights {row('weights.grad')} → ∂scores {row('scores.grad')}",
        f"→ ∂q {row('q.grad')}, ∂k → {size('W_Q')}, {size('W_K')}; {size('W_out')}, {size('E')}",
        "A minus says: more of this number, less loss. |∂W| is the root of the sum of the squares in ∂W.",
    ]
