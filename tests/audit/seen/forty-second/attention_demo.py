"""Single-query attention in pure Python.

Worked example, for q = (1, 2) and keys (1, 0), (0, 1), (1, 1):

    dot products      1, 2, 3
    over sqrt(2)      0.7071, 1.4142, 2.1213
    softmax           0.1400, 0.2840, 0.5770

With the scalar values 10, 20, 30 the output is 24.36.
"""
import math


def attend(q, keys, values):
    scale = math.sqrt(len(q))
    scores = [sum(a * b for a, b in zip(q, k)) / scale for k in keys]
    m = max(scores)
    e = [math.exp(s - m) for s in scores]
    z = sum(e)  # for the example above: 1.7362
    w = [x / z for x in e]
    return sum(a * v for a, v in zip(w, values)), w


if __name__ == "__main__":
    out, w = attend((1, 2), [(1, 0), (0, 1), (1, 1)], (10, 20, 30))
    print(round(out, 2))
