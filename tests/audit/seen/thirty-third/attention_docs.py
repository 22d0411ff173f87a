"""Minimal scaled dot-product attention, documented by example.

Version 0.2.1 (2024-04-30). Needs nothing but the standard library.

Worked example
--------------
Two tokens, d_k = 2, so we divide by sqrt(2) = 1.4142.

    Q K^T = [[2, 1],
             [0, 3]]

    scaled = [[1.4142, 0.7071],
              [0.0,    2.1213]]

    row 1: exp -> 4.1133, 2.0281, sum 6.1414, weights 0.6698, 0.3302
    row 2: exp -> 1.0, 8.3421, sum 9.4321, weights 0.1070, 0.8930

With values v1 = 10 and v2 = 20 the first token receives
0.6698 * 10 + 0.3302 * 20 = 13.302.
"""
import math


def softmax(row):
    top = max(row)              # subtract the maximum: exp(710) would overflow
    e = [math.exp(x - top) for x in row]
    s = sum(e)
    return [x / s for x in e]


def attention(q, k, v):
    d = len(q[0])
    out = []
    for qi in q:
        scores = [sum(a * b for a, b in zip(qi, kj)) / math.sqrt(d) for kj in k]
        w = softmax(scores)
        out.append([sum(wi * vi[c] for wi, vi in zip(w, v)) for c in range(len(v[0]))])
    return out
