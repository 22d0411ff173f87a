"""The numbers of a model before its first update: small words, so that it begins by finding all of them as likely."""

import math

from regard.models.parameters import Arrays, random_parameters
from regard.models.settings import Settings

WORDS = 0.02  # the deviation of words and positions: logits near 0, so the first loss is ln(vocabulary)


def starting_parameters(settings: Settings, seed: int) -> Arrays:
    """Random matrices that keep the size of what goes through, and what is added to the stream kept small.

    Each layer adds twice to the stream, so its two last matrices are divided by √(2 · layers), as GPT-2's are.
    """
    arrays = random_parameters(settings, seed)
    for name, array in arrays.items():
        role = name.rpartition(".")[2]
        if role in ("E", "W_out", "position", "segment"):
            arrays[name] = array * (WORDS * math.sqrt(settings.width))
        elif role in ("W_O", "W_down"):
            arrays[name] = array / math.sqrt(2 * settings.layers)
    return arrays
