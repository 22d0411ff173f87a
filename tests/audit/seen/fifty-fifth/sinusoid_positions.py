"""Sinusoidal positions for d_model = 8, the numbers from lecture 5.

The wavelengths grow by a factor of 10 from pair to pair, because
10000 ** (2 / 8) = 10.  For position 5 the four angles are

    5 / 1 = 5        sin = -0.9589   cos = 0.2837
    5 / 10 = 0.5     sin = 0.0087    cos = 0.8776
    5 / 100 = 0.05   sin = 0.0500    cos = 0.9988
    5 / 1000 = 0.005 sin = 0.0050    cos = 1.0000

The dot product of two encodings depends on their distance only: it is the
sum of cos(distance / scale) over the four pairs.
"""
import math


def encode(pos, d=8):
    row = []
    for i in range(d // 2):
        angle = pos / 10000 ** (2 * i / d)
        row += [math.sin(angle), math.cos(angle)]
    return row


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


print(round(dot(encode(5), encode(5)), 4))   # 4.0, four times sin^2 + cos^2
print(round(dot(encode(5), encode(7)), 4))   # 2.5637
print(round(dot(encode(20), encode(22)), 4))   # 2.5637 again: distance 2
# cos(2) + cos(0.2) + cos(0.02) + cos(0.002)
# = -0.4161 + 0.9801 + 0.9998 + 1.0000
