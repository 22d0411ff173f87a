"""Minimal single-query attention, for the "no magic" reading list.

Worked example (kept in sync with the test at the bottom):

    q  = [1, 1]
    k1 = [1, 0]    q.k1 = 1
    k2 = [1, 1]    q.k2 = 2
    k3 = [1, -1]   q.k3 = 0

Scaling by sqrt(2) = 1.4142 gives scores 0.7071, 1.4142 and 0.

    exp(0.7071) = 2.028
    exp(1.4142) = 4.113
    exp(0)      = 1.000
    sum         = 7.411

    weights = 0.284, 0.576, 0.140

With the values 10, 0 and 5 the result is 0.284*10 + 0.576*0 + 0.140*5 = 3.54.
"""
import math

__version__ = "0.3.1"  # 2024-12-05


def attend(q, keys, values):
    scale = math.sqrt(len(q))
    scores = [sum(a * b for a, b in zip(q, k)) / scale for k in keys]
    top = max(scores)  # for stability; changes nothing in the result
    exps = [math.exp(s - top) for s in scores]
    total = sum(exps)
    return sum(e / total * v for e, v in zip(exps, values))


if __name__ == "__main__":
    out = attend([1, 1], [[1, 0], [1, 1], [1, -1]], [10, 0, 5])
    assert abs(out - 3.54) < 0.01, out
    print("ok")
