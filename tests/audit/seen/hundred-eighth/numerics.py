"""Small numerical helpers used in the chapters (tested on Python 3.8 to 3.12).

All functions take plain lists. Run ``python -m doctest numerics.py`` to check.
"""
from math import exp, log, sqrt


def softmax(xs):
    """Softmax, shifted by the maximum so that nothing overflows.

    >>> [round(p, 3) for p in softmax([2.0, 1.0, 0.1])]
    [0.659, 0.242, 0.099]
    >>> softmax([1000, 1000])
    [0.5, 0.5]
    """
    top = max(xs)
    es = [exp(x - top) for x in xs]
    return [e / sum(es) for e in es]


def entropy(ps):
    """Entropy in nats; log(4) = 1.386 is the most that 4 outcomes can have.

    >>> round(entropy([0.5, 0.25, 0.25]), 4)
    1.0397
    """
    return -sum(p * log(p) for p in ps if p > 0)


def rms(xs):
    """Root of the mean square.

    >>> round(rms([3.0, 4.0]), 4)
    5.0
    """
    return sqrt(sum(x * x for x in xs) / len(xs))


def cosine(a, b):
    """Cosine similarity.

    >>> round(cosine([1, 2, 2], [2, 1, 2]), 4)
    0.8889
    >>> cosine([1, 0], [0, 7])
    0.0
    """
    dot = sum(x * y for x, y in zip(a, b))
    return dot / sqrt(sum(x * x for x in a) * sum(y * y for y in b))
