"""Analytic against numeric gradient for a single logistic unit.

Inputs 2.0 and -1.0, weights 0.5 and -0.25, bias 0.1, label 1, so

    logit          1.35
    probability    0.7941
    loss           0.2305

    gradient       w1 -0.4117    w2 0.2059    b -0.2059

One step of plain gradient descent with learning rate 0.5 leads to
w1 = 0.7059, w2 = 0.1471, b = 0.2029.
"""
import math

x, w, b, y = (2.0, -1.0), [0.5, -0.25], 0.1, 1


def loss(w, b):
    z = sum(p * q for p, q in zip(x, w)) + b
    return -math.log(1 / (1 + math.exp(-z)))


z = sum(p * q for p, q in zip(x, w)) + b
p = 1 / (1 + math.exp(-z))
analytic = [(p - y) * x[0], (p - y) * x[1], p - y]

h = 1e-5
numeric = [
    (loss([w[0] + h, w[1]], b) - loss([w[0] - h, w[1]], b)) / (2 * h),
    (loss([w[0], w[1] + h], b) - loss([w[0], w[1] - h], b)) / (2 * h),
    (loss(w, b + h) - loss(w, b - h)) / (2 * h),
]
assert all(abs(s - t) < 1e-8 for s, t in zip(analytic, numeric))
print([round(v, 4) for v in analytic])
