"""Which weights the fox's word vectors allow, and the numbers in its toys that make the document's reachable."""

import math

import numpy as np
from numpy.typing import NDArray

from regard.toys.shipped import shipped

_FOX = shipped("fox")
READS = _FOX.reads
VECTORS, WORD_ROWS = (np.array(_FOX.parameters[name]) for name in ("E", "W_out"))
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
