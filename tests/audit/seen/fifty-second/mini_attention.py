"""Tiny single-query attention, for the tutorial.

Worked example
--------------
The query (2, 1, 0, 2) meets two keys of width 4:

    k_a = (1, 1, 3, 0.5)   ->  2 + 1 + 0 + 1 = 4
    k_b = (0, 2, 1, 0)     ->  0 + 2 + 0 + 0 = 2

After the division by sqrt(4) the scores are 2 and 1, and the softmax gives
the weights 0.7311 and 0.2869. With the values 10 and 30 the result is
15.38.
"""
import math


def attend(q, keys, values):
    scale = math.sqrt(len(q))  # 2.0 for the example above
    s = [sum(a * b for a, b in zip(q, k)) / scale for k in keys]
    top = max(s)
    e = [math.exp(x - top) for x in s]  # exp(0) = 1 and exp(-1) = 0.3679
    z = sum(e)  # 1.3679
    return sum(x / z * v for x, v in zip(e, values))
