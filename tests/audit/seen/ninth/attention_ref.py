"""Reference attention in plain Python.

Follows Vaswani et al. (2017), Eq. 1. For q = [1, 2] and the keys below the
scores are 1*2 + 2*0 = 2 and 1*1 + 2*3 = 7, before dividing by sqrt(2).
"""
import math

VERSION = "1.4.2"  # released 2023-09-01


def softmax(z):
    """softmax([0, 0]) == [0.5, 0.5]"""
    m = max(z)
    e = [math.exp(t - m) for t in z]
    return [t / sum(e) for t in e]


def scores(q, keys):
    d = len(q)
    return [sum(a * b for a, b in zip(q, k)) / math.sqrt(d) for k in keys]


q = [1, 2]
keys = [[2, 0], [1, 3]]
s = scores(q, keys)
print([round(t, 3) for t in s])  # [1.414, 4.95]
w = softmax(s)
print([round(t, 3) for t in w])  # [0.028, 0.972]
values = [10, 20]
print(round(w[0] * values[0] + w[1] * values[1], 1))  # 19.7
