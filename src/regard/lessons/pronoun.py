"""What "it" reads in the trained models: the heads that give "animal" most, and whether what follows can matter."""

from functools import cache

import numpy as np

from regard.lens.who_reads import Readings, readings
from regard.models.catalogue import find_model
from regard.trace import Trace

SENTENCE = "The animal didn't cross the street because it was tired"  # 002:30
TIRED = "The animal didn't cross the street because it was too tired."
WIDE = TIRED.replace("tired", "wide")
READER, READ = "it", "animal"
LOOKS_BACK, BOTH_WAYS = "english", "masked"


@cache
def run_of(model: str, text: str) -> Trace:
    """How a trained model reads a text, with no word hidden."""
    return find_model(model).as_written(text)


@cache
def ranked(model: str, text: str = SENTENCE) -> Readings:
    """The heads of a model by how much "it" reads "animal" in them."""
    return readings(run_of(model, text), READER, READ)


def largest_change(model: str) -> float:
    """By how much a weight of "it" changes at most, in any head, when the last word is wide and not tired."""
    tired, wide = (run_of(model, text) for text in (TIRED, WIDE))
    query = tired.labels.words["Q"].index(READER)
    names = [s.name for s in tired.forward if s.name.endswith(".weights")]
    return max(float(np.abs(tired.array(n) - wide.array(n))[:, query].max()) for n in names)
