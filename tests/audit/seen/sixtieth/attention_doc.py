"""Tiny attention helpers, without numpy."""
import math


def softmax(xs):
    """Turn scores into weights that add up to one.

    By hand: e^1.5 = 4.4817, e^0.5 = 1.6487, e^-1 = 0.3679,
    and 4.4817 + 1.6487 + 0.3679 = 6.4983.

    >>> [round(p, 4) for p in softmax([1.5, 0.5, -1.0])]
    [0.6897, 0.2537, 0.0656]
    """
    top = max(xs)
    exps = [math.exp(x - top) for x in xs]
    return [e / sum(exps) for e in exps]


def dot(a, b):
    """Dot product.

    >>> dot([1, 2, 3], [4, -5, 6])
    12
    """
    return sum(x * y for x, y in zip(a, b))


def score(q, k):
    """Scaled dot product: 0.5*2 + 1*3 + 2*0 + 1*4 = 8, and 8 / sqrt(4) = 4.

    >>> score([0.5, 1, 2, 1], [2, 3, 0, 4])
    4.0
    """
    return dot(q, k) / math.sqrt(len(q))
