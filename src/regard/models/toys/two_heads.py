"""Two heads set by hand: one asks who, the other asks where, and only together do they know the next word."""

import numpy as np

from regard.models.model import Model
from regard.models.settings import Settings

# dimensions: animal, place, which of the two (cat or dog, mat or lake), verb
WORDS = {
    "On": [0.0, 0.1, 0.0, 0.0],
    "the": [0.1, 0.0, 0.0, 0.0],
    "a": [0.1, 0.0, 0.0, 0.0],
    "mat": [0.0, 1.0, 1.0, 0.0],
    "lake": [0.0, 1.0, -1.0, 0.0],
    "cat": [1.0, 0.0, 1.0, 0.0],
    "dog": [1.0, 0.0, -1.0, 0.0],
    "sat": [0.0, 0.0, 0.0, 1.0],
}
NEXT = {  # dimensions: what head 0 found (cat or dog), what head 1 found (mat or lake)
    "purring": [1.0, 1.0, 0.0, 0.0],
    "fishing": [1.0, -1.0, 0.0, 0.0],
    "snoring": [-1.0, 1.0, 0.0, 0.0],
    "swimming": [-1.0, -1.0, 0.0, 0.0],
}
ANIMAL, PLACE, WHICH, VERB = range(4)
SOUGHT, OTHER = range(2)  # of a head's query and key
KIND, CONTENT = range(2)  # of a head's value
ASKS = (3.0, 2.6)  # how strongly a verb asks; they give the document's shares of .60 and .55 (002:132-133)


def two_heads() -> Model:
    """ "On the mat a cat sat" → purring: who from one head, where from the other."""
    return Model(
        name="two-heads",
        title="two heads (after seed document 002)",
        settings=Settings(width=4, heads=2, reads=len(WORDS), writes=len(NEXT), max_tokens=64),
        parameters={
            "E": np.array(list(WORDS.values())),
            "layer0.W_Q": heads({(VERB, SOUGHT): ASKS[0]}, {(VERB, SOUGHT): ASKS[1]}),
            "layer0.W_K": heads({(ANIMAL, SOUGHT): 1, (PLACE, OTHER): 1}, {(PLACE, SOUGHT): 1, (ANIMAL, OTHER): 1}),
            "layer0.W_V": heads({(ANIMAL, KIND): 1, (WHICH, CONTENT): 1}, {(PLACE, KIND): 1, (WHICH, CONTENT): 1}),
            "layer0.W_O": heads({(CONTENT, 0): 1}, {(CONTENT, 1): 1}, shape=(2, 4)),
            "W_out": np.array(list(NEXT.values())),
        },
        reads=tuple(WORDS),
        writes=tuple(NEXT),
        notes=(
            "set by hand, not trained: head 0 asks for an animal (who?), head 1 for a place (where?)",
            "either head alone leaves two words level; their sum decides",
        ),
        lesson="two-heads",
        sentence="On the mat a cat sat",
        next="purring",
    )


def heads(*entries: dict[tuple[int, int], float], shape: tuple[int, int] = (4, 2)) -> np.ndarray:
    """One matrix per head, zero except for the entries named.

    >>> heads({(0, 1): 3.0}, {}, shape=(1, 2)).tolist()
    [[[0.0, 3.0]], [[0.0, 0.0]]]
    """
    matrices = np.zeros((len(entries), *shape))
    for matrix, wanted in zip(matrices, entries):
        for place, value in wanted.items():
            matrix[place] = value
    return matrices
