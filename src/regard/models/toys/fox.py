"""The fox of document 004: two-number word vectors, four words to read, four to write."""

import math

import numpy as np
from numpy.typing import NDArray

from regard.attending.positions import DistanceBias
from regard.models.model import Model
from regard.models.settings import Settings

READS = ("The", "quick", "brown", "fox")
WRITES = ("apple", "run", "fox", "jumps")
SENTENCE = "The quick brown fox"
VECTORS = np.array([[0.1, 0.2], [0.4, 0.1], [0.3, 0.5], [0.8, 0.6]])
WORD_ROWS = np.array([[0.5, 0.2], [0.1, 0.6], [0.7, 0.4], [0.2, 0.9]])
WEIGHTS = np.array([0.10, 0.05, 0.10, 0.75])  # 004:44-47


def bias_by_distance() -> np.ndarray:
    """The bias that makes real attention give the document's weights; 0 for the word itself and beyond the text."""
    scaled = VECTORS @ VECTORS[3] / math.sqrt(2)
    needed = np.log(WEIGHTS / WEIGHTS[3]) - (scaled - scaled[3])
    return np.array([[*needed[::-1], 0.0]])


def nearest_reachable() -> np.ndarray:
    """The weights nearest to the document's (in KL) that some W_Q, W_K can give on these embeddings, without a bias.

    Every score is then embedding · u for one vector u, so four weights have two degrees of freedom. The best u makes
    the mean embedding right; Newton's method finds it.
    >>> nearest_reachable().round(4).tolist()
    [0.0457, 0.0836, 0.1492, 0.7215]
    """
    u = np.zeros(2)
    for _ in range(50):
        exps = np.exp(VECTORS @ u)
        weights = exps / exps.sum()
        mean = weights @ VECTORS
        spread = (VECTORS - mean).T @ ((VECTORS - mean) * weights[:, None])
        u = u + _solved(spread, WEIGHTS @ VECTORS - mean)
    exps = np.exp(VECTORS @ u)
    return exps / exps.sum()


def fox() -> Model:
    """ "The quick brown fox" → jumps: predicts fox, until it has learned once."""
    return Model(
        name="fox",
        title="fox (seed document 004)",
        settings=Settings(
            width=2,
            heads=1,
            reads=4,
            writes=4,
            positions=DistanceBias(reach=5),
            residual=False,
            output_projection=False,
            max_tokens=64,
        ),
        parameters={
            "E": VECTORS,
            "position": bias_by_distance(),
            "layer0.W_Q": np.eye(2)[None],
            "layer0.W_K": np.eye(2)[None],
            "layer0.W_V": np.eye(2)[None],
            "W_out": WORD_ROWS,
        },
        reads=READS,
        writes=WRITES,
        notes=("toy numbers, real recipe: a position bias is added so that the document's weights are reachable",),
        lesson="fox",
        sentence=SENTENCE,
        next="jumps",
    )


def three_words() -> Model:
    """The second example of the document (004:174-215): three words, no bias, W_Q chosen so that the weights hold."""
    scores_wanted = np.log(np.array([0.2, 0.3, 0.5])) * math.sqrt(2)
    return Model(
        name="three-words",
        title="three words (seed document 004, second example)",
        settings=Settings(width=2, heads=1, reads=3, writes=4, residual=False, output_projection=False, max_tokens=64),
        parameters={
            "E": VECTORS[:3],
            "layer0.W_Q": query_matrix(scores_wanted)[None],
            "layer0.W_K": np.eye(2)[None],
            "layer0.W_V": np.eye(2)[None],
            "W_out": WORD_ROWS,
        },
        reads=READS[:3],
        writes=("apple", "run", "fox", "pizza"),
        notes=("the document does not say where its weights come from; this W_Q gives exactly .2, .3, .5",),
        lesson="three-words",
        sentence="The quick brown",
        next="fox",
    )


def query_matrix(scores: np.ndarray) -> np.ndarray:
    """The W_Q nearest to the identity with which brown's query has these scores, up to a shift of all three.

    Softmax sees only differences, so two equations fix the query q = brown·W_Q; of all matrices that map brown to
    this q, the one that changes the identity least is I + brownᵀ(q − brown)/|brown|².
    """
    brown = VECTORS[2]
    q = _solved(VECTORS[:2] - brown, scores[:2] - scores[2])
    return np.eye(2) + np.outer(brown, q - brown) / (brown @ brown)


def _solved(matrix: np.ndarray, right: np.ndarray) -> NDArray[np.float64]:
    return np.linalg.solve(matrix, right)
