"""Words in kinds, and a model that has learned from one sentence what a kind of word looks for.

The word vectors come first: made so that words of a kind lie close together, or real ones, trained on much text. Only
W_Q and W_K learn, from "The cat sat".
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from statistics import median

import numpy as np

from regard.lessons.measures import cosine
from regard.models.model import Model
from regard.models.settings import Settings
from regard.trace import Trace
from regard.vectors.wordvectors import WordVectors

KINDS = {
    "small words": ("The", "the", "on", "through"),
    "animals": ("cat", "dog", "bird"),
    "verbs": ("sat", "ran", "jumped"),
    "places": ("mat", "park", "roof"),
}
WORDS = tuple(word for words in KINDS.values() for word in words)
TRAINED, NEW = "The cat sat on the mat", "The dog ran through the park"  # 002:264-265
UNSEEN = tuple((animal, verb) for animal in ("dog", "bird") for verb in ("ran", "jumped"))
WIDTH, HEADS, SPREAD, LENGTH = 8, 2, 0.3, 2.0
UPDATES, RATE, SEEDS = 100, 0.3, 5
CHANCE = 1 / 3  # of the three words that a verb in third place may read


def vectors(seed: int = 0, clustered: bool = True) -> np.ndarray:
    """Word vectors of one length: near the middle of their kind, or anywhere, as those of untrained words lie."""
    generator = np.random.default_rng(seed)
    middles = {kind: generator.normal(size=WIDTH) for kind in KINDS}
    rows = [
        (middles[kind] if clustered else generator.normal(size=WIDTH)) + SPREAD * generator.normal(size=WIDTH)
        for kind, words in KINDS.items()
        for _ in words
    ]
    return np.array([LENGTH * row / np.linalg.norm(row) for row in rows])


@cache
def real(name: str = "english") -> np.ndarray:
    """Vectors that were trained on much text, by default those that the English model reads with.

    Each of length 1, then seen in the few directions that keep most of all of them: the lesson's width.
    """
    found = WordVectors.open(name)
    spelled = [word if word in found else word.lower() for word in WORDS]
    rows = np.array([found[word] for word in spelled], np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    kept = rows @ np.linalg.svd(rows, full_matrices=False)[2][:WIDTH].T
    return LENGTH * kept / np.linalg.norm(kept, axis=1, keepdims=True)


def untrained(E: np.ndarray, seed: int = 0) -> Model:
    """W_Q and W_K at random; W_V passes vectors on, and a word is said by its own vector."""
    generator = np.random.default_rng(100 + seed)
    W_Q, W_K = generator.normal(0, 0.2, (2, HEADS, WIDTH, WIDTH))
    same = np.stack([np.eye(WIDTH)] * HEADS)
    settings = Settings(
        width=WIDTH, heads=HEADS, head_width=WIDTH, reads=len(WORDS), writes=len(WORDS), residual=False, max_tokens=64
    )
    return Model(
        name="new-sentences",
        title="who sat? (after Attention Mechanism: Deep Dive Q&A)",
        settings=settings,
        parameters={
            "E": E, "layer0.W_Q": W_Q, "layer0.W_K": W_K, "layer0.W_V": same / HEADS, "layer0.W_O": same, "W_out": E,
        },
        reads=WORDS,
        writes=WORDS,
        notes=(
            f"ours: word vectors of {WIDTH} numbers, words of a kind close together; only W_Q and W_K have learned",
            f"asked after “The cat sat” who sat, {UPDATES} times; it has never read dog or ran",
        ),
        lesson="new-sentences",
        sentence=NEW,
    )  # fmt: skip


def trained(E: np.ndarray, seed: int = 0) -> Model:
    """The same after learning, from the beginning of one sentence, that the word asked for after "sat" is "cat"."""
    model = untrained(E, seed)
    *_, last = model.run("The cat sat", next="cat").updates(UPDATES, RATE, ["W_Q", "W_K"])
    return replace(model, parameters={name: step.value for name, step in last.parameters.items()})


# where word vectors come from: made near each other by kind, anywhere, or trained on much text
SOURCES: dict[str, Callable[[int], np.ndarray]] = {
    "kinds": lambda seed: vectors(seed),
    "anywhere": lambda seed: vectors(seed, clustered=False),
    "real": lambda seed: real(),
}


@cache
def held_out(seed: int, source: str) -> tuple[float, float]:
    """Over subjects and verbs it has never read: the weight of the subject, and how often it is named."""
    model = trained(SOURCES[source](seed), seed)
    runs = [model.run(f"The {animal} {verb}") for animal, verb in UNSEEN]
    weights = [float(run.array("weights")[:, 2, 1].mean()) for run in runs]
    named = [run.predicted == animal for run, (animal, _) in zip(runs, UNSEEN)]
    return float(np.mean(weights)), float(np.mean(named))


def found(source: str) -> float:
    """The weight of an unseen subject: the median over several beginnings."""
    return median(held_out(seed, source)[0] for seed in range(SEEDS))


def named(source: str) -> float:
    """How often an unseen subject is named, over all beginnings."""
    return sum(held_out(seed, source)[1] for seed in range(SEEDS)) / SEEDS


def vector(trace: Trace, word: str) -> np.ndarray:
    return trace.array("E")[WORDS.index(word)]


def query(trace: Trace, word: str) -> np.ndarray:
    """A word's query in each head."""
    return vector(trace, word) @ trace.array("W_Q")


def near(trace: Trace, one: str, other: str) -> float:
    return cosine(vector(trace, one), vector(trace, other))


def near_by_query(trace: Trace, one: str, other: str) -> list[float]:
    return [cosine(a, b) for a, b in zip(query(trace, one), query(trace, other))]


def nearest(trace: Trace, word: str) -> str:
    return max((w for w in WORDS if w != word), key=lambda other: near(trace, word, other))


def within(trace: Trace) -> float:
    """The mean cosine of two words of a kind."""
    pairs = [near(trace, a, b) for words in KINDS.values() for a in words for b in words if a < b]
    return float(np.mean(pairs))


def between(trace: Trace) -> float:
    kinds = list(KINDS.values())
    pairs = [near(trace, a, b) for i, one in enumerate(kinds) for two in kinds[:i] for a in one for b in two]
    return float(np.mean(pairs))


def reads_most(trace: Trace, verb: str, words: tuple[str, ...] = ("The", "dog")) -> str:
    """The word that a verb reads most after "The dog", over both heads."""
    keys = np.array([vector(trace, word) @ trace.array("W_K") for word in (*words, verb)])
    scores = np.einsum("hd,khd->k", query(trace, verb), keys)
    return (*words, verb)[int(scores.argmax())]


def again(trace: Trace, text: str) -> Trace:
    """Another sentence, read with the parameters of this run."""
    model = untrained(trace.array("E"))
    return replace(model, parameters={name: trace.array(name) for name in model.parameters}).run(text)


def old_run(trace: Trace) -> Trace:
    return again(trace, TRAINED)


def moved(trace: Trace) -> float:
    """How much ran's weight for dog changes when dog and The change places."""
    swapped = again(trace, "dog The ran").array("weights")[:, 2, 0]
    return float(np.abs(swapped - again(trace, "The dog ran").array("weights")[:, 2, 1]).max())
