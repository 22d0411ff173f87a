#!/usr/bin/env python3
"""
mlp.py - forward pass of a 3-4-2 network, no libraries.

Parameters: 3*4 + 4 = 16 in the first layer, 4*2 + 2 = 10 in the second, 26 in all.
"""
import math

x = [1.0, -2.0, 0.5]

W1 = [[0.2, -0.5, 1.0],
      [0.7, 0.1, -0.4],
      [-0.3, 0.4, 0.6],
      [1.0, 0.5, 0.2]]
b1 = [0.1, 0.0, -0.2, 0.3]

W2 = [[0.5, -1.0, 0.3, 0.8],
      [-0.2, 0.6, 1.0, -0.5]]
b2 = [0.05, -0.1]


def affine(W, b, v):
    return [sum(w * t for w, t in zip(row, v)) + c for row, c in zip(W, b)]


h = affine(W1, b1, x)
# 0.2 + 1.0 + 0.5 + 0.1 = 1.8
# 0.7 - 0.2 - 0.2 + 0.0 = 0.3
# -0.3 - 0.8 + 0.3 - 0.2 = -1.0
# 1.0 - 1.0 + 0.1 + 0.3 = 0.4

a = [max(0.0, t) for t in h]
# the third unit is dead for this input: a = [1.8, 0.3, 0.0, 0.4]

o = affine(W2, b2, a)
# o[0] = 0.9 - 0.3 + 0.0 + 0.32 + 0.05 = 0.97
# o[1] = -0.36 + 0.18 + 0.0 - 0.2 - 0.1 = -0.48

e = [math.exp(t) for t in o]
p = [t / sum(e) for t in e]
# exp: 2.6379 and 0.6188, probabilities 0.810 and 0.190
# loss if the label is class 0: -ln(0.810) = 0.211
print([round(t, 3) for t in p])  # [0.81, 0.19]
