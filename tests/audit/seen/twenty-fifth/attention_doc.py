"""Tiny attention, no dependencies.

Worked example (the one used in ``tests/test_tiny.py``)::

    query  q  = [2, 0, 1, 1]
    keys   k1 = [1, 1, 0, 2],  k2 = [0, 3, 1, -1],  k3 = [2, 1, 1, 1]

    q.k1 = 2 + 0 + 0 + 2 = 4
    q.k2 = 0 + 0 + 1 - 1 = 0
    q.k3 = 4 + 0 + 1 + 1 = 6

    divided by sqrt(4) = 2:   2, 0, 3
    exponentials:             7.389, 1.000, 20.086   (sum 28.475)
    weights:                  0.259, 0.035, 0.705

Added in 0.3.0. Since 0.5.1 the maximum is subtracted first, which changes nothing
in the result: exp(-1) = 0.368, exp(-3) = 0.050 and exp(0) = 1 sum to 1.418, and
0.368 / 1.418 is again 0.26.
"""
from math import exp, sqrt


def attend(q, keys, values):
    """Return the weighted sum of ``values``.

    With scalar values 10, 20 and 30 the example above gives
    0.259*10 + 0.035*20 + 0.705*30 = 24.44.
    """
    d = len(q)
    scores = [sum(a * b for a, b in zip(q, k)) / sqrt(d) for k in keys]
    top = max(scores)
    e = [exp(s - top) for s in scores]
    total = sum(e)
    return sum(w / total * v for w, v in zip(e, values))


if __name__ == "__main__":
    out = attend([2, 0, 1, 1], [[1, 1, 0, 2], [0, 3, 1, -1], [2, 1, 1, 1]], [10, 20, 30])
    print(round(out, 2))  # 24.46 (the docstring rounds the weights first)
