"""Rotary embeddings, a four-pair example to compare my implementation against.

Head size d = 8, base 10000, so the angle per position of pair i is
theta_i = 10000 ** (-2 i / 8):

    i = 0   1
    i = 1   0.1
    i = 2   0.01
    i = 3   0.001

Rotating the pair (x, y) by an angle a gives (x cos a - y sin a, x sin a + y cos a).

Position 3, pair 0, (x, y) = (1, 2): the angle is 3 * 1 = 3 rad,
    cos 3 = -0.9900, sin 3 = 0.1411
    x' = 1 * (-0.9900) - 2 * 0.1411 = -1.2722
    y' = 1 * 0.1411 + 2 * (-0.9900) = -1.8329
The length does not change: 1.2722**2 + 1.8389**2 is 5, the same as 1 + 4.

Position 3, pair 1, (x, y) = (1, 2): the angle is 3 * 0.1 = 0.3 rad,
    cos 0.3 = 0.9553, sin 0.3 = 0.2955
    x' = 0.9553 - 2 * 0.2955 = 0.3643
"""
import math


def rotate(x, y, pos, i, d=8, base=10000.0):
    a = pos * base ** (-2 * i / d)
    return x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)


if __name__ == "__main__":
    print([round(v, 4) for v in rotate(1, 2, 3, 1)])   # [0.3643, 2.2062]
    # wavelength of the slowest pair: 2 pi / 0.001, about 6283 positions
    print(round(2 * math.pi / 0.001))   # 6283
