"""Tiny vector helpers used in the course.  Run with python -m doctest."""
import math


def dot(a, b):
    """
    >>> dot([1, 2, 3], [4, -5, 6])
    12
    >>> dot([0.5, 0.5], [3, 1])
    2.0
    """
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    """
    >>> norm([2, 3, 6])
    7.0
    >>> round(norm([1, 1, 1]), 4)
    1.7321
    """
    return math.sqrt(dot(a, a))


def softmax(z):
    """
    >>> [round(p, 4) for p in softmax([1, 2, 3])]
    [0.09, 0.2447, 0.6652]
    >>> round(sum(softmax([5, 1, -2])), 6)
    1.0
    """
    m = max(z)
    e = [math.exp(v - m) for v in z]
    return [v / sum(e) for v in e]


def cosine(a, b):
    """
    >>> round(cosine([1, 2], [3, 1]), 4)
    0.7071
    """
    return dot(a, b) / (norm(a) * norm(b))    # 5 / (2.2361 * 3.1623) above
