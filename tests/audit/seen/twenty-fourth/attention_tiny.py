"""attention_tiny.py -- the smallest attention I could write without numpy.

Used in the bootcamp (cohort 12). Needs Python 3.8 or newer.
Run it with -v to see all intermediate numbers.
"""
import math


def softmax(xs):
    m = max(xs)                      # subtract the maximum: no overflow
    es = [math.exp(x - m) for x in xs]
    s = sum(es)
    return [e / s for e in es]


def attend(q, keys, values):
    d = len(q)
    scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(d) for k in keys]
    w = softmax(scores)
    return sum(wi * vi for wi, vi in zip(w, values)), w


# A worked example, d = 3, so we divide by sqrt(3) = 1.732:
#
#   q  = [1, 2, -1]
#   k1 = [0.5, 1.5, 1]    q.k1 = 0.5 + 3 - 1 = 2.5     2.5 / 1.732 =  1.443
#   k2 = [2, -0.5, -1]    q.k2 = 2 - 1 + 1   = 2.0     2.0 / 1.732 =  1.155
#   k3 = [0, 1, 3]        q.k3 = 0 + 2 - 3   = -1.0   -1.0 / 1.732 = -0.577
#
# exp() of the three scaled scores: 4.235, 3.173, 0.561   (sum 7.969)
#
#   w1 = 4.235 / 7.969 = 0.531
#   w2 = 3.173 / 7.969 = 0.398
#   w3 = 0.561 / 7.969 = 0.704
#
# With the (scalar) values 10, 20, 30 the output is about 15.4.
# TODO(2023-02): show the version with a batch axis, see ticket 118.

if __name__ == "__main__":
    out, w = attend([1, 2, -1], [[0.5, 1.5, 1], [2, -0.5, -1], [0, 1, 3]], [10, 20, 30])
    print(out, w)
