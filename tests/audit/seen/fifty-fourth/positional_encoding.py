"""Sinusoidal positions for a toy width of 4.

The wavelengths use base 10000, so the two frequencies are 1 and
10000 ** (-2/4) = 0.01.  Row `pos` is (sin pos, cos pos, sin 0.01 pos, cos 0.01 pos).

    pos   dim 0     dim 1     dim 2     dim 3
    0     0.0000    1.0000    0.0000    1.0000
    1     0.8415    0.5403    0.0100    1.0000
    2     0.9093    -0.4161   0.0200    0.9998
    3     0.1411    -0.9900   0.0300    0.9996
"""
import math


def encode(pos):
    out = []
    for freq in (1.0, 0.01):
        out += [math.sin(freq * pos), math.cos(freq * pos)]
    return out


def similarity(i, j):
    """Dot product of two rows; it only depends on the distance.

    similarity(0, 0) = 2.0000
    similarity(0, 1) = cos 1 + cos 0.01 = 1.5403
    similarity(1, 3) = cos 2 + cos 0.02 = 0.5837
    """
    return sum(a * b for a, b in zip(encode(i), encode(j)))


# The slow pair repeats after 2 pi / 0.01 = 628.32 positions, the fast one after 6.28.
print(similarity(0, 1))
