"""Attention with plain Python lists.

Written for the 2024 summer school; runs on Python 3.8 and later, no numpy needed.

Worked example (see the bottom of the file)
-------------------------------------------
query   q  = [0.5, -1.0, 2.0]
keys    k1 = [2, 1, 0.5]    k2 = [1, -1, 1]    k3 = [-1, 0.5, 1.5]

    q.k1 = 1.0 - 1.0 + 1.0  = 1.0
    q.k2 = 0.5 + 1.0 + 2.0  = 3.5
    q.k3 = -0.5 - 0.5 + 3.0 = 2.0

Divided by sqrt(3) = 1.7321 these are 0.5774, 2.0207 and 1.1547.
"""
import math


def attention(q, keys, values):
    scale = 1.0 / math.sqrt(len(q))
    scores = [scale * sum(a * b for a, b in zip(q, k)) for k in keys]
    # No max-subtraction here, the scores are tiny. For real code see torch >= 2.0,
    # F.scaled_dot_product_attention.
    exps = [math.exp(s) for s in scores]
    # In the example: 1.781 + 7.544 + 3.173 = 11.498
    total = sum(exps)
    weights = [e / total for e in exps]
    # -> 0.1425, 0.6036, 0.2539
    dim = len(values[0])
    return [sum(w * v[j] for w, v in zip(weights, values)) for j in range(dim)]


if __name__ == "__main__":
    # values (10, 0), (0, 10), (5, 5):
    #   first:  0.1425*10 + 0.6036*0  + 0.2539*5 = 2.69
    #   second: 0.1425*0  + 0.6036*10 + 0.2539*5 = 7.31
    # TODO(issue 19): 200 tokens take about 0.4 s, that is slow
    print(attention([0.5, -1.0, 2.0],
                    [[2, 1, 0.5], [1, -1, 1], [-1, 0.5, 1.5]],
                    [[10, 0], [0, 10], [5, 5]]))
