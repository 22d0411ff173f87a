"""Which words stand near a word in the table that a model reads with: neighbours by cosine, as steps.

`near5.cosine[dog]` is the cosine of the vector of dog with that of word 5 of the vocabulary, `near5-3+8.cosine[dog]`
that with word 5 less word 3 and with word 8, each brought to length 1.
"""

from collections.abc import Iterator

import numpy as np

from regard.suggestions import NotFound
from regard.trace import Cell, Step, Trace
from regard.vectors.expression import MOST_TERMS
from regard.vectors.neighbours import Neighbours
from regard.vectors.steps import cosine_steps, named_sum, vector_steps


def near_steps(trace: Trace, asked: str) -> Iterator[Step]:
    """The cosine of every word of the table with one of them, or with a sum of some, by their numbers."""
    table = trace.steps.get("E")
    if table is None:
        return
    factors, rows = named_sum(asked)
    if max(rows) >= table.shape[0]:
        raise NotFound(f"no word {max(rows)}; there are {table.shape[0]:,}, counted from 0")
    if len(rows) > MOST_TERMS:
        raise NotFound(f"a sum has at most {MOST_TERMS} words, got {len(rows):,}")
    steps = list(vector_steps(f"near{asked}", table, factors, rows))
    yield from (*steps, *cosine_steps(f"near{asked}", table, steps[-1]))


def neighbours(trace: Trace, word: str, most: int = 10) -> Neighbours:
    """
    >>> import regard
    >>> print(neighbours(regard.explain("The quick brown fox", model="fox"), "fox", 2))
    brown 0.926
    quick 0.922
    """
    words = trace.labels.words.get("I", ())
    number = trace.labels.position("I", len(words), word)
    step = trace.step(f"near{number}.cosine")
    best = np.argsort(-step.value, kind="stable")
    nearest = [int(place) for place in best if place != number][:most]
    found = tuple(words[place] for place in nearest)
    cosines = tuple(Cell(step, (place,)) for place in nearest)
    return Neighbours(trace, words[number], found, cosines, range(len(words)))
