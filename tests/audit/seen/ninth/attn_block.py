"""A small attention block, with numbers to compare against.

>>> round(dot([1, 2, 3], [4, -5, 6]), 1)
14
>>> [round(t, 3) for t in softmax([1, 2, 3])]
[0.09, 0.245, 0.665]
"""
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(z):
    e = [math.exp(t) for t in z]
    return [t / sum(e) for t in e]


D_MODEL = 640
HEADS = 10
D_HEAD = D_MODEL // HEADS  # 64
SCALE = 1 / math.sqrt(D_HEAD)  # 0.125
N_PARAMS = 4 * D_MODEL ** 2  # 1,638,400
