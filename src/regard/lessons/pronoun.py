"""What "it" reads in the trained models: the heads that give "animal" most, and whether what follows can matter."""

from functools import cache

import numpy as np

from regard.lens.who_reads import Reading, Readings, readings
from regard.models.catalogue import find_model
from regard.models.model import Model
from regard.trace import Trace

SENTENCE = "The animal didn't cross the street because it was tired"  # 002:30
TIRED = "The animal didn't cross the street because it was too tired"
WIDE = TIRED.replace("tired", "wide")
READER, READ, OTHER = "it", "animal", "street"
LOOKS_BACK, BOTH_WAYS = "english", "masked"
# ours: a sentence, the noun that "it" means, and the other. In half of them it is the second noun, so that a head which
# always reads the subject is found out.
NOUNS = (
    ("The dog didn't eat the cake because it was sick", "dog", "cake"),
    ("The horse didn't jump the wall because it was afraid", "horse", "wall"),
    ("The bird didn't leave the tree because it was hungry", "bird", "tree"),
    ("The cat didn't climb the hill because it was old", "cat", "hill"),
    ("The man didn't open the door because it was locked", "door", "man"),
    ("The girl didn't eat the apple because it was bad", "apple", "girl"),
    ("The boy didn't read the book because it was long", "book", "boy"),
    ("The woman didn't cross the river because it was deep", "river", "woman"),
)


@cache
def _model(name: str) -> Model:
    return find_model(name)


@cache
def run_of(model: str, text: str) -> Trace:
    """How a trained model reads a text, with no word hidden."""
    return _model(model).as_written(text)


@cache
def ranked(model: str, text: str = SENTENCE, read: str = READ) -> Readings:
    """The heads of a model by how much "it" reads a word in them."""
    return readings(run_of(model, text), READER, read)


def weight(model: str, text: str, at: Reading, word: str) -> float:
    """What "it" gives a word in one head."""
    return run_of(model, text)[f"layer{at.layer}.weights[{at.head},{READER},{word}]"]


def change(model: str, at: Reading, word: str) -> float:
    """By how much more "it" reads a word in one head when the last word is tired and not wide."""
    return weight(model, TIRED, at, word) - weight(model, WIDE, at, word)


@cache
def telling(model: str, word: str = READ) -> Reading:
    """The head in which the weight of a word differs most between tired and wide; where none differs, that which reads
    it most."""
    return max(ranked(model, TIRED, word).heads, key=lambda at: abs(change(model, at, word)))


def largest_change(model: str) -> float:
    """By how much any weight of "it" changes at most, in any head, when the last word is wide and not tired."""
    tired, wide = (run_of(model, text) for text in (TIRED, WIDE))
    query = tired.labels.words["Q"].index(READER)
    names = [s.name for s in tired.forward if s.name.endswith(".weights")]
    return max(float(np.abs(tired.array(n) - wide.array(n))[:, query].max()) for n in names)


def chosen(model: str) -> list[str]:
    """Of the two nouns of each sentence of ours, the one that "it" reads more, in the head that reads "animal" most."""
    best = ranked(model).heads[0]
    return [max(nouns, key=lambda noun: weight(model, text, best, noun)) for text, *nouns in NOUNS]


def meant(model: str) -> int:
    """In how many of them that is the noun which "it" means."""
    return sum(found == noun for found, (_, noun, _) in zip(chosen(model), NOUNS))


def first(model: str) -> int:
    """In how many of them that is the first noun, whatever "it" means."""
    return sum(found == text.split()[1] for found, (text, _, _) in zip(chosen(model), NOUNS))


def named(at: Reading) -> str:
    return f"layer {at.layer} head {at.head}"
