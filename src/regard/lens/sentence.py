"""One vector for a whole text: the mean of what its tokens end as, brought to length 1, as steps.

Sentence models such as MiniLM are trained so that the cosine of two such vectors says how alike two texts are (Reimers
and Gurevych 2019). Every token counts, those that a tokenizer puts around the text included.
"""

from collections.abc import Iterator

from regard.ops import Contract, Map
from regard.trace import Step, Trace
from regard.trace.edits import unedited


def sentence_steps(trace: Trace) -> Iterator[Step]:
    """`pooled` is the mean of the last vectors, `sentence` the same at length 1.

    >>> import regard
    >>> trace = regard.explain("The quick brown fox", model="fox")
    >>> print(trace.why("pooled[0]"))
    pooled[0] = 0.3538 = (0.1000 + 0.3562 + 0.2988 + 0.6600) / 4
    >>> float(round((trace.array("sentence") ** 2).sum(), 12))
    1.0
    """
    vectors = last_vectors(trace)
    if vectors is None:
        return
    along = vectors.axes[-1]
    pooled = Step("pooled", Contract(f"{vectors.axes}->{along}", 1 / vectors.shape[0]), (vectors,))
    square = Step("pooled.square", Contract(f"{along},{along}->"), (pooled, pooled))
    size = Step("pooled.size", Map("square_root", "->"), (square,))
    yield from (pooled, square, size, Step("sentence", Map("divide", f"{along},->{along}"), (pooled, size)))


def last_vectors(trace: Trace) -> Step | None:
    """What every token ends as, before the part that guesses words makes something else of it."""
    for name in ("transform.product", "read"):
        if name in trace.own:
            end = unedited(trace.own[name])
            return end.inputs[0] if end.inputs and len(end.inputs[0].axes) == 2 else None
    return None
