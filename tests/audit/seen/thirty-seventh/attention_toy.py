"""Toy attention for the blog post of 2024-03-08.

Worked example, one query against three keys (d = 3)::

    q  = [1, -1, 2]
    k1 = [2, 0, 1]    q.k1 = 2 + 0 + 2 = 4
    k2 = [1, 1, 1]    q.k2 = 1 - 1 + 2 = 2
    k3 = [0, 3, 0]    q.k3 = 0 - 3 + 0 = -3

Divide by sqrt(3) = 1.732::

    4 / 1.732  = 2.903
    2 / 1.732  = 1.155
    -3 / 1.732 = -1.732

The softmax of these is 0.7503, 0.2365, 0.0132 (sum 1.0000).
"""

import math

__version__ = "0.2.0"


def attend(q, keys, values):
    """Return the weighted mean of scalar values."""
    d = len(q)
    scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(d) for k in keys]
    top = max(scores)  # for stability, see issue #12
    e = [math.exp(s - top) for s in scores]
    z = sum(e)
    return sum(x / z * v for x, v in zip(e, values))


if __name__ == "__main__":
    # values 10, 20, 30:
    # 0.7503*10 + 0.2365*20 + 0.0132*30 = 7.503 + 4.730 + 0.396 = 12.629
    print(round(attend([1, -1, 2], [[2, 0, 1], [1, 1, 1], [0, 3, 0]], [10, 20, 30]), 2))  # 12.63
