"""Lesson 11: where am I in the sentence?

Sinusoidal positions for d = 4.  The first pair of columns turns quickly
(angle = pos), the second pair slowly (angle = pos / 100), because
10000 ** (2 / 4) = 100.
"""
from math import sin, cos


def pe(pos):
    return [sin(pos), cos(pos), sin(pos / 100), cos(pos / 100)]


def show(v):
    print("  ".join(f"{x:.4f}" for x in v))


show(pe(0))     # 0.0000  1.0000  0.0000  1.0000
show(pe(1))     # 0.8415  0.5403  0.0100  1.0000
show(pe(2))     # 0.9093  0.4161  0.0200  0.9998
show(pe(3))     # 0.1411  -0.9900  0.0300  0.9996

# Each pair lies on a circle, so every row has the squared length 1 + 1 = 2.
print(round(sum(x * x for x in pe(3)), 4))     # 2.0


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# What matters for the scalar product is only how far apart two places are.
# By the addition theorem it equals cos(k) + cos(k / 100) for distance k.
print(round(dot(pe(0), pe(1)), 3))     # 1.54
print(round(dot(pe(5), pe(6)), 3))     # 1.54
print(round(dot(pe(2), pe(5)), 3))     # 0.01

# Question for the class: after how many places does the slow pair come round
# again?  2 * pi * 100 is about 628, longer than any sentence of ours.
