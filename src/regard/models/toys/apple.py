"""Apple of document 003: undecided between fruit and technology, until a sentence pulls it to one side."""

import numpy as np

from regard.models.model import Model
from regard.models.settings import Settings

# ours: how much of fruit, how much of technology
WORDS = {
    "apple": [0.5, 0.5],
    "Apple": [0.5, 0.5],
    "orange": [1.0, 0.05],
    "phone": [0.05, 1.0],
    "bought": [0.15, 0.1],
    "unveiled": [0.0, 0.3],
    "new": [0.05, 0.2],
    "ate": [0.4, 0.0],
    "and": [0.02, 0.02],
    "a": [0.02, 0.01],
    "an": [0.02, 0.01],
    "the": [0.01, 0.02],
    "I": [0.05, 0.05],
}
NEXT = {"pie": [1.0, 0.0], "store": [0.0, 1.0]}
ASKS = 2.4  # how strongly a word asks for what is like it; ours


def apple() -> Model:
    """ "I bought an apple and an orange" → pie; "Apple unveiled a new phone" → store."""
    return Model(
        name="apple",
        title="apple (after seed document 003)",
        settings=Settings(width=2, heads=1, reads=len(WORDS), writes=len(NEXT), output_projection=False, max_tokens=64),
        parameters={
            "E": np.array(list(WORDS.values())),
            "layer0.W_Q": ASKS * np.eye(2)[None],
            "layer0.W_K": ASKS * np.eye(2)[None],
            "layer0.W_V": np.eye(2)[None],
            "W_out": np.array(list(NEXT.values())),
        },
        reads=tuple(WORDS),
        writes=tuple(NEXT),
        mask="both",
        notes=(
            "set by hand, not trained: the two numbers of a word are fruit and technology; the document gives none",
            "words look both ways: orange and phone come after apple",
        ),
        lesson=None,
        sentence="I bought an apple and an orange",
        next="pie",
    )
