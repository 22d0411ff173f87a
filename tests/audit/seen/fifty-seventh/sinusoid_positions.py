"""Sinusoidal position codes with toy numbers.

Width d = 4, so we have two pairs (sin, cos). The first pair turns with
frequency 1, the second with 1 / 10000**(2/4) = 1/100.

Position 0 is [0, 1, 0, 1], and position 3 is
[0.1411, -0.9900, 0.0300, 0.9996].

Every code has squared length 2 (sin^2 + cos^2 = 1, twice).
"""
import math


def pe(pos, d):
    out = []
    for i in range(0, d, 2):
        angle = pos / 10000 ** (i / d)
        out += [math.sin(angle), math.cos(angle)]
    return out


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


print([round(x, 4) for x in pe(1, 4)])  # [0.8415, 0.5403, 0.01, 1.0]
print([round(x, 4) for x in pe(2, 4)])  # [0.9093, -0.4161, 0.02, 0.9998]

# the dot product depends on the distance only: cos(3) + cos(0.03)
print(round(dot(pe(2, 4), pe(5, 4)), 4))    # 0.0096
print(round(dot(pe(10, 4), pe(13, 4)), 4))  # 0.0096
print(round(dot(pe(2, 4), pe(3, 4)), 4))    # 0.5403, one step apart

# wavelength of the slow pair: 2 pi * 100
print(round(2 * math.pi * 100, 1))  # 628.3 positions
