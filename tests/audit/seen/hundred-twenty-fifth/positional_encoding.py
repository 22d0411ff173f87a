"""Sinusoidal positional encodings, small enough to check with a calculator.

I use d = 4 and the base 100 (not 10000), so that both frequencies do something
visible: the first pair turns by 1 radian per position, the second by 1/10.
"""
import numpy as np

d, base = 4, 100


def encode(pos):
    row = []
    for i in range(d // 2):
        angle = pos / base ** (2 * i / d)
        row += [np.sin(angle), np.cos(angle)]
    return np.array(row)


for pos in range(4):
    print(pos, encode(pos).round(4))
# 0 [0. 1. 0. 1.]
# 1 [0.8415 0.5403 0.0998 0.995 ]
# 2 [ 0.9193 -0.4161  0.1987  0.9801]
# 3 [ 0.1411 -0.99    0.2955  0.9553]

# Each sine/cosine pair lies on the unit circle, so the squared length
# of every row is the number of pairs, d / 2:
print(round(float(encode(3) @ encode(3)), 4))
# 2.0

# The dot product of two positions only depends on how far they are apart:
# cos(1) + cos(0.1) for neighbours, wherever they stand.
print(round(float(encode(0) @ encode(1)), 4))
# 1.5353
print(round(float(encode(2) @ encode(3)), 4))
# 1.5353
